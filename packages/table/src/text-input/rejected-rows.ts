// Rows that cannot be taken, told with the line of the file they begin on.
import { ArgumentError } from '@colkit/io';

/** How many rejected rows are told one by one. */
export const MOST_REJECTED = 1000;

/** Why a row cannot be taken. */
export interface Fault {
  /** Line breaks before it in the block. */
  readonly line: number;
  readonly expected: string;
  readonly found: string;
  /** What helps, where that is not to leave the row out. */
  readonly remedy?: string;
}

/** Of text that is no UTF-8: mostly all of the file is of another encoding, and its rows are not to be lost. */
export const NO_UTF8_REMEDY = 'of Latin-1 iconv -f WINDOWS-1252 -t UTF-8 makes UTF-8';

export interface RejectedRow {
  /** Where it begins: from 1. */
  readonly line: number;
  readonly reason: string;
}

export class RejectedRows {
  /** The first thousand of them. */
  readonly rows: RejectedRow[] = [];
  count = 0;
  readonly #path: string;
  readonly #onError: 'stop' | 'skip';
  readonly #doubt: string | null;

  /** @param doubt what may be wrong with all rows, where leaving some out does not help. */
  constructor(path: string, onError: 'stop' | 'skip', doubt: string | null = null) {
    this.#path = path;
    this.#onError = onError;
    this.#doubt = doubt;
  }

  /**
   * Faults of a block that begins on line `firstLine`.
   * @throws ArgumentError for the first of them, unless rows are to be skipped.
   */
  add(faults: readonly Fault[], faultCount: number, firstLine: number): void {
    for (const { line: before, expected, found, remedy = this.#doubt } of faults) {
      const line = firstLine + before;
      if (this.#onError === 'stop')
        throw new ArgumentError(
          'ERR_VALUE',
          `${this.#path}: line ${String(line)}`,
          expected,
          `${found}${remedy === null ? '' : `; ${remedy}`} ({ onError: 'skip' } leaves such rows out)`,
        );
      if (this.rows.length < MOST_REJECTED) this.rows.push({ line, reason: `expected ${expected} but found ${found}` });
    }
    this.count += faultCount;
  }
}
