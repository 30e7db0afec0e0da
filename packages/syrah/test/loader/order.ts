// What the tests of the loader share: labels of batches, and the order in which items are to come.
import type { Tensor } from '../../src/index.ts';
import { Permutation } from '../../src/loader/order/permutation.ts';

export const COUNT = 23;

export const processModule = new URL('./process-module.mjs', import.meta.url);

/** The labels of each batch. */
export const labelsOf = (batches: readonly unknown[]): number[][] =>
  batches.map((batch) => Array.from((batch as [Tensor<Int32Array>])[0].data));

export const inBatches = (indices: readonly number[], size: number): number[][] =>
  Array.from({ length: Math.ceil(indices.length / size) }, (_, k) => indices.slice(k * size, (k + 1) * size));

export const shuffled = (seed: number, epoch: number, count = COUNT): number[] => {
  const permutation = new Permutation(count, seed, epoch);
  return Array.from({ length: count }, (_, position) => permutation.at(position));
};
