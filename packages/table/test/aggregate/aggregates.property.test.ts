// Aggregates of random tables equal what is added up and compared row by row: at once and by group, behind any chain of
// views, and whole or in parts that went through JSON.
import { ALL_DTYPES, chainArbitrary, tableArbitrary } from '@colkit/testkit';
import type { OracleTable } from '@colkit/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Aggregation } from '../../src/aggregate/aggregation.ts';
import type { PartialAggregates } from '../../src/aggregate/aggregation.ts';
import { aggregateRows } from '../../src/aggregate/aggregate-rows.ts';
import { runSync } from '@colkit/io/effects';
import { Table } from '../../src/index.ts';
import { parseAggregates } from '../../src/aggregate/spec.ts';
import type { AggregateSpecs } from '../../src/index.ts';
import { columnRefs } from '../../src/views/column-refs.ts';
import { faultOf, groupsOf, keyOf, specsOf } from '../support/aggregate-oracle.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { act, upTo } from '../support/tables.ts';

const TABLES = { dtypes: ALL_DTYPES, nullable: true, mostRows: 40, mostColumns: 4 };

/** Everything of every column, by names that no column has. */
function allSpecs(table: OracleTable): AggregateSpecs {
  return Object.assign(
    { 'all rows': 'count' },
    ...table.columns.map((column, index) => specsOf(column, `${index} `)),
  ) as AggregateSpecs;
}

function checkGroup(table: OracleTable, rows: readonly number[], of: (name: string) => unknown): void {
  expect(of('all rows')).toBe(rows.length);
  for (const [index, column] of table.columns.entries()) {
    for (const [name, spec] of Object.entries(specsOf(column, `${index} `))) {
      const [operation = ''] = Object.keys(spec);
      expect(
        faultOf(
          operation,
          column.dtype,
          rows.map((row) => column.values[row]),
          of(name),
        ),
      ).toBeNull();
    }
  }
}

test('at once, behind any chain of views, in both forms', async () => {
  const strings = fc.constantFrom('values' as const, 'dictionary' as const);
  await fc.assert(
    fc.asyncProperty(chainArbitrary(TABLES, 3), strings, async ({ table, actions, expected }, form) => {
      const view = actions.reduce(act, new Table(new MemoryTable(table, { strings: form })));
      const specs = allSpecs(expected);
      const found = view.aggSync(specs) as Record<string, unknown>;
      checkGroup(expected, upTo(expected.rowCount), (name) => found[name]);
      expect(await view.agg(specs)).toEqual(found);
    }),
    { numRuns: 80 },
  );
});

test('by one to three columns', async () => {
  const cases = tableArbitrary(TABLES).chain((table) =>
    fc.tuple(
      fc.constant(table),
      fc.shuffledSubarray(
        table.columns.map(({ name }) => name),
        { minLength: 1, maxLength: Math.min(3, table.columns.length) },
      ),
    ),
  );
  await fc.assert(
    fc.asyncProperty(cases, async ([table, by]) => {
      const grouped = new Table(new MemoryTable(table)).groupBy(by);
      const specs = allSpecs(table);
      const found = grouped.aggSync(specs);
      const groups = groupsOf(table, by);
      expect(found.rowCount).toBe(groups.length);
      const columns = found.columns as Record<string, readonly unknown[]>;
      expect(new Set(Object.keys(columns))).toEqual(new Set([...by, ...Object.keys(specs)]));
      for (const [group, rows] of groups.entries()) {
        for (const name of by) {
          const { values } = table.columns.find((column) => column.name === name)!;
          expect(keyOf(columns[name]?.[group])).toBe(keyOf(values[rows[0]!]));
        }
        checkGroup(table, rows, (name) => columns[name]?.[group]);
      }
      expect((await grouped.agg(specs)).columns).toEqual(found.columns);
    }),
    { numRuns: 80 },
  );
});

/** What a run of rows is, by an aggregation of its own. */
function partial(
  table: Table,
  specs: AggregateSpecs,
  by: readonly string[],
  start: number,
  end: number,
): Aggregation<ReturnType<typeof columnRefs>[number]> {
  const refs = columnRefs(table.view.projection);
  const aggregation = new Aggregation(
    parseAggregates(specs, refs),
    refs.filter(({ name }) => by.includes(name)),
  );
  const { view } = table.slice(start, end);
  runSync(aggregateRows(view.source, view.rows, aggregation));
  return aggregation;
}

const throughJson = (state: PartialAggregates): PartialAggregates =>
  JSON.parse(JSON.stringify(state)) as PartialAggregates;

test('in parts that went through JSON', () => {
  const cases = tableArbitrary(TABLES).chain((table) =>
    fc.tuple(
      fc.constant(table),
      fc.subarray(
        table.columns.map(({ name }) => name),
        { maxLength: Math.min(2, table.columns.length) },
      ),
      fc.array(fc.nat(table.rowCount), { maxLength: 4 }),
    ),
  );
  fc.assert(
    fc.property(cases, ([oracle, by, cuts]) => {
      const table = new Table(new MemoryTable(oracle));
      const specs = allSpecs(oracle);
      const starts = [0, ...cuts.sort((left, right) => left - right), oracle.rowCount];
      const merged = partial(table, specs, by, 0, 0);
      for (const [index, start] of starts.slice(0, -1).entries()) {
        const part = partial(table, specs, by, start, starts[index + 1]!);
        const state = part.toJSON();
        // The same to the last bit, and so are the answers of whoever has nothing else.
        expect(throughJson(state)).toEqual(state);
        const again = partial(table, specs, by, 0, 0);
        again.merge(throughJson(state));
        expect(again.toJSON()).toEqual(state);
        expect(runSync(again.cells())).toEqual(runSync(part.cells()));
        merged.merge(throughJson(state));
      }
      const groups =
        by.length === 0
          ? [upTo(oracle.rowCount)]
          : groupsOf(
              oracle,
              oracle.columns.map(({ name }) => name).filter((name) => by.includes(name)),
            );
      expect(merged.groupCount).toBe(groups.length);
      const results = runSync(merged.cells()).slice(by.length);
      for (const [group, rows] of groups.entries())
        checkGroup(oracle, rows, (name) => results[Object.keys(specs).indexOf(name)]?.[group]);
    }),
    { numRuns: 80 },
  );
});
