// More groups than a block has rows, met again in later blocks: every aggregate as a loop over the rows has it, in the
// order in which the groups are met.
import { parseDType } from '@colkit/io';
import { TURN } from '@colkit/io/effects';
import { createRandom } from '@colkit/testkit';
import { describe, expect, test } from 'vitest';
import { Aggregation } from '../../src/aggregate/aggregation.ts';
import { parseAggregates } from '../../src/aggregate/spec.ts';
import type { ColumnRef } from '../../src/query/bound-predicate.ts';
import { tableFrom, upTo } from '../support/tables.ts';

const ROWS = 240_000;
const GROUPS = 90_000;
const random = createRandom(18);
const keys = upTo(ROWS).map(() => random.integer(GROUPS));
const NUMBERS = [-1.5, 0, 0.25, 1e300, 3, null, 7, 2 ** 53];
const INTEGERS = [-(2n ** 63n), -1n, 0n, 1n, 2n ** 53n + 1n, 2n ** 63n - 1n];
const TEXTS = ['', 'a', 'zebra', '\u{1F600}', '\uFFFD', 'é', null];
const draw = <T>(pool: readonly T[]): T[] => upTo(ROWS).map(() => random.pick(pool));
const [numbers, integers, texts] = [draw(NUMBERS), draw(INTEGERS), draw(TEXTS)];
const small = draw([1, 2, 5, null]);
// Infinite in some groups alone.
const special = keys.map((key, row) => (key % 1000 === 7 && row % 3 === 0 ? Infinity : row % 11));
const textOf = (key: number): string | null => (key === 5 ? null : `group ${String(key)}`);
const columns = {
  number: ['int32', keys],
  text: ['string?', keys.map(textOf)],
  x: ['float64?', numbers],
  wide: ['int64', integers],
  small: ['int16?', small],
  special: ['float64', special],
  word: ['string?', texts],
} as const;

/** The rows of each group, in the order in which the groups are met. */
const rowsOf = new Map<number, number[]>();
for (const [row, key] of keys.entries()) {
  const rows = rowsOf.get(key);
  if (rows === undefined) rowsOf.set(key, [row]);
  else rows.push(row);
}

function ofGroups<T, R>(values: readonly (T | null)[], answer: (present: T[]) => R): R[] {
  return [...rowsOf.values()].map((rows) =>
    answer(rows.map((row) => values[row]).filter((each) => each !== null) as T[]),
  );
}

const order = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));

const sum = (present: readonly number[]): number => present.reduce((all, each) => all + each, 0);

/** Of multiples of a quarter, rounded once. */
function exactSum(present: readonly number[]): number {
  const quarters = present.map((each) => (Math.abs(each) < 2 ** 50 ? BigInt(4 * each) : 4n * BigInt(each)));
  return Number(quarters.reduce((all, each) => all + each, 0n)) / 4;
}

function variance(present: readonly number[]): number {
  if (present.length < 2 || present.some((each) => !Number.isFinite(each))) return Number.NaN;
  const mean = present.reduce((sum, each) => sum + each, 0) / present.length;
  return present.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (present.length - 1);
}

describe.each([['number'], ['text', 'number']])('by %s and %s', (...given) => {
  const by = given.filter((name) => name !== undefined);
  const table = tableFrom(columns as never, { strings: 'values' });

  test('all aggregates', () => {
    const { columns: found } = table.groupBy(...by).aggSync({
      n: 'count',
      known: { count: 'x' },
      least: { min: 'x' },
      most: { max: 'wide' },
      top: { max: 'x' },
      all: { sum: 'x' },
      whole: { sum: 'small' },
      middle: { mean: 'small' },
      latest: { last: 'wide' },
      earliest: { first: 'small' },
      total: { sum: 'wide' },
      of: { var: 'small' },
      odd: { var: 'special' },
      first: { first: 'word' },
      last: { last: 'word' },
      lowest: { min: 'word' },
      highest: { max: 'word' },
      words: { countDistinct: 'word' },
    }) as unknown as { columns: Record<string, unknown[]> };
    if (by.includes('number')) expect(found['number']).toEqual([...rowsOf.keys()]);
    if (by.includes('text')) expect(found['text']).toEqual([...rowsOf.keys()].map(textOf));
    expect(found['n']).toEqual([...rowsOf.values()].map((rows) => rows.length));
    expect(found['known']).toEqual(ofGroups(numbers, (present) => present.length));
    expect(found['least']).toEqual(
      ofGroups(numbers, (present) => (present.length === 0 ? null : Math.min(...present))),
    );
    expect(found['most']).toEqual(ofGroups(integers, (present) => present.reduce((a, b) => (a > b ? a : b))));
    expect(found['top']).toEqual(ofGroups(numbers, (present) => (present.length === 0 ? null : Math.max(...present))));
    expect(found['all']).toEqual(ofGroups(numbers, exactSum));
    expect(found['whole']).toEqual(ofGroups(small, sum));
    expect(found['middle']).toEqual(ofGroups(small, (present) => sum(present) / present.length));
    expect(found['latest']).toEqual(ofGroups(integers, (present) => present.at(-1)));
    expect(found['earliest']).toEqual(ofGroups(small, (present) => present[0] ?? null));
    expect(found['total']).toEqual(ofGroups(integers, (present) => present.reduce((a, b) => a + b)));
    expect(found['first']).toEqual(ofGroups(texts, (present) => present[0] ?? null));
    expect(found['last']).toEqual(ofGroups(texts, (present) => present.at(-1) ?? null));
    expect(found['lowest']).toEqual(ofGroups(texts, (present) => present.sort(order)[0] ?? null));
    expect(found['highest']).toEqual(ofGroups(texts, (present) => present.sort(order).at(-1) ?? null));
    expect(found['words']).toEqual(ofGroups(texts, (present) => new Set(present).size));
    for (const [name, values] of [
      ['of', small],
      ['odd', special],
    ] as const) {
      const wanted = ofGroups<number, number>(values, variance);
      const wrong = wanted.findIndex((each, group) => {
        const own = found[name]?.[group] as number;
        return Number.isNaN(each) ? !Number.isNaN(own) : !(Math.abs(own - each) <= 1e-9 * (1 + each));
      });
      expect(wrong).toBe(-1);
    }
  });
});

test('between parts of the groups others may run', () => {
  const of = parseAggregates({ n: 'count' }, []);
  const keys = { number: 0, name: 'key', info: parseDType('int32'), nullable: false };
  const aggregation = new Aggregation<ColumnRef>(of, [keys]);
  const numbers = Float64Array.from(upTo(GROUPS));
  aggregation.add({ rowCount: GROUPS, valuesOf: () => ({ kind: 'numbers', numbers, stored: null, validity: null }) });
  const steps = [...aggregation.cells()];
  expect(steps.length).toBeGreaterThan(10);
  expect(new Set(steps)).toEqual(new Set([TURN]));
});
