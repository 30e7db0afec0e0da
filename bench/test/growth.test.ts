import { expect, test } from 'vitest';
import { fitGrowth } from '../src/report/growth.ts';

const over = (xs: readonly number[], y: (x: number) => number) => xs.map((x) => ({ x, y: y(x) }));
const XS = [1, 10, 100, 1000];

test.each([
  [0, () => 7],
  [1, (x: number) => 3 * x],
  [2, (x: number) => x * x],
  [0.5, Math.sqrt],
] as const)('the exponent %d is found', (exponent, y) => {
  expect(fitGrowth(over(XS, y)).exponent).toBeCloseTo(exponent, 9);
});

test('a fixed cost and a cost per unit are found', () => {
  const { fixed, perUnit } = fitGrowth(over(XS, (x) => 50 + 2 * x));
  expect(fixed).toBeCloseTo(50, 6);
  expect(perUnit).toBeCloseTo(2, 9);
});

test('neither part of a fit is below zero', () => {
  expect(fitGrowth(over(XS, (x) => 1000 / x))).toMatchObject({ perUnit: 0 });
  const steep = fitGrowth(over([10, 100, 1000], (x) => x * x));
  expect(steep.fixed).toBe(0);
  expect(steep.perUnit).toBeGreaterThan(0);
});

test('small values count as much as large ones', () => {
  const { fixed } = fitGrowth([
    { x: 1, y: 11 },
    { x: 10, y: 20 },
    { x: 1e6, y: 1.3e6 },
  ]);
  expect(fixed).toBeGreaterThan(5);
  expect(fixed).toBeLessThan(15);
});

test('one point has no slope', () => {
  expect(fitGrowth([{ x: 5, y: 5 }]).exponent).toBeNaN();
});
