// Rows in the order of columns, and the first of each combination, as sorting and comparing plain values gives them.
import { ALL_DTYPES, tableArbitrary } from '@colkit/testkit';
import type { OracleTable } from '@colkit/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Table } from '../../src/index.ts';
import { compareCells, groupsOf, orders } from '../support/aggregate-oracle.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { upTo } from '../support/tables.ts';

interface Key {
  readonly column: string;
  readonly descending: boolean;
}

function sorted(table: OracleTable, keys: readonly Key[], rows: readonly number[]): number[] {
  const columns = keys.map(({ column, descending }) => ({
    ...table.columns.find(({ name }) => name === column)!,
    descending,
  }));
  return [...rows].sort((left, right) => {
    for (const { dtype, values, descending } of columns) {
      const order = compareCells(dtype, values[left], values[right], descending);
      if (order !== 0) return order;
    }
    return left - right;
  });
}

const TABLES = { dtypes: ALL_DTYPES, nullable: true, mostRows: 60, mostColumns: 3 };

test('orderBy any columns, all rows and the first', async () => {
  const cases = tableArbitrary(TABLES)
    .filter(({ columns }) => columns.some(({ dtype }) => orders(dtype)))
    .chain((table) =>
      fc.record({
        table: fc.constant(table),
        names: fc.shuffledSubarray(
          table.columns.filter(({ dtype }) => orders(dtype)).map(({ name }) => name),
          { minLength: 1 },
        ),
        directions: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
        mask: fc.array(fc.boolean(), { minLength: table.rowCount, maxLength: table.rowCount }),
        first: fc.nat(70),
        strings: fc.constantFrom('values' as const, 'dictionary' as const),
      }),
    );
  await fc.assert(
    fc.asyncProperty(cases, async ({ table, names, directions, mask, first, strings }) => {
      const keys = names.map((column, index) => ({ column, descending: directions[index]! }));
      const view = new Table(new MemoryTable(table, { strings })).filter(mask);
      const wanted = sorted(
        table,
        keys,
        upTo(table.rowCount).filter((row) => mask[row]),
      );
      const ordered = view.orderBy(...keys);
      expect(ordered.rowCount).toBe(wanted.length);
      expect(Array.from(ordered.resolveSync().rowNumbers())).toEqual(wanted);
      expect(Array.from((await ordered.head(first).resolve()).rowNumbers())).toEqual(wanted.slice(0, first));
      expect(await ordered.slice(0, first, 2).count()).toBe(Math.ceil(Math.min(first, wanted.length) / 2));
    }),
    { numRuns: 150 },
  );
});

test('orderBy values near one another, at the edges of words', () => {
  const starts = [0n, -2n, 2n ** 32n - 2n, -(2n ** 32n) - 2n, 2n ** 31n - 2n, 2n ** 63n - 5n, -(2n ** 63n) + 1n];
  const apart = [0n, 1n, 2n, 4n, 2n ** 12n, 2n ** 13n, 2n ** 32n - 2n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 40n];
  const cell = fc.oneof(
    { arbitrary: fc.constantFrom(...apart), weight: 6 },
    { arbitrary: fc.constantFrom('null' as const, 'nat' as const), weight: 1 },
  );
  const cases = fc.record({
    dtype: fc.constantFrom('int64', 'uint64', 'datetime64[us]', 'float64', 'int32'),
    start: fc.constantFrom(...starts),
    most: fc.integer({ min: 1, max: apart.length }),
    cells: fc.array(cell, { minLength: 1, maxLength: 60 }),
    descending: fc.boolean(),
  });
  fc.assert(
    fc.property(cases, ({ dtype, start, most, cells, descending }) => {
      const near = apart.slice(0, most);
      const valueOf = (each: bigint): unknown => {
        const value = start + near[apart.indexOf(each) % most]!;
        if (dtype === 'float64') return Number(value) / 8;
        if (dtype === 'int32') return Number(BigInt.asIntN(32, value));
        return dtype === 'uint64' ? BigInt.asUintN(64, value) : BigInt.asIntN(64, value);
      };
      const nothing = dtype === 'float64' ? Number.NaN : dtype.startsWith('datetime') ? -(2n ** 63n) : null;
      const values = cells.map((each) => (each === 'null' ? null : each === 'nat' ? nothing : valueOf(each)));
      const table: OracleTable = {
        rowCount: values.length,
        columns: [{ name: 'v', dtype, nullable: true, values }],
      };
      const keys = [{ column: 'v', descending }];
      const rows = new Table(new MemoryTable(table)).orderBy(...keys).resolveSync();
      expect(Array.from(rows.rowNumbers())).toEqual(sorted(table, keys, upTo(values.length)));
    }),
    { numRuns: 1000 },
  );
});

test('distinct of any columns', async () => {
  const cases = tableArbitrary(TABLES).chain((table) =>
    fc.tuple(fc.constant(table), fc.shuffledSubarray(table.columns.map(({ name }) => name)), fc.nat(10)),
  );
  await fc.assert(
    fc.asyncProperty(cases, async ([table, names, first]) => {
      const view = new Table(new MemoryTable(table)).distinct(names);
      const wanted = groupsOf(table, names.length === 0 ? table.columns.map(({ name }) => name) : names).map(
        ([row]) => row!,
      );
      expect(Array.from(view.resolveSync().rowNumbers())).toEqual(wanted);
      expect(await view.count()).toBe(wanted.length);
      expect(Array.from((await view.head(first).resolve()).rowNumbers())).toEqual(wanted.slice(0, first));
    }),
    { numRuns: 100 },
  );
});
