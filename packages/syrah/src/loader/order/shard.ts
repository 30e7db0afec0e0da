// An epoch's positions -> those of one rank, in batches. The order is shuffled before it is dealt out, so that every
// rank sees a sample of everything.
import { ArgumentError, describeValue } from '@colkit/io';
import { foldIndex, hasLength } from '../../items/list-arguments.ts';
import type { BatchSampler } from './batch-sampler.ts';
import type { PreparedSampler } from './blocks.ts';
import type { Sampler } from './sampler.ts';

/**
 * What happens where the items do not divide by the ranks: the order starts again ('pad'), its end is left out
 * ('drop'), or some ranks get one more ('uneven').
 */
export type Tail = 'pad' | 'drop' | 'uneven';

interface ShardOptions {
  readonly batchSize: number;
  readonly dropLast: boolean;
  readonly rank: number;
  readonly worldSize: number;
  readonly tail: Tail;
  /** Positions of the epoch that came before, of all ranks together: where another number of ranks left off. */
  readonly start?: number;
}

/** How many of `length` positions a rank gets. */
export function shardLength(
  length: number,
  { rank, worldSize, tail }: Pick<ShardOptions, 'rank' | 'worldSize' | 'tail'>,
): number {
  switch (tail) {
    case 'pad':
      return Math.ceil(length / worldSize);
    case 'drop':
      return Math.floor(length / worldSize);
    case 'uneven':
      return Math.max(0, Math.ceil((length - rank) / worldSize));
  }
}

/**
 * The batches of one rank: which dataset indices each holds, for any epoch. The positions that all ranks together have
 * done after b batches each are the first `start + b * batchSize * worldSize` ones, whatever these numbers are: that is
 * why other numbers can go on from there.
 */
export class BatchPlan {
  /** Batches an epoch. */
  readonly batchCount: number;
  readonly #sampler: Sampler | BatchSampler;
  /** Whether a position is a whole batch. */
  readonly #givesBatches: boolean;
  readonly #start: number;
  readonly #options: ShardOptions;
  readonly #itemCount: number;
  readonly #datasetLength: number;

  /** @param sampler of batches: then `batchSize` is 1. */
  constructor(sampler: Sampler, datasetLength: number, options: ShardOptions, batches?: BatchSampler) {
    this.#sampler = batches ?? sampler;
    this.#givesBatches = batches !== undefined;
    this.#start = Math.min(options.start ?? 0, this.#sampler.length);
    this.#options = options;
    this.#datasetLength = datasetLength;
    this.#itemCount = shardLength(this.#sampler.length - this.#start, options);
    const count = this.#itemCount / options.batchSize;
    this.batchCount = options.dropLast ? Math.floor(count) : Math.ceil(count);
  }

  /**
   * The dataset indices of a batch in [0, batchCount).
   * @throws OutOfRangeError where the caller's sampler gives an index that the dataset does not have.
   */
  indicesOf(batch: number, epoch: number): number[] {
    const { batchSize, rank, worldSize } = this.#options;
    const sampler = this.#sampler;
    const start = batch * batchSize;
    const indices: number[] = [];
    for (
      let k = Math.min(batchSize, this.#itemCount - start) - 1, index = this.#start + start * worldSize + rank;
      k >= 0;
      k -= 1, index += worldSize
    ) {
      const position = index % sampler.length;
      if (!this.#givesBatches)
        indices.push(foldIndex((sampler as Sampler).at(position, epoch), this.#datasetLength, 'sampler', position));
      else {
        const given = (sampler as BatchSampler).at(position, epoch);
        if (!hasLength(given))
          throw new ArgumentError('ERR_ARGUMENT', 'batchSampler', 'lists of indices', describeValue(given));
        for (let j = 0; j < given.length; j += 1)
          indices.push(foldIndex(given[j], this.#datasetLength, 'batchSampler', position));
      }
    }
    return indices;
  }

  /** Loads what the order takes; undefined where it is there. */
  prepare(): Promise<void> | undefined {
    return (this.#sampler as PreparedSampler).prepare?.();
  }

  /** Positions of the epoch that all ranks together have done when each has handed out so many batches. */
  positionsDone(batches: number): number {
    const { batchSize, worldSize } = this.#options;
    return Math.min(this.#sampler.length, this.#start + batches * batchSize * worldSize);
  }
}
