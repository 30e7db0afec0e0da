// One epoch on its way, from its first step to its last: what makes its batches, and everything that can end it: its
// own end, the consumer's signal, the loader's close(), and the garbage collector where nobody holds the iteration any
// more. It knows nothing of the iteration itself, which so can be collected.
import type { BatchProducer } from './batch-producer.ts';
import type { AheadBatch, BatchesAhead } from './batches-ahead.ts';
import { Waiting } from './waiting.ts';

/** What a batch is refused with that was asked for before the iteration was ended: nobody gets to see it. */
export const RETURNED = new Error();

/** An iteration that nobody holds any more (a look at one batch, say) ends when it is collected. */
const lost = new FinalizationRegistry<Running>((running) => void running.stop(RETURNED));

interface RunningOptions {
  readonly timeoutMs: number | null;
  readonly signal: AbortSignal | null;
  /** Called once, when it is over. */
  readonly onEnd: () => void;
}

export class Running {
  readonly waiting: Waiting;
  readonly #options: RunningOptions;
  readonly #reads = new AbortController();
  readonly #onAbort = (): void => void this.stop(this.#options.signal?.reason);
  #producer: BatchProducer | null = null;
  #ahead: BatchesAhead | null = null;
  #end: Promise<void> | null = null;

  constructor(options: RunningOptions) {
    this.#options = options;
    this.waiting = new Waiting(options.timeoutMs);
  }

  /** Aborted when it is over: what is still being read is given up. */
  get signal(): AbortSignal {
    return this.#reads.signal;
  }

  /** @throws the reason of `stop` where it was called, of the consumer's signal where that is aborted already. */
  begin(): void {
    const { signal } = this.#options;
    this.waiting.check();
    signal?.throwIfAborted();
    signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /**
   * Ends with the iteration, where that is collected first. Once it is over nothing is watched: the stack of an error
   * that is kept here may lead to the iteration, which would then keep itself, and its dataset.
   */
  endWith(iteration: object): void {
    lost.register(iteration, this, this);
  }

  use(producer: BatchProducer): void {
    this.#producer = producer;
  }

  handOut(ahead: BatchesAhead): void {
    this.#ahead = ahead;
  }

  /** The next batch if it is made and can be handed out without waiting. */
  takeMade(): AheadBatch | null {
    if (this.#ahead === null || !this.waiting.idle) return null;
    const batch = this.#ahead.takeMade();
    if (batch !== null) this.#ahead.refill(0);
    return batch;
  }

  /**
   * From outside: frees everything; who waits for a batch, or asks for one, gets the reason. Resolves when its workers
   * have ended.
   */
  stop(reason: unknown): Promise<void> {
    this.waiting.interrupt(reason);
    return this.end(false);
  }

  /**
   * Frees everything.
   * @param done whether every batch was handed out: only then may workers stay for the next iteration. Idempotent.
   */
  end(done: boolean): Promise<void> {
    return (this.#end ??= this.#free(done));
  }

  async #free(done: boolean): Promise<void> {
    this.#ahead = null;
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    this.#options.onEnd();
    lost.unregister(this);
    this.#reads.abort();
    await this.#producer?.close(done);
  }
}
