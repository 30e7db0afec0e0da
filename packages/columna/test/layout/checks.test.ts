// Bytes made so that exactly one check of the layout stands between them and being taken: what is refused, where and as
// what, and what lies just within the bounds and is not.
import { crc32 } from '@colkit/io';
import { describe, expect, it } from 'vitest';
import { encodeColumnBlock, needsDictionary, parseChunkEntry } from '../../src/layout/column-block.ts';
import type { ChunkEntry } from '../../src/layout/column-block.ts';
import { COLUMN_TYPES, arrayOver, columnType } from '../../src/layout/column-type.ts';
import { Encoding } from '../../src/layout/constants.ts';
import {
  checkColumnBlock,
  encodeFooter,
  parseFooterCore,
  parseFooterTail,
  parseTrailer,
} from '../../src/layout/footer.ts';
import type { Footer, RowGroup } from '../../src/layout/footer.ts';
import { encodePageBytes, parsePageHeader } from '../../src/layout/page-header.ts';
import type { ExpectedPage, PageHeader } from '../../src/layout/page-header.ts';
import { encodeSchema, parseSchema } from '../../src/layout/schema.ts';

const PLACE = { path: 'x.cna', region: 'part', byteOffset: 1000 };
const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const bound = (value: string) => ({ value: text(value), exact: true });

function errorOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

const corruptAt = (byteOffset: number, code = 'ERR_METADATA', fields: object = {}): unknown =>
  expect.objectContaining({ name: 'CorruptFileError', path: 'x.cna', region: 'part', code, byteOffset, ...fields });

describe('a chunk entry', () => {
  const none = { nullCount: 0, nanCount: 0, min: null, max: null };
  const chunk: ChunkEntry = {
    byteOffset: 4,
    byteLength: 72,
    dictionaryBytes: 32,
    codesColumn: 1,
    joint: false,
    statistics: none,
    encodings: 1,
    pages: [{ pageBytes: 40, statistics: none }],
  };
  const context = { type: columnType('int64'), columnNumber: 1, columnCount: 3, footerOffset: 76, place: PLACE };
  const ONE_PAGE = { rowCount: 8, pageRows: 8 };
  const viewOf = (block: Uint8Array): DataView => new DataView(block.buffer, block.byteOffset, block.length);
  /** The entry of the second of two row groups, the first of which is sound: so its place in the block counts. */
  const parse = (change: Partial<ChunkEntry>, flags?: number): ChunkEntry => {
    const block = encodeColumnBlock([chunk, { ...chunk, ...change }]);
    if (flags !== undefined) block[64 + 37] = flags;
    return parseChunkEntry(viewOf(block), 1, ONE_PAGE, context);
  };
  const member = { joint: true, codesColumn: 0, byteLength: 32, pages: [{ pageBytes: 0, statistics: none }] };

  it('is that of its row group; one page is not listed', () => {
    expect(parse({})).toEqual(chunk);
    expect(viewOf(encodeColumnBlock([chunk])).getUint32(24, true)).toBe(0);
    expect(parse({ byteOffset: 12, byteLength: 64, pages: [{ pageBytes: 32, statistics: none }] })).toMatchObject({
      byteOffset: 12,
      byteLength: 64,
    });
  });

  it('may be of a member of a joint dictionary, or of its leader', () => {
    expect(parse(member)).toEqual({ ...chunk, ...member });
    expect(parse({ joint: true })).toEqual({ ...chunk, joint: true });
    expect(parse({ ...member, codesColumn: 2 })).toMatchObject({ codesColumn: 2 });
  });

  it.each<[string, Partial<ChunkEntry>, number | undefined, number]>([
    ['an offset that is not 4 modulo 8', { byteOffset: 0 }, undefined, 0],
    ['an end in the footer', { byteOffset: 12 }, undefined, 0],
    ['an offset beyond the footer', { byteOffset: 84, byteLength: 32 }, undefined, 0],
    ['a dictionary page longer than the chunk', { byteLength: 24 }, undefined, 16],
    ['codes of a column there is not', { ...member, codesColumn: 3 }, undefined, 20],
    ['flags of a later version', {}, 2, 37],
    ['codes of another column without JOINT', { ...member, joint: false }, undefined, 20],
    ['JOINT without a dictionary page', { joint: true, dictionaryBytes: 0 }, undefined, 16],
    ['data pages in a member', { ...member, byteLength: 72 }, undefined, 8],
  ])('refuses %s', (_, change, flags, at) => {
    expect(errorOf(() => parse(change, flags))).toEqual(corruptAt(1000 + 64 + at, 'ERR_METADATA', { rowGroup: 1 }));
  });

  it('tells the bytes of data pages in a member', () => {
    expect(errorOf(() => parse({ ...member, byteLength: 72 }))).toMatchObject({ found: '40' });
  });

  it('lists its pages up to the very end of the block, with counts of their own', () => {
    const statistics = { nullCount: 1, nanCount: 258, min: null, max: null };
    const three: ChunkEntry = {
      ...chunk,
      byteLength: 128,
      statistics,
      pages: [40, 24, 32].map((pageBytes, page) => ({
        pageBytes,
        statistics: { ...statistics, nanCount: 259 + page },
      })),
    };
    const block = encodeColumnBlock([three]);
    const groups = { rowCount: 20, pageRows: 8 };
    const wide = { ...context, footerOffset: 132 };
    expect(parseChunkEntry(viewOf(block), 0, groups, wide)).toEqual(three);
    for (const pagesAt of [65, 96, 128, 160, 1 << 30]) {
      viewOf(block).setUint32(24, pagesAt, true);
      expect(
        errorOf(() => parseChunkEntry(viewOf(block), 0, groups, wide)),
        String(pagesAt),
      ).toEqual(corruptAt(1024));
    }
  });

  it('needs its dictionary page for CODES and in joint chunks', () => {
    const needs = (joint: boolean, encodings: number, dictionaryBytes: number): boolean =>
      needsDictionary({ joint, encodings, dictionaryBytes });
    expect([needs(false, 1 << Encoding.CODES, 8), needs(true, 0, 8)]).toEqual([true, true]);
    expect([
      needs(false, 1 << Encoding.PLAIN, 8),
      needs(false, 1 << Encoding.CODES, 0),
      needs(true, 0, 0),
      needs(false, 0xffff ^ (1 << Encoding.CODES), 8),
    ]).toEqual([false, false, false, false]);
  });

  it('has strings inside the block, up to its very end', () => {
    const strings = { ...context, type: columnType('binary') };
    const statistics = { nullCount: 0, nanCount: 0, min: bound('abc'), max: bound('abd') };
    const block = encodeColumnBlock([{ ...chunk, statistics, pages: [{ pageBytes: 40, statistics }] }]);
    expect(parseChunkEntry(viewOf(block), 0, ONE_PAGE, strings).statistics).toEqual(statistics);
    for (const [at, value] of [
      [48, 68],
      [52, 4],
      [48, 1 << 30],
    ] as const) {
      const damaged = block.slice();
      viewOf(damaged).setUint32(at, value, true);
      expect(
        errorOf(() => parseChunkEntry(viewOf(damaged), 0, ONE_PAGE, strings)),
        String(at),
      ).toEqual(corruptAt(1048, 'ERR_METADATA', { rowGroup: 0 }));
    }
  });
});

describe('a page header', () => {
  const type = columnType('int32');
  const expected: ExpectedPage = { kind: 'data', type, columnNumber: 7, rowCount: null, maxBodyBytes: 100 };
  const pageOf = (header: Partial<PageHeader>, stored: Uint8Array): Uint8Array =>
    encodePageBytes(
      {
        kind: 'data',
        codec: 'NONE',
        encoding: 0,
        parameter: 2,
        bodyBytes: stored.length,
        rowCount: 3,
        valueCount: 3,
        ...header,
      },
      stored,
      type,
      7,
    );
  const parse = (page: Uint8Array, change: Partial<ExpectedPage> = {}): PageHeader =>
    parsePageHeader(page, { ...expected, ...change }, true, PLACE);

  it('has one to 65,536 rows, whatever the footer says', () => {
    expect(parse(pageOf({ rowCount: 1, valueCount: 1 }, new Uint8Array(4))).rowCount).toBe(1);
    expect(parse(pageOf({ rowCount: 65_536, valueCount: 1 }, new Uint8Array(4))).rowCount).toBe(65_536);
    expect(errorOf(() => parse(pageOf({ rowCount: 0, valueCount: 0 }, new Uint8Array(0))))).toEqual(
      corruptAt(1012, 'ERR_LAYOUT'),
    );
    expect(errorOf(() => parse(pageOf({ rowCount: 65_537, valueCount: 1 }, new Uint8Array(4))))).toEqual(
      corruptAt(1012, 'ERR_LAYOUT'),
    );
    expect(errorOf(() => parse(pageOf({}, new Uint8Array(4)), { rowCount: 4 }))).toEqual(corruptAt(1012, 'ERR_LAYOUT'));
  });

  it('is of the kind, type and column that the footer tells', () => {
    const page = pageOf({}, new Uint8Array(4));
    expect(errorOf(() => parse(pageOf({ valueCount: 4 }, new Uint8Array(4))))).toEqual(
      corruptAt(1016, 'ERR_LAYOUT', { found: '4' }),
    );
    expect(errorOf(() => parse(page, { kind: 'dictionary' }))).toEqual(corruptAt(1020, 'ERR_LAYOUT', { found: '0' }));
    expect(errorOf(() => parse(pageOf({ kind: 'dictionary' }, new Uint8Array(4))))).toEqual(
      corruptAt(1020, 'ERR_LAYOUT', { found: '1' }),
    );
    expect(errorOf(() => parse(page, { type: columnType('int8') }))).toEqual(
      corruptAt(1021, 'ERR_LAYOUT', { found: '3' }),
    );
    expect(errorOf(() => parse(page, { columnNumber: 8 }))).toEqual(corruptAt(1026, 'ERR_LAYOUT', { found: '7' }));
    expect(parse(page, { columnNumber: 65_536 + 7 }).rowCount).toBe(3);
  });

  it('fills its page exactly', () => {
    const page = pageOf({}, new Uint8Array(4));
    expect(errorOf(() => parse(page.subarray(0, 27)))).toEqual(corruptAt(1000, 'ERR_TRUNCATED'));
    expect(errorOf(() => parse(page.subarray(0, 28)))).toEqual(corruptAt(1004, 'ERR_LAYOUT'));
  });

  it('limits what is inflated, not what is stored as it is', () => {
    expect(parse(pageOf({}, new Uint8Array(400)))).toMatchObject({ codec: 'NONE', bodyBytes: 400, storedBytes: 400 });
    expect(parse(pageOf({ codec: 'DEFLATE', bodyBytes: 100 }, Uint8Array.of(3, 0)))).toMatchObject({
      codec: 'DEFLATE',
      bodyBytes: 100,
      storedBytes: 2,
    });
    expect(errorOf(() => parse(pageOf({ codec: 'DEFLATE', bodyBytes: 101 }, Uint8Array.of(3, 0))))).toEqual(
      corruptAt(1008, 'ERR_LAYOUT'),
    );
    for (const bodyBytes of [3, 5])
      expect(errorOf(() => parse(pageOf({ bodyBytes }, new Uint8Array(4))))).toEqual(corruptAt(1008, 'ERR_LAYOUT'));
    expect(errorOf(() => parse(pageOf({ valueCount: 0 }, new Uint8Array(4))))).toEqual(corruptAt(1008, 'ERR_LAYOUT'));
  });
});

describe('a schema', () => {
  const column = (more: string): string => `{"columns":[{${more}}]}`;
  const refused = (json: string | Uint8Array): unknown =>
    errorOf(() => parseSchema(typeof json === 'string' ? text(json) : json, 1, PLACE));

  it("is UTF-8, and says what is no JSON in its parser's words", () => {
    const bytes = text(column('"name":"?","type":"bool","nullable":true'));
    bytes[bytes.indexOf(0x3f)] = 0xff;
    expect(refused(bytes)).toEqual(corruptAt(1000));
    expect(refused('{')).toEqual(
      corruptAt(1000, 'ERR_METADATA', {
        expected: 'a JSON object',
        found: expect.stringMatching(/JSON at|JSON input|property name/) as unknown,
      }),
    );
    expect(refused('[1]')).toEqual(
      corruptAt(1000, 'ERR_METADATA', { expected: 'a JSON object', found: 'another JSON value' }),
    );
  });

  it.each([
    ['{"columns":[null]}', 'column 0 to be an object', 'object'],
    ['{"columns":[7]}', 'column 0 to be an object', 'number'],
    ['{"columns":[[]]}', 'column 0 to be an object', 'object'],
    [column('"name":1,"type":"bool","nullable":true'), 'column 0 to have a name of its own', 'number'],
    [column('"type":"bool","nullable":true'), 'column 0 to have a name of its own', 'undefined'],
    [column('"name":"","type":"bool","nullable":true'), 'column 0 to have a name of its own', '""'],
    [column('"name":"a","type":7,"nullable":true'), 'column 0 to have a type and nullable', 'number and boolean'],
    [column('"name":"a","type":"bool","nullable":1'), 'column 0 to have a type and nullable', 'string and number'],
  ])('refuses %s', (json, expected, found) => {
    expect(refused(json)).toEqual(corruptAt(1000, 'ERR_METADATA', { expected, found }));
  });

  it("is written with nothing that it does not need, and refused by the argument's name", () => {
    const of = (name: string) => ({ name, type: columnType('bool'), nullable: false });
    expect(new TextDecoder().decode(encodeSchema({ columns: [of('a')], metadata: new Map(), createdBy: null }))).toBe(
      column('"name":"a","type":"bool","nullable":false'),
    );
    for (const names of [[''], ['\ud800'], ['a', 'a']]) {
      expect(
        errorOf(() => encodeSchema({ columns: names.map(of), metadata: new Map(), createdBy: null })),
      ).toMatchObject({ name: 'ArgumentError', code: 'ERR_SCHEMA', argument: 'columns' });
    }
  });
});

describe('a footer', () => {
  const schema = {
    columns: [{ name: 'a', type: columnType('int8'), nullable: false }],
    metadata: new Map<string, string>(),
    createdBy: null,
  };
  const none = { nullCount: 0, nanCount: 0, min: null, max: null };
  const chunk: ChunkEntry = {
    byteOffset: 4,
    byteLength: 32,
    dictionaryBytes: 0,
    codesColumn: 0,
    joint: false,
    statistics: none,
    encodings: 1,
    pages: [{ pageBytes: 32, statistics: none }],
  };
  const group: RowGroup = { byteOffset: 4, rowCount: 3, pageRows: 8, firstRow: 0 };
  const OFFSET = 36;

  interface Parts {
    readonly bytes: Uint8Array;
    readonly footerBytes: number;
    readonly tailAt: number;
    readonly coreAt: number;
  }
  const make = (
    groups: readonly RowGroup[] = [group],
    previousEnd = 0,
    chunks: readonly ChunkEntry[] = groups.map(() => chunk),
  ): Parts => {
    const bytes = encodeFooter(schema, groups, [chunks], OFFSET, previousEnd);
    const footerBytes = bytes.length - 8;
    return { bytes, footerBytes, tailAt: footerBytes - 64, coreAt: 64 * chunks.length };
  };
  const parse = ({ bytes, footerBytes, tailAt, coreAt }: Parts): Footer => {
    const tail = parseFooterTail(bytes.subarray(tailAt, tailAt + 64), footerBytes, {
      ...PLACE,
      byteOffset: OFFSET + tailAt,
    });
    return parseFooterCore(bytes.subarray(coreAt, footerBytes), tail, footerBytes, {
      ...PLACE,
      byteOffset: OFFSET + coreAt,
    });
  };
  /** Of a core of one row group: after 8-byte aligned JSON, the row group, the directory entry, the tail. */
  const damaged = (change: (view: DataView, groupAt: number, tailAt: number) => void): Parts => {
    const parts = make();
    const view = new DataView(parts.bytes.buffer);
    change(view, parts.tailAt - 32, parts.tailAt);
    view.setUint32(parts.tailAt + 60, crc32(parts.bytes.subarray(parts.coreAt, parts.tailAt + 60)), true);
    return parts;
  };

  it('comes back with its counts, and what was before it', () => {
    expect(parse(make([group], 0x0102030405))).toMatchObject({
      formatVersion: 1,
      previousEnd: 0x0102030405,
      rowCount: 3,
      footerOffset: OFFSET,
      rowGroups: [group],
      directory: [{ byteOffset: OFFSET, byteLength: 64 }],
    });
    const bytes = make().bytes;
    expect([...bytes.subarray(make().tailAt, make().tailAt + 4)]).toEqual([1, 0, 1, 0]);
    expect(parse(make([{ ...group, pageRows: 1 }])).rowGroups[0]?.pageRows).toBe(1);
    expect(
      parse(
        make([
          { ...group, pageRows: 65_536 },
          { ...group, byteOffset: OFFSET, firstRow: 3 },
        ]),
      ).rowGroups[1],
    ).toMatchObject({ byteOffset: OFFSET, firstRow: 3 });
  });

  it.each<[string, (view: DataView, groupAt: number, tailAt: number) => void, (parts: Parts) => number, string?]>([
    [
      "a row group behind the footer's start",
      (view, at) => view.setBigUint64(at, BigInt(OFFSET + 1), true),
      ({ tailAt }) => tailAt - 32,
    ],
    ['one within the magic', (view, at) => view.setBigUint64(at, 3n, true), ({ tailAt }) => tailAt - 32],
    [
      'an empty row group',
      (view, at, tail) => {
        view.setUint32(at + 8, 0, true);
        view.setBigUint64(tail + 16, 0n, true);
      },
      ({ tailAt }) => tailAt - 24,
    ],
    ['pages of no rows', (view, at) => view.setUint32(at + 12, 0, true), ({ tailAt }) => tailAt - 20],
    ['pages of 65,537 rows', (view, at) => view.setUint32(at + 12, 65_537, true), ({ tailAt }) => tailAt - 20],
    ['another number of rows', (view, _, tail) => view.setBigUint64(tail + 16, 4n, true), ({ tailAt }) => tailAt + 16],
    ['a block that reaches into the core', (view, at) => view.setUint32(at + 16, 1, true), ({ tailAt }) => tailAt - 16],
    ['a block without its entry', (view, at) => view.setUint32(at + 20, 63, true), ({ tailAt }) => tailAt - 12],
  ])('refuses %s', (_, change, at) => {
    const parts = damaged(change);
    expect(errorOf(() => parse(parts))).toEqual(corruptAt(OFFSET + at(parts)));
  });

  it('tells where the block of each column is, and its checksum', () => {
    const two = { ...schema, columns: [...schema.columns, { name: 'b', type: columnType('int8'), nullable: true }] };
    const other = { ...chunk, codesColumn: 1 };
    const bytes = encodeFooter(two, [group], [[chunk], [other]], OFFSET, 0);
    const footerBytes = bytes.length - 8;
    const { directory } = parse({ bytes, footerBytes, tailAt: footerBytes - 64, coreAt: 128 });
    const crcs = [chunk, other].map((entry) => crc32(encodeColumnBlock([entry])));
    expect(directory).toEqual([
      { byteOffset: OFFSET, byteLength: 64, crc: crcs[0] },
      { byteOffset: OFFSET + 64, byteLength: 64, crc: crcs[1] },
    ]);
  });

  it('has a block with an entry for each of its row groups', () => {
    const two = [group, { ...group, firstRow: 3 }];
    expect(parse(make(two)).rowCount).toBe(6);
    const parts = make(two, 0, [chunk]);
    expect(errorOf(() => parse(parts))).toEqual(corruptAt(OFFSET + parts.tailAt - 12));
  });

  it('says where the checksum of its core and of its blocks is not right', () => {
    const parts = make();
    parts.bytes[parts.coreAt + 2]! ^= 1;
    expect(errorOf(() => parse(parts))).toEqual(corruptAt(OFFSET + parts.footerBytes - 4, 'ERR_CRC'));
    const block = encodeColumnBlock([chunk]);
    expect(
      checkColumnBlock(block, { byteOffset: 0, byteLength: 64, crc: crc32(block) }, PLACE).getUint32(20, true),
    ).toBe(0);
    expect(
      errorOf(() => checkColumnBlock(block, { byteOffset: 0, byteLength: 64, crc: crc32(block) ^ 1 }, PLACE)),
    ).toEqual(corruptAt(1000, 'ERR_CRC'));
  });

  it('is told by its trailer alone', () => {
    const trailer = (footerBytes: number, magic = 'CNA1'): Uint8Array => {
      const bytes = new Uint8Array(8);
      new DataView(bytes.buffer).setUint32(0, footerBytes, true);
      bytes.set(text(magic), 4);
      return bytes;
    };
    // A file of nothing but magic, the smallest footer and the trailer.
    expect([64, 65].map((footerBytes) => parseTrailer(trailer(footerBytes), 76))).toEqual([64, null]);
    expect([63, 64, 88, 89, 100].map((footerBytes) => parseTrailer(trailer(footerBytes), 100))).toEqual([
      null,
      64,
      88,
      null,
      null,
    ]);
    expect(parseTrailer(trailer(64, 'CNA2'), 100)).toBeNull();
    expect(parseTrailer(trailer(64).subarray(1), 100)).toBeNull();
    // Lengths of less than a file must not wrap round.
    for (const fileBytes of [0, 8, 11, 12, 75]) expect(parseTrailer(trailer(64), fileBytes)).toBeNull();
  });
});

describe('column types', () => {
  it('have the arrays of their values', () => {
    const arrays = [
      Uint8Array,
      Int8Array,
      Int16Array,
      Int32Array,
      BigInt64Array,
      Uint8Array,
      Uint16Array,
      Uint32Array,
      BigUint64Array,
      Float32Array,
      Float64Array,
      BigInt64Array,
      BigInt64Array,
    ];
    expect(COLUMN_TYPES.slice(0, 13).map((type) => arrayOver(type, new ArrayBuffer(8), 0, 1).constructor)).toEqual(
      arrays,
    );
    for (const name of ['string', 'binary'] as const)
      expect(errorOf(() => arrayOver(columnType(name), new ArrayBuffer(8), 0, 1))).toMatchObject({
        code: 'ERR_FEATURE',
        feature: name,
      });
  });
});
