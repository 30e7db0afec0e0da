// append, appender: new row groups and a new footer behind the old one, which stays where it is. Until the new footer is whole, the old one counts.
import { filePath } from '@colkit/io';
import { runActions, runActionsSync } from '@colkit/table';
import type { Actions } from '@colkit/table';
import { noRows, planColumns, schemaOfColumns } from './batch-input.ts';
import type { WriteInput } from './batch-input.ts';
import { FileEncoder } from './file-encoder.ts';
import { GrowingFile } from './growing-file.ts';
import { committedFile } from './last-footer.ts';
import { takeLock } from './lock.ts';
import type { Lock } from './lock.ts';
import { streamSetup } from './stream-options.ts';
import type { StreamOptions } from './stream-options.ts';
import { ColumnaWriter } from './table-writer.ts';
import type { Checkpoint } from './table-writer.ts';
import { checkOptions, encoderOptions } from './write-options.ts';
import type { WriteReport } from './write-report.ts';

export type AppendOptions = Omit<StreamOptions, 'checkpoints'>;

/**
 * Adds rows to a file, all or none: after a failure, or the death of the process, it has the rows that it had. (A process that dies leaves bytes at the end that readers refuse with
 * ERR_UNCOMMITTED_TAIL; the next `append`, or `recover`, cuts them.) Rows must have the file's columns and dtypes; readers that have the file open go on seeing the old rows.
 * @returns counts of the whole file, encodings of the rows that were added.
 * @throws ArgumentError, IoError ERR_NOT_FOUND, ERR_LOCKED, ERR_WRITE; CorruptFileError, UnsupportedError for a file that cannot be read.
 */
export async function append(path: string | URL, data: WriteInput, options: AppendOptions = {}): Promise<WriteReport> {
  const writer = await appender(path, { ...options, checkpoints: 'never' });
  try {
    await writer.write(data);
    return await writer.close();
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

/** The Sync twin of `append`. */
export function appendSync(path: string | URL, data: WriteInput, options: AppendOptions = {}): WriteReport {
  const writer = appenderSync(path, { ...options, checkpoints: 'never' });
  try {
    writer.writeSync(data);
    return writer.closeSync();
  } catch (error) {
    writer.abortSync();
    throw error;
  }
}

/** A streaming writer that goes on where a file ends. What a dead writer left behind its last footer is cut first. @throws as `append`. */
export async function appender(path: string | URL, options: StreamOptions = {}): Promise<ColumnaWriter> {
  return runActions(appending(filePath(path), options));
}

export function appenderSync(path: string | URL, options: StreamOptions = {}): ColumnaWriter {
  return runActionsSync(appending(filePath(path), options));
}

function* appending(path: string, options: StreamOptions): Actions<ColumnaWriter> {
  const { files, durable, checkpoints } = streamSetup(options);
  const { rowGroupSize } = checkOptions(options);
  const lock = takeLock(path);
  try {
    const { byteLength, footer, end, chunks } = yield* committedFile(path);
    const schema = schemaOfColumns(footer.schema.columns);
    const encoding = encoderOptions(options, footer.schema.columns.map(({ name }) => name));
    const encoder = new FileEncoder(footer.schema, encoding, { byteLength: end, rowGroups: footer.rowGroups, chunks });
    const plans = planColumns(noRows(schema));
    const file = yield* GrowingFile.open(path, 'open', { files, durable, position: end });
    const before: Checkpoint = { rowCount: footer.rowCount, byteLength: end };
    if (end < byteLength) yield* file.cut(end);
    return new ColumnaWriter({
      path, file, columns: { schema, plans, encoder }, startEncoder: () => encoder, rowGroupSize, checkpoints, before, onRowGroup: options.onRowGroup, onCheckpoint: options.onCheckpoint,
      finish: () => finish(file, lock),
      discard: (kept) => cutBack(file, lock, kept ?? before),
    });
  } catch (error) {
    lock.release();
    throw error;
  }
}

function* finish(file: GrowingFile, lock: Lock): Actions {
  yield* file.close();
  lock.release();
}

/** Back to the last checkpoint, as far as the system lets us: where it does not, the next writer does it. */
function* cutBack(file: GrowingFile, lock: Lock, kept: Checkpoint): Actions {
  try {
    if (file.position !== kept.byteLength) yield* file.cut(kept.byteLength);
  } catch {
    // There is an error already.
  }
  try {
    yield* file.close();
  } catch {
    // The descriptor is gone either way.
  } finally {
    lock.release();
  }
}
