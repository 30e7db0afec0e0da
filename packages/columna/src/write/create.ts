// create: a path -> a streaming writer. Rows go to PATH.partial, with checkpoints; the finished file takes the name in
// one step. What a dead writer leaves is what `recover` takes.
import { checkOptions, filePath, option, optionsNow } from '@colkit/io';
import type { OptionSet } from '@colkit/io';
import { perform, run, runSync } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { reserve } from '@colkit/io/durable';
import type { GrowingFile, Reservation } from '@colkit/io/durable';
import type { SchemaInput } from '@colkit/table';
import { SCHEMA_OPTION } from '@colkit/table';
import { noRows, planColumns } from './values/batch-input.ts';
import type { ColumnPlan } from './values/column-plan.ts';
import { CREATED_BY, METADATA_OPTION, metadataOf } from './file/file-metadata.ts';
import type { MetadataInput } from './file/file-metadata.ts';
import { FileEncoder } from './file/file-encoder.ts';
import { STREAM_OPTIONS, streamSetup } from './stream/stream-options.ts';
import type { StreamOptions } from './stream/stream-options.ts';
import { ColumnaWriter } from './stream/table-writer.ts';
import type { WriterColumns } from './stream/table-writer.ts';
import { encoderOptions, encodingSettings } from './file/write-options.ts';

export interface CreateOptions extends StreamOptions {
  /** Names, order and dtypes; without it the first batch decides. */
  readonly schema?: SchemaInput;
  /**
   * Replace what is at the path, at the very end; and throw away what a dead writer left. Without it, either is
   * ERR_EXISTS.
   */
  readonly overwrite?: boolean;
  /** Free text that is kept in the file, by key. */
  readonly metadata?: MetadataInput;
}

export const CREATE_OPTIONS: OptionSet<CreateOptions> = {
  ...STREAM_OPTIONS,
  schema: SCHEMA_OPTION,
  overwrite: option.flag,
  metadata: METADATA_OPTION,
};

/**
 * Starts a .cna file; nothing is at the path before `close()`. Memory: one row group, whatever the number of rows.
 * @throws IoError ERR_EXISTS, ERR_LOCKED (a living writer has the path), ERR_WRITE; ArgumentError; UnsupportedError
 * ERR_DTYPE.
 */
export async function create(path: string | URL, options: CreateOptions = {}): Promise<ColumnaWriter> {
  checkOptions('create', CREATE_OPTIONS, options);
  return run(creating(path, optionsNow(options)));
}

/** The Sync twin of `create`. The writer's calls have both forms either way. */
export function createSync(path: string | URL, options: CreateOptions = {}): ColumnaWriter {
  checkOptions('createSync', CREATE_OPTIONS, options);
  return runSync(creating(path, options));
}

function* creating(path: string | URL, options: CreateOptions): Work<ColumnaWriter> {
  const setup = streamSetup(options);
  const metadata = metadataOf(options.metadata);
  const startEncoder = (plans: readonly ColumnPlan[]): FileEncoder =>
    new FileEncoder(
      { columns: plans.map(({ schema }) => schema), metadata, createdBy: CREATED_BY },
      encoderOptions(
        options,
        plans.map(({ schema }) => schema.name),
      ),
    );
  const columns = options.schema === undefined ? null : columnsOf(options.schema, startEncoder);
  const { rowGroupSize } = encodingSettings(options);
  const { operations, durable, checkpoints } = setup;
  const reserved = yield* perform(
    reserve(path, { to: options.overwrite === true ? 'replace' : 'new', durable, operations }),
  );
  try {
    const file = yield* startFile(reserved, options.overwrite === true);
    return new ColumnaWriter({
      path: filePath(path),
      file,
      columns,
      startEncoder,
      rowGroupSize,
      checkpoints,
      before: null,
      onRowGroup: options.onRowGroup,
      onCheckpoint: options.onCheckpoint,
      finish: () => finish(reserved, file),
      discard: (kept, reason) => discard(reserved, file, kept !== null && reason === 'failure'),
    });
  } catch (error) {
    yield* perform(reserved.release());
    throw error;
  }
}

function columnsOf(schema: SchemaInput, startEncoder: (plans: readonly ColumnPlan[]) => FileEncoder): WriterColumns {
  const plans = planColumns(noRows(schema));
  return { schema, plans, encoder: startEncoder(plans) };
}

function* startFile(reserved: Reservation, overwrite: boolean): Work<GrowingFile> {
  if (overwrite) yield* perform(reserved.remove('.partial'));
  return yield* perform(reserved.create('.partial'));
}

function* finish(reserved: Reservation, file: GrowingFile): Work<void> {
  yield* perform(file.close());
  yield* perform(reserved.publish());
  yield* perform(reserved.release());
}

/** After a failure, what was acknowledged stays for `recover`. */
function* discard(reserved: Reservation, file: GrowingFile, keep: boolean): Work<void> {
  try {
    yield* perform(file.close());
    if (!keep) yield* perform(reserved.remove('.partial'));
  } catch {
    // There is an error already, or nothing that a caller could do.
  } finally {
    yield* perform(reserved.release());
  }
}
