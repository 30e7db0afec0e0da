// Batches that a streaming writer is handed, one after the other -> chunks of stored values. The first batch, a schema,
// or the file that is appended to says what the columns are; all others must fit.
import { ArgumentError, describeValue, isMap } from '@colkit/io';
import { perform } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { Column, Table, toInputColumns } from '@colkit/table';
import type { Chunk, InputColumns, SchemaInput, TableInput } from '@colkit/table';
import type { ColumnSchema } from '../../layout/schema.ts';
import { planColumn } from './column-plan.ts';
import type { ColumnPlan } from './column-plan.ts';

/** A table or view, whatever the compiler knows of its columns. */
export type AnyTable = Pick<Table, 'view'>;
/** Everything that can be written. */
export type WriteInput = TableInput | AnyTable;

/** @throws ArgumentError, UnsupportedError: see `toInputColumns`. */
export function inputColumns(data: WriteInput, schema: SchemaInput | undefined): InputColumns {
  return toInputColumns(
    data instanceof Table ? new Table(data.view) : (data as TableInput),
    schema === undefined ? {} : { schema },
  );
}

/**
 * Whether predicates have to be looked at before it is known how many rows these are: with `settleInput`, which waits
 * for the bytes.
 */
export function hasPredicate(data: WriteInput): boolean {
  if (data instanceof Table || data instanceof Column) return data.view.pending.length > 0;
  // What is no object at all is refused where its columns are looked for.
  if (typeof data !== 'object' || (data as object | null) === null) return false;
  if (isMap(data)) return [...(data.values() as Iterable<unknown>)].some(isPending);
  if (Array.isArray(data))
    return (data as readonly unknown[]).some((pair) => Array.isArray(pair) && isPending(pair[1]));
  return !ArrayBuffer.isView(data) && Object.values(data).some(isPending);
}

function isPending(values: unknown): boolean {
  return values instanceof Column && values.view.pending.length > 0;
}

/** How the columns of `input` are stored. */
export function planColumns(input: Pick<InputColumns, 'columns'>): ColumnPlan[] {
  return input.columns.map(({ field, info }) => planColumn(field, info));
}

/**
 * Rows [start, end) of every column, read and brought into the types of the file.
 * @param mostBytes of a column of more than a row. @throws LimitError.
 */
export function* readChunks(
  input: InputColumns,
  plans: readonly ColumnPlan[],
  start: number,
  end: number,
  mostBytes = Infinity,
): Work<Chunk[]> {
  const chunks: Chunk[] = [];
  for (const [number, column] of input.columns.entries()) {
    const chunk = yield* perform(column.read(start, end, end - start > 1 ? mostBytes : Infinity));
    chunks.push((plans[number] as ColumnPlan).store(chunk, end - start, start));
  }
  return chunks;
}

/** No rows of the columns of a schema. */
export function noRows(schema: SchemaInput): InputColumns {
  const given: unknown = schema;
  if (typeof given !== 'object' || given === null)
    throw new ArgumentError('ERR_ARGUMENT', 'schema', 'an object, a Map or an array of columns', describeValue(given));
  const names = Array.isArray(schema)
    ? (schema as readonly { name: string }[]).map(({ name }) => name)
    : isMap(schema)
      ? [...(schema.keys() as Iterable<string>)]
      : Object.keys(schema);
  return inputColumns(
    names.map((name) => [name, []] as const),
    schema,
  );
}

/** What the next batches are checked against: the dtypes of the first. Nulls are judged when they come. */
export function schemaOfInput(input: InputColumns): SchemaInput {
  return input.fields.map(({ name, dtype }) => ({ name, dtype }));
}

/** The schema that batches for an existing file have. */
export function schemaOfColumns(columns: readonly ColumnSchema[]): SchemaInput {
  return columns.map(({ name, type, nullable }) => ({ name, dtype: type.dtype, nullable }));
}

/** Whether nulls in a column that had none so far make it nullable: not where the schema says that there are none. */
export function mayBecomeNullable(schema: SchemaInput | undefined, name: string): boolean {
  if (schema === undefined) return true;
  if (Array.isArray(schema))
    return (
      (schema as readonly { name: string; nullable?: boolean }[]).find((column) => column.name === name)?.nullable !==
      false
    );
  const column: unknown = isMap(schema)
    ? (schema as ReadonlyMap<string, unknown>).get(name)
    : Object.getOwnPropertyDescriptor(schema, name)?.value;
  return !(typeof column === 'object' && column !== null && 'nullable' in column && column.nullable === false);
}

export function nullRefused(name: string): ArgumentError {
  return new ArgumentError(
    'ERR_VALUE',
    `column ${JSON.stringify(name)}`,
    'no nulls in a column that is not nullable',
    'a null',
  );
}
