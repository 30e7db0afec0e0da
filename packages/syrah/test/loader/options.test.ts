// What a loader refuses when it is made, and what it takes though it looks odd.
import { expect, test } from 'vitest';
import { DataLoader } from '../../src/index.ts';
import type { Dataset, LoaderOptions } from '../../src/index.ts';
import { collect, failureOf } from './fixture.ts';

test.each<[string, LoaderOptions]>([
  ['batchSize 0', { batchSize: 0 }],
  ['half a batch', { batchSize: 1.5 }],
  ['a negative seed', { seed: -1 }],
  ['rank beyond the world', { rank: 2, worldSize: 2 }],
  ['a world of none', { worldSize: 0 }],
  ['one of several that is not told which', { worldSize: 2 }],
  ['workers -1', { workers: -1 }],
  ['1000 workers', { workers: 1000 }],
  ['prefetch -1', { prefetch: -1 }],
  ['a tail', { tail: 'wrap' as never }],
  ['a timeout of 0', { timeoutMs: 0 }],
  ['shuffle and a sampler', { shuffle: true, sampler: [1] }],
  ['a sampler of null', { sampler: null as never }],
  ['a Set as sampler', { sampler: new Set([1]) as never }],
  ['a controller for its signal', { signal: new AbortController() as never }],
  ['a timeout in words', { timeoutMs: '5' as never }],
  ['a collation', { collate: 'sum' as never }],
])('%s is refused', (_, options) => {
  expect(() => new DataLoader({ length: 3, get: (index) => index }, options)).toThrow(
    expect.objectContaining({ name: 'ArgumentError', code: 'ERR_ARGUMENT' }),
  );
});

test.each<unknown>([
  null,
  undefined,
  5,
  {},
  { length: 3 },
  { get: () => 1 },
  { length: NaN, get: () => 1 },
  { length: -1, get: () => 1 },
])('the dataset %j is refused', (dataset) => {
  expect(() => new DataLoader(dataset as never)).toThrow(
    expect.objectContaining({ name: 'ArgumentError', argument: 'dataset' }),
  );
});

test.each([Infinity, 2 ** 31])('a timeout of %d ms is no timeout', async (timeoutMs) => {
  const slowly = async (index: number): Promise<number> => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return index;
  };
  expect(await collect(new DataLoader({ length: 2, get: slowly }, { timeoutMs }))).toHaveLength(2);
});

test('a sampler of bigints, and one that answers with something else', async () => {
  const dataset: Dataset<number> = { length: 5, get: (index) => index };
  expect(await collect(new DataLoader(dataset, { batchSize: 2, sampler: BigInt64Array.of(4n, 1n) }))).toEqual([
    { data: Float64Array.of(4, 1), shape: [2] },
  ]);
  expect(await collect(new DataLoader(dataset, { sampler: { length: 1, at: () => -1n } }))).toEqual([
    { data: Float64Array.of(4), shape: [1] },
  ]);
  expect(
    await failureOf(new DataLoader(dataset, { sampler: { length: 1, at: (): never => '1' as never } })),
  ).toMatchObject({ code: 'ERR_INDEX_OUT_OF_RANGE' });
});
