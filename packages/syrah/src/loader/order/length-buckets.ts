// Batches of samples of similar lengths: samples are sorted by length into buckets, shuffled within each, cut into
// batches, and the batches shuffled. Any batch is answered at once.
import { ArgumentError, describeValue, option } from '@colkit/io';
import type { OptionSet } from '@colkit/io';
import type { BatchSampler } from './batch-sampler.ts';
import { hash32 } from './hash.ts';
import { Permutation } from './permutation.ts';
import { checkedSampler } from './sampler-options.ts';

export interface LengthBucketsOptions {
  /** Samples a batch. Either this or `elements`. */
  readonly batchSize?: number;
  /**
   * Most elements of a batch once its samples are padded to the longest of their bucket: longer samples, smaller
   * batches. A longer sample than this is a batch of its own.
   */
  readonly elements?: number;
  /** Into how many buckets of equally many samples they are sorted. Default 16. */
  readonly buckets?: number;
  /** Decides the order, with the epoch; 0 by default. */
  readonly seed?: number;
  /** Default true; false: shortest first, the same each epoch. */
  readonly shuffle?: boolean;
  /** Leave out batches that are not full: one a bucket at most. */
  readonly dropLast?: boolean;
}

const LENGTH_BUCKETS_OPTIONS: OptionSet<LengthBucketsOptions> = {
  batchSize: option.count('samples', 1),
  elements: option.count('elements', 1),
  buckets: option.count('buckets', 1),
  seed: option.count('an integer'),
  shuffle: option.flag,
  dropLast: option.flag,
};

interface Bucket {
  readonly samples: Float64Array;
  readonly batchSize: number;
  /** Its first batch, where batches are not shuffled. */
  readonly firstBatch: number;
}

/**
 * Every sample once an epoch, in batches of samples of similar lengths: for the loader's `batchSampler`, with
 * `collate: 'pad'`. `file.lengths(key)` tells the lengths, of a dataset `dataset.file.lengths(key)`.
 */
export class LengthBuckets implements BatchSampler {
  /** Batches of an epoch. */
  readonly length: number;
  readonly #seed: number;
  readonly #shuffle: boolean;
  readonly #buckets: readonly Bucket[];
  #epoch = -1;
  #batches: Permutation | null = null;
  #orders: readonly Permutation[] = [];

  /**
   * @param lengths of each sample, at least 0.
   * @throws ArgumentError for others, for unknown options, and where not one of `batchSize` and `elements` is given.
   */
  constructor(lengths: ArrayLike<number>, options: LengthBucketsOptions) {
    const { seed } = checkedSampler('LengthBuckets', LENGTH_BUCKETS_OPTIONS, lengths, 'lengths', options);
    const { batchSize, elements, buckets = 16, shuffle = true, dropLast = false } = options;
    if ((batchSize === undefined) === (elements === undefined))
      throw new ArgumentError(
        'ERR_ARGUMENT',
        'batchSize',
        'either batchSize or elements',
        batchSize === undefined ? 'none of them' : 'both',
      );
    for (let k = 0; k < lengths.length; k += 1)
      if (!(typeof lengths[k] === 'number' && (lengths[k] ?? NaN) >= 0))
        throw new ArgumentError(
          'ERR_ARGUMENT',
          'lengths',
          'numbers of at least 0',
          `${describeValue(lengths[k])} at position ${String(k)}`,
        );
    const sorted = Float64Array.from({ length: lengths.length }, (_, k) => k).sort(
      (a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0) || a - b,
    );
    let count = 0;
    const made: Bucket[] = [];
    for (let k = 0; k < buckets; k += 1) {
      const bound = (number: number): number => Math.floor((number * sorted.length) / buckets);
      const samples = sorted.subarray(bound(k), bound(k + 1));
      if (samples.length === 0) continue;
      const longest = lengths[samples[samples.length - 1] ?? 0] ?? 0;
      const size = batchSize ?? Math.max(1, Math.floor((elements ?? 0) / Math.max(1, longest)));
      made.push({ samples, batchSize: size, firstBatch: count });
      count += dropLast ? Math.floor(samples.length / size) : Math.ceil(samples.length / size);
    }
    this.length = count;
    this.#buckets = made;
    this.#seed = seed;
    this.#shuffle = shuffle;
  }

  at(position: number, epoch: number): number[] {
    if (this.#shuffle && this.#epoch !== epoch) {
      this.#batches = new Permutation(this.length, this.#seed, epoch);
      this.#orders = this.#buckets.map(
        ({ samples }, k) => new Permutation(samples.length, hash32(this.#seed, k), epoch),
      );
      this.#epoch = epoch;
    }
    const batch = this.#batches?.at(position) ?? position;
    let k = this.#buckets.length - 1;
    while ((this.#buckets[k]?.firstBatch ?? 0) > batch) k -= 1;
    const { samples, batchSize, firstBatch } = this.#buckets[k] as Bucket;
    const start = (batch - firstBatch) * batchSize;
    const order = this.#orders[k];
    return Array.from(
      { length: Math.min(batchSize, samples.length - start) },
      (_, j) => samples[order?.at(start + j) ?? start + j] ?? 0,
    );
  }
}
