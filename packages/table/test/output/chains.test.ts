// Random tables under random chains of steps, up to six deep, against the naive oracle, through every way out.
import { ALL_DTYPES, chainArbitrary } from '@colkit/testkit';
import type { OracleTable } from '@colkit/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Table } from '../../src/index.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { act, cells } from '../support/tables.ts';

/** By position, whatever the names: an object would reorder "10". */
function expectColumns(found: ReadonlyMap<string, unknown>, expected: OracleTable): void {
  expect([...found.keys()]).toEqual(expected.columns.map(({ name }) => name));
  for (const { name, dtype, values } of expected.columns) expect(cells(dtype, found.get(name))).toEqual(values);
}

for (const nullable of [false, true]) {
  test(`columns, rows, batches, records of any chain (${nullable ? 'variable width' : 'fixed width'})`, async () => {
    const property = fc.asyncProperty(
      chainArbitrary(nullable ? { dtypes: ALL_DTYPES, nullable } : {}),
      fc.nat(24),
      async ({ table, actions, expected }, split) => {
        const source = new MemoryTable(table, { splits: split > 0 && split < table.rowCount ? [split] : [] });
        const view = actions.reduce(act, new Table(source));
        expect(view.rowCount).toBe(expected.rowCount);
        expect(source.requests).toEqual([]);

        expectColumns(view.toColumnMapSync(), expected);
        expectColumns(await view.toColumnMap(), expected);
        const rows = upTo(expected.rowCount).map((row) => expected.columns.map(({ values }) => values[row]));
        const names = expected.columns.map(({ name }) => name);
        const asArrays = (found: Record<string, unknown>[]): unknown[][] =>
          found.map((row) => names.map((name) => row[name]));
        expect(asArrays(await view.toRows())).toEqual(rows);
        expect(asArrays([...view.rowsSync()])).toEqual(rows);

        const parts = new Map<string, unknown[]>(names.map((name) => [name, []]));
        for (const batch of view.batchesSync({ rows: 3 }))
          for (const { name, dtype } of expected.columns) parts.get(name)?.push(...cells(dtype, batch[name]));
        expectColumns(parts, expected);

        if (expected.columns.every(({ dtype }) => dtype !== 'string' && dtype !== 'binary')) {
          const records = await view.toRecords();
          expect(records.rowCount).toBe(expected.rowCount);
          expect(asArrays([...records])).toEqual(rows);
        }
        for (const { name, values } of expected.columns) {
          const column = view.column(name);
          expect([...column]).toEqual(values);
          for (const [row, value] of values.entries())
            expect(column.atSync(row - (row % 2) * values.length)).toEqual(value);
        }
      },
    );
    await fc.assert(property, { numRuns: 150 });
  });
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
