// What the compiler knows: types are earned by expectSchema and follow every step and option.
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { BitmapColumn, DictionaryColumn, Table } from '../src/index.ts';
import { tableFrom } from './support/tables.ts';

const open = () =>
  tableFrom({
    price: ['float64', [1, 2]],
    id: ['int64', [1n, 2n]],
    ok: ['bool', [true, false]],
    at: ['datetime64[us]', [1n, 2n]],
    code: ['S2', ['a', 'b']],
    note: ['string?', ['x', null]],
    n: ['int16?', [null, 7]],
    id2: ['uint64?', [null, 7n]],
  });
const expected = {
  price: 'float64',
  id: 'int64',
  ok: 'bool',
  at: 'datetime64[us]',
  code: 'S2',
  note: { dtype: 'string', nullable: true },
  n: { dtype: 'int16', nullable: true },
  id2: { dtype: 'uint64', nullable: true },
} as const;

describe('expectSchema', () => {
  test('types follow from the check', async () => {
    const table = open().expectSchema(expected);
    const columns = await table.toColumns();
    expectTypeOf(columns.price).toEqualTypeOf<Float64Array>();
    expectTypeOf(columns.id).toEqualTypeOf<BigInt64Array>();
    expectTypeOf(columns.ok).toEqualTypeOf<Uint8Array>();
    expectTypeOf(columns.at).toEqualTypeOf<BigInt64Array>();
    expectTypeOf(columns.code).toEqualTypeOf<string[]>();
    expectTypeOf(columns.note).toEqualTypeOf<(string | null)[]>();
    expectTypeOf(columns.n).toEqualTypeOf<(number | null)[]>();
    expectTypeOf(columns).not.toHaveProperty('other');
    expect(Object.keys(columns)).toEqual(Object.keys(expected));
    expectTypeOf(table.toRowsSync()).toEqualTypeOf<
      {
        price: number;
        id: bigint;
        ok: boolean;
        at: bigint;
        code: string;
        note: string | null;
        n: number | null;
        id2: bigint | null;
      }[]
    >();
  });

  test('options change the types that they change', async () => {
    const table = open().expectSchema(expected);
    const numbers = await table.toColumns({ int64: 'number', nulls: 'nan' });
    expectTypeOf(numbers.id).toEqualTypeOf<Float64Array>();
    expectTypeOf(numbers.at).toEqualTypeOf<BigInt64Array>();
    expectTypeOf(numbers.n).toEqualTypeOf<Float64Array>();
    expectTypeOf(numbers.note).toEqualTypeOf<(string | null)[]>();
    const bitmaps = table.toColumnsSync({ nulls: 'bitmap' });
    expectTypeOf(bitmaps.n).toEqualTypeOf<BitmapColumn<Int16Array>>();
    expectTypeOf(bitmaps.price).toEqualTypeOf<Float64Array>();
    const coded = table.toColumnsSync({ strings: 'dictionary' });
    expectTypeOf(coded.code).toEqualTypeOf<DictionaryColumn>();
    expectTypeOf(coded.note).toEqualTypeOf<DictionaryColumn>();
    expectTypeOf(table.toColumnsSync({ strings: 'bytes' }).code).toEqualTypeOf<Uint8Array>();
    expectTypeOf(table.toColumnsSync({ int64: 'number' }).id2).toEqualTypeOf<(number | null)[]>();
    expect([numbers.id, bitmaps.n.validity, coded.code.codes]).toEqual([
      Float64Array.of(1, 2),
      Uint8Array.of(2),
      Int32Array.of(0, 1),
    ]);
  });

  test('columns and steps keep them', async () => {
    const table = open().expectSchema(expected);
    const price = table.slice(1).take([0]).select('price', 'id').column('price').head(1);
    expectTypeOf(await price.at(0)).toEqualTypeOf<number>();
    expectTypeOf(() => price.viewArray()).returns.toEqualTypeOf<Float64Array>();
    expectTypeOf(() => table.column('code').viewArray()).returns.toEqualTypeOf<Uint8Array>();
    expectTypeOf(await table.column('id').sum()).toEqualTypeOf<bigint>();
    expectTypeOf(await table.column('ok').sum()).toEqualTypeOf<number>();
    expectTypeOf(await table.column('note').min()).toEqualTypeOf<string | null>();
    expectTypeOf(table.drop('note', 'n').columnNames).toEqualTypeOf<
      readonly ('price' | 'id' | 'ok' | 'at' | 'code' | 'id2')[]
    >();
    for await (const batch of table.batches({ rows: 1 })) expectTypeOf(batch.price).toEqualTypeOf<Float64Array>();
    for (const row of table.rowsSync({ int64: 'number' })) expectTypeOf(row.id).toEqualTypeOf<number>();
    // @ts-expect-error -- not a column of the schema
    expect(() => table.column('cost')).toThrow();
    // @ts-expect-error -- dropped
    expect(() => table.drop('price').select('price')).toThrow();
  });

  test('leaves other columns out, in the order that was asked for', () => {
    expect(open().expectSchema({ id: 'int64', price: 'float64' }).columnNames).toEqual(['id', 'price']);
  });

  test('refuses what is different, all of it in one error', () => {
    expect(() =>
      open().expectSchema({
        price: 'float32',
        id: { dtype: 'int64', nullable: true },
        note: 'string',
        cost: 'int8',
        ok: 'bool',
      }),
    ).toThrow(
      expect.objectContaining({
        code: 'ERR_SCHEMA',
        expected: '"price" float32, "id" int64 (nullable), "note" string, "cost" int8',
        found: '"price" float64, "id" int64, "note" string (nullable), no column "cost"',
      }),
    );
  });
});

test('a table that nobody has checked gives the union', async () => {
  const columns = await open().toColumns();
  expectTypeOf<Float64Array>().toExtend<(typeof columns)[string]>();
  expectTypeOf<(string | null)[]>().toExtend<(typeof columns)[string]>();
  expect(columns['price']).toEqual(Float64Array.of(1, 2));
});

test('a table of known columns is one of unknown columns', () => {
  const rowsOf = (any: Table): number => any.rowCount;
  const table = open().expectSchema(expected);
  expect([rowsOf(table), rowsOf(table.select('price').head(1)), rowsOf(table.drop('id'))]).toEqual([2, 1, 2]);
});

test('dates and JSON in the types of what comes back', () => {
  const table = open().expectSchema(expected);
  expectTypeOf(table.toColumnsSync({ dates: 'date-lossy' }).at).toEqualTypeOf<Date[]>();
  expectTypeOf(table.select('at').toRowsSync({ dates: 'date-lossy' })).toEqualTypeOf<{ at: Date }[]>();
  const json = table.select('price', 'id', 'ok', 'at', 'note', 'n').toRowsSync({ json: true });
  expectTypeOf(json).toEqualTypeOf<
    { price: number | string; id: number | string; ok: boolean; at: string; note: string | null; n: number | null }[]
  >();
  expect(json[0]).toEqual({ price: 1, id: 1, ok: true, at: '1970-01-01T00:00:00.000001Z', note: 'x', n: null });
  expectTypeOf(table.select('price', 'id', 'ok', 'at', 'n').toRowsSync({ json: true, nan: 'null' })).toEqualTypeOf<
    { price: number | string | null; id: number | string; ok: boolean; at: string | null; n: number | null }[]
  >();
});

test('parameters of an object whose type is an interface', () => {
  interface Asked {
    readonly most: number;
    readonly codes: readonly string[];
  }
  const asked: Asked = { most: 1, codes: ['a', 'b'] };
  expect(open().where('price <= @most and code in @codes', asked).countSync()).toBe(1);
  // @ts-expect-error -- no object
  expect(() => open().where('price <= @most', 1)).toThrow();
});

test('groups have nulls where their column may have some', () => {
  const groups = open().expectSchema(expected).groupBy('id', 'note').aggSync({ n: 'count' });
  expectTypeOf(groups.columns.id).toEqualTypeOf<readonly bigint[]>();
  expectTypeOf(groups.columns.note).toEqualTypeOf<readonly (string | null)[]>();
  expect(groups.columns).toEqual({ id: [1n, 2n], note: ['x', null], n: [1, 1] });
  const [unknown] = open().groupBy('id').aggSync({ n: 'count' }).columns.id;
  expectTypeOf(unknown).extract<null | bigint>().toEqualTypeOf<null | bigint>();
});
