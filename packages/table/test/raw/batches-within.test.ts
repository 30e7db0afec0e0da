// Rows that are grouped, cut into as many as the addon groups at once: each row in one batch, in order.
import { expect, it } from 'vitest';
import type { Plan } from '../../src/plan/plan.ts';
import { batchesWithin } from '../../src/raw/fold-groups.ts';
import type { RawBatch } from '../../src/raw/raw-source.ts';
import { allRows, rangeOf, sliceRows } from '../../src/views/rows.ts';

const ROWS = 2 ** 33;

function rangesOf(ranges: readonly (readonly [number, number])[], most?: number): unknown {
  const plans = ranges.map(([start, end]) => ({
    rows: sliceRows(allRows(ROWS), { start, step: 1, count: end - start }),
  }));
  const batch = { keys: ['key'], plans: plans as unknown as Plan[] } as unknown as RawBatch;
  return batchesWithin(batch, most).map(({ keys, plans: ofBatch }) => {
    expect(keys).toEqual(['key']);
    return ofBatch.map(({ rows }) => [rangeOf(rows)?.start, rangeOf(rows)?.end]);
  });
}

it('few rows are one batch', () => {
  expect(rangesOf([], 10)).toEqual([[]]);
  const ranges = [
    [0, 3],
    [5, 12],
  ] as const;
  expect(rangesOf(ranges, 10)).toEqual([ranges]);
});

it('batches end within a range and between two', () => {
  expect(rangesOf([[2, 27]], 10)).toEqual([[[2, 12]], [[12, 22]], [[22, 27]]]);
  const ranges = [
    [0, 4],
    [6, 12],
    [20, 33],
  ] as const;
  expect(rangesOf(ranges, 10)).toEqual([
    [
      [0, 4],
      [6, 12],
    ],
    [[20, 30]],
    [[30, 33]],
  ]);
});

it('more rows than 32 bits count are two', () => {
  const end = 2 ** 32 - 1;
  expect(rangesOf([[0, end]])).toEqual([[[0, end]]]);
  expect(rangesOf([[7, end + 8]])).toEqual([[[7, end + 7]], [[end + 7, end + 8]]]);
});
