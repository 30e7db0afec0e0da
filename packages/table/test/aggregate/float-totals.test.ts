// The state of a sum of floats: the same for the same sum, whatever it went through on its way.
import { describe, expect, test } from 'vitest';
import { FloatTotals } from '../../src/aggregate/float-totals.ts';
import type { AggregateState } from '../../src/aggregate/state.ts';

const MAX = Number.MAX_VALUE;

/** Totals of one column, each group's values in order. */
function totalsOf(...groups: number[][]): FloatTotals {
  const totals = new FloatTotals();
  for (const [group, values] of groups.entries()) {
    for (const value of values) {
      const numbers = Float64Array.of(value);
      totals.add({ kind: 'numbers', numbers, stored: null, validity: null }, 1, Uint32Array.of(group), groups.length);
    }
  }
  return totals;
}

function again(state: AggregateState, groupCount: number): FloatTotals {
  const totals = new FloatTotals();
  const groupOf = Uint32Array.from({ length: groupCount }, (_, group) => group);
  totals.merge(JSON.parse(JSON.stringify(state)) as AggregateState, groupOf, groupCount);
  return totals;
}

describe.each([
  ['beyond all doubles and back', [MAX, MAX, -MAX, -MAX, 3], 3],
  ['beyond all doubles', [MAX, MAX, 1, 5e-324], Number.POSITIVE_INFINITY],
  ['three parts, then two', [MAX, 1, 5e-324, -MAX], 1],
  ['three parts', [2 ** 1000, 1, 5e-324], 2 ** 1000],
  ['large, then not a number', [MAX, MAX, Number.NaN], Number.NaN],
  ['large, then infinite', [MAX, MAX, Number.NEGATIVE_INFINITY], Number.NEGATIVE_INFINITY],
  ['nothing but the smallest', [5e-324, -5e-324, 5e-324], 5e-324],
  ['negative zeros', [-0, -0], 0],
])('%s', (_, values, sum) => {
  test('is the sum', () => {
    expect(totalsOf(values).sum(0)).toBe(sum);
    expect(totalsOf([1], values).sum(1)).toBe(sum);
  });

  test('is the same state once it was merged, and in any order', () => {
    const state = totalsOf(values, [0.1, 0.2]).state(2);
    expect(again(state, 2).state(2)).toEqual(state);
    expect(again(state, 2).sum(0)).toBe(sum);
    expect(totalsOf([...values].reverse(), [0.2, 0.1]).state(2)).toEqual(state);
  });
});

test('a state has whole numbers beside its doubles only where it needs them', () => {
  expect(totalsOf([MAX, MAX, -MAX, -MAX, 3]).state(1)).not.toHaveProperty('beyond');
  expect(totalsOf([MAX, MAX, Number.NaN]).state(1)).not.toHaveProperty('beyond');
  expect(totalsOf([2 ** 1000, 1, 5e-324]).state(1)).toHaveProperty('beyond', ['1']);
});
