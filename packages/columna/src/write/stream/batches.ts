// Batches that come one after the other -> one new file, whole or not at all, in whatever takes one: a path, a sink,
// the handle of a file. One row group is held at a time.
import { ArgumentError } from '@colkit/io';
import type { WriteTarget } from '@colkit/io';
import { writeFile } from '@colkit/io/durable';
import { isAwaited, perform, untilAborted } from '@colkit/io/effects';
import type { Operation, Work, WorkContext } from '@colkit/io/effects';
import { Column, settledInput } from '@colkit/table';
import type { InputColumns, SchemaInput } from '@colkit/table';
import type { FileEncoder } from '../file/file-encoder.ts';
import { newFileEncoder } from '../file/new-file.ts';
import type { NewFileOptions } from '../file/new-file.ts';
import type { WriteReport } from '../file/write-report.ts';
import { groupThreads } from '../threads/row-group-encoder.ts';
import {
  inputColumns,
  mayBecomeNullable,
  noRows,
  nullRefused,
  planColumns,
  schemaOfInput,
} from '../values/batch-input.ts';
import type { WriteInput } from '../values/batch-input.ts';
import type { RowGroupWriter } from './row-group-writer.ts';
import { fillWhole } from './whole-file.ts';

/** Batches of the same columns. */
export type WriteBatches = AsyncIterable<WriteInput>;

export interface BatchesOptions extends NewFileOptions {
  readonly overwrite?: boolean;
  readonly schema?: SchemaInput;
  readonly durability?: 'full' | 'none';
}

export function isBatches(data: unknown): data is WriteBatches {
  return isAwaited(data) && !(data instanceof Column);
}

/** What a Sync form says of them. @param operation the form that takes them. @throws ArgumentError. */
export function refuseBatches(data: unknown, operation: string): void {
  if (isBatches(data))
    throw new ArgumentError(
      'ERR_ARGUMENT',
      'data',
      `a table, which ${operation}() also takes in batches`,
      'an async iterable',
    );
}

/** The first batch, or the schema, says what the columns are. */
export function* writingBatches(
  target: WriteTarget,
  batches: WriteBatches,
  options: BatchesOptions,
): Work<WriteReport> {
  let coming: AsyncGenerator<WriteInput> | null = null;
  const next = awaited(({ signal }) => (coming ??= untilAborted(batches, signal)).next());
  try {
    const first = yield* perform(next);
    if (first.done === true && options.schema === undefined)
      throw new ArgumentError('ERR_SCHEMA', 'columns', 'a schema, or a batch that says what the columns are', 'none');
    const start =
      first.done === true
        ? noRows(options.schema as SchemaInput)
        : inputColumns(yield* perform(settledInput(first.value)), options.schema);
    const schema = options.schema ?? schemaOfInput(start);
    const plans = planColumns(start);
    const columns = plans.map((plan) => plan.schema);
    const encoder = newFileEncoder(columns, options);
    const whole = { plans, encoder, rowCount: null, options, threads: groupThreads() };
    const given: Given = { start, schema, next, encoder };
    return yield* writeFile(target, options, (output) => fillWhole(output, whole, (rows) => addAll(rows, given)));
  } finally {
    yield* perform(awaited(async () => coming?.return(undefined)));
  }
}

interface Given {
  readonly start: InputColumns;
  readonly schema: SchemaInput;
  readonly next: Operation<IteratorResult<WriteInput, unknown>>;
  readonly encoder: FileEncoder;
}

function* addAll(rows: RowGroupWriter, { start, schema, next, encoder }: Given): Work<void> {
  for (let input = start; ; ) {
    allowNulls(input, schema, encoder);
    yield* rows.add(input, false);
    const step = yield* perform(next);
    if (step.done === true) break;
    input = inputColumns(yield* perform(settledInput(step.value)), schema);
  }
  yield* rows.flush();
}

/** Nulls in a column that had none so far. @throws ArgumentError ERR_VALUE where the schema says there are none. */
export function allowNulls({ fields }: InputColumns, schema: SchemaInput, encoder: FileEncoder): void {
  for (const [number, { nullable, name }] of fields.entries()) {
    if (!nullable || encoder.schema.columns[number]?.nullable === true) continue;
    if (!mayBecomeNullable(schema, name)) throw nullRefused(name);
    encoder.makeNullable(number);
  }
}

/** What has no Sync form: `writeSync` refuses batches before. */
function awaited<T>(begin: (context: WorkContext) => Promise<T>): Operation<T> {
  const runSync = (): never => {
    throw new Error('batches are waited for');
  };
  return { run: begin, runSync };
}
