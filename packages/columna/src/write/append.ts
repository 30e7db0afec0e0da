// append, appender: new row groups and a new footer behind the old one, which stays where it is. Until the new footer
// is whole, the old one counts.
import { checkOptions, omitOptions, optionsNow } from '@colkit/io';
import type { OptionSet } from '@colkit/io';
import { perform, run, runSync } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { reserve } from '@colkit/io/durable';
import type { GrowingFile, Reservation } from '@colkit/io/durable';
import type { NamedColumns, NamedValues } from '@colkit/table';
import { noRows, planColumns, schemaOfColumns } from './values/batch-input.ts';
import type { WriteInput } from './values/batch-input.ts';
import { FileEncoder } from './file/file-encoder.ts';
import { isBatches, refuseBatches } from './stream/batches.ts';
import type { WriteBatches } from './stream/batches.ts';
import { committedFile } from './file/last-footer.ts';
import { STREAM_OPTIONS, streamSetup } from './stream/stream-options.ts';
import type { StreamOptions } from './stream/stream-options.ts';
import { ColumnaWriter } from './stream/table-writer.ts';
import type { Checkpoint } from './stream/table-writer.ts';
import { encoderOptions, encodingSettings } from './file/write-options.ts';
import type { WriteReport } from './file/write-report.ts';

export type AppendOptions = Omit<StreamOptions, 'checkpoints'>;

const APPEND_OPTIONS: OptionSet<AppendOptions> = omitOptions(STREAM_OPTIONS, 'checkpoints');

/**
 * Adds rows to a file, all or none: after a failure, or the death of the process, it has the rows that it had. (A
 * process that dies leaves bytes at the end that readers refuse with ERR_UNCOMMITTED_TAIL; the next `append`, or
 * `recover`, cuts them.) Rows must have the file's columns and dtypes; readers that have the file open go on seeing the
 * old rows. Small row groups at the end of the file become one with the new rows, so that a file of many small appends
 * has few of them; not where `encodings` are given. Memory: the input, and one row group; of batches that an async
 * iterable gives one after the other, only the row group.
 * @returns counts of the whole file, encodings of the row groups that were written.
 * @throws ArgumentError, IoError ERR_NOT_FOUND, ERR_LOCKED, ERR_WRITE; CorruptFileError, UnsupportedError for a file
 * that cannot be read.
 */
export async function append<C extends NamedColumns<C>, R extends NamedValues<R>>(
  path: string | URL,
  data: WriteInput | WriteBatches | C | readonly R[],
  options: AppendOptions = {},
): Promise<WriteReport> {
  checkOptions('append', APPEND_OPTIONS, options);
  return run(adding(path, data, optionsNow(options)));
}

/** The Sync twin of `append`. */
export function appendSync<C extends NamedColumns<C>, R extends NamedValues<R>>(
  path: string | URL,
  data: WriteInput | C | readonly R[],
  options: AppendOptions = {},
): WriteReport {
  checkOptions('appendSync', APPEND_OPTIONS, options);
  refuseBatches(data, 'append');
  return runSync(adding(path, data, options));
}

/** The batches, or the one, of a writer that makes no checkpoint before its end. */
function* adding(path: string | URL, data: WriteInput | WriteBatches, options: AppendOptions): Work<WriteReport> {
  const writer = yield* appending(path, { ...options, checkpoints: 'never' });
  try {
    yield* perform({
      run: () => (isBatches(data) ? writeAll(writer, data) : writer.write(data)),
      runSync: () => writer.writeSync(data as WriteInput),
    });
    return yield* perform({ run: () => writer.close(), runSync: () => writer.closeSync() });
  } catch (error) {
    yield* perform({ run: () => writer.abort(), runSync: () => writer.abortSync() });
    throw error;
  }
}

async function writeAll(writer: ColumnaWriter, batches: WriteBatches): Promise<void> {
  for await (const batch of batches) await writer.write(batch);
}

/**
 * A streaming writer that goes on where a file ends. What a dead writer left behind its last footer is cut first.
 * @throws as `append`.
 */
export async function appender(path: string | URL, options: StreamOptions = {}): Promise<ColumnaWriter> {
  checkOptions('appender', STREAM_OPTIONS, options);
  return run(appending(path, optionsNow(options)));
}

export function appenderSync(path: string | URL, options: StreamOptions = {}): ColumnaWriter {
  checkOptions('appenderSync', STREAM_OPTIONS, options);
  return runSync(appending(path, options));
}

function* appending(path: string | URL, options: StreamOptions): Work<ColumnaWriter> {
  const { operations, durable, checkpoints } = streamSetup(options);
  const { rowGroupSize } = encodingSettings(options);
  const reserved = yield* perform(reserve(path, { to: 'grow', durable, operations }));
  let file: GrowingFile | null = null;
  try {
    file = yield* perform(reserved.open(''));
    return yield* startWriter(reserved, file, { ...options, rowGroupSize, checkpoints });
  } catch (error) {
    yield* giveBack(reserved, file);
    throw error;
  }
}

interface Setup extends Omit<StreamOptions, 'checkpoints'> {
  readonly rowGroupSize: number;
  readonly checkpoints: boolean;
}

function* startWriter(reserved: Reservation, file: GrowingFile, options: Setup): Work<ColumnaWriter> {
  const { rowGroupSize, checkpoints, onRowGroup, onCheckpoint } = options;
  const { byteLength, footer, end, chunks } = yield* committedFile(reserved.path);
  const schema = schemaOfColumns(footer.schema.columns);
  const encoding = encoderOptions(
    options,
    footer.schema.columns.map(({ name }) => name),
  );
  const encoder = new FileEncoder(footer.schema, encoding, { byteLength: end, rowGroups: footer.rowGroups, chunks });
  const plans = planColumns(noRows(schema));
  const before: Checkpoint = { rowCount: footer.rowCount, byteLength: end };
  if (end < byteLength) yield* perform(file.cut(end));
  return new ColumnaWriter({
    path: file.path,
    file,
    columns: { schema, plans, encoder },
    startEncoder: () => encoder,
    rowGroupSize,
    checkpoints,
    before,
    onRowGroup,
    onCheckpoint,
    finish: () => finish(reserved, file),
    discard: (kept) => cutBack(reserved, file, kept ?? before),
  });
}

function* finish(reserved: Reservation, file: GrowingFile): Work<void> {
  yield* perform(reserved.requireInPlace());
  yield* perform(file.close());
  yield* perform(reserved.release());
}

/** Back to the last checkpoint, as far as the system lets us: where it does not, the next writer does it. */
function* cutBack(reserved: Reservation, file: GrowingFile, kept: Checkpoint): Work<void> {
  try {
    if (file.reach !== kept.byteLength) yield* perform(file.cut(kept.byteLength));
  } catch {
    // There is an error already.
  }
  yield* giveBack(reserved, file);
}

/** Never throws: there is an error already. */
function* giveBack(reserved: Reservation, file: GrowingFile | null): Work<void> {
  try {
    if (file !== null) yield* perform(file.close());
  } catch {
    // The descriptor is gone either way.
  }
  yield* perform(reserved.release());
}
