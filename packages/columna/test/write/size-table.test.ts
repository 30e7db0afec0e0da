// The table of the description, on 50,000 synthetic orders in ten row groups. size-table/print.mjs prints it.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { typed } from '@colkit/table';
import { orderColumns, orderCsv } from '@colkit/testkit/orders';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scan, scanSync } from '../../src/read/scan.ts';
import { write, writeSync } from '../../src/write/write.ts';
import type { WriteReport } from '../../src/write/file/write-report.ts';
// @ts-expect-error plain JavaScript without declarations
import { DESCRIBED, compare as compareUntyped, measure as measureUntyped } from '../../size-table/figures.mjs';

interface Figures {
  readonly fileBytes: number;
  readonly columnBytes: number;
  readonly filterBytes: number;
  readonly groupsSkipped: number;
  readonly groupsWithoutMatch: number;
  readonly isRight: boolean;
}
const measure = measureUntyped as (api: object, path: string) => Promise<Figures>;
const compare = compareUntyped as (figures: Figures) => { lines: string[]; worse: string[] };

const ROWS = 50_000;
const folder = mkdtempSync(join(tmpdir(), 'columna-table-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'orders.cna');
const orders = orderColumns(ROWS);
let report: WriteReport;
beforeAll(() => {
  report = writeSync(path, { ...orders, ts: typed('datetime64[us]', orders.ts) }, { rowGroupSize: ROWS / 10 });
});

describe('50,000 orders in ten row groups', () => {
  it('take at most 225 KB of about 2,592 KB of CSV', () => {
    expect(orderCsv(ROWS).length / 1000).toBeGreaterThan(2500);
    expect(statSync(path).size).toBe(report.byteLength);
    expect(report.byteLength).toBeLessThanOrEqual(225_000);
  });

  it('one column of seven reads at most 154 KB', () => {
    for (const name of Object.keys(orders))
      expect(scanSync(path, { columns: [name] }).stats.bytesRead, name).toBeLessThanOrEqual(154_000);
  });

  it('the filter amount > 4500 reads at most 47 KB and skips at least 7 of 10 groups: all that have no match', () => {
    const { columns, stats } = scanSync(path, { columns: ['order_id', 'amount'], where: 'amount > 4500' });
    const rows = Array.from(orders.amount.keys()).filter((row) => orders.amount[row]! > 4500);
    expect(Array.from(columns['amount'] as Float64Array)).toEqual(rows.map((row) => orders.amount[row]));
    expect(Array.from(columns['order_id'] as BigInt64Array)).toEqual(rows.map((row) => orders.order_id[row]));
    const groups = new Set(rows.map((row) => Math.floor(row / 5000)));
    expect(stats).toMatchObject({ matched: rows.length, groups: 10, groupsSkipped: 10 - groups.size });
    expect(stats.groupsSkipped).toBeGreaterThanOrEqual(7);
    expect(stats.bytesRead).toBeLessThanOrEqual(47_000);
  });

  it('each column as its values suggest', () => {
    const encodings = Object.fromEntries(
      report.columns.map(({ name, encodings: each }) => [name, [...each.keys()].join(' | ')]),
    );
    expect(encodings).toMatchObject({
      order_id: 'AFFINE',
      ts: 'DELTA(BITPACK)',
      amount: 'DECIMAL(BITPACK)',
      quantity: 'BITPACK',
    });
    for (const name of ['region', 'note']) expect(encodings[name]).toMatch(/^DICTIONARY\(\w+, BITPACK\)$/);
    expect(encodings['status']).toMatch(/^DICTIONARY\(\w+, RLE\(/);
  });
});

describe('the printed table', () => {
  it("has ours beside the description's, and nothing is worse; all groups that can be skipped are", async () => {
    const figures = await measure({ write, scan, typed }, join(folder, 'printed.cna'));
    const { lines, worse } = compare(figures);
    expect(worse).toEqual([]);
    expect(figures).toMatchObject({ isRight: true, groupsSkipped: 8, groupsWithoutMatch: 8 });
    expect(lines.filter((line) => line.endsWith('at least as good'))).toHaveLength(4);
    expect(lines.join('\n')).toMatch(/row groups skipped by it, of 10 +8 +7 {2}at least as good/);
  });

  it('says what is worse, or wrong', () => {
    const good: Figures = { ...(DESCRIBED as Figures), groupsWithoutMatch: 7, isRight: true };
    expect(compare(good).worse).toEqual([]);
    for (const change of [
      { fileBytes: 225_001 },
      { columnBytes: 154_001 },
      { filterBytes: 47_001 },
      { groupsSkipped: 6 },
      { groupsSkipped: 8 },
      { isRight: false },
    ])
      expect(compare({ ...good, ...change }).worse, JSON.stringify(change)).toHaveLength(1);
  });
});
