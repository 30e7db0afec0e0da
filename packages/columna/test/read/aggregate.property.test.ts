// Aggregates equal what is added up and compared row by row: on random data of every type, with random predicates, at
// once and by group, in every mode.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setDefaultBackend } from '@colkit/io';
import { sumFault } from '@colkit/testkit';
import fc from 'fast-check';
import { afterAll, afterEach, expect, it } from 'vitest';
import { openSync, scanSync } from '../../src/index.ts';
import type { AggregateSpecs, AggregateValue, Expression } from '../../src/index.ts';
import { scan } from '../../src/read/scan.ts';
import { backendsToAsk } from '../support/backends.ts';
import type { Cell } from '../support/cells.ts';
import { meanFault } from '../support/means.ts';
import { bruteForce, expressionOf, treeArbitrary } from '../support/predicates.ts';
import { tableArbitrary } from '../support/random-tables.ts';
import type { RandomColumn } from '../support/random-tables.ts';
import { writeTable } from '../support/table.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-aggregates-'));
afterAll(() => rmSync(folder, { recursive: true }));
const BACKENDS = backendsToAsk();
afterEach(() => setDefaultBackend('js'));
const NAT = -(2n ** 63n);
const isFloat = (type: string): boolean => type.startsWith('float');
const isMoment = (type: string): boolean => type === 'date' || type === 'datetime';
const adds = (type: string): boolean => type !== 'string' && !isMoment(type);

const cases = fc
  .tuple(
    tableArbitrary,
    fc.constantFrom('default' as const, 'smallest' as const, 'plain' as const),
    fc.constantFrom(24, 64, 1000),
    fc.constantFrom(8, 16, 64),
    fc.boolean(),
  )
  .chain(([columns, mode, rowGroupRows, pageRows, joint]) =>
    fc.record({
      columns: fc.constant(columns),
      options: fc.constant({ mode, rowGroupRows, pageRows, joint }),
      tree: fc.option(treeArbitrary(columns)),
    }),
  );

function specsOf(columns: readonly RandomColumn[]): AggregateSpecs {
  const specs: Record<string, AggregateSpecs[string]> = { rows: 'count' };
  for (const {
    column: { name, type },
  } of columns) {
    Object.assign(specs, {
      [`count ${name}`]: { count: name },
      [`min ${name}`]: { min: name },
      [`max ${name}`]: { max: name },
    });
    if (adds(type)) Object.assign(specs, { [`sum ${name}`]: { sum: name }, [`mean ${name}`]: { mean: name } });
  }
  return specs;
}

function order(a: Exclude<Cell, null>, b: Exclude<Cell, null>): number {
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b as string));
  return a < b ? -1 : a > b ? 1 : 0;
}

/** What one column's aggregates of some rows are, against theirs. */
function compareColumn(
  { column: { name, type }, cells }: RandomColumn,
  rows: readonly number[],
  found: (name: string) => AggregateValue,
  context: string,
): void {
  const values = rows.flatMap((row) => cells[row] ?? []);
  const told = values.filter((value) => value === value && !(isMoment(type) && value === NAT));
  const extreme = (sign: number): Cell =>
    told.length > 0
      ? told.reduce((best, value) => (order(value, best) * sign > 0 ? value : best))
      : values.length === 0
        ? null
        : isFloat(type)
          ? NaN
          : NAT;
  const same = (a: unknown, b: unknown): boolean => Object.is(a, b) || (a === 0 && b === 0);
  expect(found(`count ${name}`), `count ${context}`).toBe(values.length);
  expect(
    same(found(`min ${name}`), extreme(-1)) && same(found(`max ${name}`), extreme(1)),
    `extremes ${context}: ${String(found(`min ${name}`))}, ${String(found(`max ${name}`))} for ` +
      `${String(extreme(-1))}, ${String(extreme(1))}`,
  ).toBe(true);
  if (!adds(type)) return;
  const [sum, mean] = [found(`sum ${name}`), found(`mean ${name}`) as number];
  if (!isFloat(type)) {
    const total = values.reduce<bigint>((all, value) => all + BigInt(value as number), 0n);
    expect([typeof sum, BigInt(sum as number)], `sum ${context}`).toEqual([
      type.endsWith('64') ? 'bigint' : 'number',
      total,
    ]);
    if (values.length > 0)
      expect(Math.abs(mean - Number(total) / values.length), `mean ${context}`).toBeLessThanOrEqual(
        1e-9 * Math.abs(mean) + 1e-9,
      );
    return;
  }
  const fault = sumFault(values as number[], sum as number);
  expect(fault, `sum ${context}`).toBeNull();
  expect(meanFault(values as number[], sum as number, mean), `mean ${context}`).toBeNull();
}

it('aggregates are what their rows say', () => {
  let compared = 0;
  const path = join(folder, 'table.cna');
  // In a file, so that the addon has its part in it.
  fc.assert(
    fc.property(cases, ({ columns, options, tree }) => {
      setDefaultBackend('js');
      writeFileSync(
        path,
        writeTable(
          columns.map(({ column }) => column),
          options,
        ).bytes,
      );
      const rows = tree === null ? [...columns[0]!.cells.keys()] : bruteForce(tree, columns);
      const where: { readonly where?: Expression<boolean> } =
        tree === null
          ? {}
          : {
              where: expressionOf(
                tree,
                columns.map(({ column }) => column.name),
              ),
            };
      const specs = specsOf(columns);
      const [{ column: key, cells }] = columns as [RandomColumn];
      const nameOf = (value: unknown): string => (value === 0 ? '0' : `${typeof value} ${String(value)}`);
      const groups = new Map<string, number[]>();
      for (const row of rows) groups.set(nameOf(cells[row]), [...(groups.get(nameOf(cells[row])) ?? []), row]);
      for (const backend of BACKENDS) {
        setDefaultBackend(backend);
        const all = scan(path, where).aggSync(specs) as Readonly<Record<string, AggregateValue>>;
        expect([all['rows'], scanSync(path, where).stats.matched]).toEqual([rows.length, rows.length]);
        for (const each of columns)
          compareColumn(each, rows, (name) => all[name]!, `${each.column.type} ${options.mode}`);
        // A table of the same file, which reads every value, says the same.
        using table = openSync(path);
        const view = where.where === undefined ? table : table.where(where.where);
        const own = view.aggSync(specs) as Readonly<Record<string, AggregateValue>>;
        for (const each of columns)
          compareColumn(each, rows, (name) => own[name]!, `${each.column.type} ${options.mode}, as a table`);
        const grouped = scan(path, where).groupBy(key.name).aggSync(specs).columns as Readonly<
          Record<string, readonly AggregateValue[]>
        >;
        expect(grouped[key.name]!.map(nameOf)).toEqual([...groups.keys()]);
        const ofTable = view.groupBy(key.name).aggSync(specs).columns as Readonly<
          Record<string, readonly AggregateValue[]>
        >;
        expect(ofTable[key.name]!.map(nameOf)).toEqual([...groups.keys()]);
        [...groups.values()].forEach((own, group) => {
          for (const each of columns)
            compareColumn(
              each,
              own,
              (name) => grouped[name]![group]!,
              `${each.column.type} ${options.mode} by ${key.type}`,
            );
          for (const each of columns)
            compareColumn(
              each,
              own,
              (name) => ofTable[name]![group]!,
              `${each.column.type} ${options.mode} by ${key.type}, as a table`,
            );
          compared += columns.length;
        });
      }
    }),
    { numRuns: 150, seed: 30, endOnFailure: true },
  );
  expect(compared).toBeGreaterThan(2000);
});
