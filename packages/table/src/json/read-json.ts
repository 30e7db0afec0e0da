// readJson: JSON rows, compressed or not, or a stream -> typed columns for any writer, in bounded memory: one pass
// finds out types and faults, a second one parses what a writer asks for.
import { checkOptions } from '@colkit/io';
import type { Openable } from '@colkit/io';
import { blockColumns } from '../text-input/block-columns.ts';
import { plainSource } from '../text-input/plain-source.ts';
import { TextInput } from '../text-input/text-input.ts';
import { JsonFile } from './json-file.ts';
import { JSON_INPUT_OPTIONS, parseJsonOptions } from './json-options.ts';
import type { JsonInputOptions } from './json-options.ts';

/** JSON rows that were looked at once and can be read. `close()` it when the writer is done. */
export class JsonInput extends TextInput {}

/**
 * Looks through JSON once: one object for each row, as lines (JSON lines, NDJSON), one after another, or as the
 * elements of one list. Columns are the names that rows have; where a row lacks one, it is null. The type of each
 * column is found out from all of its values: bool, int64 (uint64), float64, text, and where all text is ISO 8601
 * datetime64[D] or datetime64[us]. Nothing is rounded: integers beyond 2^53 stay what was written, and what `toJson`
 * writes as text because JSON has no number for it (NaN, infinities, integers beyond 2^53) is a number beside other
 * numbers. gzip and zstd (where the runtime has it) are recognised by their first bytes; they and streams go to
 * memory, or to a temporary file from 64 MiB on.
 * @throws ArgumentError ERR_VALUE naming the line of a row that cannot be taken (unless `onError: 'skip'`), ERR_SCHEMA
 * for a column whose values have no type in common; LimitError for a row of more than 256 MiB; IoError.
 */
export async function readJson(
  input: Openable | AsyncIterable<Uint8Array>,
  options: JsonInputOptions = {},
): Promise<JsonInput> {
  checkOptions('readJson', JSON_INPUT_OPTIONS, options);
  const plan = parseJsonOptions(options);
  const file = new JsonFile(await plainSource(input, plan.signal), plan);
  try {
    const fields = await file.look();
    const { rowCount, blocks, rejects } = file;
    const columns = blockColumns({
      fields,
      rowCount,
      memoryBytes: plan.memoryBytes,
      blocks,
      parsed: file.made(fields),
      parse: (block, wanted) => file.parse(fields, block, wanted),
      parseSync: (block, wanted) => file.parseSync(fields, block, wanted),
    });
    const { rows: rejected, count: rejectedCount } = rejects;
    return new JsonInput({ rejected, rejectedCount, close: () => file.close() }, columns);
  } catch (error) {
    await file.close();
    throw error;
  }
}
