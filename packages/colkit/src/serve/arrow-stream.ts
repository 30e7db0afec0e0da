// The rows of a table as an Arrow stream that is asked for piece by piece. One record batch is made ahead, and no more.
import type { Table } from '@colkit/table';
import { arrowPieces } from '../tables/to-arrow.ts';
import type { ArrowPieces } from '../tables/to-arrow.ts';

/** About how many bytes a record batch has at most. */
const BATCH_BYTES = 1 << 24;

export class ArrowStream {
  readonly #abort = new AbortController();
  readonly #generator: AsyncGenerator<ArrowPieces, void, undefined>;
  readonly #close: () => void;
  #ahead: Promise<IteratorResult<ArrowPieces, void>>;

  /** @param close called once, at the end, after a failure, or when it is cancelled. */
  constructor(table: Table, rows: number | undefined, close: () => void) {
    const { signal } = this.#abort;
    const sizes = { bytes: BATCH_BYTES, signal, ...(rows === undefined ? {} : { rows }) };
    this.#generator = arrowPieces(table, 'stream', sizes);
    this.#close = once(close);
    this.#ahead = this.#begin();
  }

  /** The next bytes, up to those that say that it has ended. @throws as `arrowPieces`. */
  async next(): Promise<ArrowPieces> {
    // Taken at once: of several calls under way each gets a batch of its own.
    const ahead = this.#ahead;
    this.#ahead = this.#begin();
    try {
      const { value, done } = await ahead;
      if (done === true) throw new Error('the stream has ended');
      if (value.isEnd) this.#close();
      return value;
    } catch (error) {
      this.#close();
      throw error;
    }
  }

  /** Waits until nothing is read for it any more. */
  async cancel(): Promise<void> {
    this.#abort.abort();
    await this.#ahead.catch(() => undefined);
    this.#close();
  }

  #begin(): Promise<IteratorResult<ArrowPieces, void>> {
    const ahead = this.#generator.next();
    // Its failure belongs to whoever asks next.
    ahead.catch(() => undefined);
    return ahead;
  }
}

function once(close: () => void): () => void {
  let isClosed = false;
  return () => {
    if (isClosed) return;
    isClosed = true;
    close();
  };
}
