// The asynchronous calls of one writer, one after another: a caller who forgets an `await` must not interleave two
// writes.
import { ArgumentError } from '../errors/errors.ts';

export class CallQueue {
  #pending: Promise<void> | null = null;

  /**
   * Runs a call when all earlier ones have ended, also after one that failed; at once where none is under way. Settles
   * as the call does.
   */
  async run(call: () => Promise<void>): Promise<void> {
    const before = this.#pending;
    const mine = before === null ? call() : before.then(call);
    const settled = mine.catch(ignore);
    this.#pending = settled;
    try {
      await mine;
    } finally {
      if (this.#pending === settled) this.#pending = null;
    }
  }

  /** Resolves when the calls so far have ended, however they did. */
  async settled(): Promise<void> {
    await this.#pending;
  }

  /** Whether no call is under way. */
  get idle(): boolean {
    return this.#pending === null;
  }

  /** For the Sync twin of a call. @throws ArgumentError ERR_ARGUMENT while a call is under way. */
  requireIdle(operation: string): void {
    if (!this.idle)
      throw new ArgumentError('ERR_ARGUMENT', operation, 'no unfinished call: await the earlier ones', 'one under way');
  }
}

const ignore = (): void => undefined;
