// An order that reads files block by block and is random all the same: blocks of consecutive items, none across two
// files, come in a random order, and the items of as many blocks as a buffer holds are shuffled together. Any position
// is answered at once; what is kept is a number for each block. docs/formats/loader-order.md specifies it.
import { hash32 } from './hash.ts';
import { Permutation } from './permutation.ts';

/** What reading costs against how random the order is. */
export interface BlockShuffle {
  /** Consecutive items of one file that are read together. Default 256. */
  readonly blockItems?: number;
  /** Items that are shuffled together: those of `bufferItems / blockItems` blocks. Default 32 blocks. */
  readonly bufferItems?: number;
}

/** The blocks of one epoch in their order, and where the items of each begin in it. */
interface Epoch {
  readonly epoch: number;
  readonly blocks: Float64Array;
  readonly starts: Float64Array;
}

export class BlockShuffledSampler {
  readonly length: number;
  readonly #seed: number;
  readonly #blocksTogether: number;
  /** The first item of each block, and the end of the last one. */
  readonly #firsts: Float64Array;
  #laid: Epoch | null = null;
  /** The blocks that are shuffled together and were asked for last: neighbours are asked one after the other. */
  #buffer: { readonly number: number; readonly epoch: number; readonly order: Permutation } | null = null;

  /** @param shardLengths items of each file, in order. */
  constructor(shardLengths: readonly number[], seed: number, { blockItems, bufferItems }: Required<BlockShuffle>) {
    const firsts: number[] = [];
    let length = 0;
    for (const count of shardLengths) {
      for (let item = 0; item < count; item += blockItems) firsts.push(length + item);
      length += count;
    }
    this.length = length;
    this.#firsts = Float64Array.from([...firsts, length]);
    this.#seed = seed;
    this.#blocksTogether = Math.max(1, Math.floor(bufferItems / blockItems));
  }

  at(position: number, epoch: number): number {
    const { blocks, starts } = this.#layOut(epoch);
    const together = this.#blocksTogether;
    const number = Math.floor(lastAtMost(starts, position, 0, blocks.length) / together);
    const first = number * together;
    const end = Math.min(first + together, blocks.length);
    const start = starts[first] ?? 0;
    if (this.#buffer?.number !== number || this.#buffer.epoch !== epoch) {
      const count = (starts[end] ?? 0) - start;
      this.#buffer = { number, epoch, order: new Permutation(count, hash32(this.#seed, number), epoch) };
    }
    const place = start + this.#buffer.order.at(position - start);
    const at = lastAtMost(starts, place, first, end);
    return (this.#firsts[blocks[at] ?? 0] ?? 0) + place - (starts[at] ?? 0);
  }

  #layOut(epoch: number): Epoch {
    if (this.#laid?.epoch === epoch) return this.#laid;
    const count = this.#firsts.length - 1;
    const order = new Permutation(count, this.#seed, epoch);
    const blocks = new Float64Array(count);
    const starts = new Float64Array(count + 1);
    for (let at = 0; at < count; at += 1) {
      const block = order.at(at);
      blocks[at] = block;
      starts[at + 1] = (starts[at] ?? 0) + (this.#firsts[block + 1] ?? 0) - (this.#firsts[block] ?? 0);
    }
    this.#laid = { epoch, blocks, starts };
    return this.#laid;
  }
}

/** The last of [low, end) that starts at or before `place`; `starts` grow. */
function lastAtMost(starts: Float64Array, place: number, low: number, end: number): number {
  let high = end - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}
