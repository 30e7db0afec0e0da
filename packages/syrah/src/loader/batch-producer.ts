// Dataset indices -> a finished batch, by whoever makes it: this thread, worker threads, or a dataset's own code. What
// only the consumer's thread can do (process functions, a collate function) is done here, after the reading.
import { ClosedError } from '@colkit/io';
import type { KeptThreads } from '@colkit/io/threads';
import { BatchMaker } from './batch-maker.ts';
import type { BatchTask } from './batch-maker.ts';
import { castSamples, collateSamples } from './collate/collating.ts';
import { checkCast } from './cast/check-cast.ts';
import type { CollateSpec } from './collate.ts';
import type { Dataset, DatasetPart, ReadPlan } from './dataset.ts';
import { SampleError } from './loader-errors.ts';
import type { SampleOrigin } from './loader-errors.ts';
import { parallelism } from './host.ts';
import { loadProcessModule } from './process-module.ts';
import { checkProducer, ownKeys, planOf } from './producing/read-plan.ts';
import type { ProducerOptions } from './producing/read-plan.ts';
import { placeOf } from '../shards/place-of.ts';
import { applyFunctions, makeContext } from './sample.ts';
import { startWorkers } from './workers/start-workers.ts';
import type { LoaderPool } from './workers/start-workers.ts';

export interface BatchProducer {
  /** Whether others make the batches, so that it pays to ask for several at once. */
  readonly remote: boolean;
  /**
   * @param together of how many batches that are asked for in this turn one worker may get all: 1 where they are wanted
   * soon.
   */
  make(indices: readonly number[], epoch: number, together: number): Promise<unknown>;
  /** Takes what is finished elsewhere, if anything is. */
  poll(): void;
  /** Whether somebody waits for a batch: what is made must then keep the process alive. */
  hold(held: boolean): void;
  /** @param done whether every batch was handed out: only then may workers stay for the next iteration. */
  close(done: boolean): Promise<void>;
}

/**
 * Nothing is waited for here: what has to be opened or loaded first, the batches wait for.
 * @param signal gives up what is being read. @throws ArgumentError where workers are asked to make samples that only
 * this thread can make, and for a cast of raw bytes; ClosedError for a closed file.
 */
export function startProducer(
  dataset: Dataset,
  options: ProducerOptions,
  kept: KeptThreads,
  signal: AbortSignal,
): BatchProducer {
  const plan = planOf(dataset);
  checkProducer(plan, options);
  for (const part of plan?.parts ?? []) {
    if (part.file.closed) throw new ClosedError('iterate', part.file.path);
    if (options.processModule === null) checkCast(part, options.cast);
  }
  if (plan === null) return new OwnProducer(dataset, options);
  const finished =
    typeof options.collate !== 'function' && plan.parts.every(({ process }) => process.every((step) => step === null));
  const collate = finished && typeof options.collate !== 'function' ? options.collate : null;
  const settings = { seed: options.seed, collate, cast: options.cast, inWorker: false, signal };
  if (options.workers > 0) {
    const warm = options.warmStart && options.processModule === null;
    const pool = startPool(plan, options, collate, warm, kept);
    const here = warm ? new BatchMaker(plan.parts, { ...settings, module: null }) : null;
    const make = (task: BatchTask, together: number): Promise<unknown> =>
      here !== null && pool.starting ? here.make(task) : pool.ask(task, { together });
    return new PlannedProducer(plan, options, { make }, pool, collate !== null);
  }
  const { processModule } = options;
  if (processModule === null)
    return new PlannedProducer(
      plan,
      options,
      new BatchMaker(plan.parts, { ...settings, module: null }),
      null,
      collate !== null,
    );
  const loading = loadProcessModule(
    processModule,
    plan.parts.map(({ keys }) => keys),
  ).then((module) => new BatchMaker(plan.parts, { ...settings, module }));
  loading.catch(() => undefined); // every batch tells it
  return new PlannedProducer(
    plan,
    options,
    { make: async (task) => (await loading).make(task) },
    null,
    collate !== null,
  );
}

/**
 * Workers that start beside a consumer that goes on must leave it a core; one that waits for them wants them all at
 * once.
 */
function startPool(
  plan: ReadPlan,
  { workers, processModule, seed, cast }: ProducerOptions,
  collate: CollateSpec | null,
  warm: boolean,
  kept: KeptThreads,
): LoaderPool {
  const parts = plan.parts.map(({ file, keys }) => ({ handle: file.threadHandle(), keys }));
  return startWorkers(
    { parts, processModule, collate, cast, seed },
    { count: workers, startingAtOnce: warm ? Math.max(1, parallelism() - 1) : workers, kept },
  );
}

interface Maker {
  make(task: BatchTask, together: number): Promise<unknown>;
}

class PlannedProducer implements BatchProducer {
  readonly #plan: ReadPlan;
  readonly #options: ProducerOptions;
  readonly #maker: Maker;
  readonly #pool: LoaderPool | null;
  /** Whether the maker's batches need nothing more. */
  readonly #finished: boolean;

  constructor(plan: ReadPlan, options: ProducerOptions, maker: Maker, pool: LoaderPool | null, finished: boolean) {
    this.#plan = plan;
    this.#options = options;
    this.#maker = maker;
    this.#pool = pool;
    this.#finished = finished;
  }

  get remote(): boolean {
    return this.#pool !== null;
  }

  make(indices: readonly number[], epoch: number, together: number): Promise<unknown> {
    const parts: number[] = [];
    const items: number[] = [];
    for (const index of indices) {
      const { part, item } = this.#plan.locate(index);
      parts.push(part);
      items.push(item);
    }
    const task = { epoch, indices, parts, items };
    return this.#finished ? this.#maker.make(task, together) : this.#finish(task, this.#maker.make(task, together));
  }

  /** What only this thread can do, once the samples are read. */
  async #finish({ epoch, indices, parts, items }: BatchTask, reading: Promise<unknown>): Promise<unknown> {
    const made = (await reading) as readonly unknown[][];
    const partOf = (k: number): DatasetPart | undefined => this.#plan.parts[parts[k] ?? 0];
    const origins = indices.map(
      (index, k): SampleOrigin => ({ index, ...placeOf((partOf(k) as DatasetPart).file, items[k] ?? 0) }),
    );
    const samples: unknown[] = [];
    for (const [k, sample] of made.entries()) {
      const origin = origins[k] as SampleOrigin;
      const { process = [], keys = [] } = partOf(k) ?? {};
      samples.push(
        await applyFunctions(sample, process, keys, origin, makeContext(origin.index, epoch, this.#options.seed)),
      );
    }
    return finish(this.#options, samples, origins, partOf(0)?.keys ?? null, epoch);
  }

  poll(): void {
    this.#pool?.poll();
  }

  hold(held: boolean): void {
    this.#pool?.hold(held);
  }

  async close(done: boolean): Promise<void> {
    await this.#pool?.close(done);
  }
}

/** Samples by the dataset's own `get`. */
class OwnProducer implements BatchProducer {
  readonly remote = false;
  readonly #dataset: Dataset;
  readonly #options: ProducerOptions;

  constructor(dataset: Dataset, options: ProducerOptions) {
    this.#dataset = dataset;
    this.#options = options;
  }

  async make(indices: readonly number[], epoch: number): Promise<unknown> {
    const origins = indices.map((index) => ({ index, item: null, path: null }));
    const samples = await Promise.all(origins.map((origin) => this.#sample(origin, epoch)));
    return finish(this.#options, samples, origins, ownKeys(this.#dataset), epoch);
  }

  poll(): void {
    // nothing is made elsewhere
  }

  hold(): void {
    // what this thread makes keeps the process alive by itself
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #sample(origin: SampleOrigin, epoch: number): Promise<unknown> {
    try {
      return await this.#dataset.get(origin.index, makeContext(origin.index, epoch, this.#options.seed));
    } catch (error) {
      throw error instanceof SampleError ? error : new SampleError(origin, null, error);
    }
  }
}

async function finish(
  { collate, cast }: ProducerOptions,
  samples: readonly unknown[],
  origins: readonly SampleOrigin[],
  keys: readonly string[] | null,
  epoch: number,
): Promise<unknown> {
  if (typeof collate !== 'function')
    return collateSamples(collate, { samples, origins, keys, cast, transferable: false });
  // eslint-disable-next-line @typescript-eslint/await-thenable -- in browsers it is a promise
  const given = cast === null ? samples : await castSamples(samples, origins, keys, cast);
  return collate(given, { indices: origins.map(({ index }) => index), epoch });
}
