// One iteration's waiting: for a batch at most so long, and no longer than the consumer's signal and the loader's
// close() allow. While somebody waits, what is made keeps the process alive.
import { isTurnOver, nextTurn } from '@colkit/io/effects';
import type { BatchProducer } from './batch-producer.ts';
import type { AheadBatch } from './batches-ahead.ts';
import { LoaderError } from './loader-errors.ts';

const LONGEST_WITHOUT_TURN_MS = 200;

export class Waiting {
  readonly #timeoutMs: number | null;
  #lastMs = 0;
  /** Why there is to be no more waiting. */
  #interruption: { readonly reason: unknown } | null = null;
  /** Ends the wait that is under way. */
  #reject: ((reason: unknown) => void) | null = null;

  constructor(timeoutMs: number | null) {
    this.#timeoutMs = timeoutMs;
  }

  /** How long the last batch was waited for, in milliseconds. */
  get lastMs(): number {
    return this.#lastMs;
  }

  /**
   * Whether a batch that is made can be handed out at once: no turn of the event loop is due, and nobody has given up.
   */
  get idle(): boolean {
    return this.#interruption === null && !isTurnOver(LONGEST_WITHOUT_TURN_MS);
  }

  /** Whoever waits now or later gets the reason; the first one counts. */
  interrupt(reason: unknown): void {
    this.#interruption ??= { reason };
    this.#reject?.(this.#interruption.reason);
  }

  /** @throws the reason of the interruption. */
  check(): void {
    if (this.#interruption !== null) throw this.#interruption.reason;
  }

  /**
   * @param since when the waiting began.
   * @throws LoaderError after the time; the reason of an interruption; what the batch failed with.
   */
  async for(batch: AheadBatch, producer: BatchProducer, since = performance.now()): Promise<unknown> {
    this.#lastMs = 0;
    // A consumer that never waits must not starve timers, signals and everybody else.
    if (!this.idle) await nextTurn();
    this.check();
    if (isSettled(batch)) return batch.result;
    // What has arrived is taken without a turn of the event loop, which on a busy machine may cost a time slice.
    producer.poll();
    await Promise.resolve();
    if (isSettled(batch)) return batch.result;
    producer.hold(true);
    const start = performance.now();
    try {
      return await this.until(batch.result, since);
    } finally {
      this.#lastMs = performance.now() - start;
      producer.hold(false);
    }
  }

  /** The result of something that the next batch needs. One wait at a time. @throws as `for`. */
  until<T>(result: Promise<T>, since: number): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const end = (settle: () => void): void => {
        clearTimeout(timer);
        if (this.#reject === fail) this.#reject = null;
        settle();
      };
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a signal's or a batch's reason
      const fail = (reason: unknown): void => end(() => reject(reason));
      this.#reject = fail;
      if (this.#interruption !== null) fail(this.#interruption.reason);
      else if (this.#timeoutMs !== null) {
        const timeoutMs = this.#timeoutMs;
        const left = Math.max(0, timeoutMs - (performance.now() - since));
        timer = setTimeout(() => fail(new LoaderError('timeout', `no batch within ${String(timeoutMs)} ms`)), left);
      }
      result.then((value) => end(() => resolve(value)), fail);
    });
  }
}

function isSettled({ state }: AheadBatch): boolean {
  return state !== 'asked';
}
