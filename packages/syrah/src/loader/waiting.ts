// Waiting for a batch: at most so long, and no longer than the consumer's signal allows. While somebody waits, what is made keeps the process alive.
import type { BatchProducer } from './batch-producer.ts';
import type { AheadBatch } from './batches-ahead.ts';
import { LoaderError } from './loader-errors.ts';

const LONGEST_WITHOUT_TURN_MS = 200;

export class Waiting {
  readonly #producer: BatchProducer;
  readonly #timeoutMs: number | null;
  readonly #signal: AbortSignal | null;
  #lastTurn = performance.now();
  #lastMs = 0;

  constructor(producer: BatchProducer, timeoutMs: number | null, signal: AbortSignal | null) {
    this.#producer = producer;
    this.#timeoutMs = timeoutMs;
    this.#signal = signal;
  }

  /** How long the last batch was waited for, in milliseconds. */
  get lastMs(): number {
    return this.#lastMs;
  }

  /** Whether a batch that is made can be handed out at once: no turn of the event loop is due, and the consumer has not given up. */
  get idle(): boolean {
    return this.#signal?.aborted !== true && performance.now() - this.#lastTurn < LONGEST_WITHOUT_TURN_MS;
  }

  /** @throws LoaderError after the time; the signal's reason; what the batch failed with. */
  async for(batch: AheadBatch): Promise<unknown> {
    this.#lastMs = 0;
    if (!this.idle) await this.#turn();
    this.#signal?.throwIfAborted();
    if (isSettled(batch)) return batch.result;
    // What has arrived is taken without a turn of the event loop, which on a busy machine may cost a time slice.
    this.#producer.poll();
    await Promise.resolve();
    if (isSettled(batch)) return batch.result;
    this.#producer.hold(true);
    const start = performance.now();
    try {
      return this.#timeoutMs === null && this.#signal === null ? await batch.result : await this.#race(batch.result);
    } finally {
      this.#lastMs = performance.now() - start;
      this.#producer.hold(false);
    }
  }

  /** A consumer that never waits must not starve timers, signals and everybody else: now and then there is a turn of the event loop nevertheless. */
  async #turn(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#lastTurn = performance.now();
  }

  async #race<T>(batch: Promise<T>): Promise<T> {
    const signal = this.#signal;
    let timer: NodeJS.Timeout | undefined;
    let onAbort: (() => void) | undefined;
    const ended = new Promise<never>((_, reject) => {
      if (this.#timeoutMs !== null) {
        timer = setTimeout(() => reject(new LoaderError('timeout', `no batch within ${String(this.#timeoutMs)} ms`)), this.#timeoutMs);
      }
      onAbort = () => reject(signal?.reason as Error);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
    try {
      return await Promise.race([batch, ended]);
    } finally {
      clearTimeout(timer);
      if (onAbort !== undefined) signal?.removeEventListener('abort', onAbort);
    }
  }
}

function isSettled({ state }: AheadBatch): boolean {
  return state !== 'asked';
}
