// An epoch's positions -> those of one rank, in batches. The order is shuffled before it is dealt out, so that every
// rank sees a sample of everything.
import { foldIndex } from '../../items/list-arguments.ts';
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

/** The batches of one rank: which dataset indices each holds, for any epoch. */
export class BatchPlan {
  /** Batches an epoch. */
  readonly batchCount: number;
  readonly #sampler: Sampler;
  readonly #options: ShardOptions;
  readonly #itemCount: number;
  readonly #datasetLength: number;

  constructor(sampler: Sampler, datasetLength: number, options: ShardOptions) {
    this.#sampler = sampler;
    this.#options = options;
    this.#datasetLength = datasetLength;
    this.#itemCount = shardLength(sampler.length, options);
    const batches = this.#itemCount / options.batchSize;
    this.batchCount = options.dropLast ? Math.floor(batches) : Math.ceil(batches);
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
      let k = Math.min(batchSize, this.#itemCount - start) - 1, index = start * worldSize + rank;
      k >= 0;
      k -= 1, index += worldSize
    ) {
      const position = index % sampler.length;
      indices.push(foldIndex(sampler.at(position, epoch), this.#datasetLength, 'sampler', position));
    }
    return indices;
  }
}
