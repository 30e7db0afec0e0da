// The layout's pure functions by hand: schema, page header, column blocks, footer. Byte offsets are those
// of docs/formats/columna.md.
import { crc32 } from '@colkit/io';
import { describe, expect, it } from 'vitest';
import { COLUMN_TYPES, arrayOver, columnType, columnTypeOfDType } from '../../src/layout/column-type.ts';
import { encodePageBytes, pageBytes, parsePageHeader } from '../../src/layout/page-header.ts';
import { encodeSchema, isWellFormed, parseSchema } from '../../src/layout/schema.ts';
import { LOCATION, codeOf, text } from './layout-codes.ts';

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
    const none = { columns: [], metadata: new Map<string, string>(), createdBy: null };
    for (const given of [schema, none]) {
      const bytes = encodeSchema(given);
      expect(parseSchema(bytes, given.columns.length, LOCATION)).toEqual({ ...given, bytes });
    }
  });

  it('is that of another file where its bytes are the same, and else its own', () => {
    const schema = { columns, metadata: new Map([['a', 'b']]), createdBy: null };
    const known = parseSchema(encodeSchema(schema), 3, LOCATION);
    expect(parseSchema(encodeSchema(schema), 3, LOCATION, known)).toBe(known);
    const other = { ...schema, metadata: new Map([['a', 'c']]) };
    expect(parseSchema(encodeSchema(other), 3, LOCATION, known).metadata.get('a')).toBe('c');
    expect(() => parseSchema(encodeSchema(schema), 2, LOCATION, known)).toThrow('an array of 2');
  });

  it('ignores keys it does not know', () => {
    expect(
      parseSchema(text('{"columns":[{"name":"a","type":"bool","nullable":true,"x":1}],"y":[]}'), 1, LOCATION).columns,
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
  ])('refuses %s', (_, json) => expect(codeOf(() => parseSchema(text(json), 1, LOCATION))).toBe('ERR_METADATA'));

  it('refuses repeated names, other types and ill-formed names', () => {
    const twice = '{"columns":[{"name":"a","type":"bool","nullable":true},{"name":"a","type":"bool","nullable":true}]}';
    expect(codeOf(() => parseSchema(text(twice), 2, LOCATION))).toBe('ERR_METADATA');
    expect(
      codeOf(() => parseSchema(text('{"columns":[{"name":"a","type":"int128","nullable":true}]}'), 1, LOCATION)),
    ).toBe('ERR_DTYPE');
    expect(codeOf(() => parseSchema(Uint8Array.of(0x22, 0xff, 0x22), 0, LOCATION))).toBe('ERR_METADATA');
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
  const parse = (bytes: Uint8Array) => parsePageHeader(bytes, expected, true, LOCATION);

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
    expect(codeOf(() => parsePageHeader(deflated(2065, 2), { ...expected, maxBodyBytes: 1e9 }, true, LOCATION))).toBe(
      'ERR_LAYOUT',
    );
    expect(codeOf(() => parsePageHeader(deflated(1001, 2), expected, true, LOCATION))).toBe('ERR_LAYOUT');
    expect(codeOf(() => parsePageHeader(deflated(1000, 2), expected, true, LOCATION))).toBe('none');
    expect(codeOf(() => parsePageHeader(deflated(1, 0), expected, true, LOCATION))).toBe('ERR_LAYOUT');
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
    expect(parsePageHeader(bytes, expected, false, LOCATION).rowCount).toBe(3);
  });
});
