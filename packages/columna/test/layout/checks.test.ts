// Bytes made so that exactly one check of the layout stands between them and being taken: what is refused, where and as
// what, and what lies just within the bounds and is not.
import { describe, expect, it } from 'vitest';
import { encodeColumnBlock, needsDictionary, parseChunkEntry } from '../../src/layout/column-block.ts';
import type { ChunkEntry } from '../../src/layout/column-block.ts';
import { columnType } from '../../src/layout/column-type.ts';
import { Encoding } from '../../src/layout/constants.ts';
import { encodePageBytes, parsePageHeader } from '../../src/layout/page-header.ts';
import type { ExpectedPage, PageHeader } from '../../src/layout/page-header.ts';
import { encodeSchema, parseSchema } from '../../src/layout/schema.ts';
import { LOCATION, corruptAt, errorOf, text } from './check-errors.ts';

const bound = (value: string) => ({ value: text(value), exact: true });

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
  const context = { type: columnType('int64'), columnNumber: 1, columnCount: 3, footerOffset: 76, location: LOCATION };
  const ONE_PAGE = { rowCount: 8, pageRows: 8 };
  const viewOf = (block: Uint8Array): DataView => new DataView(block.buffer, block.byteOffset, block.length);
  /** The entry of the second of two row groups, the first of which is sound: so its offset in the block counts. */
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
    parsePageHeader(page, { ...expected, ...change }, true, LOCATION);

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
    errorOf(() => parseSchema(typeof json === 'string' ? text(json) : json, 1, LOCATION));

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
