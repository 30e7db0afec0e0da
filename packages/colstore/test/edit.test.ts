// edit: files written from computed columns and matching rows, against the same done with plain arrays.
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ColStore, col, createSync, edit, infoSync, openSync, typed, writeSync } from '../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'colstore-edit-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newPath = (): string => join(folder, `${String((files += 1))}.cstore`);

const ROWS = 100_000;
const price = Float64Array.from({ length: ROWS }, (_, row) => (row % 997) / 8);
const qty = Int32Array.from({ length: ROWS }, (_, row) => (row * 7919) % 101);
const ts = BigInt64Array.from({ length: ROWS }, (_, row) => BigInt(row) * 3_600_000n);
const COLUMNS = {
  price,
  qty,
  ts: typed('datetime64[ms]', ts),
  unit: typed(
    'S3',
    Array.from(qty, (value) => (value % 2 === 0 ? 'kg' : 'lb')),
  ),
};

function stored(records: number): string {
  const path = newPath();
  if (records === 1) writeSync(path, COLUMNS);
  else {
    using writer = createSync(path, { statistics: true });
    const size = ROWS / records;
    for (let record = 0; record < records; record += 1) {
      const [start, end] = [record * size, (record + 1) * size];
      writer.writeSync({
        price: price.subarray(start, end),
        qty: qty.subarray(start, end),
        ts: typed('datetime64[ms]', ts.subarray(start, end)),
        unit: typed(
          'S3',
          Array.from(qty.subarray(start, end), (value) => (value % 2 === 0 ? 'kg' : 'lb')),
        ),
      });
    }
  }
  return path;
}

test.each([1, 10])('a file of %i records: derived, renamed, cast, dropped, filtered and written', async (records) => {
  const source = stored(records);
  using table = openSync(source);
  const out = newPath();
  const change = edit(table)
    .assign({ total: col('price').mul(col('qty')), hour: 'fillNull(hour(ts), -1)' })
    .rename({ qty: 'pieces' })
    .cast({ pieces: 'int16', hour: 'int8' })
    .drop('unit')
    .where('total > 300', { label: 'large' })
    .where(col('pieces').mod(2).eq(0), { label: 'even' });
  const said = await change.write(out);
  const rows = Array.from(qty.keys()).filter(
    (row) => (price[row] ?? 0) * (qty[row] ?? 0) > 300 && (qty[row] ?? 0) % 2 === 0,
  );
  expect(said.rowCount).toBe(rows.length);
  expect(said.layout).toBe(infoSync(out).layout);
  // The form of the file that it comes from, so that who could read that can read this.
  expect(said.layout === 'flat').toBe(records === 1);
  using made = openSync(out);
  expect(made.schema.map(({ name, dtype }) => `${name} ${dtype}`)).toEqual([
    'price float64',
    'pieces int16',
    'ts datetime64[ms]',
    'total float64',
    'hour int8',
  ]);
  const columns = made.toColumnsSync();
  expect(columns['total']).toEqual(Float64Array.from(rows, (row) => (price[row] ?? 0) * (qty[row] ?? 0)));
  expect(columns['pieces']).toEqual(Int16Array.from(rows, (row) => qty[row] ?? 0));
  expect(columns['hour']).toEqual(Int8Array.from(rows, (row) => row % 24));
  const large = Array.from(qty.keys()).filter((row) => (price[row] ?? 0) * (qty[row] ?? 0) > 300).length;
  expect((await change.report()).steps).toEqual([
    { label: 'large', rowsBefore: ROWS, rowsAfter: large, share: large / ROWS },
    { label: 'even', rowsBefore: large, rowsAfter: rows.length, share: rows.length / large },
  ]);
});

test('batches of any size give the same file, and the file itself may be replaced', () => {
  const source = stored(1);
  const [one, other] = [newPath(), newPath()];
  using table = openSync(source);
  const change = edit(table).assign({ total: 'price * qty', price: 'round(price, 1)' });
  change.writeSync(one);
  change.writeSync(other, { batchRows: 999 });
  expect(readFileSync(one).equals(readFileSync(other))).toBe(true);
  expect(() => change.writeSync(source)).toThrow(/ERR_EXISTS|exists/);
  change.writeSync(source, { overwrite: true });
  expect(readFileSync(source).equals(readFileSync(one))).toBe(true);
  // The opened table still reads what it read.
  expect(
    Buffer.from((table.column('price').toArraySync() as Float64Array).buffer).equals(Buffer.from(price.buffer)),
  ).toBe(true);
});

test('what matches is still found by the footer, and computed columns follow', () => {
  using table = openSync(stored(10));
  const change = edit(table).assign({ twice: 'qty * 2' }).where("ts < '1970-01-02'");
  expect(change.table.explainSync()).toMatch(/skipped by their statistics: 9/);
  expect(change.table.column('twice').toArraySync()).toEqual(
    BigInt64Array.from(qty.subarray(0, 24), (value) => BigInt(2 * value)),
  );
  expect(change.table.countSync()).toBe(24);
});

test.each([1, 10])(
  'of %i records: terms about stored columns go first, computed ones see what they leave',
  (records) => {
    using table = openSync(stored(records));
    const seen: number[] = [];
    const change = edit(table)
      .assign({ twice: 'qty * 2' })
      .apply('bin', ['price'], (values: Float64Array) => {
        seen.push(values.length);
        return Int32Array.from(values);
      })
      .where("twice > 100 and ts < '1970-01-03' and bin != 2 and qty < 90");
    const rows = Array.from({ length: 48 }, (_, row) => row).filter(
      (row) => (qty[row] ?? 0) > 50 && (qty[row] ?? 0) < 90 && Math.trunc(price[row] ?? 0) !== 2,
    );
    const made = change.table;
    seen.length = 0;
    expect(made.countSync()).toBe(rows.length);
    const { twice, bin } = made.select('twice', 'bin').toColumnsSync();
    expect(twice).toEqual(BigInt64Array.from(rows, (row) => BigInt(2 * (qty[row] ?? 0))));
    expect(bin).toEqual(Int32Array.from(rows, (row) => Math.trunc(price[row] ?? 0)));
    expect(made.column('bin').sumSync()).toBe(rows.reduce((sum, row) => sum + Math.trunc(price[row] ?? 0), 0));
    const groups = made.groupBy('unit').aggSync({ n: 'count', most: { max: 'twice' } }).columns;
    const odd = rows.filter((row) => (qty[row] ?? 0) % 2 === 1).length;
    const counts = Object.fromEntries(groups.unit.map((unit, group) => [String(unit), groups.n[group] ?? 0]));
    expect(counts).toEqual({ kg: rows.length - odd, lb: odd });
    expect(made.head(2).column('price').toArraySync()).toEqual(
      Float64Array.from(rows.slice(0, 2), (row) => price[row] ?? 0),
    );
    const told = made.explainSync();
    if (records === 1) expect(told).toMatch(/no statistics/);
    else {
      expect(told).toMatch(/skipped by their statistics: 9/);
      expect(told).toMatch(/computes .*twice/);
    }
    // Of 100,000 rows, those of a record at most, however they are found.
    if (records > 1) expect(Math.max(...seen)).toBeLessThanOrEqual(ROWS / records);
  },
);

test('a file with columns that a function computes', async () => {
  using table = openSync(stored(10));
  const [one, other] = [newPath(), newPath()];
  const change = edit(table)
    .apply(
      'name',
      ['qty', 'unit'],
      (n: Int32Array, unit: string[]) => Array.from(n, (value, row) => `${String(value)}${unit[row] ?? ''}`),
      {
        dtype: 'S6',
      },
    )
    .select('name', 'qty');
  await change.write(one);
  change.writeSync(other, { batchRows: 999 });
  for (const path of [one, other]) {
    using made = openSync(path);
    expect(made.column('name').toArraySync()).toEqual(
      Array.from(qty, (value) => `${String(value)}${value % 2 === 0 ? 'kg' : 'lb'}`),
    );
  }
  const failing = newPath();
  const odd = change.apply('x', ['qty'], (n: Int32Array) => Array.from(n, (value) => 1 / value), { dtype: 'int8' });
  await expect(odd.write(failing)).rejects.toMatchObject({ code: 'ERR_VALUE' });
  expect(readdirSync(folder).filter((name) => name.includes(failing.split('/').at(-1) ?? ''))).toEqual([]);
});

test('a computed null has no place in the file: the row is told, and fillNull helps', async () => {
  const path = newPath();
  writeSync(path, { a: Int32Array.of(6, 7, 8), b: Int32Array.of(2, 0, 4) });
  using table = openSync(path);
  const out = newPath();
  const change = edit(table).assign({ q: 'a // b' });
  await expect(change.write(out)).rejects.toMatchObject({
    code: 'ERR_VALUE',
    message: expect.stringMatching(/row 1.*/) as string,
  });
  expect(() => change.writeSync(out)).toThrow(/fillNull/);
  expect(readdirSync(folder).filter((name) => name.includes(out.split('/').at(-1) ?? ''))).toEqual([]);
  await change.assign({ q: 'fillNull(q, -1)' }).write(out);
  using filled = openSync(out);
  expect(filled.column('q').toArraySync()).toEqual(BigInt64Array.of(3n, -1n, 2n));
  // Rows that would be null may be left out.
  const other = newPath();
  await change.where('b != 0').write(other);
  using left = openSync(other);
  expect(left.column('q').toArraySync()).toEqual(BigInt64Array.of(3n, 2n));
});

test('text is refused where it has no width, and cast gives one', () => {
  const path = newPath();
  writeSync(path, { a: Int32Array.of(1, 20) });
  using table = openSync(path);
  const change = edit(table).assign({ text: "cast(a, 'string')" });
  const out = newPath();
  expect(() => change.writeSync(out)).toThrow(/"text"/);
  change.cast({ text: 'U4' }).writeSync(out);
  using made = openSync(out);
  expect(made.column('text').toArraySync()).toEqual(['1', '20']);
});

test('what is no table is refused', async () => {
  for (const odd of ['a.cstore', null, {}, new Uint8Array(3)])
    expect(() => edit(odd as never)).toThrow(/a table of columns/);
  using store = await ColStore.fromColumns({ a: Int32Array.of(1) }, newPath());
  expect(() => edit(store).where('a = 1', { lable: 'x' } as never)).toThrow(/label/);
  expect(() => edit(store).filter([true], { params: {} } as never)).toThrow(/params/);
  store.close();
  await expect(edit(store).report()).rejects.toMatchObject({ code: 'ERR_CLOSED' });
  await expect(edit(store).assign({ b: 'a + 1' }).write(newPath())).rejects.toMatchObject({ code: 'ERR_CLOSED' });
});

test.each([1, 10])('%i records: groups by a computed column', (records) => {
  using table = openSync(stored(records));
  const { table: edited } = edit(table).assign({ month: 'month(ts)', rest: 'qty % 7' });
  for (const [key, of] of [
    ['month', (row: number) => new Date(Number(ts[row])).getUTCMonth() + 1],
    ['rest', (row: number) => (qty[row] as number) % 7],
  ] as const) {
    const sums = new Map<number, number>();
    for (let row = 0; row < ROWS; row += 1)
      if ((price[row] as number) > 3) sums.set(of(row), (sums.get(of(row)) ?? 0) + (qty[row] as number));
    const { columns } = edited
      .where('price > 3')
      .groupBy(key)
      .aggSync({ sum: { sum: 'qty' } });
    expect(Array.from(columns[key] as ArrayLike<unknown>, Number)).toEqual([...sums.keys()]);
    expect(Array.from(columns.sum as ArrayLike<unknown>, Number)).toEqual([...sums.values()]);
  }
});
