// The items of one batch -> what the consumer gets of them, as far as the thread at hand can make it: read, run through
// the process module, and collated where nothing that only the consumer's thread has must be done to the samples
// before.
import { CorruptFileError, UnknownColumnError, isColkitError } from '@colkit/io';
import type { SyrahFile } from '../items/file.ts';
import type { Tensor } from '../items/gather/gather-items.ts';
import { isText } from '../layout/dtype.ts';
import { placeOf } from '../shards/place-of.ts';
import type { SyrahShards } from '../shards/shards.ts';
import type { CastSpec } from './cast/cast-spec.ts';
import { castStacks, collateSamples } from './collate/collating.ts';
import { shapeOf } from './collate.ts';
import type { CollateSpec, StackCollate } from './collate.ts';
import { SampleError } from './loader-errors.ts';
import type { SampleOrigin } from './loader-errors.ts';
import { applyFunctions, functionsFor, makeContext } from './sample.ts';
import type { ProcessFunction, ProcessFunctions } from './sample.ts';

/** A file and what is read of each item. */
interface PartToRead {
  readonly file: SyrahFile | SyrahShards;
  readonly keys: readonly string[];
}

/** Sample k is item `items[k]` of part `parts[k]`; `indices[k]` is its index in the dataset. */
export interface BatchTask {
  readonly epoch: number;
  readonly indices: readonly number[];
  readonly parts: readonly number[];
  readonly items: readonly number[];
}

interface MakerSettings {
  readonly seed: number;
  /** Exports of the process module, by key. */
  readonly module: Readonly<Record<string, unknown>> | null;
  /** Null: the samples as they are, for the consumer's thread to finish. */
  readonly collate: CollateSpec | null;
  /** What arrays are wanted in, by key; with `collate` only. */
  readonly cast: CastSpec | null;
  /** Gives up what is read of files that are not local. */
  readonly signal?: AbortSignal;
  /** In a worker: reads of local files on this thread, results in buffers that can be transferred. */
  readonly inWorker: boolean;
}

/** A batch that takes longer waits for a disk; and so many after it are read without this thread. */
const WAITED_MS = 2;
const BATCHES_AFTER_A_WAIT = 8;

export class BatchMaker {
  /** How many batches are still read asynchronously because the last one read on this thread had to wait. */
  #asynchronous = 0;
  readonly #parts: readonly PartToRead[];
  readonly #settings: MakerSettings;
  readonly #functions: readonly ReturnType<typeof functionsFor>[];
  /** For each part whether its samples can be stacked straight from the file, as far as it is for the part to say. */
  readonly #stackable: readonly boolean[];

  constructor(parts: readonly PartToRead[], settings: MakerSettings) {
    this.#parts = parts;
    this.#settings = settings;
    this.#stackable = parts.map((part) => settings.module === null && isNumeric(part));
    this.#functions = parts.map(({ keys }) => functionsFor(ownFunctions(settings.module, keys), keys));
  }

  /** A collated batch, or a list of samples. @throws SampleError. */
  async make(task: BatchTask): Promise<unknown> {
    const { collate, inWorker } = this.#settings;
    const part = collate?.kind === 'stack' ? this.#stackablePart(task) : null;
    if (part !== null) {
      try {
        const stacks =
          this.#gatherHere(part, task.items) ??
          (await part.file.gatherKeys(task.items, part.keys, { transferable: inWorker, ...this.#givingUp(part.file) }));
        const stacked = shaped(stacks, part.keys, task.items.length, collate as StackCollate);
        const { cast } = this.#settings;
        if (stacked !== null) {
          // eslint-disable-next-line @typescript-eslint/await-thenable -- in browsers it is a promise
          const made = cast === null ? stacked : await castStacks(stacked, part.keys, cast);
          return made;
        }
      } catch (error) {
        // Reading the samples one by one then tells which of them is to blame.
        if (!isColkitError(error)) throw error;
      }
    }
    const origins = task.indices.map((index, k) => ({
      index,
      ...placeOf((this.#parts[task.parts[k] ?? 0] as PartToRead).file, task.items[k] ?? 0),
    }));
    let samples: unknown[] = [];
    // Requests to a server become few where they are asked for together.
    const oneByOne = inWorker && this.#parts.every(({ file }) => file.isLocal);
    if (oneByOne) for (const [k, origin] of origins.entries()) samples.push(await this.#sample(task, k, origin));
    else samples = await Promise.all(origins.map((origin, k) => this.#sample(task, k, origin)));
    if (collate === null) return samples;
    return collateSamples(collate, {
      samples,
      origins,
      keys: this.#parts[task.parts[0] ?? 0]?.keys ?? null,
      cast: this.#settings.cast,
      transferable: inWorker,
    });
  }

  async #sample(task: BatchTask, k: number, origin: SampleOrigin): Promise<unknown[]> {
    const number = task.parts[k] ?? 0;
    const { file, keys } = this.#parts[number] as PartToRead;
    const options = { keys, transferable: this.#settings.inWorker, ...this.#givingUp(file) };
    const item = task.items[k] ?? 0;
    const context = makeContext(origin.index, task.epoch, this.#settings.seed);
    let entries: readonly (readonly [string, unknown])[];
    try {
      entries =
        this.#settings.inWorker && file.isLocal
          ? file.getEntriesSync(item, options)
          : await file.getEntries(item, options);
    } catch (error) {
      throw new SampleError(origin, keyOf(error), error);
    }
    return applyFunctions(
      entries.map(([, value]) => value),
      this.#functions[number] ?? [],
      keys,
      origin,
      context,
    );
  }

  #givingUp({ isLocal }: SyrahFile | SyrahShards): { signal?: AbortSignal } {
    const { signal } = this.#settings;
    return isLocal || signal === undefined ? {} : { signal };
  }

  /** The one part of all samples where they can be stacked straight from the file. */
  #stackablePart({ parts }: BatchTask): PartToRead | null {
    const number = parts[0] ?? 0;
    if (this.#stackable[number] !== true) return null;
    for (const part of parts) if (part !== number) return null;
    return this.#parts[number] ?? null;
  }

  /**
   * All keys by one read into one buffer, on this thread, as long as that does not have to wait: to copy what is in the
   * page cache costs less than to tell another thread to do it. Null where others are to read. How long it took tells
   * only how the next ones are read, never what is in them.
   */
  #gatherHere({ file, keys }: PartToRead, items: readonly number[]): Tensor[] | null {
    if (!file.isLocal) return null;
    if (this.#settings.inWorker) return file.gatherKeysSync(items, keys, { transferable: true });
    if (this.#asynchronous > 0) {
      this.#asynchronous -= 1;
      return null;
    }
    const start = performance.now();
    const stacks = file.gatherKeysSync(items, keys);
    if (performance.now() - start > WAITED_MS) this.#asynchronous = BATCHES_AFTER_A_WAIT;
    return stacks;
  }
}

function isNumeric({ file, keys }: PartToRead): boolean {
  const numeric = file.schema.filter(({ dtype }) => dtype !== null && !isText(dtype));
  const names = new Set(numeric.map(({ name }) => name));
  return keys.every((key) => names.has(key));
}

/** Stacks in the shapes that are asked for; null where the numbers of one do not fill its shape. */
function shaped(
  stacks: readonly Tensor[],
  keys: readonly string[],
  count: number,
  collate: StackCollate,
): Tensor[] | null {
  const columns: Tensor[] = [];
  for (const [k, { data, shape }] of stacks.entries()) {
    const wanted = shapeOf(collate, keys[k] ?? '') ?? shape.slice(1);
    if (wanted.reduce((product, length) => product * length, count) !== data.length) return null;
    columns.push({ data, shape: [count, ...wanted] });
  }
  return columns;
}

/** The key that an item could not be read for, where the error tells it. */
function keyOf(error: unknown): string | null {
  return error instanceof CorruptFileError || error instanceof UnknownColumnError ? (error.column ?? null) : null;
}

/** The functions that a module itself exports for these keys; other exports are its own business. */
function ownFunctions(module: Readonly<Record<string, unknown>> | null, keys: readonly string[]): ProcessFunctions {
  const functions = new Map<string, ProcessFunction>();
  for (const key of keys)
    if (module !== null && Object.hasOwn(module, key)) functions.set(key, module[key] as ProcessFunction);
  return functions;
}
