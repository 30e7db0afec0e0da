// What a table of a .cna file is asked, a scan is asked too: both read the same bytes, of views as of the whole file,
// and give what the values say.
import { CountingSource } from '@colkit/testkit';
import { describe, expect, it } from 'vitest';
import { col, open, openSync, scan } from '../../src/index.ts';
import type { Table } from '../../src/index.ts';
import { MemorySource } from '../support/io.ts';
import { orderTable } from '../support/orders.ts';
import { readTable, writeTable } from '../support/table.ts';

const ROWS = 5000;
const { bytes } = writeTable(orderTable(ROWS), { rowGroupRows: 1000, pageRows: 256 });
const { footerOffset } = readTable(bytes).footer;

async function bytesOf<T>(ask: (source: CountingSource) => Promise<T>): Promise<[found: T, bytesRead: number]> {
  const source = new CountingSource(new MemorySource(bytes));
  const found = await ask(source);
  return [found, source.bytesRead];
}

/** How many bytes of pages. */
function pageBytes({ reads }: CountingSource): number {
  return reads
    .filter(({ byteOffset }) => byteOffset >= 4 && byteOffset < footerOffset)
    .reduce((sum, { byteLength }) => sum + byteLength, 0);
}

describe('a table reads what a scan reads', () => {
  it.each(['max', 'min', 'count'] as const)('for a column %s: statistics, and no page', async (operation) => {
    const source = new CountingSource(new MemorySource(bytes));
    const found = await (await open(source)).column('amount')[operation]();
    const spec = { found: { [operation]: 'amount' } } as { found: { max: string } };
    const [scanned, read] = await bytesOf((from) => scan(from).agg(spec));
    expect(found).toBe(scanned.found);
    expect(source.bytesRead).toBe(read);
    expect(pageBytes(source)).toBe(0);
  });

  it('for what matching rows add up to, by group or all together: every page once', async () => {
    const where = col('amount').gt(3000).and(col('quantity').lt(4));
    const specs = { n: 'count', total: { sum: 'amount' }, last: { max: 'order_id' } } as const;
    const [groups, ofTable] = await bytesOf(async (from) => {
      return (await (await open(from)).where(where).groupBy('region').agg(specs)).columns;
    });
    const [scanned, ofScan] = await bytesOf((from) => scan(from, { where }).groupBy('region').agg(specs));
    expect(groups).toEqual(scanned.columns);
    expect(ofTable).toBe(ofScan);
    const [all, allRead] = await bytesOf(async (from) => (await open(from)).where(where).agg(specs));
    const [scannedAll, scanRead] = await bytesOf((from) => scan(from, { where }).agg(specs));
    expect(all).toEqual(scannedAll);
    expect(allRead).toBe(scanRead);
    expect(ofTable).toBeLessThan(bytes.length);
  });
});

describe('views add up to what their rows do', () => {
  const specs = {
    n: 'count',
    notes: { count: 'note' },
    least: { min: 'amount' },
    most: { max: 'quantity' },
    total: { sum: 'quantity' },
    mean: { mean: 'amount' },
    spread: { std: 'amount' },
    regions: { countDistinct: 'region' },
    first: { first: 'note' },
    last: { last: 'note' },
  } as const;
  const table = openSync(bytes);
  const numbers = (start: number, end: number): number[] => Array.from({ length: end - start }, (_, i) => start + i);

  // By number nothing is known of the rows but their values.
  it.each([
    [0, ROWS],
    [700, 2300],
    [999, 1001],
    [256, 512],
    [4000, 4000],
  ])('rows %d to %d', (start, end) => {
    const compare = (view: Table, same: Table): void => {
      const [found, expected] = [view.aggSync(specs), same.aggSync(specs)];
      for (const [name, value] of Object.entries(expected)) {
        if (typeof value === 'number' && !Number.isNaN(value))
          expect(found[name as 'mean'], name).toBeCloseTo(value, 6);
        else expect(found[name as 'mean'], name).toEqual(value);
      }
      const [groups, same2] = [view, same].map((each) => each.groupBy('region', 'status').aggSync(specs).columns);
      expect(groups!['region']).toEqual(same2!['region']);
      expect(groups!['status']).toEqual(same2!['status']);
      for (const name of ['n', 'notes', 'least', 'most', 'total', 'regions', 'first', 'last'] as const)
        expect(groups![name], name).toEqual(same2![name]);
    };
    const [slice, taken] = [table.slice(start, end), table.take(numbers(start, end))];
    compare(slice, taken);
    compare(slice.where('amount > 2000 and note is not null'), taken.where('amount > 2000 and note is not null'));
    compare(table.filter(Array.from({ length: ROWS }, (_, row) => row >= start && row < end)), taken);
  });

  it('of a slice, only the pages at its ends are read for an extreme', () => {
    const source = new CountingSource(new MemorySource(bytes));
    const view = openSync(source).slice(300, 4700).column('amount');
    source.reset();
    const most = view.maxSync();
    expect(most).toBe(table.take(numbers(300, 4700)).column('amount').maxSync());
    const whole = new CountingSource(new MemorySource(bytes));
    openSync(whole).column('amount').toArraySync();
    expect(pageBytes(source)).toBeLessThan(pageBytes(whole) / 5);
  });
});
