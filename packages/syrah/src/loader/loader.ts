// A dataset -> batches, in an order that seed and epoch decide, with a bounded number of batches made ahead, by this
// thread or by workers; and the exact point to go on from.
import { ArgumentError, ClosedError, checkOptions, describeValue, pickOptions } from '@colkit/io';
import type { KeptThreads } from '@colkit/io/threads';
import { hasLength } from '../items/list-arguments.ts';
import { moduleUrl } from './host.ts';
import type { AheadBatch } from './batches-ahead.ts';
import { parseCast } from './cast/cast-spec.ts';
import type { CastOnly, CastSpec } from './cast/cast-spec.ts';
import { checkShapeKeys, describeCollate, parseCollate } from './collate.ts';
import type { CollateOption } from './collate.ts';
import type { Dataset } from './dataset.ts';
import type { Writable, Yielded } from './batch-types.ts';
import { Iteration } from './iteration.ts';
import { producers } from './producing/producing.ts';
import { checkProducer, namesOf, planOf } from './producing/read-plan.ts';
import type { ProducerOptions } from './producing/read-plan.ts';
import { keptWorkers } from './workers/kept-workers.ts';
import { LOADER_OPTIONS, LONGEST_TIMER_MS, MOST_WORKERS, checkBatchSampler, integerOption } from './loader-options.ts';
import type { LoaderOptions } from './loader-options.ts';
import { RETURNED, Running } from './running.ts';
import type { BlockShuffle } from './order/block-shuffle.ts';
import type { BatchSampler } from './order/batch-sampler.ts';
import { asSampler, blocksOf, chooseSampler, describeSampler } from './order/sampler.ts';
import { BatchPlan } from './order/shard.ts';
import { checkSameDataset, checkSameOptions, parseState } from './state.ts';
import type { BatchOptions, LoaderState } from './state.ts';

type Ranks = Pick<BatchOptions, 'batchSize' | 'rank' | 'worldSize'>;

const PREFETCH_PER_WORKER = 4;
const MOST_PREFETCH_PER_WORKER = 16;

/**
 * Iterate it with `for await`: each iteration is one epoch, a look at one batch too. Ending an iteration early frees
 * everything; one that is forgotten ends when it is collected. After a whole epoch its workers wait for the next one: a
 * second, after later epochs ten, without keeping the process alive, with the files open; `close()`, or `await using`,
 * ends them and every iteration at once.
 * @typeParam Batch what it yields, where that is said outright; else it follows from the dataset's samples and the
 * options: by default a tuple of { data, shape }, one for each key.
 */
export class DataLoader<
  Batch = never,
  Sample = unknown,
  Keys extends readonly string[] = readonly string[],
  const O extends LoaderOptions<Keys[number]> = object,
> implements AsyncIterable<Yielded<Batch, Sample, Keys, O>>
{
  /** Only for the compiler: it makes a loader of known batches one of unknown batches. */
  declare readonly batchType?: Writable<Yielded<Batch, Sample, Keys, O>>;
  /** Batches in an epoch of this rank. */
  readonly length: number;
  readonly #dataset: Dataset;
  readonly #plan: BatchPlan;
  /** The batches of the epoch that is under way: fewer where other ranks have done a part of it. */
  #current: BatchPlan;
  readonly #planFrom: (start: number, of?: Ranks) => BatchPlan;
  /** Positions of this epoch that were done before its first batch. */
  #start = 0;
  readonly #same: BatchOptions;
  readonly #producer: ProducerOptions;
  readonly #prefetch: number;
  readonly #mostPrefetch: number;
  readonly #timeoutMs: number | null;
  readonly #signal: AbortSignal | null;
  readonly #kept: KeptThreads;
  #iterations = 0;
  /** The iterations that have begun and not ended. */
  readonly #running = new Set<Running>();
  #epoch = 0;
  #batchesDone = 0;
  /** Whether the next iteration goes on where `#epoch` and `#batchesDone` say, instead of starting the next epoch. */
  #fresh = true;
  /** The iteration that `#epoch` and `#batchesDone` tell of: the last one that was begun. */
  #latest: Running | null = null;
  #fingerprint: string | null = null;
  #resumed: LoaderState | null = null;

  /** @throws ArgumentError for options that do not go together. */
  constructor(dataset: Dataset<Sample, Keys>, options?: (O | LoaderOptions<Keys[number]>) & CastOnly<O, Keys[number]>);
  constructor(dataset: Dataset, options: LoaderOptions = {}) {
    checkOptions('DataLoader', LOADER_OPTIONS, options);
    const { shuffle = false, dropLast = false, tail = 'pad', signal, timeoutMs } = options;
    if (!hasLength(dataset) || typeof dataset.get !== 'function')
      throw new ArgumentError('ERR_ARGUMENT', 'dataset', 'a dataset, { length, get(index) }', describeValue(dataset));
    checkBatchSampler(options);
    const batchSize = integerOption('batchSize', options.batchSize ?? 1, 1);
    const seed = integerOption('seed', options.seed ?? 0, 0);
    const worldSize = integerOption('worldSize', options.worldSize ?? 1, 1);
    // Of several, which one it is has to be said.
    const rank = integerOption('rank', options.rank ?? (worldSize > 1 ? undefined : 0), 0, worldSize - 1);
    const workers = integerOption('workers', options.workers ?? 0, 0, MOST_WORKERS);
    const { shardLengths } = dataset;
    const sampler = chooseSampler(dataset.length, { shuffle, seed, sampler: options.sampler, shardLengths });
    const batches = options.batchSampler && asSampler<BatchSampler>('batchSampler', options.batchSampler);
    const collate = parseCollate(options.collate ?? 'stack');
    const plan = planOf(dataset);
    const names = namesOf(dataset, plan);
    const cast = options.cast === undefined ? null : parseCast(options.cast, names);
    checkShapeKeys(collate, names);
    this.#dataset = dataset;
    const ofRank: Ranks = { batchSize, rank, worldSize };
    this.#planFrom = (start, of = ofRank) =>
      new BatchPlan(sampler, dataset.length, { ...of, dropLast, tail, start }, batches);
    this.#plan = this.#planFrom(0);
    this.#current = this.#plan;
    this.#same = {
      batchSize,
      shuffle: shuffle !== false,
      blocks: typeof shuffle === 'object' ? JSON.stringify(blocksOf(shuffle)) : null,
      seed,
      dropLast,
      rank,
      worldSize,
      tail,
      collate: describeCollate(collate),
      cast: cast === null ? null : JSON.stringify(cast),
      sampler: options.sampler === undefined ? null : describeSampler(sampler),
      batchSampler: batches === undefined ? null : describeSampler(batches),
      processModule: options.processModule !== undefined,
    };
    const processModule = options.processModule === undefined ? null : moduleUrl(options.processModule);
    this.#kept = keptWorkers(workers, () => this.#iterations);
    this.#producer = { collate, cast, seed, workers, processModule, warmStart: options.warmStart ?? true };
    checkProducer(plan, this.#producer);
    const ofWorkers = options.prefetch === undefined ? workers : 0;
    this.#prefetch = ofWorkers * PREFETCH_PER_WORKER || integerOption('prefetch', options.prefetch ?? 2, 0);
    this.#mostPrefetch = ofWorkers * MOST_PREFETCH_PER_WORKER || this.#prefetch;
    this.#timeoutMs = timeoutMs === undefined || timeoutMs > LONGEST_TIMER_MS ? null : timeoutMs;
    this.#signal = signal ?? null;
    this.length = this.#plan.batchCount;
  }

  /**
   * A loader whose next iteration yields exactly the batches that were left when `state` was taken. Options that decide
   * the batches come from the state; those given must be the same. A collate function, sampler or process module must
   * be given again; workers, warmStart, prefetch, timeoutMs and signal are free. Where `rank`, `worldSize` or
   * `batchSize` are others, the rest of the epoch is dealt out anew, in the same order of all samples: give every new
   * rank the same state, which one of the old ranks took after as many batches as the others had.
   * @throws ArgumentError where an option is not the state's; IoError ERR_FILE_CHANGED where the dataset is not (for a
   * remote one: when iterated).
   */
  static resume<Batch = readonly unknown[]>(
    dataset: Dataset,
    state: unknown,
    options: LoaderOptions = {},
  ): DataLoader<Batch> {
    checkOptions('DataLoader.resume', LOADER_OPTIONS, options);
    const parsed = parseState(state);
    const { batchSize, seed, dropLast, rank, worldSize, tail } = parsed;
    const shuffle = parsed.blocks === null ? parsed.shuffle : (JSON.parse(parsed.blocks) as BlockShuffle);
    // One that is undefined is not given: it must not hide the state's.
    const given = pickOptions(LOADER_OPTIONS, options);
    const ofBatches = given.batchSampler === undefined ? { batchSize, shuffle, dropLast } : {};
    const collate = given.collate ?? collateOf(parsed.collate);
    const cast = given.cast ?? (JSON.parse(parsed.cast ?? '{}') as CastSpec);
    // Of other ranks than the state's, which one this is has to be said.
    const ofRank = (given.worldSize ?? worldSize) === worldSize ? { rank, worldSize } : {};
    const ofState = { ...ofBatches, ...ofRank, seed, tail };
    const loader = new DataLoader<Batch>(dataset, { ...ofState, ...given, collate, cast });
    checkSameOptions(parsed, loader.#same);
    loader.#goOnFrom(parsed);
    loader.#resumed = parsed;
    if (isRemote(dataset)) return loader;
    const fingerprint = fingerprintOf(dataset);
    if (typeof fingerprint === 'string') loader.#accept(fingerprint);
    else fingerprint.catch(() => undefined);
    return loader;
  }

  /** @throws ArgumentError where more batches are done than there are. */
  #goOnFrom(state: LoaderState): void {
    const { batchSize, rank, worldSize } = this.#same;
    const isSame = state.batchSize === batchSize && state.rank === rank && state.worldSize === worldSize;
    const before = isSame ? this.#planFrom(state.start) : this.#planFrom(state.start, state);
    if (state.batchesDone > before.batchCount)
      throw new ArgumentError(
        'ERR_ARGUMENT',
        'state',
        `at most ${String(before.batchCount)} batches done`,
        String(state.batchesDone),
      );
    // After a whole epoch it is the next one that is gone on with.
    const isOver = before.batchCount > 0 && state.batchesDone === before.batchCount;
    this.#epoch = state.epoch + Number(isOver);
    if (isOver) return;
    this.#start = isSame ? state.start : before.positionsDone(state.batchesDone);
    this.#batchesDone = isSame ? state.batchesDone : 0;
    this.#current = isSame ? before : this.#planFrom(this.#start);
  }

  /**
   * The epoch of the current or last iteration, from 0; of the next one before the first, so that
   * `for (let epoch = loader.epoch; epoch < epochs; epoch++)` goes on after `resume`.
   */
  get epoch(): number {
    return this.#epoch;
  }

  /**
   * Where the loader stands: the batch that was handed out last counts as done, and after the last one of an epoch it
   * is the beginning of the next. Plain JSON.
   * @throws ArgumentError for a dataset that is not local, and no `stateAsync()` was called yet.
   */
  state(): LoaderState {
    if (this.#fingerprint === null) {
      const fingerprint = isRemote(this.#dataset) ? null : fingerprintOf(this.#dataset);
      if (typeof fingerprint !== 'string') {
        fingerprint?.catch(() => undefined);
        throw new ArgumentError(
          'ERR_ARGUMENT',
          'state',
          'a local dataset (or use await loader.stateAsync())',
          'one whose fingerprint has to be waited for',
        );
      }
      this.#accept(fingerprint);
    }
    return this.#stateWith(this.#fingerprint ?? '');
  }

  /**
   * The same for any dataset: where the loader stands at this call. Of a remote one samples are read, once.
   * @throws IoError where that fails; the signal's reason.
   */
  async stateAsync(): Promise<LoaderState> {
    const state = this.#stateWith('');
    if (this.#fingerprint === null) this.#accept(await fingerprintOf(this.#dataset, this.#signal ?? undefined));
    return { ...state, fingerprint: this.#fingerprint ?? '' };
  }

  #stateWith(fingerprint: string): LoaderState {
    const isOver = !this.#fresh && this.#batchesDone >= this.#current.batchCount;
    const where = isOver
      ? { epoch: this.#epoch + 1, batchesDone: 0, start: 0 }
      : { epoch: this.#epoch, batchesDone: this.#batchesDone, start: this.#start };
    return { kind: 'syrah-loader-state', version: 2, ...where, ...this.#same, fingerprint };
  }

  /** @throws ClosedError, the signal's reason, and what a batch fails with: SampleError, LoaderError. */
  [Symbol.asyncIterator](): AsyncGenerator<Yielded<Batch, Sample, Keys, O>, void, undefined> {
    const running = new Running({
      timeoutMs: this.#timeoutMs,
      signal: this.#signal,
      onEnd: () => this.#running.delete(running),
    });
    type Made = Yielded<Batch, Sample, Keys, O>;
    const iteration = new Iteration<Made>(this.#run(running) as AsyncGenerator<Made, void, undefined>, {
      takeMade: () => this.#takeMade(running),
      stop: () => void running.stop(RETURNED),
    });
    running.endWith(iteration);
    return iteration;
  }

  async *#run(running: Running): AsyncGenerator<Batch, void, undefined> {
    if (this.#kept.closed) throw closedError();
    if (!this.#fresh) {
      this.#epoch += 1;
      this.#batchesDone = 0;
      this.#start = 0;
      this.#current = this.#plan;
    }
    this.#fresh = false;
    this.#latest = running;
    this.#running.add(running);
    this.#iterations += 1;
    const [epoch, next, since] = [this.#epoch, this.#batchesDone, performance.now()];
    let done = false;
    let first: number | undefined = since;
    try {
      running.begin();
      const given = producers();
      const { startProducer, BatchesAhead } = given instanceof Promise ? await given : given;
      await this.#current.prepare();
      // Somebody may have ended it meanwhile.
      running.waiting.check();
      const producer = startProducer(this.#dataset, this.#producer, this.#kept, running.signal);
      running.use(producer);
      // Whether the rest of an epoch is of the same dataset must be known before it is handed out; nothing else here
      // needs the fingerprint.
      if (this.#resumed !== null && this.#fingerprint === null) {
        this.#accept(await running.waiting.until(Promise.resolve(fingerprintOf(this.#dataset, running.signal)), since));
      }
      const ahead = new BatchesAhead(producer, this.#current, {
        epoch,
        next,
        prefetch: this.#prefetch,
        mostPrefetch: this.#mostPrefetch,
        workers: this.#producer.workers,
      });
      running.handOut(ahead);
      while (!ahead.isOver) {
        running.waiting.check();
        const batch = await running.waiting.for(ahead.take(), producer, first);
        first = undefined;
        ahead.refill(running.waiting.lastMs);
        this.#count(running);
        yield batch as Batch;
      }
      done = true;
    } catch (error) {
      // An epoch of which nothing was handed out can be tried again.
      if (first !== undefined && this.#latest === running) this.#fresh = true;
      if (error !== RETURNED) throw error;
    } finally {
      await running.end(done);
    }
  }

  /** The next batch where it needs no waiting; else the generator above has to do it. */
  #takeMade(running: Running): AheadBatch | null {
    const batch = running.takeMade();
    if (batch !== null) this.#count(running);
    return batch;
  }

  /** A batch is handed out: of an iteration that a later one has overtaken, it is none of `state()`. */
  #count(running: Running): void {
    if (this.#latest === running) this.#batchesDone += 1;
  }

  /**
   * Ends all iterations of this loader and their workers, those that wait among them: who asks for a batch then gets a
   * ClosedError. Idempotent.
   */
  async close(): Promise<void> {
    const stopped = [...this.#running].map((running) => running.stop(closedError()));
    await Promise.all([this.#kept.close(), ...stopped]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #accept(fingerprint: string): void {
    if (this.#resumed !== null) checkSameDataset(this.#resumed, fingerprint, 'dataset');
    this.#fingerprint = fingerprint;
  }
}

const closedError = (): ClosedError => new ClosedError('iterate', 'the loader');

function fingerprintOf(dataset: Dataset, signal?: AbortSignal): string | Promise<string> {
  return dataset.fingerprint?.(signal) ?? `length ${String(dataset.length)}`;
}

/** Whether the fingerprint surely has to be waited for: to ask for it would begin to read. */
function isRemote(dataset: Dataset): boolean {
  return planOf(dataset)?.parts.some(({ file }) => !file.isLocal) === true;
}

/** The option that a state's text tells of. @throws ArgumentError for a function, which must be given again. */
function collateOf(text: string): CollateOption {
  if (text === 'function')
    throw new ArgumentError('ERR_ARGUMENT', 'collate', 'the collate function, which a state cannot hold', 'none');
  return JSON.parse(text) as CollateOption;
}
