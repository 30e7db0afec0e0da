// The state of a sum of floats: the same for the same sum, whatever it went through on its way.
import { describe, expect, test } from 'vitest';
import { doubleOf, fixedOf } from '../../src/aggregate/fixed-point.ts';
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

describe('many at once', () => {
  let seed = 7;
  const random = (): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };
  /** All bits of a double, of about this exponent. */
  const full = (exponent: number): number =>
    (random() < 0.5 ? -1 : 1) * (1 + random() + random() * 2 ** -31) * 2 ** exponent;
  const pick = <T>(pool: readonly T[]): T => pool[Math.floor(random() * pool.length)] as T;

  function checkSum(values: readonly number[]): void {
    const totals = new FloatTotals();
    const numbers = Float64Array.from(values);
    totals.add({ kind: 'numbers', numbers, stored: null, validity: null }, numbers.length, null, 1);
    const exact = doubleOf(values.reduce((sum, value) => sum + fixedOf(value), 0n));
    expect(totals.sum(0)).toBe(exact);
    const { sums, lost, beyond } = totals.state(1) as { sums: number[]; lost: number[]; beyond?: string[] };
    const kept = fixedOf(sums[0] as number) + fixedOf(lost[0] as number) + BigInt(beyond?.[0] ?? 0);
    expect(kept).toBe(values.reduce((sum, value) => sum + fixedOf(value), 0n));
  }

  test.each([-1000, -870, -40, 0, 40, 900, 990])('are exact, whatever is how small beside 2^%i', (top) => {
    const spans = [[0], [0, -1, -2], [0, -20, -30], [0, -28, -29, -30, -31, -32, -33, -34], [0, -34, -60, -83, -200]];
    for (let round = 0; round < 150; round += 1) {
      const span = pick(spans);
      const count = pick([1, 2, 3, 1023, 1024, 1025, 3000]);
      const values = Array.from({ length: count }, () => (random() < 0.1 ? pick([0, -0]) : full(top + pick(span))));
      // One sign adds up to the most.
      checkSum(random() < 0.5 ? values.map(Math.abs) : values);
    }
  });

  test('are exact where sizes jump between blocks', () => {
    for (let round = 0; round < 100; round += 1) {
      const tops = [pick([0, 8, 9, 10, 11, 12, 13]), pick([0, 8, 9, 10, 11, 12, 13, -30, -40, -50])];
      checkSum(tops.flatMap((top) => Array.from({ length: 1024 }, () => Math.abs(full(top)))));
      checkSum([
        ...Array.from({ length: 1024 }, () => full(0)),
        ...Array.from({ length: 1023 }, () => full(-5)),
        full(tops[0] as number),
      ]);
    }
  });

  test.each([-30, -31, -32, -33, -34, -35, -36])('are exact where all lower parts are large, beside 2^%i', (small) => {
    const nearlyHalf = (): number => 1 + (0.45 + random() * 0.04) * 2 ** -38;
    for (let round = 0; round < 50; round += 1)
      checkSum(Array.from({ length: 1024 }, () => (random() < 0.05 ? Math.abs(full(small)) : nearlyHalf())));
  });

  test('what is not finite anywhere in a block is told', () => {
    for (const at of [0, 1, 500, 1022, 1023, 1024]) {
      const numbers = Float64Array.from({ length: 1025 }, (_, row) => row + 0.5);
      for (const special of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
        numbers[at] = special;
        const totals = new FloatTotals();
        totals.add({ kind: 'numbers', numbers, stored: null, validity: null }, numbers.length, null, 1);
        expect(totals.sum(0)).toBe(special);
      }
    }
  });
});
