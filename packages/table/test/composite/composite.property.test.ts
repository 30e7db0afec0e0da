// A table that is cut into parts anywhere answers as the whole does, in order: whatever the columns' order in the
// parts, and whichever of them know more than their values.
import { ALL_DTYPES, chainArbitrary, tableArbitrary } from '@colkit/testkit';
import type { OracleTable } from '@colkit/testkit';
import type { ColkitError } from '@colkit/io';
import type { Table as ArrowTable } from 'apache-arrow';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Table } from '../../src/index.ts';
import type { AggregateSpecs } from '../../src/index.ts';
import { Draw, randomCondition, toExpression } from '../query/random-predicates.ts';
import { specsOf } from '../support/aggregate-oracle.ts';
import { MemoryTable } from '../support/memory-table.ts';
import type { Utf8Form } from '../support/memory-table.ts';
import { act } from '../support/tables.ts';
import { cut } from './parts.ts';
import type { CutOptions } from './parts.ts';

const TABLES = { dtypes: ALL_DTYPES, nullable: true, mostRows: 40, mostColumns: 4 };

const cutsArbitrary = fc.record({
  at: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 }),
  even: fc.boolean(),
  turns: fc.array(fc.nat(3), { minLength: 6, maxLength: 6 }),
  knows: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
  utf8: fc.oneof(
    fc.constantFrom<Utf8Form>('each', 'coded').map((form) => new Array<Utf8Form>(6).fill(form)),
    fc.array(fc.constantFrom<Utf8Form>('values', 'each', 'coded'), { minLength: 6, maxLength: 6 }),
  ),
  mostOpen: fc.integer({ min: 1, max: 3 }),
  constants: fc.boolean(),
  fits: fc.boolean(),
});
type Cuts = typeof cutsArbitrary extends fc.Arbitrary<infer T> ? T : never;

function optionsOf(table: OracleTable, { at, even, turns, mostOpen, constants, fits, ...forms }: Cuts): CutOptions {
  const count = at.length + 1;
  const cuts = at.map((share, index) =>
    even ? Math.ceil((table.rowCount * (index + 1)) / count) : Math.floor(share * table.rowCount),
  );
  // Of the first one on, so that the order of columns is that of the whole.
  const constant = constants ? table.columns.slice(-1).map(({ name }) => name) : [];
  cuts.sort((one, other) => one - other);
  const alike = fits ? turns.map(() => 0) : [0, ...turns.slice(1)];
  return { cuts, turns: alike, mostOpen, constant, fits, ...forms };
}

/** As texts that are the same for the same values: of NaN and -0 too. */
function told(value: unknown): unknown {
  if (typeof value === 'bigint') return `${String(value)}n`;
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (ArrayBuffer.isView(value) || Array.isArray(value)) return Array.from(value as unknown as unknown[], told);
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, told(each)]));
  return value;
}

/** Columns of an Arrow table; the code of the error of a type that Arrow does not have. */
async function arrowValues(view: Table): Promise<unknown> {
  try {
    const table = await view.toArrow<ArrowTable>();
    return Array.from({ length: table.numCols }, (_, at) => {
      const column = table.getChildAt(at);
      return Array.from({ length: table.numRows }, (_, row) => told(column?.get(row)));
    });
  } catch (error) {
    return (error as ColkitError).code;
  }
}

/** Every way of reading a view, by name. */
async function answers(view: Table): Promise<Record<string, unknown>> {
  const batches: unknown[] = [];
  for await (const batch of view.batches({ rows: 7 })) batches.push(told(batch));
  return {
    columns: told(await view.toColumns()),
    columnsSync: told(view.toColumnsSync()),
    dictionary: told(view.toColumnsSync({ strings: 'dictionary', nulls: 'bitmap' })) !== undefined,
    rows: told(view.toRowsSync()),
    arrow: await arrowValues(view),
    batches,
    count: await view.count(),
  };
}

test('any chain of views, in both forms', async () => {
  await fc.assert(
    fc.asyncProperty(chainArbitrary(TABLES, 3), cutsArbitrary, async ({ table, actions }, cuts) => {
      const whole = actions.reduce(act, new Table(new MemoryTable(table)));
      const { table: source, opened } = cut(table, optionsOf(table, cuts));
      const parts = actions.reduce(act, named(table, source));
      expect(await answers(parts)).toEqual(await answers(whole));
      expect(opened.open).toBeLessThanOrEqual(cuts.mostOpen);
      source.close();
      expect(opened.open).toBe(0);
    }),
    { numRuns: 120 },
  );
});

test('predicates, orders, distinct rows, aggregates and groups', async () => {
  const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 });
  await fc.assert(
    fc.asyncProperty(tableArbitrary(TABLES), cutsArbitrary, seeds, async (table, cuts, seed) => {
      const draw = new Draw(seed);
      const predicate = toExpression(randomCondition(draw, table, 2));
      const { table: source, opened } = cut(table, optionsOf(table, cuts));
      const [whole, parts] = [new Table(new MemoryTable(table)), named(table, source)];
      const start = Math.floor(table.rowCount / 5);
      for (const sliced of [false, true]) {
        const of = (all: Table): Table => (sliced ? all.slice(start, -1) : all);
        // Of a slice and of all rows, one with the predicate and one without, in turns.
        const where = sliced === (seed % 2 === 0);
        const picked = (all: Table): Table => (where ? of(all).where(predicate) : of(all));
        await compare(picked(parts), picked(whole), table);
        expect(told(await of(parts).where(predicate).head(3).toColumns())).toEqual(
          told(await of(whole).where(predicate).head(3).toColumns()),
        );
      }
      expect(opened.open).toBeLessThanOrEqual(cuts.mostOpen);
    }),
    { numRuns: 120 },
  );
});

async function compare(parts: Table, whole: Table, { columns }: OracleTable): Promise<void> {
  expect(await answers(parts)).toEqual(await answers(whole));
  const specs = Object.assign(
    { 'all rows': 'count' },
    ...columns.map((column, index) => specsOf(column, `${String(index)} `)),
  ) as AggregateSpecs;
  same(await parts.agg(specs), await whole.agg(specs));
  same(parts.aggSync(specs), whole.aggSync(specs));
  const by = columns.slice(0, 2).map(({ name }) => name);
  same((await parts.groupBy(by).agg(specs)).columns, (await whole.groupBy(by).agg(specs)).columns);
  expect(told(parts.distinct(...by).toColumnsSync())).toEqual(told(whole.distinct(...by).toColumnsSync()));
  const ordered = columns.find(({ dtype }) => dtype !== 'binary')?.name;
  if (ordered === undefined) return;
  expect(told(parts.orderBy(ordered).toColumnsSync())).toEqual(told(whole.orderBy(ordered).toColumnsSync()));
  expect(told(parts.orderBy(ordered).head(4).toColumnsSync())).toEqual(
    told(whole.orderBy(ordered).head(4).toColumnsSync()),
  );
}

/** To the last bit, but for variances, whose rounding depends on the blocks of rows that were read together. */
function same(found: object, expected: object): void {
  const isSpread = (name: string): boolean => /^\d+ (std|var)$/u.test(name);
  const exact = (of: object): object => Object.fromEntries(Object.entries(of).filter(([name]) => !isSpread(name)));
  expect(told(exact(found))).toEqual(told(exact(expected)));
  for (const [name, values] of Object.entries(expected)) {
    if (!isSpread(name)) continue;
    const [left, right] = [(found as Record<string, unknown>)[name], values].map((each) =>
      typeof each === 'number' ? [each] : Array.from(each as ArrayLike<number>),
    ) as [number[], number[]];
    expect(left).toHaveLength(right.length);
    for (const [group, value] of right.entries()) {
      const other = left[group] as number;
      const isClose = Math.abs(value - other) <= 1e-9 * Math.abs(value) + 1e-150;
      // Beyond the doubles in one way of adding, it may be just within in the other.
      expect(isClose || Object.is(value, other) || Math.abs(value) > 1e300 || Number.isNaN(value)).toBe(true);
    }
  }
}

/** Its columns in the order of the whole: constants come last. */
function named(table: OracleTable, source: ConstructorParameters<typeof Table>[0]): Table {
  return new Table(source).select(table.columns.map(({ name }) => name));
}
