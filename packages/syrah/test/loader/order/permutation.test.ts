import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Permutation } from '../../../src/loader/order/permutation.ts';
import { hash32, mix32, randomFrom } from '../../../src/loader/order/hash.ts';

const all = (length: number, seed: number, epoch: number): number[] => {
  const permutation = new Permutation(length, seed, epoch);
  return Array.from({ length }, (_, position) => permutation.at(position));
};

describe('Permutation', () => {
  test('is one: every number once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3000 }), fc.maxSafeNat(), fc.nat(), (length, seed, epoch) => {
        expect(all(length, seed, epoch).sort((a, b) => a - b)).toEqual(Array.from({ length }, (_, k) => k));
      }),
      { numRuns: 60 },
    );
  });

  test.each([2 ** 31 - 1, 2 ** 31, 2 ** 32 + 5, 10 ** 12, 2 ** 53 - 1])(
    'of %d numbers: different positions, different items, all within',
    (length) => {
      const permutation = new Permutation(length, 5, 2);
      const positions = Array.from({ length: 500 }, (_, k) => Math.floor((k * (length - 1)) / 499));
      const items = positions.map((position) => permutation.at(position));
      expect(new Set(items).size).toBe(500);
      expect(items.every((item) => Number.isInteger(item) && item >= 0 && item < length)).toBe(true);
      expect(Math.max(...items)).toBeGreaterThan(length / 2);
    },
  );

  test('the same on every machine, for ever', () => {
    // From an implementation of its own, in another language.
    expect(all(10, 7, 0)).toEqual([1, 8, 3, 9, 5, 7, 0, 4, 6, 2]);
    expect(new Permutation(1_000_000, 7, 3).at(123_456)).toBe(402_625);
    expect(new Permutation(10 ** 12, 7, 3).at(123_456)).toBe(516_110_421_447);
  });

  test('every permutation of few items comes up, equally often within chance', () => {
    for (const [length, factorial, most] of [
      [2, 2, 15],
      [3, 6, 30],
      [4, 24, 60],
      [5, 120, 190],
    ] as const) {
      const counts = new Map<string, number>();
      for (let seed = 0; seed < 100 * factorial; seed += 1) {
        const order = all(length, seed, 0).join('');
        counts.set(order, (counts.get(order) ?? 0) + 1);
      }
      expect(counts.size).toBe(factorial);
      // Pearson's statistic of a fair die with that many sides; `most` is beyond one in a thousand.
      const statistic = [...counts.values()].reduce((sum, count) => sum + (count - 100) ** 2 / 100, 0);
      expect(statistic).toBeLessThan(most);
    }
  });

  test('epochs and seeds give unrelated orders', () => {
    const fixed = (a: readonly number[], b: readonly number[]): number => a.filter((item, k) => item === b[k]).length;
    const orders = [all(2000, 1, 0), all(2000, 1, 1), all(2000, 2, 0), all(2000, 1 + 2 ** 32, 0), all(2000, 0, 1)];
    for (const [k, order] of orders.entries())
      for (const other of orders.slice(k + 1)) expect(fixed(order, other)).toBeLessThan(10);
    expect(
      fixed(
        orders[0]!,
        Array.from({ length: 2000 }, (_, k) => k),
      ),
    ).toBeLessThan(10);
  });
});

test('mix32 is a permutation of 32 bits, spread evenly', () => {
  const seen = new Set(Array.from({ length: 100_000 }, (_, k) => mix32(k)));
  expect(seen.size).toBe(100_000);
  const upper = [...seen].filter((value) => value >= 2 ** 31).length;
  expect(Math.abs(upper - 50_000)).toBeLessThan(700);
});

test('hash32 depends on each number and its order, beyond 32 bits too', () => {
  const hashes = [[1, 2], [2, 1], [1], [1, 2, 0], [1 + 2 ** 32, 2], [1, 2 + 2 ** 40]].map((values) =>
    hash32(...values),
  );
  expect(new Set(hashes).size).toBe(hashes.length);
});

test('randomFrom gives even numbers in [0, 1), the same for the same seed', () => {
  const numbers = Array.from({ length: 10_000 }, randomFrom(5));
  expect(numbers).toEqual(Array.from({ length: 10_000 }, randomFrom(5)));
  expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
  expect(Math.abs(numbers.reduce((sum, number) => sum + number, 0) / 10_000 - 0.5)).toBeLessThan(0.02);
});
