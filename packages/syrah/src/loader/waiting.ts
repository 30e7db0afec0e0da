// Waiting for a batch: at most so long, and no longer than the consumer's signal allows. While somebody waits, what is made keeps the process alive.
import type { BatchProducer } from './batch-producer.ts';
import { LoaderError } from './loader-errors.ts';

const LONGEST_WITHOUT_TURN_MS = 20;

export class Waiting {
  readonly #producer: BatchProducer;
  readonly #timeoutMs: number | null;
  readonly #signal: AbortSignal | null;
  #lastTurn = performance.now();

  constructor(producer: BatchProducer, timeoutMs: number | null, signal: AbortSignal | null) {
    this.#producer = producer;
    this.#timeoutMs = timeoutMs;
    this.#signal = signal;
  }

  /** @throws LoaderError after the time; the signal's reason; what the batch failed with. */
  async for<T>(batch: Promise<T>): Promise<T> {
    await this.#turn();
    this.#signal?.throwIfAborted();
    this.#producer.hold(true);
    try {
      return this.#timeoutMs === null && this.#signal === null ? await batch : await this.#race(batch);
    } finally {
      this.#producer.hold(false);
    }
  }

  /**
   * A batch that has arrived is taken without a turn of the event loop (which, on a busy machine, may cost a time slice). But a consumer that never waits must not starve timers,
   * signals and everybody else: now and then there is a turn nevertheless.
   */
  async #turn(): Promise<void> {
    this.#producer.poll();
    const now = performance.now();
    if (now - this.#lastTurn < LONGEST_WITHOUT_TURN_MS) return;
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
