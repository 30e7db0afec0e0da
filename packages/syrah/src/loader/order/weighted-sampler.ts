// Samples drawn by weight, with replacement: each position is a draw of its own, which seed, epoch and position decide.
import { ArgumentError, describeValue } from '@colkit/io';
import { hash32 } from './hash.ts';
import { SAMPLER_OPTIONS, checkedSampler } from './sampler-options.ts';
import type { SamplerOptions } from './sampler-options.ts';
import type { Sampler } from './sampler.ts';

/**
 * Draws dataset indices by their weights, with replacement: `weights[i]` in proportion to the others is how likely
 * sample i is at each position. Takes 8 bytes a sample. As PyTorch's WeightedRandomSampler.
 */
export class WeightedSampler implements Sampler {
  readonly length: number;
  readonly #seed: number;
  /** Sums of the weights up to each index, that included. */
  readonly #sums: Float64Array;

  /**
   * @param weights one for each sample, at least 0 and finite, not all 0. They are copied.
   * @throws ArgumentError for others; for unknown options.
   */
  constructor(weights: ArrayLike<number>, options: SamplerOptions = {}) {
    const { length, seed } = checkedSampler('WeightedSampler', SAMPLER_OPTIONS, weights, 'weights', options);
    let sum = 0;
    this.#sums = Float64Array.from(weights, (weight, index) => {
      if (!(typeof weight === 'number' && weight >= 0 && weight < Infinity))
        throw new ArgumentError(
          'ERR_ARGUMENT',
          'weights',
          'numbers of at least 0',
          `${describeValue(weight)} at position ${String(index)}`,
        );
      return (sum += weight);
    });
    if (length > 0 && !(sum > 0 && sum < Infinity))
      throw new ArgumentError('ERR_ARGUMENT', 'weights', 'a sum above 0 that is finite', String(sum));
    this.length = length;
    this.#seed = seed;
  }

  at(position: number, epoch: number): number {
    const sums = this.#sums;
    const high = hash32(this.#seed, epoch, position, 0);
    const low = hash32(this.#seed, epoch, position, 1);
    const wanted = ((high * 2 ** 21 + (low >>> 11)) / 2 ** 53) * (sums[sums.length - 1] ?? 0);
    let [first, end] = [0, sums.length - 1];
    while (first < end) {
      const middle = (first + end) >>> 1;
      if ((sums[middle] ?? 0) > wanted) end = middle;
      else first = middle + 1;
    }
    return first;
  }
}
