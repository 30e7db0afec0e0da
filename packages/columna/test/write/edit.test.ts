// edit: .cna files from computed columns, with nulls and text of any length.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { col, edit, openSync, writeSync } from '../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-edit-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'a.cna');
const ROWS = 20_000;
const amount = Float64Array.from({ length: ROWS }, (_, row) => (row % 400) / 4);
const region = Array.from({ length: ROWS }, (_, row) =>
  row % 7 === 0 ? null : (['EMEA', 'APAC', 'AMER'][row % 3] ?? ''),
);
const count = Array.from({ length: ROWS }, (_, row) => (row % 11 === 0 ? null : row));
writeSync(path, { amount, region, count }, { rowGroupSize: 3000 });

test('computed columns, with nulls, become columns of the file', async () => {
  using table = openSync(path);
  const out = join(folder, 'b.cna');
  const change = edit(table)
    .assign({
      gross: col('amount').mul(1.19).round(2),
      half: 'count // 2',
      where: "where(region is null, 'unknown', region)",
      note: "where(amount > 90, 'high', null)",
    })
    .rename({ count: 'n' })
    .where("where != 'APAC'", { label: 'not Asia' })
    .drop('region');
  await change.write(out);
  using made = openSync(out);
  expect(made.schema).toEqual([
    { name: 'amount', dtype: 'float64', nullable: false },
    { name: 'n', dtype: 'float64', nullable: true },
    { name: 'gross', dtype: 'float64', nullable: false },
    { name: 'half', dtype: 'float64', nullable: true },
    { name: 'where', dtype: 'string', nullable: true },
    { name: 'note', dtype: 'string', nullable: true },
  ]);
  const kept = Array.from(amount.keys()).filter((row) => region[row] !== 'APAC');
  const columns = made.toColumnsSync();
  // Halves go to the even one, as numpy rounds.
  const even = (value: number): number => {
    const floor = Math.floor(value);
    return value - floor < 0.5 || (value - floor === 0.5 && floor % 2 === 0) ? floor : floor + 1;
  };
  expect(columns['gross']).toEqual(Float64Array.from(kept, (row) => even((amount[row] ?? 0) * 1.19 * 100) / 100));
  expect(columns['half']).toEqual(kept.map((row) => (count[row] === null ? null : Math.floor((count[row] ?? 0) / 2))));
  expect(columns['where']).toEqual(kept.map((row) => region[row] ?? 'unknown'));
  expect(columns['note']).toEqual(kept.map((row) => ((amount[row] ?? 0) > 90 ? 'high' : null)));
  expect((await change.report()).rowsAfter).toBe(kept.length);
});

test('rows are found by statistics, in files of several formats', () => {
  using table = openSync(path);
  const change = edit(table).assign({ twice: 'amount * 2' }).where('count > 19990');
  expect(change.table.explainSync()).toMatch(/skip/);
  expect(change.table.column('twice').toArraySync()).toEqual(
    Float64Array.from(
      [19_991, 19_992, 19_993, 19_994, 19_995, 19_996, 19_997, 19_999].map((row) => 2 * (amount[row] ?? 0)),
    ),
  );
});
