// Waiting for a batch: at most so long, and no longer than the consumer's signal allows. While somebody waits, what is made keeps the process alive.
import type { BatchProducer } from './batch-producer.ts';
import { LoaderError } from './loader-errors.ts';

export class Waiting {
  readonly #producer: BatchProducer;
  readonly #timeoutMs: number | null;
  readonly #signal: AbortSignal | null;

  constructor(producer: BatchProducer, timeoutMs: number | null, signal: AbortSignal | null) {
    this.#producer = producer;
    this.#timeoutMs = timeoutMs;
    this.#signal = signal;
  }

  /** @throws LoaderError after the time; the signal's reason; what the batch failed with. */
  async for<T>(batch: Promise<T>): Promise<T> {
    const signal = this.#signal;
    signal?.throwIfAborted();
    let timer: NodeJS.Timeout | undefined;
    let onAbort: (() => void) | undefined;
    const ended = new Promise<never>((_, reject) => {
      if (this.#timeoutMs !== null) {
        timer = setTimeout(() => reject(new LoaderError('timeout', `no batch within ${String(this.#timeoutMs)} ms`)), this.#timeoutMs);
      }
      onAbort = () => reject(signal?.reason as Error);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
    this.#producer.hold(true);
    try {
      return await Promise.race([batch, ended]);
    } finally {
      this.#producer.hold(false);
      clearTimeout(timer);
      if (onAbort !== undefined) signal?.removeEventListener('abort', onAbort);
    }
  }
}
