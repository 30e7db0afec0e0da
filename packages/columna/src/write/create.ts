// create: a path -> a streaming writer. Rows go to PATH.partial, with checkpoints; the finished file takes the name in one step. What a dead writer leaves is what `recover` takes.
import { IoError, filePath } from '@colkit/io';
import type { Actions, SchemaInput } from '@colkit/table';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { runActions, runActionsSync } from '@colkit/table';
import { noRows, planColumns } from './batch-input.ts';
import type { ColumnPlan } from './column-plan.ts';
import { CREATED_BY, metadataOf } from './file-metadata.ts';
import { FileEncoder } from './file-encoder.ts';
import { GrowingFile, ioError, publish, remove, syncFolder } from './growing-file.ts';
import { takeLock } from './lock.ts';
import type { Lock } from './lock.ts';
import { streamSetup } from './stream-options.ts';
import type { StreamOptions, StreamSetup } from './stream-options.ts';
import { ColumnaWriter } from './table-writer.ts';
import type { WriterColumns } from './table-writer.ts';
import { checkOptions, encoderOptions } from './write-options.ts';

export interface CreateOptions extends StreamOptions {
  /** Names, order and dtypes; without it the first batch decides. */
  readonly schema?: SchemaInput;
  /** Replace what is at the path, at the very end; and throw away what a dead writer left. Without it, either is ERR_EXISTS. */
  readonly overwrite?: boolean;
  /** Free text that is kept in the file, by key. */
  readonly metadata?: Readonly<Record<string, string>>;
}

export const partialPath = (path: string): string => `${path}.partial`;

/**
 * Starts a .cna file; nothing is at the path before `close()`. Memory: one row group, whatever the number of rows.
 * @throws IoError ERR_EXISTS, ERR_LOCKED (a living writer has the path), ERR_WRITE; ArgumentError; UnsupportedError ERR_DTYPE.
 */
export async function create(path: string | URL, options: CreateOptions = {}): Promise<ColumnaWriter> {
  return runActions(creating(filePath(path), options));
}

/** The Sync twin of `create`. The writer's calls have both forms either way. */
export function createSync(path: string | URL, options: CreateOptions = {}): ColumnaWriter {
  return runActionsSync(creating(filePath(path), options));
}

function* creating(path: string, options: CreateOptions): Actions<ColumnaWriter> {
  const setup = streamSetup(options);
  const metadata = metadataOf(options.metadata);
  const startEncoder = (plans: readonly ColumnPlan[]): FileEncoder =>
    new FileEncoder({ columns: plans.map(({ schema }) => schema), metadata, createdBy: CREATED_BY }, encoderOptions(options, plans.map(({ schema }) => schema.name)));
  const columns = options.schema === undefined ? null : columnsOf(options.schema, startEncoder);
  const { rowGroupSize } = checkOptions(options);
  const lock = takeLock(path);
  try {
    const file = yield* startFile(path, options.overwrite === true, setup);
    return new ColumnaWriter({
      path, file, columns, startEncoder, rowGroupSize, checkpoints: setup.checkpoints, before: null, onRowGroup: options.onRowGroup, onCheckpoint: options.onCheckpoint,
      finish: () => finish(path, file, lock, options.overwrite === true, setup),
      discard: (kept, reason) => discard(file, lock, kept !== null && reason === 'failure', setup),
    });
  } catch (error) {
    lock.release();
    throw error;
  }
}

function columnsOf(schema: SchemaInput, startEncoder: (plans: readonly ColumnPlan[]) => FileEncoder): WriterColumns {
  const plans = planColumns(noRows(schema));
  return { schema, plans, encoder: startEncoder(plans) };
}

function* startFile(path: string, overwrite: boolean, { files, durable }: StreamSetup): Actions<GrowingFile> {
  const partial = partialPath(path);
  if (overwrite) yield* remove(files, partial);
  else if (existsSync(path)) throw new IoError('ERR_EXISTS', 'create', path, 'the file exists; pass { overwrite: true } to replace it');
  try {
    const file = yield* GrowingFile.open(partial, 'create', { files, durable, position: 0 });
    // Checkpoints outlive a power failure only in a file whose name does.
    if (durable) yield* syncFolder(files, dirname(path));
    return file;
  } catch (error) {
    if (error instanceof IoError && error.code === 'ERR_EXISTS') {
      throw new IoError('ERR_EXISTS', 'create', partial, 'a writer that died left this file: recover(path) makes a whole file of it, { overwrite: true } throws it away', error);
    }
    throw ioError('create', partial, error);
  }
}

function* finish(path: string, file: GrowingFile, lock: Lock, overwrite: boolean, { files, durable }: StreamSetup): Actions {
  yield* file.close();
  yield* publish(files, partialPath(path), path, overwrite, durable);
  lock.release();
}

/** After a failure, what was acknowledged stays for `recover`. */
function* discard(file: GrowingFile, lock: Lock, keep: boolean, { files }: StreamSetup): Actions {
  try {
    yield* file.close();
    if (!keep) yield* remove(files, file.path);
  } catch {
    // There is an error already, or nothing that a caller could do.
  } finally {
    lock.release();
  }
}
