// Numbers, texts and the like that a dataset of one's own, or a process function, makes of samples: which of them an
// error names, and that they are cast and shaped as arrays are.
import { describe, expect, test } from 'vitest';
import { DataLoader } from '../../../src/index.ts';
import type { LoaderOptions } from '../../../src/index.ts';
import { collect, failureOf } from '../fixture.ts';

/** One batch of samples that have these values. */
const loaderOf = (values: readonly unknown[], options: LoaderOptions): AsyncIterable<unknown> => {
  const dataset = { length: values.length, get: (index: number) => ({ label: values[index] }) };
  return new DataLoader<unknown>(dataset, { batchSize: values.length, ...options });
};
const batchOf = async (values: readonly unknown[], options: LoaderOptions): Promise<unknown> =>
  (await collect(loaderOf(values, options)))[0];

describe('a value of another kind', () => {
  test.each<[string, unknown[], RegExp]>([
    [
      'null among numbers',
      [1, 2, null, 4],
      /sample 2, key "label".*expected number, as in .*first sample but found null/,
    ],
    ['nothing among numbers', [1, 2, 3, undefined], /sample 3, key "label".*found undefined/],
    ['a bigint among numbers', [1, 2, 3n, 4], /sample 2, key "label".*expected number.*found 3/],
    ['a number among texts', ['a', 2, 'c', 'd'], /sample 1, key "label".*expected string.*found 2/],
    [
      'an array among booleans',
      [true, Uint8Array.of(1)],
      /sample 1, key "label".*expected boolean.*found a Uint8Array/,
    ],
    ['null among arrays', [Uint8Array.of(1), null], /sample 1, key "label".*numbers or text.*found null/],
    ['a first one that is nothing', [undefined, 1], /sample 0, key "label".*numbers or text.*found undefined/],
  ])('%s: the error names its sample, and what the others are', async (_, values, message) => {
    for (const collate of ['stack', 'pad'] as const) {
      const error = await failureOf(loaderOf(values, { collate }));
      expect(error).toMatchObject({ name: 'SampleError', code: 'ERR_VALUE', key: 'label' });
      expect((error as Error).message).toMatch(message);
    }
  });
});

describe('casts', () => {
  test('the error names the sample whose number the dtype does not have', async () => {
    for (const collate of ['stack', 'pad'] as const) {
      const error = await failureOf(loaderOf([1, 2, 3.5, 4], { collate, cast: { label: 'int32' } }));
      expect(error).toMatchObject({ name: 'SampleError', index: 2, key: 'label' });
    }
  });

  test('numbers, bigints and booleans', async () => {
    const cast = { label: 'int32' } as const;
    const expected = { label: { data: Int32Array.of(1, 0), shape: [2] } };
    for (const values of [
      [1, 0],
      [1n, 0n],
      [true, false],
    ]) {
      expect(await batchOf(values, { cast })).toEqual(expected);
      expect(await batchOf(values, { cast, collate: 'pad' })).toEqual(expected);
    }
  });
});

describe('shapes', () => {
  const shaped = (shape: number[]): LoaderOptions => ({ collate: { kind: 'stack', shapes: { label: shape } } });

  test('numbers have the shape that is asked for', async () => {
    expect(await batchOf([1, 2], shaped([]))).toEqual({ label: { data: Float64Array.of(1, 2), shape: [2] } });
    expect(await batchOf([1, 2], shaped([1]))).toEqual({ label: { data: Float64Array.of(1, 2), shape: [2, 1] } });
    expect(await batchOf([1, 2], { ...shaped([1, 1]), cast: { label: 'int8' } })).toEqual({
      label: { data: Int8Array.of(1, 2), shape: [2, 1, 1] },
    });
  });

  test('one that a number does not fill is refused', async () => {
    const error = await failureOf(loaderOf([1, 2], shaped([3])));
    expect(error).toMatchObject({ name: 'SampleError', index: 0, key: 'label' });
    expect((error as Error).message).toMatch(/3 elements, for the shape \[3\] but found 1/);
  });
});
