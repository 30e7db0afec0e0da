// The state of a sum of floats: the same for the same sum, whatever it went through on its way.
import { createRandom } from '@colkit/testkit';
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

test('a mean is finite where its sum is not', () => {
  const means = (...values: number[]): number[] => {
    const totals = totalsOf([1], values);
    return [totals.mean(1), again(totals.state(2), 2).mean(1)];
  };
  expect(means(MAX, MAX)).toEqual([MAX, MAX]);
  expect(means(-MAX, -1e308, -1e308)).toEqual([-1.265897711620772e308, -1.265897711620772e308]);
  expect(means(MAX, MAX, Number.POSITIVE_INFINITY)).toEqual([Infinity, Infinity]);
});

test('a state has whole numbers beside its doubles only where it needs them', () => {
  expect(totalsOf([MAX, MAX, -MAX, -MAX, 3]).state(1)).not.toHaveProperty('beyond');
  expect(totalsOf([MAX, MAX, Number.NaN]).state(1)).not.toHaveProperty('beyond');
  expect(totalsOf([2 ** 1000, 1, 5e-324]).state(1)).toHaveProperty('beyond', ['1']);
});

/** Below the last bit of any double, so that each is a whole number of these. */
const UNIT_BITS = 1200;

function exactSum(values: readonly number[]): bigint {
  let sum = 0n;
  for (const value of values) {
    let [whole, bits] = [value, 0];
    for (; !Number.isInteger(whole); bits += 26) whole *= 2 ** 26;
    sum += BigInt(whole) << BigInt(UNIT_BITS - bits);
  }
  return sum;
}

/** The nearest double: the engine rounds the first 64 bits, of which the last stands for all that follow. */
function rounded(exact: bigint): number {
  const size = exact < 0n ? -exact : exact;
  const dropped = Math.max(0, size.toString(2).length - 64);
  const first = size >> BigInt(dropped);
  const rest = size === first << BigInt(dropped) ? 0n : 1n;
  // In two steps: no power by itself is beyond the doubles.
  const half = Math.trunc((dropped - UNIT_BITS) / 2);
  const value = Number(first | rest) * 2 ** half * 2 ** (dropped - UNIT_BITS - half);
  return exact < 0n ? -value : value;
}

/** Totals of one column without groups, whose values are added block by block. */
function totalsAtOnce(values: readonly number[]): FloatTotals {
  const totals = new FloatTotals();
  const numbers = Float64Array.from(values);
  totals.add({ kind: 'numbers', numbers, stored: null, validity: null }, numbers.length, null, 1);
  return totals;
}

function checkSum(values: readonly number[]): void {
  const totals = totalsAtOnce(values);
  const exact = exactSum(values);
  expect(totals.sum(0)).toBe(rounded(exact));
  const { sums, lost, beyond } = totals.state(1) as { sums: number[]; lost: number[]; beyond?: string[] };
  const rest = BigInt(beyond?.[0] ?? 0) << BigInt(UNIT_BITS - 1074);
  expect(exactSum([...sums, ...lost]) + rest).toBe(exact);
}

describe('many at once', () => {
  const random = createRandom(7);
  /** All bits of a double, of about this exponent. */
  const full = (exponent: number): number => (random.number() < 0.5 ? -1 : 1) * (1 + random.number()) * 2 ** exponent;

  test.each([-1000, -870, -40, 0, 40, 900, 990])('are exact, whatever is how small beside 2^%i', (top) => {
    const spans = [[0], [0, -1, -2], [0, -20, -30], [0, -28, -29, -30, -31, -32, -33, -34], [0, -34, -60, -83, -200]];
    for (let round = 0; round < 60; round += 1) {
      const span = random.pick(spans);
      const count = random.pick([1, 2, 3, 1023, 1024, 1025, 3000]);
      const values = Array.from({ length: count }, () =>
        random.number() < 0.1 ? random.pick([0, -0]) : full(top + random.pick(span)),
      );
      // One sign adds up to the most.
      checkSum(random.number() < 0.5 ? values.map(Math.abs) : values);
    }
  });

  test('are exact where sizes jump between blocks', () => {
    for (let round = 0; round < 100; round += 1) {
      const tops = [random.pick([0, 8, 9, 10, 11, 12, 13]), random.pick([0, 8, 9, 10, 11, 12, 13, -30, -40, -50])];
      checkSum(tops.flatMap((top) => Array.from({ length: 1024 }, () => Math.abs(full(top)))));
      checkSum([
        ...Array.from({ length: 1024 }, () => full(0)),
        ...Array.from({ length: 1023 }, () => full(-5)),
        full(random.pick([0, 8, 9, 10, 11, 12, 13])),
      ]);
    }
  });

  test.each([-30, -31, -32, -33, -34, -35, -36])('are exact where all lower parts are large, beside 2^%i', (small) => {
    const nearlyHalf = (): number => 1 + (0.45 + random.number() * 0.04) * 2 ** -38;
    for (let round = 0; round < 50; round += 1)
      checkSum(Array.from({ length: 1024 }, () => (random.number() < 0.05 ? Math.abs(full(small)) : nearlyHalf())));
  });

  test('what is not finite anywhere in a block is told', () => {
    for (const at of [0, 1, 500, 1022, 1023, 1024]) {
      const values = Array.from({ length: 1025 }, (_, row) => row + 0.5);
      for (const special of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
        values[at] = special;
        expect(totalsAtOnce(values).sum(0)).toBe(special);
      }
    }
  });
});
