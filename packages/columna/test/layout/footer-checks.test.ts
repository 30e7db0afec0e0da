// Footers made so that exactly one check stands between them and being taken.
import { crc32 } from '@colkit/io';
import { describe, expect, it } from 'vitest';
import { encodeColumnBlock } from '../../src/layout/column-block.ts';
import type { ChunkEntry } from '../../src/layout/column-block.ts';
import { COLUMN_TYPES, arrayOver, columnType } from '../../src/layout/column-type.ts';
import {
  checkColumnBlock,
  encodeFooter,
  parseFooterCore,
  parseFooterTail,
  parseTrailer,
} from '../../src/layout/footer.ts';
import type { Footer, RowGroup } from '../../src/layout/footer.ts';
import { LOCATION, corruptAt, errorOf, text } from './check-errors.ts';

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
      ...LOCATION,
      byteOffset: OFFSET + tailAt,
    });
    return parseFooterCore(bytes.subarray(coreAt, footerBytes), tail, footerBytes, {
      ...LOCATION,
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
      checkColumnBlock(block, { byteOffset: 0, byteLength: 64, crc: crc32(block) }, LOCATION).getUint32(20, true),
    ).toBe(0);
    expect(
      errorOf(() => checkColumnBlock(block, { byteOffset: 0, byteLength: 64, crc: crc32(block) ^ 1 }, LOCATION)),
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
