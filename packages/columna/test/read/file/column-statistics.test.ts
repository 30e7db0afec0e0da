// Statistics of a footer -> what may be concluded from them: values as the column has them, and nothing from statistics
// that cannot be true.
import { describe, expect, it } from 'vitest';
import { columnType } from '../../../src/layout/column-type.ts';
import type { Bound, Statistics } from '../../../src/layout/statistics.ts';
import { columnStatistics } from '../../../src/read/filter/column-statistics.ts';

const exact = (value: Bound['value']): Bound => ({ value, exact: true });
const about = (value: Bound['value']): Bound => ({ value, exact: false });
const of = (min: Bound | null, max: Bound | null, nullCount = 0, nanCount: number | null = 0): Statistics => ({
  nullCount,
  nanCount,
  min,
  max,
});
const UNKNOWN = { min: null, max: null, minExact: false, maxExact: false };

describe('values have the form of the column', () => {
  it.each<[Parameters<typeof columnType>[0], Bound, unknown]>([
    ['bool', exact(0n), false],
    ['bool', exact(1n), true],
    ['int8', exact(-128n), -128],
    ['uint32', exact(2n ** 32n - 1n), 2 ** 32 - 1],
    ['int64', exact(2n ** 53n + 1n), 2n ** 53n + 1n],
    ['uint64', exact(2n ** 64n - 1n), 2n ** 64n - 1n],
    ['date', exact(-1n), -1n],
    ['float32', exact(0.5), 0.5],
    ['float64', exact(-0), -0],
    ['string', exact(Uint8Array.of(97)), Uint8Array.of(97)],
  ])('%s', (name, bound, expected) => {
    expect(columnStatistics(columnType(name), of(bound, bound), 10)).toEqual({
      rowCount: 10,
      nullCount: 0,
      nanCount: 0,
      min: expected,
      max: expected,
      minExact: true,
      maxExact: true,
    });
  });
});

const int32 = columnType('int32');

it('each bound is exact, or not, or not there, by itself', () => {
  expect(columnStatistics(int32, of(about(1n), exact(2n)), 5)).toMatchObject({ minExact: false, maxExact: true });
  expect(columnStatistics(int32, of(exact(1n), about(2n)), 5)).toMatchObject({ minExact: true, maxExact: false });
  expect(columnStatistics(int32, of(exact(1n), null), 5)).toMatchObject({
    min: 1,
    max: null,
    minExact: true,
    maxExact: false,
  });
  expect(columnStatistics(int32, of(null, exact(2n)), 5)).toMatchObject({
    min: null,
    max: 2,
    minExact: false,
    maxExact: true,
  });
});

it('a minimum above the maximum tells nothing of values, and is no reason to doubt the counts', () => {
  expect(columnStatistics(int32, of(exact(3n), exact(2n), 1, null), 5)).toEqual({
    rowCount: 5,
    nullCount: 1,
    nanCount: null,
    ...UNKNOWN,
  });
  expect(columnStatistics(int32, of(exact(2n), exact(2n)), 5)).toMatchObject({ min: 2, max: 2 });
});

it('more nulls, or more nulls and NaN, than rows tell nothing at all', () => {
  const type = columnType('float64');
  const given = (nullCount: number, nanCount: number | null): unknown =>
    columnStatistics(type, of(exact(1), exact(2), nullCount, nanCount), 5);
  for (const [nullCount, nanCount] of [
    [6, 0],
    [6, null],
    [0, 6],
    [3, 3],
  ] as const)
    expect(given(nullCount, nanCount)).toEqual({ rowCount: 5, nullCount: null, nanCount: null, ...UNKNOWN });
  for (const [nullCount, nanCount] of [
    [5, 0],
    [5, null],
    [0, 5],
    [2, 3],
  ] as const)
    expect(given(nullCount, nanCount)).toMatchObject({ nullCount, nanCount, min: 1, max: 2 });
});
