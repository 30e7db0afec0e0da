// write: columns, rows, records, an Arrow table or a lazy table of any format -> one new .cna file, whole or not at
// all. Row group after row group: of a lazy table, one is held at a time.
import { checkOptions, option, optionsNow } from '@colkit/io';
import type { OptionSet, WriteTarget } from '@colkit/io';
import { writeFile } from '@colkit/io/durable';
import { TURN, contextOf, perform, run, runSync } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { SCHEMA_OPTION, settledInput } from '@colkit/table';
import type { SchemaInput, NamedColumns, NamedValues } from '@colkit/table';
import { loadDeflating } from '../columns/deflating/deflating.ts';
import { provideDeflating } from '../columns/deflating/provided-deflating.ts';
import { inputColumns, planColumns } from './values/batch-input.ts';
import type { WriteInput } from './values/batch-input.ts';
import { tableThreads } from './threads/row-group-encoder.ts';
import { NEW_FILE_OPTIONS, newFileEncoder } from './file/new-file.ts';
import type { NewFileOptions } from './file/new-file.ts';
import { encodingSettings } from './file/write-options.ts';
import type { WriteReport } from './file/write-report.ts';
import { isBatches, refuseBatches, writingBatches } from './stream/batches.ts';
import type { WriteBatches } from './stream/batches.ts';
import { fillWhole } from './stream/whole-file.ts';

export interface WriteOptions extends NewFileOptions {
  /** Replace an existing file, at the very end and in one step; without it, an existing path throws ERR_EXISTS. */
  readonly overwrite?: boolean;
  /** Fixes names, order and dtypes; values are checked against it. */
  readonly schema?: SchemaInput;
  /**
   * 'full', the default: the file survives a power failure once the call is over. 'none' does not wait for the disk.
   */
  readonly durability?: 'full' | 'none';
  /** Gives the work up with the signal's reason; no file is left behind. */
  readonly signal?: AbortSignal;
}

export const WRITE_OPTIONS: OptionSet<WriteOptions> = {
  ...NEW_FILE_OPTIONS,
  overwrite: option.flag,
  schema: SCHEMA_OPTION,
  durability: option.word('full', 'none'),
  signal: option.signal,
};

/**
 * Writes a file and resolves to what became of it. The destination holds the old file or the new one at every moment;
 * after a failure the old one, and nothing beside it. Memory: the input, and one row group; of a lazy table, and of
 * batches that an async iterable gives one after the other, only the row group. The first batch says what the columns
 * are, where no schema does.
 * @throws ArgumentError (ragged or repeated columns, values that their dtype cannot hold, a forced encoding that does
 * not apply), UnknownColumnError, UnsupportedError ERR_DTYPE, IoError ERR_EXISTS, ERR_WRITE; what a lazy table throws
 * when it is read.
 */
export async function write<C extends NamedColumns<C>, R extends NamedValues<R>>(
  target: WriteTarget,
  data: WriteInput | WriteBatches | C | readonly R[],
  options: WriteOptions = {},
): Promise<WriteReport> {
  checkOptions('write', WRITE_OPTIONS, options);
  return run(writing(target, data, optionsNow(options)), contextOf(options));
}

/** The Sync twin of `write`. @throws as `write`; UnsupportedError for a lazy table over a URL or Blob. */
export function writeSync<C extends NamedColumns<C>, R extends NamedValues<R>>(
  target: WriteTarget,
  data: WriteInput | C | readonly R[],
  options: WriteOptions = {},
): WriteReport {
  provideDeflating();
  checkOptions('writeSync', WRITE_OPTIONS, options);
  refuseBatches(data, 'write');
  return runSync(writing(target, data, options), contextOf(options));
}

function* writing(target: WriteTarget, data: WriteInput | WriteBatches, options: WriteOptions): Work<WriteReport> {
  yield* loadDeflating();
  if (isBatches(data)) return yield* writingBatches(target, data, options);
  const settled = yield* perform(settledInput(data));
  const input = inputColumns(settled, options.schema);
  const { rowCount } = input;
  const plans = planColumns(input);
  const encoder = newFileEncoder(
    plans.map(({ schema }) => schema),
    options,
  );
  const { mode, rowGroupSize } = encodingSettings(options);
  const threads = tableThreads(Math.ceil(rowCount / rowGroupSize), mode === 'plain' ? 0 : rowCount * plans.length);
  yield TURN;
  return yield* writeFile(target, options, (output) =>
    fillWhole(output, { plans, encoder, rowCount, options, threads }, (rows) => rows.add(input, true)),
  );
}
