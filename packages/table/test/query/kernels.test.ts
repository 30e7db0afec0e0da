// The loops that pick rows by a comparison, and those that add rows up, of every element type and around their steps of
// four rows, against a plain filter; and that they are what the generator writes.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { selectAtLeast, selectAtMost } from '../../src/query/kernels/narrow-bound.ts';
import { largestOf, smallestOf, sumOfIntegers } from '../../src/query/kernels/narrow-fold.ts';
import { selectInRange } from '../../src/query/kernels/narrow-range.ts';
import { selectRowsInRange } from '../../src/query/kernels/narrow-rows.ts';

const ARRAYS = [
  Int8Array,
  Uint8Array,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
] as const;

it('is what the generator writes', () => {
  const script = fileURLToPath(new URL('../../scripts/generate-narrow-kernels.mjs', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});

describe.each(ARRAYS.map((array) => [array.name, array] as const))('of %s', (name, Values) => {
  const numbers = Array.from({ length: 23 }, (_, row) => (row * 7) % 11);
  if (name.startsWith('Float')) numbers[5] = Number.NaN;
  const values = Values.from(numbers as unknown as ArrayLike<number>);
  const rowsWhere = (count: number, flip: 0 | 1, test: (value: number) => boolean): number[] =>
    numbers.flatMap((value, row) => (row < count && test(value) !== (flip === 1) ? [row] : []));
  const found = (select: (out: Int32Array) => number): number[] => {
    const out = new Int32Array(numbers.length);
    return [...out.subarray(0, select(out))];
  };

  it.each([0, 1] as const)('gives the rows that pass, or with flip %d the others', (flip) => {
    for (const count of [0, 1, 3, 4, 5, 8, 22, 23]) {
      expect(found((out) => selectAtLeast(values, count, 4, flip, out))).toEqual(rowsWhere(count, flip, (v) => v >= 4));
      expect(found((out) => selectAtMost(values, count, 4, flip, out))).toEqual(rowsWhere(count, flip, (v) => v <= 4));
      const inside = rowsWhere(count, flip, (v) => v >= 3 && v <= 6);
      expect(found((out) => selectInRange(values, count, 3, 6, flip, out))).toEqual(inside);
      const listed = Int32Array.from({ length: count }, (_, row) => row).filter((row) => row % 3 !== 1);
      const of = (rows: Int32Array): number[] =>
        found((out) => selectRowsInRange(values, rows, listed.length, 3, 6, flip, out));
      expect(of(listed)).toEqual(inside.filter((row) => row % 3 !== 1));
    }
  });

  it('gives sums and extremes of any rows', () => {
    for (const count of [0, 1, 3, 4, 5, 6, 8, 22, 23]) {
      const seen = numbers.slice(0, count).filter((value) => !Number.isNaN(value));
      expect(largestOf(values, count, Number.NaN)).toBe(seen.length === 0 ? Number.NaN : Math.max(...seen));
      expect(smallestOf(values, count, Number.NaN)).toBe(seen.length === 0 ? Number.NaN : Math.min(...seen));
      expect([largestOf(values, count, 99), smallestOf(values, count, -1)]).toEqual([99, -1]);
      if (values instanceof Float32Array || values instanceof Float64Array) {
        const none = values.map(() => Number.NaN);
        expect([largestOf(none, count, Number.NaN), smallestOf(none, count, 5)]).toEqual([Number.NaN, 5]);
        const zeros = values.map((_, row) => (row % 2 === 0 ? -0 : 0));
        if (count > 0) expect([largestOf(zeros, count, -1), smallestOf(zeros, count, 1)]).toEqual([-0, -0]);
        continue;
      }
      for (const start of [0, 1, 2, 3].filter((row) => row <= count))
        expect(sumOfIntegers(values, start, count)).toBe(
          numbers.slice(start, count).reduce((sum, value) => sum + value, 0),
        );
      const ends = values.fill(-1);
      expect(sumOfIntegers(ends, 0, count)).toBe(0 + count * (ends[0] as number));
      values.set(numbers);
    }
  });
});
