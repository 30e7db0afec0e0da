// The order of a block shuffle.
import { BlockShuffledSampler } from './block-shuffle.ts';
import type { BlockShuffle } from './block-shuffle.ts';

export interface PreparedSampler {
  readonly length: number;
  at(position: number, epoch: number): number;
  /** To be waited for before the first `at`, where it is there. */
  prepare?(): Promise<void>;
}

/** @param shardLengths items of each file, in order. */
export function blockShuffled(
  shardLengths: readonly number[],
  seed: number,
  blocks: Required<BlockShuffle>,
): PreparedSampler {
  return new BlockShuffledSampler(shardLengths, seed, blocks);
}
