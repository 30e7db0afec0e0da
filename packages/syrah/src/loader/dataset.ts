// Datasets: a number of samples, each made when it is asked for. A SyrahDataset's sample is the tuple of some keys'
// arrays of one item; datasets can be subset and split.
import { ArgumentError, checkOptions, describeValue, omitOptions, option } from '@colkit/io';
import type { OptionSet } from '@colkit/io';
import type { SyrahFile } from '../items/file.ts';
import { unknownKey } from '../items/item-errors.ts';
import type { ItemTypes } from '../items/item-record.ts';
import { checkKeyList, foldIndex, hasLength } from '../items/list-arguments.ts';
import type { ShardsInput } from '../shards/named-files.ts';
import { openItems, openItemsSync } from '../shards/opening.ts';
import { placeOf } from '../shards/place-of.ts';
import type { SyrahShards } from '../shards/shards.ts';
import { SHARDS_OPTIONS } from '../shards/shards-options.ts';
import type { ShardsOptions } from '../shards/shards-options.ts';
import type { OpenedWith, ProcessingOf, SampleOf } from './batch-types.ts';
import { checkKeys, describeFractions, keysOf, requireFile } from './dataset-arguments.ts';
import { hash32 } from './order/hash.ts';
import { Permutation } from './order/permutation.ts';
import type { SampleFields } from './sample-fields.ts';
import { applyFunctions, applyFunctionsSync, functionsFor, makeContext } from './sample.ts';
import type { ProcessFunctions, SampleContext } from './sample.ts';

/** What a loader needs. Anything with these works; extend `SyrahDataset` for items of files. */
export interface Dataset<Sample = unknown, Keys extends readonly string[] = readonly string[]> {
  readonly length: number;
  /**
   * What the values of its samples are called, where they have names: those of a tuple in its order. `cast` and
   * `collate.shapes` of the loader name values by them.
   */
  readonly keys?: Keys;
  /** Samples of each file behind it, in order, where consecutive indices are consecutive items: for block shuffles. */
  readonly shardLengths?: readonly number[] | undefined;
  get(index: number, context?: SampleContext): Sample | Promise<Sample>;
  /** A text that changes when the samples do: what makes resuming safe. @param signal gives it up. */
  fingerprint?(signal?: AbortSignal): string | Promise<string>;
}

/** The file behind samples, so that others than this dataset can read them. */
export interface DatasetPart {
  readonly file: SyrahFile | SyrahShards;
  readonly keys: readonly string[];
  readonly process: ReturnType<typeof functionsFor>;
}

/** How a dataset's samples are read: sample -> item of one of some files. */
export interface ReadPlan {
  readonly parts: readonly DatasetPart[];
  locate(index: number): { readonly part: number; readonly item: number };
}

/** What all datasets of this package can do. */
export abstract class SyrahSamples<
  Sample extends readonly unknown[] = readonly unknown[],
  Keys extends readonly string[] = readonly string[],
> implements Dataset<Sample, Keys>
{
  abstract readonly length: number;
  /** For the compiler: a dataset of files has them. */
  declare readonly keys?: Keys;
  abstract get(index: number, context?: SampleContext): Promise<Sample>;
  /**
   * The same on the calling thread, for local files. A class that overrides `get` overrides it too, where it is to be
   * called.
   */
  abstract getSync(index: number, context?: SampleContext): Sample;
  abstract fingerprint(signal?: AbortSignal): string | Promise<string>;
  /** Null where samples are made by code that only this thread has (an overridden `get`). */
  abstract readPlan(): ReadPlan | null;
  abstract close(): void;

  /** Undefined where consecutive samples are not consecutive items. */
  get shardLengths(): readonly number[] | undefined {
    return undefined;
  }

  /** The keys of a sample's values, and their dtypes; null where nothing is known of them. */
  sampleFields(): SampleFields | null {
    return null;
  }

  /** Some samples, in the order of `indices`, repeats allowed; negatives count from the end. The indices are copied. */
  subset(indices: ArrayLike<number | bigint>): SyrahSubset<Sample, Keys> {
    if (!hasLength(indices))
      throw new ArgumentError('ERR_ARGUMENT', 'indices', 'a list of numbers', describeValue(indices));
    const numbers = Float64Array.from(indices, (index, position) => foldIndex(index, this.length, 'indices', position));
    const mark = numbers.reduce((hash, number) => hash32(hash, number), 0).toString(16);
    return new SyrahSubset(this, {
      length: numbers.length,
      at: (position) => numbers[position] ?? 0,
      mark: `${String(numbers.length)}:${mark}`,
    });
  }

  /**
   * Divides the samples at random, in constant memory: the same parts for the same seed, everywhere.
   * @param fractions of all samples, each in [0, 1], together at most 1. Parts that together are 1 hold every sample.
   */
  split(fractions: readonly number[], seed = 0): SyrahSubset<Sample, Keys>[] {
    if (!Number.isSafeInteger(seed) || seed < 0)
      throw new ArgumentError('ERR_ARGUMENT', 'seed', 'an integer of at least 0', describeValue(seed));
    const given: unknown = fractions;
    const areNumbers =
      Array.isArray(given) &&
      given.every((fraction: unknown) => typeof fraction === 'number' && fraction >= 0 && fraction <= 1);
    if (!areNumbers || fractions.reduce((sum, fraction) => sum + fraction, 0) > 1 + 1e-9) {
      throw new ArgumentError(
        'ERR_ARGUMENT',
        'fractions',
        'a list of numbers in [0, 1] with a sum of at most 1',
        describeFractions(given),
      );
    }
    const permutation = new Permutation(this.length, seed, 0);
    let sum = 0;
    return fractions.map((fraction) => {
      const start = Math.round(sum * this.length);
      sum += fraction;
      const end = sum > 1 - 1e-9 ? this.length : Math.round(sum * this.length);
      return new SyrahSubset(this, {
        length: end - start,
        at: (position) => permutation.at(start + position),
        mark: `${String(seed)}:${String(start)}:${String(end)}`,
      });
    });
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

export interface DatasetOptions extends ShardsOptions {
  /** By key: what is done to its array, on the thread that consumes the samples. */
  readonly process?: ProcessFunctions;
}

const DATASET_OPTIONS: OptionSet<DatasetOptions> = {
  ...SHARDS_OPTIONS,
  process: option.byName('functions by key'),
};

/** The same, where functions are given what `expect` has shown of their keys. */
type TypedOptions<E extends ItemTypes, R> = Omit<DatasetOptions, 'expect' | 'process'> & {
  /** As of `open`: keys with their dtypes, which are checked, and by which samples and parameters are typed. */
  readonly expect?: E;
  /** By key: what is done to its array, on the thread that consumes the samples. */
  readonly process?: ProcessingOf<E, R>;
};

/**
 * A dataset that was opened with these keys and options: typed where `expect` tells the dtypes. Classes of one's own
 * say themselves what their samples are.
 */
type OpenedDataset<
  T extends SyrahDataset,
  Keys extends readonly string[],
  E extends ItemTypes,
  R,
> = string extends keyof E ? T : SyrahDataset extends T ? SyrahDataset<SampleOf<Keys, OpenedWith<E, R>>, Keys> : T;

/**
 * The items of a file, or of many as one, as tuples of some keys' arrays. Override `get` to make other samples of them.
 * @typeParam Sample the tuple: known where the dataset was opened with keys and `expect`.
 */
export class SyrahDataset<
  Sample extends readonly unknown[] = readonly unknown[],
  Keys extends readonly string[] = readonly string[],
> extends SyrahSamples<Sample, Keys> {
  readonly file: SyrahFile | SyrahShards;
  declare readonly keys: Keys;
  readonly #process: ReturnType<typeof functionsFor>;

  constructor(
    file: SyrahFile | SyrahShards,
    keys: readonly string[] = keysOf(file),
    options: Pick<DatasetOptions, 'process'> = {},
  ) {
    super();
    checkOptions('SyrahDataset', DATASET_OPTIONS, options);
    requireFile(file);
    checkKeyList(keys);
    const known = new Set(file.keys);
    for (const key of keys) if (!known.has(key)) throw unknownKey(file.path, null, key, file.keys);
    this.file = file;
    // Whoever sorts them must not sort the values of samples.
    this.keys = Object.freeze<readonly string[]>([...keys]) as Keys;
    this.#process = functionsFor(options.process, keys);
  }

  /**
   * Opens a file, or many as one (see `openShards`; of the first part of a set all parts), as a dataset of the class
   * that this is called on. `keys` undefined: all keys, in file order.
   */
  static async open<
    T extends SyrahDataset,
    const Keys extends readonly string[] = readonly string[],
    const E extends ItemTypes = ItemTypes,
    R = object,
  >(
    this: new (
      file: SyrahFile,
      keys: readonly string[] | undefined,
      options: DatasetOptions,
    ) => T,
    what: ShardsInput,
    keys?: Keys,
    options: TypedOptions<E, R> = {},
  ): Promise<OpenedDataset<T, Keys, E, R>> {
    checkOptions('SyrahDataset.open', DATASET_OPTIONS, options);
    checkKeys(keys, options.process);
    const dataset = build(
      this,
      await openItems(what, omitOptions<DatasetOptions, 'process'>(options, 'process')),
      keys,
      options,
    );
    return dataset as OpenedDataset<T, Keys, E, R>;
  }

  /** The Sync twin; in a browser after the first `open`, or give the constructor what the function `openSync` opens. */
  static openSync<
    T extends SyrahDataset,
    const Keys extends readonly string[] = readonly string[],
    const E extends ItemTypes = ItemTypes,
    R = object,
  >(
    this: new (
      file: SyrahFile,
      keys: readonly string[] | undefined,
      options: DatasetOptions,
    ) => T,
    what: ShardsInput,
    keys?: Keys,
    options: TypedOptions<E, R> = {},
  ): OpenedDataset<T, Keys, E, R> {
    checkOptions('SyrahDataset.openSync', DATASET_OPTIONS, options);
    checkKeys(keys, options.process);
    const dataset = build(
      this,
      openItemsSync(what, omitOptions<DatasetOptions, 'process'>(options, 'process')),
      keys,
      options,
    );
    return dataset as OpenedDataset<T, Keys, E, R>;
  }

  get length(): number {
    return this.file.itemCount;
  }

  override get shardLengths(): readonly number[] {
    return 'shardLengths' in this.file ? this.file.shardLengths : [this.file.itemCount];
  }

  /**
   * The arrays of the keys of one item, processed. Copies.
   * @throws OutOfRangeError; SampleError with the key whose process function threw.
   */
  async get(index: number, context: SampleContext = makeContext(index, 0, 0)): Promise<Sample> {
    const entries = await this.file.getEntries(index, { keys: this.keys });
    const values: readonly unknown[] = await applyFunctions(
      entries.map(([, value]) => value),
      this.#process,
      this.keys,
      this.#origin(index),
      context,
    );
    return values as Sample;
  }

  getSync(index: number, context: SampleContext = makeContext(index, 0, 0)): Sample {
    const entries = this.file.getEntriesSync(index, { keys: this.keys });
    const values: readonly unknown[] = applyFunctionsSync(
      entries.map(([, value]) => value),
      this.#process,
      this.keys,
      this.#origin(index),
      context,
    );
    return values as Sample;
  }

  /**
   * Reads samples of the file; a text of its contents, of the keys and of which of them are processed, not of its path.
   */
  fingerprint(signal?: AbortSignal): string | Promise<string> {
    const keys = JSON.stringify(this.keys.map((key, k) => (this.#process[k] === null ? key : [key])));
    const withKeys = (text: string): string => `${text}/${keys}`;
    return this.file.isLocal ? withKeys(this.file.fingerprintSync()) : this.file.fingerprint(signal).then(withKeys);
  }

  readPlan(): ReadPlan | null {
    if (this.get !== SyrahDataset.prototype.get) return null;
    return {
      parts: [{ file: this.file, keys: this.keys, process: this.#process }],
      locate: (item) => ({ part: 0, item }),
    };
  }

  override sampleFields(): SampleFields | null {
    // A file without items knows no keys, and has no sample to be matched with others.
    if (this.file.itemCount === 0 && this.keys.length === 0) return null;
    const dtypes = new Map(this.file.schema.map(({ name, dtype }) => [name, dtype]));
    const fields = this.keys.map((key, k) => ({
      key,
      dtype: this.#process[k] === null ? (dtypes.get(key) ?? null) : null,
    }));
    return { path: this.file.path, fields, madeBy: this.get === SyrahDataset.prototype.get ? null : this.constructor };
  }

  close(): void {
    this.file.close();
  }

  #origin(index: number): { index: number; item: number; path: string } {
    return { index, ...placeOf(this.file, index) };
  }
}

/** Positions of a subset -> indices of the dataset below it. */
interface IndexMap {
  readonly length: number;
  at(position: number): number;
  /** Tells this map from others. */
  readonly mark: string;
}

/** Some samples of a dataset: see `subset` and `split`. Closing it closes the dataset. */
export class SyrahSubset<
  Sample extends readonly unknown[] = readonly unknown[],
  Keys extends readonly string[] = readonly string[],
> extends SyrahSamples<Sample, Keys> {
  readonly length: number;
  declare readonly keys?: Keys;
  readonly #base: SyrahSamples<Sample, Keys>;
  readonly #map: IndexMap;

  constructor(base: SyrahSamples<Sample, Keys>, map: IndexMap) {
    super();
    this.#base = base;
    this.#map = map;
    this.length = map.length;
    if (base.keys !== undefined) this.keys = base.keys;
  }

  async get(index: number, context?: SampleContext): Promise<Sample> {
    return this.#base.get(this.#map.at(foldIndex(index, this.length, 'index')), context);
  }

  getSync(index: number, context?: SampleContext): Sample {
    return this.#base.getSync(this.#map.at(foldIndex(index, this.length, 'index')), context);
  }

  fingerprint(signal?: AbortSignal): string | Promise<string> {
    return joinTexts([this.#base.fingerprint(signal), `[${this.#map.mark}]`]);
  }

  readPlan(): ReadPlan | null {
    const plan = this.#base.readPlan();
    return plan === null ? null : { parts: plan.parts, locate: (index) => plan.locate(this.#map.at(index)) };
  }

  override sampleFields(): SampleFields | null {
    return this.#base.sampleFields();
  }

  close(): void {
    this.#base.close();
  }
}

function build<T extends SyrahDataset>(
  type: new (file: SyrahFile, keys: readonly string[] | undefined, options: DatasetOptions) => T,
  file: SyrahFile | SyrahShards,
  keys: readonly string[] | undefined,
  options: DatasetOptions,
): T {
  try {
    // Both read items by the same methods, which is what a class of one's own calls.
    return new type(file as SyrahFile, keys, options);
  } catch (error) {
    file.close();
    throw error;
  }
}

/** The fingerprint of several, of their fingerprints. */
export function joinTexts(texts: readonly (string | Promise<string>)[]): string | Promise<string> {
  return texts.every((text) => typeof text === 'string')
    ? texts.join('+')
    : Promise.all(texts.map((text) => Promise.resolve(text))).then((all) => all.join('+'));
}
