// What a reader of text files gives: typed columns for any writer, and what was left out.
import type { InputColumns } from '../input/input-columns.ts';
import type { RejectedRow } from './rejected-rows.ts';

/** What a file of text tells of its rows once they were all looked at. */
interface LookedAt {
  readonly rejected: readonly RejectedRow[];
  readonly rejectedCount: number;
  close(): Promise<void>;
}

/** A file that was looked at once and can be read. `close()` it when the writer is done. */
export class TextInput implements InputColumns {
  readonly fields: InputColumns['fields'];
  readonly rowCount: number;
  /**
   * What any writer of these packages takes. Read in ascending ranges, all columns of a range before the next, it costs
   * one pass; see `memoryBytes` of the options.
   */
  readonly columns: InputColumns['columns'];
  /** Rows that were left out (`onError: 'skip'`), the first thousand of them, with line and reason. */
  readonly rejected: readonly RejectedRow[];
  readonly rejectedCount: number;
  readonly #file: LookedAt;

  /** Made by `readCsv` and `readJson`. */
  constructor(file: LookedAt, { fields, rowCount, columns }: InputColumns) {
    this.fields = fields;
    this.rowCount = rowCount;
    this.columns = columns;
    this.rejected = file.rejected;
    this.rejectedCount = file.rejectedCount;
    this.#file = file;
  }

  /** Lets go of the file, and removes the temporary one, where there is one. Idempotent. */
  async close(): Promise<void> {
    await this.#file.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
