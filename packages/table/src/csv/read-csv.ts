// readCsv: a CSV file, compressed or not, or a stream -> typed columns for any writer, in bounded memory: one pass
// finds out types and faults, a second one parses what a writer asks for.
import { checkOptions } from '@colkit/io';
import type { Openable } from '@colkit/io';
import type { InputColumns } from '../input/input-columns.ts';
import { CsvData } from './csv-columns.ts';
import type { CsvBlock } from './csv-columns.ts';
import { openCsv } from './file/csv-file.ts';
import type { CsvFile } from './file/csv-file.ts';
import { WINDOW_BYTES } from './file/csv-head.ts';
import type { CsvNote } from './file/csv-head.ts';
import { CSV_OPTIONS } from './file/csv-options.ts';
import type { CsvOptions } from './file/csv-options.ts';
import { OwnLane } from './file/own-lane.ts';
import type { RejectedRow } from './blocks/rejected-rows.ts';

/** A file that was looked at once and can be read. `close()` it when the writer is done. */
export class CsvInput implements InputColumns {
  readonly fields: InputColumns['fields'];
  readonly rowCount: number;
  /**
   * What any writer of these packages takes. Read in ascending ranges, all columns of a range before the next, it costs
   * one pass; see `CsvOptions.memoryBytes`.
   */
  readonly columns: InputColumns['columns'];
  /** Rows that were left out (`onError: 'skip'`), the first thousand of them, with line and reason. */
  readonly rejected: readonly RejectedRow[];
  readonly rejectedCount: number;
  /**
   * What the values do not show: names that the header does not have, times of a given type that had an offset and
   * became UTC.
   */
  readonly notes: readonly CsvNote[];
  readonly #file: CsvFile;

  /** Made by `readCsv`. */
  constructor(file: CsvFile, { fields, rowCount, columns }: InputColumns) {
    this.fields = fields;
    this.rowCount = rowCount;
    this.columns = columns;
    this.rejected = file.rejected;
    this.rejectedCount = file.rejectedCount;
    this.notes = file.notes;
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

/**
 * Looks through CSV once: names from the header, the type of each column from all of its values (bool, int64, float64,
 * datetime64[D], datetime64[us] or text; empty cells are null), and where its rows lie. Nothing is rounded to fit a
 * type: an integer beyond int64 that is no double makes its column text. Values are parsed when a writer reads them.
 * gzip and zstd (where the runtime has it) are recognised by their first bytes; they and streams go to memory, or to a
 * temporary file from 64 MiB on.
 * @throws ArgumentError ERR_VALUE naming the line of a row that cannot be taken (unless `onError: 'skip'`), ERR_SCHEMA
 * for names; LimitError for a row of more than 256 MiB; IoError.
 */
export async function readCsv(
  input: Openable | AsyncIterable<Uint8Array>,
  options: CsvOptions = {},
): Promise<CsvInput> {
  checkOptions('readCsv', CSV_OPTIONS, options);
  const file = await openCsv(input, options, WINDOW_BYTES);
  try {
    const lane = new OwnLane(file.plan);
    const blocks: CsvBlock[] = [];
    for await (const { byteOffset, byteLength, firstRow, rowCount } of file.blocks(lane)) {
      if (rowCount > 0) blocks.push({ byteOffset, byteLength, firstRow, rowCount });
    }
    return new CsvInput(file, new CsvData(file, blocks, lane).input);
  } catch (error) {
    await file.close();
    throw error;
  }
}
