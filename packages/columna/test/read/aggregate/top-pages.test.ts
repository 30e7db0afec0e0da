// The first rows of an order over a file whose statistics tell where they are: other pages are not read. Statistics
// that promise more rows than there are change no answer.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CountingSource } from '@colkit/testkit';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { edit, open, openSync, typed, writeSync } from '../../../src/index.ts';
import type { Table } from '../../../src/index.ts';
import { StoredTable } from '../../../src/read/stored-table.ts';
import { MemorySource } from '../../support/io.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-top-pages-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

const ROWS = 40_000;
const PAGE_ROWS = 1024;
const rows = Array.from({ length: ROWS }, (_, row) => row);
const VALUES: Readonly<Record<string, readonly (number | bigint | string)[]>> = {
  rising: rows.map((row) => row - 1000),
  falling: rows.map((row) => `item ${String(100_000 - Math.floor(row / 2))}`),
  // No page has values of another, and within it they are in no order.
  heaps: rows.map((row) => 2n ** 53n + BigInt(Math.floor(row / PAGE_ROWS) * 5000 + ((row * 7919) % 4999))),
};
const NAMES = Object.keys(VALUES);
const path = join(folder, 'rows.cna');
writeSync(
  path,
  {
    rising: typed('int32', VALUES['rising'] as never),
    falling: VALUES['falling'],
    heaps: typed('int64', VALUES['heaps'] as never),
  } as never,
  { pageRows: PAGE_ROWS, rowGroupSize: 8 * PAGE_ROWS, mode: 'plain' },
);
const bytes = readFileSync(path);

function sorted(name: string, descending: boolean): readonly number[] {
  const values = VALUES[name] as readonly (number | bigint | string)[];
  return rows.toSorted((a, b) => {
    const [one, other] = [values[a]!, values[b]!];
    return (one < other ? -1 : Number(one > other)) * (descending ? -1 : 1) || a - b;
  });
}

const topOf = (table: Table, column: string, descending: boolean, k: number): number[] => [
  ...table
    .orderBy({ column, descending } as never)
    .head(k)
    .resolveSync()
    .rowNumbers(),
];

describe.each(NAMES)('%s', (column) => {
  it.each([
    ['the smallest', false, 20],
    ['the largest', true, 20],
    ['many of the largest', true, 1500],
  ] as const)('%s are in few pages', async (_, descending, k) => {
    const expected = sorted(column, descending).slice(0, k);
    const source = new CountingSource(new MemorySource(bytes));
    using table = openSync(source) as unknown as Table;
    const whole = new CountingSource(new MemorySource(bytes));
    (openSync(whole) as unknown as Table).select(column).toColumnsSync();
    expect(topOf(table, column, descending, k)).toEqual(expected);
    expect(source.bytesRead).toBeLessThan(whole.bytesRead / 3);
    // Of a table with computed columns, and of some rows of it.
    const more = new CountingSource(new MemorySource(bytes));
    using derived = edit(await open(more)).assign({ next: 'rising + 1' }).table as unknown as Table;
    const some = derived.slice(100, ROWS - 100);
    const inside = sorted(column, descending).filter((row) => row >= 100 && row < ROWS - 100);
    expect(topOf(some, column, descending, k)).toEqual(inside.slice(0, k));
    expect(more.bytesRead).toBeLessThan(whole.bytesRead / 3);
  });
});

it('rows in any order, of pages of one length', () => {
  using table = openSync(path) as unknown as Table;
  const picks = rows.map((row) => (row * 7919) % (ROWS - 3));
  for (const some of [picks, picks.slice(0, 3000), [ROWS - 1, 0, PAGE_ROWS, PAGE_ROWS - 1, ROWS - 1]]) {
    const { rising, falling } = table.take(some).select('rising', 'falling').toColumnsSync();
    expect([...(rising as Int32Array)]).toEqual(some.map((row) => VALUES['rising']![row]));
    expect(falling).toEqual(some.map((row) => VALUES['falling']![row]));
  }
});

describe('statistics that promise more than there is', () => {
  const POOLS: Readonly<Record<string, readonly (number | bigint | string)[]>> = {
    rising: [-(2 ** 31), -1000, 0, 38_700, 38_999, 2 ** 31 - 1],
    falling: ['', 'item 100000', 'item 99990', 'item 80001', '\uffff', '\ud800'],
    heaps: [-(2n ** 63n), 0n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 53n + 194_990n, 2n ** 63n - 1n],
  };

  it.each(NAMES.flatMap((name) => POOLS[name]!.map((value) => [name, value] as const)))(
    '%s: all of %s',
    (column, value) => {
      const ends = { min: value, max: value, minExact: true, maxExact: true };
      vi.spyOn(StoredTable.prototype, 'statisticsOf').mockImplementation(function* () {
        yield* [];
        return [
          { rowCount: 10, nullCount: null, nanCount: null, ...ends },
          { rowCount: ROWS, nullCount: 0, nanCount: 0, ...ends },
        ];
      });
      using table = openSync(path) as unknown as Table;
      for (const descending of [false, true])
        expect(topOf(table, column, descending, 300)).toEqual(sorted(column, descending).slice(0, 300));
    },
  );
});
