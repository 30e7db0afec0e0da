// The same name as blocks.ts for browsers: the order is loaded when an epoch begins that has it.
import type { BlockShuffle, BlockShuffledSampler } from './block-shuffle.ts';
import type { PreparedSampler } from './blocks.ts';

export function blockShuffled(
  shardLengths: readonly number[],
  seed: number,
  blocks: Required<BlockShuffle>,
): PreparedSampler {
  let sampler: BlockShuffledSampler | undefined;
  return {
    length: shardLengths.reduce((sum, count) => sum + count, 0),
    async prepare() {
      const part = await import('./block-shuffle.ts');
      sampler ??= new part.BlockShuffledSampler(shardLengths, seed, blocks);
    },
    at: (position, epoch) => (sampler as BlockShuffledSampler).at(position, epoch),
  };
}
