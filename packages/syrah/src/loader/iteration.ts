// One epoch, being handed out: an async generator, except that a batch that is made already does not go through its
// machinery, which costs a consumer with cold caches more than the rest.
import type { AheadBatch } from './batches-ahead.ts';

/** What an iteration hands out batches of. */
interface IterationSource {
  /** The next batch where it is made; asked only while the generator rests. */
  takeMade(): AheadBatch | null;
  /** Ends the waiting for a batch; the generator then has none. */
  readonly stop: () => void;
}

export class Iteration<Batch> implements AsyncGenerator<Batch, void, undefined> {
  readonly #steps: AsyncGenerator<Batch, void, undefined>;
  readonly #source: IterationSource;
  /** Calls that the generator has not answered: later ones queue behind them. */
  #calls = 0;

  constructor(steps: AsyncGenerator<Batch, void, undefined>, source: IterationSource) {
    this.#steps = steps;
    this.#source = source;
  }

  next(): Promise<IteratorResult<Batch, void>> {
    if (this.#calls > 0) return this.#call(this.#steps.next());
    let made: AheadBatch | null;
    try {
      made = this.#source.takeMade();
    } catch (error) {
      return this.throw(error);
    }
    return made === null
      ? this.#call(this.#steps.next())
      : Promise.resolve({ done: false, value: made.value as Batch });
  }

  /** Does not wait for a batch that was asked for: whoever asked gets the end. */
  return(): Promise<IteratorResult<Batch, void>> {
    if (this.#calls > 0) this.#source.stop();
    return this.#call(this.#steps.return());
  }

  throw(error: unknown): Promise<IteratorResult<Batch, void>> {
    if (this.#calls > 0) this.#source.stop();
    return this.#call(this.#steps.throw(error));
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  async #call(answer: Promise<IteratorResult<Batch, void>>): Promise<IteratorResult<Batch, void>> {
    this.#calls += 1;
    try {
      return await answer;
    } finally {
      this.#calls -= 1;
    }
  }
}
