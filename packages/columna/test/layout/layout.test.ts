// The layout's pure functions by hand: schema, page header, statistics, column blocks, footer. Byte offsets are those
// of docs/formats/columna.md.
import { CorruptFileError, UnsupportedError, crc32 } from '@colkit/io';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { encodeColumnBlock, parseChunkEntry } from '../../src/layout/column-block.ts';
import type { ChunkEntry } from '../../src/layout/column-block.ts';
import { COLUMN_TYPES, arrayOver, columnType, columnTypeOfDType } from '../../src/layout/column-type.ts';
import { encodeFooter, parseFooterCore, parseFooterTail, parseTrailer, rowsOfPage } from '../../src/layout/footer.ts';
import { encodePageBytes, pageBytes, parsePageHeader } from '../../src/layout/page-header.ts';
import { encodeSchema, isWellFormed, parseSchema } from '../../src/layout/schema.ts';
import { compareValues, lowerBound, mergeStatistics, upperBound } from '../../src/layout/statistics.ts';
import type { Statistics } from '../../src/layout/statistics.ts';
import { readTable, writeTable } from '../support/table.ts';

const PLACE = { path: 'x.cna', region: 'part', byteOffset: 1000 };
const text = (value: string) => new TextEncoder().encode(value);
const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof CorruptFileError || error instanceof UnsupportedError) return error.code;
    throw error;
  }
  return 'none';
};

describe('types', () => {
  it('have their ids by position, and the element types of typed arrays', () => {
    expect(COLUMN_TYPES.map(({ id, name }) => `${id} ${name}`)).toEqual([
      '0 bool',
      '1 int8',
      '2 int16',
      '3 int32',
      '4 int64',
      '5 uint8',
      '6 uint16',
      '7 uint32',
      '8 uint64',
      '9 float32',
      '10 float64',
      '11 date',
      '12 datetime',
      '13 string',
      '14 binary',
    ]);
    expect(columnTypeOfDType('datetime64[us]')?.name).toBe('datetime');
    expect(columnTypeOfDType('datetime64[D]')?.name).toBe('date');
    expect(columnTypeOfDType('float16')).toBeNull();
    expect(codeOf(() => columnType('decimal'))).toBe('ERR_DTYPE');
    for (const type of COLUMN_TYPES.filter((each) => each.itemBytes !== 0)) {
      const array = arrayOver(type, new ArrayBuffer(64), 16, 2);
      expect([array.length, array.byteOffset, array.BYTES_PER_ELEMENT]).toEqual([2, 16, type.itemBytes]);
    }
    expect(codeOf(() => arrayOver(columnType('string'), new ArrayBuffer(8), 0, 1))).toBe('ERR_FEATURE');
  });
});

describe('the schema', () => {
  const columns = [
    { name: '__proto__', type: columnType('int64'), nullable: false },
    { name: '10', type: columnType('string'), nullable: true },
    { name: 'zażółć', type: columnType('date'), nullable: false },
  ];

  it('comes back with the order of its columns, whatever their names', () => {
    const schema = {
      columns,
      metadata: new Map([
        ['__proto__', 'x'],
        ['a', 'b'],
      ]),
      createdBy: 'me',
    };
    expect(parseSchema(encodeSchema(schema), 3, PLACE)).toEqual(schema);
    expect(parseSchema(encodeSchema({ columns: [], metadata: new Map(), createdBy: null }), 0, PLACE)).toEqual({
      columns: [],
      metadata: new Map(),
      createdBy: null,
    });
  });

  it('ignores keys it does not know', () => {
    expect(
      parseSchema(text('{"columns":[{"name":"a","type":"bool","nullable":true,"x":1}],"y":[]}'), 1, PLACE).columns,
    ).toHaveLength(1);
  });

  it.each([
    ['not JSON', '{'],
    ['no object', '[1]'],
    ['null', 'null'],
    ['no columns', '{}'],
    ['another count', '{"columns":[]}'],
    ['no name', '{"columns":[{"type":"bool","nullable":true}]}'],
    ['an empty name', '{"columns":[{"name":"","type":"bool","nullable":true}]}'],
    ['no nullable', '{"columns":[{"name":"a","type":"bool"}]}'],
    ['a column that is no object', '{"columns":[7]}'],
    ['metadata that is no text', '{"columns":[{"name":"a","type":"bool","nullable":true}],"metadata":{"a":1}}'],
    ['metadata that is no object', '{"columns":[{"name":"a","type":"bool","nullable":true}],"metadata":[]}'],
  ])('refuses %s', (_, json) => expect(codeOf(() => parseSchema(text(json), 1, PLACE))).toBe('ERR_METADATA'));

  it('refuses repeated names, other types and ill-formed names', () => {
    const twice = '{"columns":[{"name":"a","type":"bool","nullable":true},{"name":"a","type":"bool","nullable":true}]}';
    expect(codeOf(() => parseSchema(text(twice), 2, PLACE))).toBe('ERR_METADATA');
    expect(
      codeOf(() => parseSchema(text('{"columns":[{"name":"a","type":"int128","nullable":true}]}'), 1, PLACE)),
    ).toBe('ERR_DTYPE');
    expect(codeOf(() => parseSchema(Uint8Array.of(0x22, 0xff, 0x22), 0, PLACE))).toBe('ERR_METADATA');
    const encode = (names: string[]) => () =>
      encodeSchema({
        columns: names.map((name) => ({ name, type: columnType('bool'), nullable: false })),
        metadata: new Map(),
        createdBy: null,
      });
    for (const names of [[''], ['a', 'a'], ['\ud800']])
      expect(encode(names)).toThrow(expect.objectContaining({ code: 'ERR_SCHEMA' }) as Error);
    expect([isWellFormed('a😀'), isWellFormed('\udc00a')]).toEqual([true, false]);
  });
});

describe('a page header', () => {
  const type = columnType('int32');
  const header = {
    kind: 'data',
    codec: 'NONE',
    encoding: 0,
    parameter: 2,
    bodyBytes: 8,
    rowCount: 3,
    valueCount: 2,
  } as const;
  const page = () => encodePageBytes(header, Uint8Array.of(1, 0, 0, 0, 2, 0, 0, 0), type, 65536 + 7);
  const expected = { kind: 'data', type, columnNumber: 7, rowCount: 3, maxBodyBytes: 1000 } as const;
  const parse = (bytes: Uint8Array) => parsePageHeader(bytes, expected, true, PLACE);

  it('is 28 bytes before the body, padded to 8', () => {
    const bytes = page();
    expect(bytes).toHaveLength(40);
    expect(pageBytes(0)).toBe(32);
    expect(pageBytes(5)).toBe(40);
    expect(Buffer.from(bytes.subarray(4)).toString('hex')).toBe(
      '08000000' + '08000000' + '03000000' + '02000000' + '00030002' + '00000700' + '0100000002000000' + '00000000',
    );
    expect(new DataView(bytes.buffer).getUint32(0, true)).toBe(crc32(bytes.subarray(4, 36)));
    expect(parse(bytes)).toEqual({ ...header, storedBytes: 8 });
  });

  it.each([
    [12, 4, 'ERR_LAYOUT'],
    [12, 0, 'ERR_LAYOUT'],
    [16, 4, 'ERR_LAYOUT'],
    [20, 1, 'ERR_LAYOUT'],
    [21, 4, 'ERR_LAYOUT'],
    [26, 8, 'ERR_LAYOUT'],
    [4, 20, 'ERR_LAYOUT'],
    [4, 255, 'ERR_LAYOUT'],
    [0, 1, 'ERR_CRC'],
    [25, 1, 'ERR_CRC'],
    [30, 1, 'ERR_CRC'],
  ])('refuses byte %i = %i with %s', (at, value, code) => {
    const bytes = page();
    bytes[at] = value;
    expect(codeOf(() => parse(bytes))).toBe(code);
  });

  it.each([
    [24, 7, 'ERR_ENCODING'],
    [8, 9, 'ERR_LAYOUT'],
    [8, 7, 'ERR_LAYOUT'],
  ])('refuses byte %i = %i with %s although the CRC is right', (at, value, code) => {
    const bytes = page();
    bytes[at] = value;
    new DataView(bytes.buffer).setUint32(0, crc32(bytes.subarray(4, 36)), true);
    expect(codeOf(() => parse(bytes))).toBe(code);
  });

  it('refuses what DEFLATE cannot give, what the reader does not allow, and a body without values', () => {
    const deflated = (bodyBytes: number, valueCount: number) =>
      encodePageBytes({ ...header, codec: 'DEFLATE', bodyBytes, valueCount }, Uint8Array.of(3, 0), type, 7);
    expect(codeOf(() => parsePageHeader(deflated(2065, 2), { ...expected, maxBodyBytes: 1e9 }, true, PLACE))).toBe(
      'ERR_LAYOUT',
    );
    expect(codeOf(() => parsePageHeader(deflated(1001, 2), expected, true, PLACE))).toBe('ERR_LAYOUT');
    expect(codeOf(() => parsePageHeader(deflated(1000, 2), expected, true, PLACE))).toBe('none');
    expect(codeOf(() => parsePageHeader(deflated(1, 0), expected, true, PLACE))).toBe('ERR_LAYOUT');
    expect(codeOf(() => parse(page().subarray(0, 20)))).toBe('ERR_TRUNCATED');
  });

  it('says where', () => {
    const bytes = page();
    bytes[21] = 9;
    expect(() => parse(bytes)).toThrow('x.cna: part at byte 1021: expected type 3 (int32) but found 9');
  });

  it('skips the CRC on request', () => {
    const bytes = page();
    bytes[0]! ^= 1;
    expect(parsePageHeader(bytes, expected, false, PLACE).rowCount).toBe(3);
  });
});

describe('statistics', () => {
  const of = (min: Statistics['min'], max: Statistics['max'], nanCount: number | null = 0): Statistics => ({
    nullCount: 1,
    nanCount,
    min,
    max,
  });
  const exact = (value: bigint | number | Uint8Array) => ({ value, exact: true });

  it('merge: the lower minimum, the higher maximum, counts added', () => {
    expect(mergeStatistics(of(exact(3n), exact(5n)), of(exact(-3n), { value: 4n, exact: false }))).toEqual({
      nullCount: 2,
      nanCount: 0,
      min: exact(-3n),
      max: exact(5n),
    });
    expect(mergeStatistics(of(exact(1), exact(2), null), of(null, null, 4))).toEqual({
      nullCount: 2,
      nanCount: null,
      min: exact(1),
      max: exact(2),
    });
    expect(mergeStatistics(of(exact(-0), exact(-0)), of(exact(0), exact(0)))).toEqual({
      nullCount: 2,
      nanCount: 0,
      min: exact(-0),
      max: exact(0),
    });
    expect(mergeStatistics(of(exact(0), exact(0)), of(exact(-0), exact(-0))).min?.value).toBe(-0);
  });

  it('merge: a maximum that could not be cut is lost for good', () => {
    expect(mergeStatistics(of(exact(text('a')), null), of(exact(text('b')), exact(text('c')))).max).toBeNull();
  });

  it('order strings by bytes, not by UTF-16', () => {
    expect(compareValues(text('｡'), text('😀'))).toBeLessThan(0);
    expect(compareValues(text('a'), text('aa'))).toBeLessThan(0);
    expect(compareValues(Uint8Array.of(0x80), Uint8Array.of(0x7f))).toBeGreaterThan(0);
  });

  it('cut long strings on a code point, and increase the maximum', () => {
    expect(lowerBound(text('x'.repeat(64)), true)).toEqual(exact(text('x'.repeat(64))));
    expect(lowerBound(text('x'.repeat(63) + 'żż'), true)).toEqual({ value: text('x'.repeat(63)), exact: false });
    expect(upperBound(text('x'.repeat(65)), true)).toEqual({ value: text('x'.repeat(63) + 'y'), exact: false });
    expect(upperBound(text('a' + '\u{10ffff}'.repeat(20)), true)).toEqual({ value: text('b'), exact: false });
    expect(upperBound(text('\ud7ff'.repeat(30)), true)?.value).toEqual(text('\ud7ff'.repeat(20) + '\ue000'));
    expect(upperBound(text('\u{10ffff}'.repeat(20)), true)).toBeNull();
    expect(upperBound(new Uint8Array(70).fill(0xff), false)).toBeNull();
    expect(upperBound(Uint8Array.of(1, ...new Uint8Array(70).fill(0xff)), false)).toEqual({
      value: Uint8Array.of(2),
      exact: false,
    });
    expect(upperBound(Uint8Array.of(...new Uint8Array(66).fill(7)), false)?.value).toEqual(
      Uint8Array.of(...new Uint8Array(63).fill(7), 8),
    );
  });
});

describe('a column block', () => {
  const type = columnType('string');
  const group = { rowCount: 20, pageRows: 8 };
  const bound = (value: string, isExact = true) => ({ value: text(value), exact: isExact });
  const statistics = (min: string, max: string): Statistics => ({
    nullCount: 2,
    nanCount: 0,
    min: bound(min),
    max: bound(max, false),
  });
  const chunk: ChunkEntry = {
    byteOffset: 4,
    byteLength: 128,
    dictionaryBytes: 32,
    codesColumn: 1,
    joint: false,
    statistics: statistics('a', 'c'),
    encodings: 1 << 10,
    pages: [
      { pageBytes: 40, statistics: statistics('a', 'b') },
      { pageBytes: 24, statistics: statistics('b', 'b') },
      { pageBytes: 32, statistics: { nullCount: 4, nanCount: null, min: null, max: null } },
    ],
  };
  const context = { type, columnNumber: 1, columnCount: 3, footerOffset: 132, place: PLACE };
  const parse = (block: Uint8Array, change: Partial<typeof context> = {}) =>
    parseChunkEntry(new DataView(block.buffer, block.byteOffset, block.length), 0, group, { ...context, ...change });

  it('comes back, strings stored once', () => {
    const block = encodeColumnBlock([chunk]);
    expect(block).toHaveLength(64 + 3 * 32 + 3);
    expect(parse(block)).toEqual(chunk);
  });

  it('lists no pages where there is one', () => {
    const one = { ...chunk, byteLength: 72, pages: [{ pageBytes: 40, statistics: chunk.statistics }] };
    const block = encodeColumnBlock([one]);
    expect(block).toHaveLength(64 + 2);
    expect(parseChunkEntry(new DataView(block.buffer), 0, { rowCount: 8, pageRows: 8 }, context)).toEqual(one);
  });

  it.each([
    ['an offset that is not 4 modulo 8', 0, 5],
    ['a chunk beyond the footer', 8, 136],
    ['a chunk far beyond', 15, 255],
    ['a larger dictionary page', 16, 129],
    ['a column there is not', 20, 3],
    ['codes of another column without JOINT', 20, 0],
    ['page entries outside the block', 24, 250],
    ['unknown flags', 37, 2],
    ['JOINT without a dictionary page', 37, 1, 16, 0],
    ['sums that do not add up', 64, 48],
    ['a string outside the block', 44, 200],
  ] as const)('refuses %s', (_, ...changes) => {
    const block = encodeColumnBlock([chunk]);
    for (let i = 0; i < changes.length; i += 2) block[changes[i] as number] = changes[i + 1] as number;
    expect(codeOf(() => parse(block))).toBe('ERR_METADATA');
  });

  it('takes a NaN bound for none, and refuses data pages in a member', () => {
    const block = encodeColumnBlock([chunk]);
    new DataView(block.buffer).setFloat64(40, NaN, true);
    expect(parse(block, { type: columnType('float64') }).statistics).toMatchObject({
      min: null,
      max: expect.anything() as unknown,
    });
    const member = encodeColumnBlock([{ ...chunk, joint: true, codesColumn: 0 }]);
    expect(codeOf(() => parse(member))).toBe('ERR_METADATA');
  });

  it('knows the rows of every page', () => expect([0, 1, 2].map((page) => rowsOfPage(group, page))).toEqual([8, 8, 4]));
});

describe('the footer', () => {
  const { bytes } = writeTable([{ name: 'n', type: 'int64', values: BigInt64Array.of(5n, 6n, 7n) }]);
  const footerBytes = parseTrailer(bytes.subarray(-8), bytes.length)!;
  const tailAt = bytes.length - 72;
  const tailOf = (file: Uint8Array) =>
    parseFooterTail(file.subarray(tailAt, tailAt + 64), footerBytes, { ...PLACE, byteOffset: tailAt });
  const core = (file: Uint8Array) => {
    const tail = tailOf(file);
    const at = file.length - 8 - tail.coreBytes;
    return parseFooterCore(file.subarray(at, file.length - 8), tail, footerBytes, { ...PLACE, byteOffset: at });
  };
  /** A changed core whose CRC is right again. */
  const changed = (change: (view: DataView, coreAt: number) => void) => {
    const file = bytes.slice();
    const view = new DataView(file.buffer);
    const coreAt = file.length - 8 - tailOf(bytes).coreBytes;
    change(view, coreAt);
    view.setUint32(tailAt + 60, crc32(file.subarray(coreAt, tailAt + 60)), true);
    return file;
  };

  it('of the specification is what the writer writes', () => {
    const page = readFileSync(new URL('../../../../docs/formats/columna.md', import.meta.url), 'utf8');
    const hex = /```file\n([\s\S]*?)values/
      .exec(page)![1]!
      .replaceAll(/^[0-9A-F]{4} {2}/gm, '')
      .replaceAll(/\s/g, '');
    const file = new Uint8Array(Buffer.from(hex, 'hex'));
    expect(Buffer.from(bytes).toString('hex')).toBe(Buffer.from(file).toString('hex'));
    expect(readTable(file).columns[0]!.values).toEqual(['5', '6', '7']);
  });

  it('is found from the end, and nowhere else', () => {
    expect(footerBytes).toBe(224);
    expect(parseTrailer(bytes.subarray(0, 8), bytes.length)).toBeNull();
    expect(parseTrailer(bytes.subarray(-8), 100)).toBeNull();
    expect(parseTrailer(bytes.subarray(-8), 11)).toBeNull();
    expect(parseTrailer(bytes.subarray(-7), bytes.length)).toBeNull();
  });

  it('is parsed into groups and blocks', () => {
    expect(core(bytes)).toMatchObject({
      formatVersion: 1,
      rowCount: 3,
      previousEnd: 0,
      footerOffset: 52,
      rowGroups: [{ byteOffset: 4, rowCount: 3, pageRows: 65536, firstRow: 0 }],
      directory: [{ byteOffset: 52, byteLength: 64 }],
    });
  });

  it('of a later reader is refused first, whatever else is in it', () => {
    const later = bytes.slice();
    later.fill(0xff, tailAt + 4, tailAt + 64);
    later[tailAt + 2] = 2;
    expect(codeOf(() => tailOf(later))).toBe('ERR_VERSION');
    const newer = changed((view) => view.setUint16(tailAt, 9, true));
    expect(core(newer).formatVersion).toBe(9);
  });

  it.each([
    ['another footer offset', 24, 53],
    ['more columns than fit', 4, 200],
    ['more row groups than fit', 8, 200],
    ['a longer schema than fits', 12, 255],
    ['more rows than 2^53', 22, 0x40],
  ])('refuses %s in the tail', (_, at, value) => {
    const file = bytes.slice();
    file[tailAt + at] = value;
    expect(codeOf(() => tailOf(file))).toBe('ERR_METADATA');
  });

  it('refuses a core with another CRC', () => {
    const file = bytes.slice();
    file[tailAt + 45] = 1;
    expect(codeOf(() => core(file))).toBe('ERR_CRC');
  });

  it.each([
    ['a row group in the footer', (view: DataView, at: number) => view.setBigUint64(at + 64, 60n, true)],
    ['a row group at 0', (view: DataView, at: number) => view.setBigUint64(at + 64, 0n, true)],
    ['an empty row group', (view: DataView, at: number) => view.setUint32(at + 72, 0, true)],
    ['pages of no rows', (view: DataView, at: number) => view.setUint32(at + 76, 0, true)],
    ['pages of too many rows', (view: DataView, at: number) => view.setUint32(at + 76, 65537, true)],
    ['a block in the core', (view: DataView, at: number) => view.setUint32(at + 80, 8, true)],
    ['a block without its entries', (view: DataView, at: number) => view.setUint32(at + 84, 63, true)],
    ['another number of rows', (view: DataView) => view.setBigUint64(tailAt + 16, 4n, true)],
  ])('refuses %s', (_, change) => expect(codeOf(() => core(changed(change)))).toBe('ERR_METADATA'));

  it('of an empty table starts at 4', () => {
    const empty = encodeFooter({ columns: [], metadata: new Map(), createdBy: null }, [], [], 4, 0);
    const file = Uint8Array.of(0x43, 0x4e, 0x41, 0x31, ...empty);
    expect(readTable(file)).toMatchObject({ columns: [], footer: { rowCount: 0, rowGroups: [], footerOffset: 4 } });
  });
});
