// A dataset -> batches, in an order that seed and epoch decide, with a bounded number of batches made ahead, by this thread or by workers; and the exact point to go on from.
import { ArgumentError, ClosedError } from '@colkit/io';
import { hasLength } from '../items/list-arguments.ts';
import { checkProducer, moduleUrl, planOf, startProducer } from './batch-producer.ts';
import type { ProducerOptions } from './batch-producer.ts';
import { BatchesAhead } from './batches-ahead.ts';
import type { AheadBatch } from './batches-ahead.ts';
import { describeCollate, parseCollate } from './collate.ts';
import type { CollateOption } from './collate.ts';
import type { Dataset } from './dataset.ts';
import { Iteration } from './iteration.ts';
import { KeptWorkers } from './workers/kept-workers.ts';
import { chooseSampler, describeSampler } from './sampler.ts';
import type { Sampler } from './sampler.ts';
import { BatchPlan } from './shard.ts';
import type { Tail } from './shard.ts';
import { checkSameDataset, checkSameOptions, parseState } from './state.ts';
import type { BatchOptions, LoaderState } from './state.ts';
import { Waiting } from './waiting.ts';

export interface LoaderOptions {
  /** Samples a batch; 1 by default. */
  readonly batchSize?: number;
  /** A permutation of all samples, another one each epoch, the same on every machine for the same seed. */
  readonly shuffle?: boolean;
  /** Decides the order and every random number of `context.random()`; 0 by default. */
  readonly seed?: number;
  /** Dataset indices in the order in which they are wanted, or anything that answers `at(position, epoch)`; instead of `shuffle`. */
  readonly sampler?: Sampler | ArrayLike<number | bigint>;
  /** Leave out a last batch of fewer samples. */
  readonly dropLast?: boolean;
  /** 'stack' by default: equal-length arrays as { data, shape }. */
  readonly collate?: CollateOption;
  /** Threads that read, run the process module, and collate. 0, the default: this thread, with asynchronous reads ahead wherever bytes have to be waited for. */
  readonly workers?: number;
  /** Batches that are wanted before the first worker has started are made by this thread, so that nobody waits for threads to start. Default true; never with a process module. */
  readonly warmStart?: boolean;
  /** A module whose exports are named after keys: what is done to their arrays, in the workers. A URL or path. */
  readonly processModule?: string | URL;
  /** Batches made ahead of the one in use. By default 2; with workers four times their number, and up to sixteen times where those are no more than 16 MiB. */
  readonly prefetch?: number;
  /** Which of `worldSize` equal loaders this is: each item is in one of them. */
  readonly rank?: number;
  readonly worldSize?: number;
  /** Where the samples do not divide by worldSize: 'pad' (default: start over, all ranks equal), 'drop' (leave out the rest), 'uneven' (some ranks get one more). */
  readonly tail?: Tail;
  /** Longest wait for one batch, in milliseconds; none by default. */
  readonly timeoutMs?: number;
  /** Ends the iteration with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** What an iteration works with, between its first step and its last. */
interface Running {
  parts: { readonly ahead: BatchesAhead; readonly waiting: Waiting } | null;
}

const MOST_WORKERS = 256;
/** Timers that are longer, Infinity among them, would end at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const PREFETCH_PER_WORKER = 4;
const MOST_PREFETCH_PER_WORKER = 16;

/**
 * Iterate it with `for await`: each iteration is one epoch. Ending an iteration early frees everything. After a whole epoch its workers wait for the next one: a second, after
 * later epochs ten, without keeping the process alive, with the files open; `close()`, or `await using`, ends them at once.
 * @typeParam Batch what the collation makes: by default a tuple of { data, shape }, one for each key.
 */
export class DataLoader<Batch = readonly unknown[]> implements AsyncIterable<Batch> {
  /** Batches in an epoch of this rank. */
  readonly length: number;
  readonly #dataset: Dataset;
  readonly #plan: BatchPlan;
  readonly #same: BatchOptions;
  readonly #producer: ProducerOptions;
  readonly #prefetch: number;
  readonly #mostPrefetch: number;
  readonly #timeoutMs: number | null;
  readonly #signal: AbortSignal | null;
  readonly #kept = new KeptWorkers();
  #epoch = 0;
  #batchesDone = 0;
  /** Whether the next iteration goes on where `#epoch` and `#batchesDone` say, instead of starting the next epoch. */
  #fresh = true;
  /** The iteration that `#epoch` and `#batchesDone` tell of: the last one that was begun. */
  #current: Running | null = null;
  #fingerprint: string | null = null;
  #resumed: LoaderState | null = null;

  /** @throws ArgumentError for options that do not go together. */
  constructor(dataset: Dataset, options: LoaderOptions = {}) {
    const { shuffle = false, dropLast = false, tail = 'pad', signal, timeoutMs } = options;
    if (!hasLength(dataset) || typeof dataset.get !== 'function') throw new ArgumentError('ERR_ARGUMENT', 'dataset', 'a dataset, { length, get(index) }', typeof dataset);
    const batchSize = integerOption('batchSize', options.batchSize ?? 1, 1);
    const seed = integerOption('seed', options.seed ?? 0, 0);
    const worldSize = integerOption('worldSize', options.worldSize ?? 1, 1);
    const rank = integerOption('rank', options.rank ?? 0, 0, worldSize - 1);
    const workers = integerOption('workers', options.workers ?? 0, 0, MOST_WORKERS);
    if (!['pad', 'drop', 'uneven'].includes(tail)) throw new ArgumentError('ERR_ARGUMENT', 'tail', "'pad', 'drop' or 'uneven'", tail);
    if (timeoutMs !== undefined && !(typeof timeoutMs === 'number' && timeoutMs > 0)) throw new ArgumentError('ERR_ARGUMENT', 'timeoutMs', 'a number above 0', String(timeoutMs));
    if (signal !== undefined && typeof signal.throwIfAborted !== 'function') throw new ArgumentError('ERR_ARGUMENT', 'signal', 'an AbortSignal', typeof signal);
    const sampler = chooseSampler(dataset.length, { shuffle, seed, sampler: options.sampler });
    const collate = parseCollate(options.collate ?? 'stack');
    this.#dataset = dataset;
    this.#plan = new BatchPlan(sampler, dataset.length, { batchSize, dropLast, rank, worldSize, tail });
    this.#same = {
      batchSize, shuffle, seed, dropLast, rank, worldSize, tail, collate: describeCollate(collate), sampler: options.sampler === undefined ? null : describeSampler(sampler),
      processModule: options.processModule !== undefined,
    };
    const processModule = options.processModule === undefined ? null : moduleUrl(options.processModule);
    this.#producer = { collate, seed, workers, processModule, warmStart: options.warmStart ?? true };
    checkProducer(planOf(dataset), this.#producer);
    this.#prefetch = integerOption('prefetch', options.prefetch ?? (workers > 0 ? PREFETCH_PER_WORKER * workers : 2), 0);
    this.#mostPrefetch = options.prefetch === undefined && workers > 0 ? MOST_PREFETCH_PER_WORKER * workers : this.#prefetch;
    this.#timeoutMs = timeoutMs === undefined || timeoutMs > LONGEST_TIMER_MS ? null : timeoutMs;
    this.#signal = signal ?? null;
    this.length = this.#plan.batchCount;
  }

  /**
   * A loader whose next iteration yields exactly the batches that were left when `state` was taken. Options that decide the batches come from the state; those given must be
   * the same. A collate function, sampler or process module must be given again; workers, warmStart, prefetch, timeoutMs and signal are free.
   * @throws ArgumentError where an option is not the state's; IoError ERR_FILE_CHANGED where the dataset is not (for a remote one: when iterated).
   */
  static resume<Batch = readonly unknown[]>(dataset: Dataset, state: unknown, options: LoaderOptions = {}): DataLoader<Batch> {
    const parsed = parseState(state);
    const { batchSize, shuffle, seed, dropLast, rank, worldSize, tail } = parsed;
    const collate = options.collate ?? collateOf(parsed.collate);
    const loader = new DataLoader<Batch>(dataset, { batchSize, shuffle, seed, dropLast, rank, worldSize, tail, ...options, collate });
    checkSameOptions(parsed, loader.#same);
    if (parsed.batchesDone > loader.length) throw new ArgumentError('ERR_ARGUMENT', 'state', `at most ${String(loader.length)} batches done`, String(parsed.batchesDone));
    loader.#epoch = parsed.epoch;
    loader.#batchesDone = parsed.batchesDone;
    loader.#resumed = parsed;
    const fingerprint = fingerprintOf(dataset);
    if (typeof fingerprint === 'string') loader.#accept(fingerprint);
    return loader;
  }

  /** The epoch of the current or last iteration, from 0. */
  get epoch(): number {
    return this.#epoch;
  }

  /**
   * Where the loader stands: the batch that was handed out last counts as done. Plain JSON.
   * @throws ArgumentError before the first batch of a remote dataset.
   */
  state(): LoaderState {
    if (this.#fingerprint === null) {
      const fingerprint = fingerprintOf(this.#dataset);
      if (typeof fingerprint !== 'string') {
        fingerprint.catch(() => undefined);
        throw new ArgumentError('ERR_ARGUMENT', 'state', 'a local dataset, or a loader that has handed out a batch', 'a remote one that has not');
      }
      this.#accept(fingerprint);
    }
    return { kind: 'syrah-loader-state', version: 1, epoch: this.#epoch, batchesDone: this.#batchesDone, ...this.#same, fingerprint: this.#fingerprint ?? '' };
  }

  /** @throws ClosedError, the signal's reason, and what a batch fails with: SampleError, LoaderError. */
  [Symbol.asyncIterator](): AsyncGenerator<Batch, void, undefined> {
    const running: Running = { parts: null };
    return new Iteration<Batch>(this.#run(running), () => this.#takeMade(running));
  }

  async *#run(running: Running): AsyncGenerator<Batch, void, undefined> {
    if (this.#kept.closed) throw new ClosedError('iterate', 'the loader');
    if (!this.#fresh) {
      this.#epoch += 1;
      this.#batchesDone = 0;
    }
    this.#fresh = false;
    this.#current = running;
    const [epoch, next] = [this.#epoch, this.#batchesDone];
    this.#signal?.throwIfAborted();
    const producer = await startProducer(this.#dataset, this.#producer, this.#kept);
    let done = false;
    try {
      if (this.#fingerprint === null) this.#accept(await fingerprintOf(this.#dataset));
      const [prefetch, mostPrefetch] = [this.#prefetch, this.#mostPrefetch];
      const ahead = new BatchesAhead(producer, this.#plan, { epoch, next, prefetch, mostPrefetch, workers: this.#producer.workers });
      const waiting = new Waiting(producer, this.#timeoutMs, this.#signal);
      running.parts = { ahead, waiting };
      for (let first = ahead.take(); first !== null; first = ahead.take()) {
        const batch = await waiting.for(first);
        ahead.refill(waiting.lastMs);
        this.#count(running);
        yield batch as Batch;
      }
      done = true;
    } finally {
      running.parts = null;
      await producer.close(done);
    }
  }

  /** The next batch where it needs no waiting; else the generator above has to do it. */
  #takeMade(running: Running): AheadBatch | null {
    const { parts } = running;
    if (parts?.waiting.idle !== true) return null;
    const batch = parts.ahead.takeMade();
    if (batch === null) return null;
    parts.ahead.refill(0);
    this.#count(running);
    return batch;
  }

  /** A batch is handed out: of an iteration that a later one has overtaken, it is none of `state()`. */
  #count(running: Running): void {
    if (this.#current === running) this.#batchesDone += 1;
  }

  /** Ends the workers that wait for the next iteration. One that runs goes on, and frees its own when it ends; none can be begun. Idempotent. */
  close(): Promise<void> {
    return this.#kept.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #accept(fingerprint: string): void {
    if (this.#resumed !== null) checkSameDataset(this.#resumed, fingerprint, 'dataset');
    this.#fingerprint = fingerprint;
  }
}

function fingerprintOf(dataset: Dataset): string | Promise<string> {
  return dataset.fingerprint?.() ?? `length ${String(dataset.length)}`;
}

/** The option that a state's text tells of. @throws ArgumentError for a function, which must be given again. */
function collateOf(text: string): CollateOption {
  if (text === 'function') throw new ArgumentError('ERR_ARGUMENT', 'collate', 'the collate function, which a state cannot hold', 'none');
  return JSON.parse(text) as CollateOption;
}

function integerOption(name: string, value: number, smallest: number, largest = Number.MAX_SAFE_INTEGER): number {
  if (Number.isSafeInteger(value) && value >= smallest && value <= largest) return value;
  throw new ArgumentError('ERR_ARGUMENT', name, `an integer in [${String(smallest)}, ${String(largest)}]`, String(value));
}
