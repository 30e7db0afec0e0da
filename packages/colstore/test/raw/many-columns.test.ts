// Questions about more columns, and more that is added up, than the addon takes at once: against plain loops.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AggregateSpecs } from '@colkit/table';
import { openSync, writeSync } from '../../src/index.ts';
import type { ColStore } from '../../src/index.ts';

const COLUMNS = 300;
const ROWS = 50;
const names = Array.from({ length: COLUMNS }, (_, column) => `c${String(column)}`);
const valueOf = (column: number, row: number): number => ((column * 7919 + row * 31) % 1000) - 500;
const rows = Array.from({ length: ROWS }, (_, row) => row);

let folder = '';
let table: ColStore;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'colstore-many-columns-'));
  const path = join(folder, 'many.cstore');
  writeSync(path, new Map(names.map((name, column) => [name, Int32Array.from(rows, (row) => valueOf(column, row))])));
  table = openSync(path) as ColStore;
});
afterAll(() => {
  table.close();
  rmSync(folder, { recursive: true });
});

/** Sum, least and largest of so many columns, and how many rows there are. */
function specsOf(columns: number): AggregateSpecs {
  const specs: Record<string, AggregateSpecs[string]> = { rows: 'count' };
  for (const name of names.slice(0, columns))
    Object.assign(specs, {
      [`sum ${name}`]: { sum: name },
      [`min ${name}`]: { min: name },
      [`max ${name}`]: { max: name },
    });
  return specs;
}

function answerOf(columns: number, of: readonly number[]): Record<string, number | null> {
  const answer: Record<string, number | null> = { rows: of.length };
  for (const [column, name] of names.slice(0, columns).entries()) {
    const values = of.map((row) => valueOf(column, row));
    answer[`sum ${name}`] = values.reduce((sum, value) => sum + value, 0);
    answer[`min ${name}`] = Math.min(...values);
    answer[`max ${name}`] = Math.max(...values);
  }
  return answer;
}

it.each([21, 22, 43, COLUMNS])('adds up %i columns in three ways', (columns) => {
  expect({ ...table.aggSync(specsOf(columns)) }).toEqual(answerOf(columns, rows));
  const kept = rows.filter((row) => valueOf(7, row) > 0);
  expect({ ...table.where('c7 > 0').aggSync(specsOf(columns)) }).toEqual(answerOf(columns, kept));
});

it.each([21, 22, COLUMNS])('adds up %i columns by group', (columns) => {
  const groups = table.groupBy('c0').aggSync(specsOf(columns)).columns as Record<string, readonly unknown[]>;
  for (const [group, key] of (groups['c0'] as readonly number[]).entries()) {
    const answer = answerOf(
      columns,
      rows.filter((row) => valueOf(0, row) === key),
    );
    for (const [name, value] of Object.entries(answer))
      expect(groups[name]?.[group], `${name} of ${String(key)}`).toBe(value);
  }
});

it.each([60, 75])('filters by four columns in each of %i terms', (terms) => {
  const columnsOf = (term: number): number[] => [0, 1, 2, 3].map((part) => 4 * term + part);
  const text = Array.from({ length: terms }, (_, term) =>
    columnsOf(term)
      .map((column) => `c${column}`)
      .join(' + '),
  );
  const found = rows.filter((row) =>
    text.some((_, term) => columnsOf(term).reduce((sum, column) => sum + valueOf(column, row), 0) > 1500),
  );
  expect(table.where(text.map((each) => `${each} > 1500`).join(' or ')).countSync()).toBe(found.length);
});

it.each([100, 176, 177, COLUMNS])('filters by %i columns', (columns) => {
  const asked = names.slice(0, columns);
  const any = rows.filter((row) => asked.some((_, column) => valueOf(column, row) > 495));
  expect(table.where(asked.map((name) => `${name} > 495`).join(' or ')).countSync()).toBe(any.length);
  const sums = asked.map((name, column) => `${name} + ${names[(column + 150) % COLUMNS]!} > 980`).join(' or ');
  const found = rows.filter((row) =>
    asked.some((_, column) => valueOf(column, row) + valueOf((column + 150) % COLUMNS, row) > 980),
  );
  expect(table.where(sums).aggSync({ n: 'count', s: { sum: 'c299' } })).toEqual({
    n: found.length,
    s: found.reduce((sum, row) => sum + valueOf(299, row), 0),
  });
});
