import { expect, test } from 'vitest';
import { pairedRatio, quantile, summarise } from '../src/report/statistics.ts';

test('the median and the spread of unsorted samples; the input stays as it is', () => {
  const samples = [50, 10, 40, 20, 30];
  expect(summarise(samples)).toEqual({ samples: 5, median: 30, p10: 14, p90: 46, min: 10 });
  expect(samples).toEqual([50, 10, 40, 20, 30]);
});

test('quantiles lie between neighbours; one sample is all of them; no sample is NaN', () => {
  expect(quantile([1, 2], 0.5)).toBe(1.5);
  expect(quantile([7], 0.9)).toBe(7);
  expect(summarise([]).median).toBeNaN();
});

test('a paired ratio ignores drift that both share', () => {
  const a = Array.from({ length: 25 }, (_, i) => 100 + 40 * i);
  const b = a.map((value, i) => value * (i % 2 === 0 ? 0.79 : 0.81));
  const { median, low, high } = pairedRatio(a, b);
  expect(median).toBeCloseTo(0.79, 2);
  expect(low).toBeGreaterThanOrEqual(0.78);
  expect(high).toBeLessThan(0.82);
});

test('an interval around 1 where two do the same', () => {
  const noise = [1.1, 0.9, 1.02, 0.97, 1.05, 0.94, 1, 1.01, 0.99, 1.08];
  const { low, high } = pairedRatio(
    noise.map(() => 1),
    noise,
  );
  expect(low).toBeLessThan(1);
  expect(high).toBeGreaterThan(1);
});
