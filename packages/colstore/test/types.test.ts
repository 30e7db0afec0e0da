// What the compiler knows of a table that was made or opened, as its users write it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Table } from '@colkit/table';
import { afterAll, expect, expectTypeOf, test } from 'vitest';
import { ColStore, append, create, open, openSync, typed, write } from '../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'colstore-types-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});
const path = (name: string): string => join(folder, `${name}.cstore`);

test('fromColumns infers the columns', async () => {
  const columns = {
    price: Float64Array.of(1.5, 2),
    id: BigInt64Array.of(1n, 2n),
    ok: [true, false],
    n: [1, 2],
    big: [1n, 2n],
    at: [new Date(0), new Date(1)],
    code: typed('S4', ['a', 'b']),
    small: Uint8Array.of(1, 2),
    half: typed('float16', [1, 2]),
  };
  using ds = await ColStore.fromColumns(columns, path('columns'));
  const all = await ds.toColumns();
  let sum = 0;
  for (const p of all.price) sum += p;
  expect(sum).toBe(3.5);
  expectTypeOf(all.price).toEqualTypeOf<Float64Array>();
  expectTypeOf(all.id).toEqualTypeOf<BigInt64Array>();
  expectTypeOf(all.ok).toEqualTypeOf<Uint8Array>();
  expectTypeOf(all.n).toEqualTypeOf<Float64Array>();
  expectTypeOf(all.big).toEqualTypeOf<BigInt64Array>();
  expectTypeOf(all.at).toEqualTypeOf<BigInt64Array>();
  expectTypeOf(all.code).toEqualTypeOf<string[]>();
  expectTypeOf(all.small).toEqualTypeOf<Uint8Array>();
  expect(Object.keys(all)).toEqual(Object.keys(columns));
  // @ts-expect-error there is no such column
  expect(() => ds.column('nope')).toThrow(/nope/u);
  const dates = await ds.toColumns({ dates: 'date' });
  expectTypeOf(dates.at).toEqualTypeOf<Date[]>();
  expectTypeOf(await ds.column('price').sum()).toEqualTypeOf<number>();
  expectTypeOf(ds.toRowsSync({ json: true })[0]!.at).toEqualTypeOf<string>();
  expectTypeOf(ds.get(0, 'id').toArraySync()).toEqualTypeOf<BigInt64Array>();
  expectTypeOf(ds.path).toBeString();
});

test('rows, records, and what a schema says instead', () => {
  using rows = ColStore.fromRowsSync([{ x: 1, on: true }], path('rows'));
  expectTypeOf(rows.toColumnsSync().x).toEqualTypeOf<Float64Array>();
  using records = ColStore.fromRecordsSync(rows.toRecordsSync(), path('records'));
  expectTypeOf(records.toColumnsSync().on).toEqualTypeOf<Uint8Array>();
  using changed = ColStore.fromColumnsSync({ x: [1, 2] }, path('schema'), { schema: { x: 'int8' } });
  expectTypeOf(changed).toEqualTypeOf<ColStore>();
  expect(changed.toColumnsSync()['x']).toEqual(Int8Array.of(1, 2));
  using pairs = ColStore.fromColumnsSync([['x', Float32Array.of(1)]], path('pairs'));
  expectTypeOf(pairs.columnNames).toEqualTypeOf<readonly string[]>();
});

test('open with expect: checked, typed, and still a ColStore', async () => {
  await write(path('expect'), { price: Float64Array.of(1, 2), qty: Int32Array.of(3, 4), other: Int8Array.of(5, 6) });
  using ds = await open(path('expect'), { expect: { price: 'float64', qty: 'int32' } });
  expectTypeOf((await ds.toColumns()).qty).toEqualTypeOf<Int32Array>();
  expect(ds.columnNames).toEqual(['price', 'qty']);
  expect(ds).toBeInstanceOf(ColStore);
  expect([ds.path, (await ds.info()).columns.length]).toEqual([path('expect'), 3]);
  expect(ds.get(1, 'qty').toArraySync()).toEqual(Int32Array.of(4));
  // @ts-expect-error it was not expected
  expect(() => ds.column('other')).toThrow(/other/u);
  expect(() => openSync(path('expect'), { expect: { price: 'float32', gone: 'int8' } })).toThrow(
    expect.objectContaining({ code: 'ERR_SCHEMA', message: expect.stringMatching(/float32.*gone/u) as string }),
  );
  await expect(open(path('expect'), { expect: { price: 'int8' } })).rejects.toMatchObject({ code: 'ERR_SCHEMA' });
});

test('a table of known columns is one of unknown columns', () => {
  using ds = ColStore.fromColumnsSync({ x: Float64Array.of(1) }, path('plain'));
  const rowsOf = (table: Table): number => table.rowCount;
  const nameOf = (store: ColStore): string => store.path;
  expect([rowsOf(ds), rowsOf(ds.select('x').head(1)), nameOf(ds)]).toEqual([1, 1, path('plain')]);
});

test('columns and rows of objects whose types are interfaces', async () => {
  interface Columns {
    readonly x: Float64Array;
    readonly on: readonly boolean[];
  }
  interface Row {
    readonly x: number;
    readonly on: boolean;
  }
  const columns: Columns = { x: Float64Array.of(1, 2), on: [true, false] };
  const rows: readonly Row[] = [{ x: 3, on: true }];
  using ofColumns = await ColStore.fromColumns(columns, path('of-columns'));
  expectTypeOf(ofColumns.toColumnsSync().x).toEqualTypeOf<Float64Array>();
  using ofRows = ColStore.fromRowsSync(rows, path('of-rows'));
  expectTypeOf(ofRows.toColumnsSync().on).toEqualTypeOf<Uint8Array>();
  await write(path('written'), columns);
  await write(path('written'), rows, { overwrite: true });
  await append(path('folder'), rows);
  const stream = await create(path('stream'));
  await stream.write(columns);
  await stream.write(rows);
  await stream.close();
  expect(openSync(path('stream')).toColumnsSync()).toEqual({
    x: Float64Array.of(1, 2, 3),
    on: Uint8Array.of(1, 0, 1),
  });
  interface Other {
    readonly x: () => void;
  }
  const other: Other = { x: () => undefined };
  // @ts-expect-error -- no column
  await expect(write(path('other'), other)).rejects.toThrow();
  // @ts-expect-error -- no value
  await expect(write(path('other'), [other])).rejects.toThrow();
  // @ts-expect-error -- no rows
  await expect(write(path('other'), [1])).rejects.toThrow();
});
