// How many different numbers there are, and groups by them in the order in which they are met: of edges, of mostly
// different ones, with nulls from the first row on and later, whoever tells them apart.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '@colkit/testkit';
import { afterAll, expect, test } from 'vitest';
import { openSync, typed, writeSync } from '../../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-numbers-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ROWS = 9000;
const random = createRandom(5);
const FLOATS = [0, -0, NaN, Infinity, -1.5, 2 ** 53, 5e-324];
const WIDE = [-(2n ** 63n), -1n, 0n, 2n ** 53n + 1n, 2n ** 53n, 2n ** 63n - 1n];
type Value = number | bigint | null;
const COLUMNS: Readonly<Record<string, readonly [dtype: string, make: (row: number) => Value]>> = {
  floats: ['float64', (row) => (row % 3 === 0 ? random.pick(FLOATS) : row / 7)],
  'few floats': ['float64', () => random.pick([...FLOATS, null])],
  small: ['int32', () => random.integer(300)],
  integers: ['int32', (row) => (row % 5 === 0 ? random.integer(100) - 50 : row * 7919 - 30_000_000)],
  'late nulls': ['int32', (row) => (row > 5000 && row % 2 === 0 ? null : random.integer(1e6))],
  wide: ['int64', (row) => (row % 4 === 0 ? random.pick(WIDE) : BigInt(row) * 2n ** 40n)],
  'first null': ['int64', (row) => (row === 0 || row % 9 === 4 ? null : BigInt(random.integer(2000)) - 1000n)],
};
const names = Object.keys(COLUMNS);
const values = names.map((name) => Array.from({ length: ROWS }, (_, row) => COLUMNS[name]![1](row)));
const key = Int32Array.from({ length: ROWS }, (_, row) => (row * 5) % 7);
const path = join(folder, 'numbers.cna');
writeSync(
  path,
  {
    key,
    ...Object.fromEntries(names.map((name, i) => [name, typed(COLUMNS[name]![0] as 'int32', values[i] as number[])])),
  } as never,
  { rowGroupSize: 4000, pageRows: 1200 },
);

/** 0 and -0 are one value, and NaN is. */
const idOf = (value: Value): string => String(value);

test.each(names)('%s', (name) => {
  using table = openSync(path);
  const own = values[names.indexOf(name)]!;
  const rows = Array.from({ length: ROWS }, (_, row) => row);
  for (const [view, of] of [
    [table, rows],
    [table.slice(1000, 7777), rows.slice(1000, 7777)],
    [table.where('key > 3'), rows.filter((row) => key[row]! > 3)],
  ] as const) {
    const different = (some: readonly number[]): number =>
      new Set(some.filter((row) => own[row] !== null).map((row) => idOf(own[row]!))).size;
    expect(view.aggSync({ d: { countDistinct: name } } as never) as unknown).toEqual({ d: different(of) });
    const { columns } = view.groupBy('key').aggSync({ d: { countDistinct: name } } as never) as unknown as {
      columns: { key: number[]; d: number[] };
    };
    const keys = [...new Set(of.map((row) => key[row]!))];
    expect([...columns.key]).toEqual(keys);
    expect([...columns.d]).toEqual(keys.map((each) => different(of.filter((row) => key[row] === each))));
    for (const by of [[name], [name, 'key'], ['key', name]]) {
      const groups = new Map<string, number>();
      for (const row of of) {
        const id = by.map((column) => (column === 'key' ? String(key[row]) : idOf(own[row]!))).join('|');
        groups.set(id, (groups.get(id) ?? 0) + 1);
      }
      const grouped = view.groupBy(...(by as [string])).aggSync({ n: 'count' } as never) as unknown as {
        columns: Record<string, Value[]>;
      };
      const lists = by.map((column) => [...grouped.columns[column]!].map(idOf));
      const found = [...grouped.columns['n']!].map((n, i) => [lists.map((list) => list[i]).join('|'), n]);
      expect(found).toEqual([...groups]);
    }
  }
});
