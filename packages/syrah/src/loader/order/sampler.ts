// Which dataset index stands at which position of an epoch: in order, shuffled, or as the caller says. A sampler
// answers for any position at once, so that sharding and resuming are arithmetic.
import { ArgumentError, describeValue } from '@colkit/io';
import { hasLength } from '../../items/list-arguments.ts';
import { blockShuffled } from './blocks.ts';
import type { BlockShuffle } from './block-shuffle.ts';
import type { BatchSampler } from './batch-sampler.ts';
import { hash32 } from './hash.ts';
import { Permutation } from './permutation.ts';

/**
 * The order of an epoch: `length` positions, each a dataset index. Must answer the same for the same position and
 * epoch, always.
 */
export interface Sampler {
  readonly length: number;
  /**
   * @param position an integer in [0, length)
   * @returns an index of the dataset, negative from its end; repeats are allowed.
   */
  at(position: number, epoch: number): number | bigint;
}

export class SequentialSampler implements Sampler {
  readonly length: number;

  constructor(length: number) {
    this.length = length;
  }

  at(position: number): number {
    return position;
  }
}

/** Every index once, in an order that `seed` and the epoch give. Constant memory. */
export class ShuffledSampler implements Sampler {
  readonly length: number;
  readonly #seed: number;
  #epoch = -1;
  #permutation: Permutation;

  constructor(length: number, seed: number) {
    this.length = length;
    this.#seed = seed;
    this.#permutation = new Permutation(length, seed, 0);
  }

  at(position: number, epoch: number): number {
    if (epoch !== this.#epoch) {
      this.#permutation = new Permutation(this.length, this.#seed, epoch);
      this.#epoch = epoch;
    }
    return this.#permutation.at(position);
  }
}

/** The given indices, in their order, every epoch. They are referenced, not copied. */
export class ListSampler implements Sampler {
  readonly length: number;
  readonly #indices: ArrayLike<number | bigint>;

  constructor(indices: ArrayLike<number | bigint>) {
    this.length = indices.length;
    this.#indices = indices;
  }

  /** As it was given: what is no index is refused when its batch is asked for. */
  at(position: number): number | bigint {
    return this.#indices[position] as number | bigint;
  }
}

/**
 * The sampler of the loader's options.
 * @throws ArgumentError where `shuffle` and `sampler` are both given, or it is neither a list nor a Sampler.
 */
export function chooseSampler(
  datasetLength: number,
  options: {
    shuffle: boolean | BlockShuffle;
    seed: number;
    sampler: Sampler | ArrayLike<number | bigint> | undefined;
    /** Items of each file behind the dataset. */
    shardLengths?: readonly number[] | undefined;
  },
): Sampler {
  const { sampler, shuffle, seed } = options;
  if (sampler !== undefined && shuffle !== false)
    throw new ArgumentError('ERR_ARGUMENT', 'sampler', 'either a sampler or shuffle: true', 'both');
  if (sampler === undefined) {
    if (typeof shuffle === 'object')
      return blockShuffled(options.shardLengths ?? [datasetLength], seed, blocksOf(shuffle));
    return shuffle ? new ShuffledSampler(datasetLength, seed) : new SequentialSampler(datasetLength);
  }
  return asSampler('sampler', sampler);
}

/** What answers by position, as it is or over a list. @throws ArgumentError where it is neither. */
export function asSampler<S extends { readonly length: number }>(
  name: 'sampler' | 'batchSampler',
  given: S | ArrayLike<unknown>,
): S {
  if (!hasLength(given))
    throw new ArgumentError('ERR_ARGUMENT', name, 'a list, or { length, at(position, epoch) }', describeValue(given));
  return isSampler(given) ? (given as S) : (new ListSampler(given as ArrayLike<number>) as unknown as S);
}

/** Both numbers of a block shuffle. */
export function blocksOf({ blockItems = 256, bufferItems }: BlockShuffle): Required<BlockShuffle> {
  return { blockItems, bufferItems: bufferItems ?? 32 * blockItems };
}

/** A short mark of a caller's order, to tell another one: its length and up to `PROBES` positions of two epochs. */
export function describeSampler(sampler: Sampler | BatchSampler): string {
  const probes = Math.min(sampler.length, PROBES);
  let mark = 0;
  for (let probe = 0; probe < probes; probe += 1) {
    const position = Math.floor((probe * sampler.length) / probes);
    mark = hash32(mark, ...numbersOf(sampler.at(position, 0)), ...numbersOf(sampler.at(position, 1)));
  }
  return `${String(sampler.length)}:${mark.toString(16)}`;
}

/** What is no number is refused when a batch is asked for. */
const numberOr0 = (index: unknown): number =>
  typeof index === 'number' || typeof index === 'bigint' ? Number(index) : 0;

/** Of one sample, or of a batch: as many of its first ones as are told from others soon enough. */
const numbersOf = (indices: unknown): number[] =>
  hasLength(indices)
    ? Array.from({ length: Math.min(indices.length, 16) }, (_, k) => numberOr0((indices as ArrayLike<unknown>)[k]))
    : [numberOr0(indices)];

const PROBES = 1024;

/** Arrays have an `at` too. */
function isSampler(value: object): boolean {
  return 'at' in value && typeof value.at === 'function' && !Array.isArray(value) && !ArrayBuffer.isView(value);
}
