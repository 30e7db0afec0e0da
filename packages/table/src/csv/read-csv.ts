// readCsv: a CSV file, compressed or not, or a stream -> typed columns for any writer, in bounded memory: one pass
// finds out types and faults, a second one parses what a writer asks for.
import { checkOptions } from '@colkit/io';
import type { DType, Openable } from '@colkit/io';
import type { InputColumns } from '../input/input-columns.ts';
import { blockColumns } from '../text-input/block-columns.ts';
import type { ColumnRange, TextBlock } from '../text-input/block-columns.ts';
import { openCsv } from './file/csv-file.ts';
import type { CsvFile } from './file/csv-file.ts';
import { HEAD_BYTES } from './file/csv-head.ts';
import type { CsvNote } from './file/csv-head.ts';
import { CSV_OPTIONS } from './file/csv-options.ts';
import type { CsvOptions } from './file/csv-options.ts';
import { OwnLane } from './file/own-lane.ts';
import { TextInput } from '../text-input/text-input.ts';

/** A CSV file that was looked at once and can be read. `close()` it when the writer is done. */
export class CsvInput extends TextInput {
  /**
   * What the values do not show: names that the header does not have, times of a given type that had an offset and
   * became UTC.
   */
  readonly notes: readonly CsvNote[];

  /** Made by `readCsv`. */
  constructor(file: CsvFile, columns: InputColumns) {
    super(file, columns);
    this.notes = file.notes;
  }
}

/**
 * Looks through CSV once: names from the header, the type of each column from all of its values (bool, int64, uint64
 * where int64 does not hold all, float64, datetime64[D], datetime64[us] or text; empty cells are null), and where its
 * rows lie. Nothing is rounded to fit a type: an integer beyond both that is no double makes its column text. Two
 * things are lost: `-0` among whole numbers is 0 (`-0.0` makes the column float64 and stays), and a number beyond all
 * doubles, such as `1e400`, is infinite.
 * Values are parsed when a writer reads them. gzip and zstd (where the runtime has it) are recognised by their first
 * bytes; they and streams go to memory, or to a temporary file from 64 MiB on.
 * @throws ArgumentError ERR_VALUE naming the line of a row that cannot be taken (unless `onError: 'skip'`), ERR_SCHEMA
 * for names; LimitError for a row of more than 256 MiB; IoError.
 */
export async function readCsv(
  input: Openable | AsyncIterable<Uint8Array>,
  options: CsvOptions = {},
): Promise<CsvInput> {
  checkOptions('readCsv', CSV_OPTIONS, options);
  const file = await openCsv(input, options, HEAD_BYTES);
  try {
    const lane = new OwnLane(file.plan);
    const blocks: TextBlock[] = [];
    for await (const { byteOffset, byteLength, firstRow, rowCount } of file.blocks(lane)) {
      if (rowCount > 0) blocks.push({ byteOffset, byteLength, firstRow, rowCount });
    }
    const { fields, rowCount, memoryBytes } = file;
    const typesOf = ({ start, end }: ColumnRange): (DType | null)[] =>
      fields.map(({ dtype }, column) => (column >= start && column < end ? dtype : null));
    const columns = blockColumns({
      fields,
      rowCount,
      memoryBytes,
      blocks,
      parse: (block, wanted) => file.parse(block, typesOf(wanted), lane),
      parseSync: (block, wanted) => file.parseSync(block, typesOf(wanted), lane),
    });
    return new CsvInput(file, columns);
  } catch (error) {
    await file.close();
    throw error;
  }
}
