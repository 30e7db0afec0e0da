// What can be asked of a loader, and how it is checked.
import { ArgumentError, describeValue, isByName, option } from '@colkit/io';
import type { OptionKind, OptionSet } from '@colkit/io';
import type { CastSpec } from './cast/cast-spec.ts';
import type { CollateOption } from './collate.ts';
import type { BatchSampler } from './order/batch-sampler.ts';
import type { BlockShuffle } from './order/block-shuffle.ts';
import type { Sampler } from './order/sampler.ts';
import type { Tail } from './order/shard.ts';

export interface LoaderOptions<Key extends string = string> {
  /** Samples a batch; 1 by default. */
  readonly batchSize?: number;
  /**
   * A permutation of all samples, another one each epoch, the same on every machine for the same seed. An object
   * (`{ blockItems: 256, bufferItems: 8192 }` is what `{}` stands for) shuffles blocks of consecutive items, and the
   * items of several blocks together: files are read block by block.
   */
  readonly shuffle?: boolean | BlockShuffle;
  /** Decides the order and every random number of `context.random()`; 0 by default. */
  readonly seed?: number;
  /**
   * Dataset indices in the order in which they are wanted, or anything that answers `at(position, epoch)`; instead of
   * `shuffle`.
   */
  readonly sampler?: Sampler | ArrayLike<number | bigint>;
  /**
   * Lists of dataset indices, each a batch, or anything that answers `at(batch, epoch)`, such as `LengthBuckets`;
   * instead of `batchSize`, `shuffle`, `sampler` and `dropLast`.
   */
  readonly batchSampler?: BatchSampler | ArrayLike<ArrayLike<number | bigint>>;
  /** Leave out a last batch of fewer samples. */
  readonly dropLast?: boolean;
  /** 'stack' by default: equal-length arrays as { data, shape }. */
  readonly collate?: CollateOption;
  /**
   * By key: the dtype that its arrays are wanted in, for consumers that take no other: `{ label: 'int32' }` of int64.
   * Every value is the same number there, or the batch fails (SampleError with item and key). 'float16-bits' gives
   * float16 as the Uint16Array of its bits, without a copy. Of float128, which comes as its raw bytes, nothing is cast:
   * a `get` of one's own reads it by `file.getArray(index, key, { dtype: 'float64' })`.
   *
   * Keys are those of `dataset.keys`. A `get` of one's own may make other values: those of a tuple are called by the
   * keys where they are as many, and by their positions (`{ 1: 'int32' }`) where no key is called so; those of a plain
   * object by its own names. A name that no value has is ERR_ARGUMENT: at once where the dataset has keys, else with
   * the first batch.
   */
  readonly cast?: CastSpec<Key>;
  /**
   * Threads that read, run the process module, and collate. 0, the default: this thread, with asynchronous reads ahead
   * wherever bytes have to be waited for.
   */
  readonly workers?: number;
  /**
   * Batches that are wanted before the first worker has started are made by this thread, so that nobody waits for
   * threads to start. Default true; never with a process module.
   */
  readonly warmStart?: boolean;
  /** A module whose exports are named after keys: what is done to their arrays, in the workers. A URL or path. */
  readonly processModule?: string | URL;
  /**
   * Batches made ahead of the one in use. By default 2; with workers four times their number, and up to sixteen times
   * where those are no more than 16 MiB.
   */
  readonly prefetch?: number;
  /** Which of `worldSize` equal loaders this is: each item is in one of them. */
  readonly rank?: number;
  /** How many equal loaders share the items; default 1. Two or more need `rank`. */
  readonly worldSize?: number;
  /**
   * Where the samples do not divide by worldSize: 'pad' (default: start over, all ranks equal), 'drop' (leave out the
   * rest), 'uneven' (some ranks get one more).
   */
  readonly tail?: Tail;
  /**
   * Longest wait for one batch, in milliseconds, for the first one with everything that it needs (opening, loading the
   * module); none by default.
   */
  readonly timeoutMs?: number;
  /** Ends iterations with the signal's reason, whatever they wait for. */
  readonly signal?: AbortSignal;
}

export const MOST_WORKERS = 256;
/** Timers that are longer, Infinity among them, would end at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The constructor checks the range of numbers, which depends on other options; null would be none of them. */
const number = option.kind<number>('an integer', (value) => value !== null);
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

const BLOCKS = option.inner<BlockShuffle>({
  blockItems: option.count('items', 1),
  bufferItems: option.count('items', 1),
});

export const LOADER_OPTIONS: OptionSet<LoaderOptions> = {
  batchSize: number,
  shuffle: {
    ...BLOCKS,
    expected: 'true or false, or an object of options',
    accepts: (value) => typeof value === 'boolean' || BLOCKS.accepts(value),
  } as OptionKind<boolean | BlockShuffle>,
  seed: number,
  sampler: option.object('a sampler or an array of indices'),
  batchSampler: option.object('a list, or { length, at(position, epoch) }'),
  dropLast: option.flag,
  collate: option.kind(
    "'stack', 'pad', 'list', their settings or a function",
    (value) => typeof value === 'string' || typeof value === 'function' || isObject(value),
  ),
  // A Map's entries are none of its fields.
  cast: option.kind('dtypes by key, in an object', (value) => isByName(value) && !(value instanceof Map)),
  workers: number,
  warmStart: option.flag,
  processModule: option.kind('a URL or path', (value) => typeof value === 'string' || value instanceof URL),
  prefetch: number,
  rank: number,
  worldSize: number,
  tail: option.word('pad', 'drop', 'uneven'),
  timeoutMs: option.kind('a number above 0', (value) => typeof value === 'number' && value > 0),
  signal: option.signal,
};

/** Of an option that counts. @throws ArgumentError where it is no integer in that range. */
export function integerOption(
  name: string,
  value: number | undefined,
  smallest: number,
  largest = Number.MAX_SAFE_INTEGER,
): number {
  if (value !== undefined && Number.isSafeInteger(value) && value >= smallest && value <= largest) return value;
  const range =
    largest === Number.MAX_SAFE_INTEGER
      ? `from ${String(smallest)} on`
      : `in [${String(smallest)}, ${String(largest)}]`;
  throw new ArgumentError(
    'ERR_ARGUMENT',
    name,
    `an integer ${range}`,
    `${describeValue(value)}${typeof value === 'bigint' ? ', a bigint' : ''}`,
  );
}

/** @throws ArgumentError where a batch sampler is given beside what it is in place of. */
export function checkBatchSampler(options: LoaderOptions): void {
  if (options.batchSampler === undefined) return;
  const { batchSize, sampler, shuffle, dropLast } = options;
  for (const [name, value] of Object.entries({ batchSize, sampler, shuffle, dropLast }))
    if (value !== undefined && value !== false)
      throw new ArgumentError('ERR_ARGUMENT', 'batchSampler', `batchSampler or ${name}`, 'both');
}
