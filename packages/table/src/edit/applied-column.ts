// A user's function over the values of columns -> a chunk of the column that it computes, batch by batch.
import { ArgumentError, describeValue, dtypeOfArray } from '@colkit/io';
import type { DType, DTypeInfo, GatherOutput } from '@colkit/io';
import { perform, runSync } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { writtenChunk } from '../chunk/chunk.ts';
import type { Chunk } from '../chunk/chunk.ts';
import type { Field } from '../field.ts';
import { MemoryColumn } from '../input/memory-column.ts';
import { columnLabel, dtypeOfValues } from '../input/typed.ts';
import type { PlainValues } from '../input/typed.ts';
import { columnForms } from '../output/forms/column-form.ts';
import { convertColumn } from '../output/forms/convert.ts';
import type { AnyColumn } from '../output/forms/convert.ts';
import type { ColumnRef } from '../query/bound-predicate.ts';
import { Projection } from '../views/projection.ts';
import { copyItemsTo } from './value-chunk.ts';

/** Values of some rows, an array for each column -> as many values, in the same order. */
export type ColumnFunction<A extends readonly unknown[] = readonly never[]> = (...values: A) => PlainValues;

/** A function, with the columns that it takes, in the order of its arguments. */
export interface AppliedFunction {
  readonly refs: readonly ColumnRef[];
  readonly compute: (...values: readonly unknown[]) => unknown;
}

const FORM = { int64: 'bigint', nulls: 'array', strings: 'values', dates: 'ticks' } as const;
const NO_BYTES = new Uint8Array(0);

/**
 * The dtype of what a function gives, which is asked with arrays of no values.
 * @throws ArgumentError ERR_SCHEMA where they say none; what the function throws.
 */
export function dtypeOfResult(name: string, applied: AppliedFunction): DType {
  const none = applied.refs.map(
    ({ info }): Chunk =>
      info.itemBytes === 0
        ? { kind: 'values', rowCount: 0, values: [], validity: null }
        : { kind: 'fixed', rowCount: 0, bytes: NO_BYTES, validity: null },
  );
  const given = runSync(result(name, applied, none, 0));
  if (dtypeOfArray(given) !== null) return dtypeOfValues(given, columnLabel(name));
  const expected = 'a function that gives a typed array also of no values, or { dtype }';
  throw new ArgumentError('ERR_SCHEMA', columnLabel(name), expected, describeValue(given));
}

/**
 * @param chunks those of the function's columns, which others may see too.
 * @param output where items of fixed width go; null for variable width.
 * @throws ArgumentError ERR_VALUE naming the column; what the function throws.
 */
export function* appliedChunk(
  field: Field,
  info: DTypeInfo,
  applied: AppliedFunction,
  chunks: readonly Chunk[],
  count: number,
  output: GatherOutput | null,
): Work<Chunk> {
  const values = yield* result(field.name, applied, chunks, count);
  // A null where the field has none is refused by who asked for the values.
  const column = new MemoryColumn(field.name, info, values, true, null);
  if (column.rowCount !== count) throw wrongLength(field.name, count, column.rowCount);
  const chunk = yield* perform(column.read(0, count));
  if (output === null || chunk.kind !== 'fixed') return chunk;
  copyItemsTo(chunk.bytes, info.itemBytes, count, output);
  return writtenChunk(output, count, chunk.validity);
}

function* result(
  name: string,
  { refs, compute }: AppliedFunction,
  chunks: readonly Chunk[],
  count: number,
): Work<PlainValues> {
  const forms = columnForms(
    Projection.of(refs.map(({ info, nullable }) => ({ name, dtype: info.name, nullable }))),
    FORM,
  );
  const values: AnyColumn[] = [];
  for (const [index, form] of forms.entries())
    values.push(yield* convertColumn(form, count, ownChunk(chunks[index] as Chunk, form.info, count), null));
  const given = compute(...values);
  if (!Array.isArray(given) && dtypeOfArray(given) === null)
    throw new ArgumentError('ERR_VALUE', columnLabel(name), 'a function that gives an array', describeValue(given));
  const own = given as PlainValues;
  if (own.length !== count && count === 0) throw wrongLength(name, count, own.length);
  return own;
}

/** What a function is given is its own, to sort or to write into. */
function ownChunk(chunk: Chunk, { itemBytes }: DTypeInfo, count: number): Chunk {
  if (chunk.kind === 'fixed') return { ...chunk, bytes: chunk.bytes.slice(0, itemBytes * count) };
  return chunk.kind === 'values' ? { ...chunk, values: [...chunk.values] } : chunk;
}

function wrongLength(name: string, count: number, found: number): ArgumentError {
  return new ArgumentError(
    'ERR_VALUE',
    columnLabel(name),
    `a function that gives a value for each of the ${String(count)} rows that it is given`,
    found === 0 ? 'an empty array' : `${String(found)} values`,
  );
}
