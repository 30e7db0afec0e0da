import { ArgumentError, OutOfRangeError, UnknownColumnError, UnsupportedError } from '@colkit/io';
import { describe, expect, test } from 'vitest';
import { RecordBatch } from '../../src/index.ts';
import { tableFrom } from '../support/tables.ts';

const table = tableFrom({
  flag: ['bool', [true, false]],
  price: ['float64', [0.1, -2]],
  id: ['int64', [2n ** 60n, -1n]],
  half: ['float16', [0.5, -0]],
  code: ['S3', ['ab', '']],
  n: ['int16?', [null, -7]],
});

describe('packed records', () => {
  test('have every item at its offset, without padding', async () => {
    const records = await table.toRecords();
    expect(records.fields.map(({ name, dtype, byteOffset }) => [name, dtype, byteOffset])).toEqual([
      ['flag', 'bool', 0],
      ['price', 'float64', 1],
      ['id', 'int64', 9],
      ['half', 'float16', 17],
      ['code', 'S3', 19],
      ['n', 'int16', 22],
    ]);
    expect([records.byteStride, records.byteLength, records.rowCount]).toEqual([24, 48, 2]);
    const view = new DataView(records.buffer, records.byteOffset, records.byteLength);
    expect([
      view.getUint8(0),
      view.getFloat64(1, true),
      view.getBigInt64(9, true),
      view.getUint16(17, true),
      view.getUint8(19),
      view.getUint8(20),
      view.getUint8(21),
      view.getInt16(22, true),
    ]).toEqual([1, 0.1, 2n ** 60n, 0x3800, 97, 98, 0, 0]);
    expect([view.getUint8(24), view.getFloat64(25, true), view.getInt16(46, true)]).toEqual([0, -2, -7]);
    expect(records.validity('n')).toEqual(Uint8Array.of(0b10));
    expect(records.validity('id')).toBeNull();
  });

  test('read back one by one', () => {
    const records = table.toRecordsSync();
    const rows = [
      { flag: true, price: 0.1, id: 2n ** 60n, half: 0.5, code: 'ab', n: null },
      { flag: false, price: -2, id: -1n, half: -0, code: '', n: -7 },
    ];
    expect([records.at(0), records.at(-1)]).toEqual(rows);
    expect([...records]).toEqual(rows);
    for (const index of [2, -3, 0.5]) expect(() => records.at(index)).toThrow(OutOfRangeError);
    expect(() => records.validity('x')).toThrow(UnknownColumnError);
  });

  test('in any order of columns and rows', async () => {
    const records = await table.select('n', 'flag').take([1, 0, 1]).toRecords();
    expect([...records]).toEqual([
      { n: -7, flag: false },
      { n: null, flag: true },
      { n: -7, flag: false },
    ]);
    expect(records.validity('n')).toEqual(Uint8Array.of(0b101));
  });

  test('refuse variable width, naming the column', async () => {
    const text = tableFrom({ a: ['int8', [1]], note: ['string', ['x']] });
    await expect(text.toRecords()).rejects.toThrow(UnsupportedError);
    expect(() => text.toRecordsSync()).toThrow(/"note" is string/);
    expect((await text.drop('note').toRecords()).at(0)).toEqual({ a: 1 });
  });

  test('transferable records have an ordinary buffer of their own', async () => {
    const records = await table.toRecords({ transferable: true });
    expect([records.byteOffset, records.buffer.byteLength]).toEqual([0, 48]);
  });
});

describe('records from memory', () => {
  const fields = [{ name: 'a', dtype: 'int16', nullable: false, byteOffset: 3 }] as const;

  test('may have gaps', () => {
    const batch = new RecordBatch({
      fields,
      rowCount: 2,
      byteStride: 6,
      bytes: Uint8Array.of(0, 0, 0, 1, 0, 0, 0, 0, 0, 2, 1, 0, 9),
    });
    expect([...batch]).toEqual([{ a: 1 }, { a: 258 }]);
    expect(batch.bytes.length).toBe(12);
  });

  test.each([
    ['an item beyond the stride', { fields, rowCount: 1, byteStride: 4, bytes: new Uint8Array(8) }],
    ['too few bytes', { fields, rowCount: 2, byteStride: 6, bytes: new Uint8Array(11) }],
    ['a negative count', { fields, rowCount: -1, byteStride: 6, bytes: new Uint8Array(11) }],
    ['a name twice', { fields: [...fields, ...fields], rowCount: 1, byteStride: 6, bytes: new Uint8Array(6) }],
    [
      'a negative offset',
      { fields: [{ ...fields[0], byteOffset: -1 }], rowCount: 1, byteStride: 6, bytes: new Uint8Array(6) },
    ],
  ])('with %s are refused', (_what, layout) => {
    expect(() => new RecordBatch(layout)).toThrow(ArgumentError);
  });

  test('of variable width are refused', () => {
    expect(
      () =>
        new RecordBatch({
          fields: [{ name: 'a', dtype: 'string', nullable: false, byteOffset: 0 }],
          rowCount: 0,
          byteStride: 8,
          bytes: new Uint8Array(0),
        }),
    ).toThrow(UnsupportedError);
  });
});
