// A lazy description: some rows and some columns of a source. Making one costs a few small objects and reads nothing.
// Steps from the first predicate on wait in `pending`.
import { ArgumentError, UnsupportedError, assertNever, describeValue } from '@colkit/io';
import { checkSchema } from '../schema.ts';
import type { ExpectedSchema } from '../schema.ts';
import type { TableSource } from '../source.ts';
import { toIndexArray } from './indices.ts';
import type { IndexInput } from './indices.ts';
import { Mask } from './mask.ts';
import { Projection } from './projection.ts';
import type { Names } from './projection.ts';
import { allRows, countRows, sliceRows } from './rows.ts';
import type { Rows } from './rows.ts';
import { NO_STEPS } from './pending.ts';
import type { ArrangeStep, PendingStep } from './pending.ts';
import { normaliseSlice, plainBound } from './slice.ts';

/** Rows of head() and tail() where no number is given. */
const END_ROWS = 10;

export interface View {
  readonly source: TableSource;
  readonly projection: Projection;
  /** The rows that the pending steps start from. */
  readonly rows: Rows;
  /** Empty: `rows` are the rows. */
  readonly pending: readonly PendingStep[];
}

/** All rows and columns of a source. */
export function viewOf(source: TableSource): View {
  return { source, projection: Projection.of(source.fields), rows: allRows(source.rowCount), pending: NO_STEPS };
}

/** The same columns of other rows, all of them known. */
export function withRows(view: View, rows: Rows): View {
  return { source: view.source, projection: view.projection, rows, pending: NO_STEPS };
}

export function withProjection(view: View, projection: Projection): View {
  return { source: view.source, projection, rows: view.rows, pending: view.pending };
}

/** These columns, in this order. @throws UnknownColumnError; ArgumentError where a name comes twice. */
export function selectView(view: View, names: Names): View {
  return withProjection(view, view.projection.select(names));
}

/** The columns that are expected. @throws ArgumentError ERR_SCHEMA. */
export function expectView(view: View, expected: ExpectedSchema): View {
  return selectView(view, checkSchema(view.projection.fields, expected));
}

export function sliceView(view: View, start?: number | bigint, end?: number | bigint, step?: number | bigint): View {
  if (view.pending.length === 0)
    return withRows(view, sliceRows(view.rows, normaliseSlice(countRows(view.rows), start, end, step)));
  normaliseSlice(0, start, end, step);
  return withStep(view, { kind: 'slice', start: plainBound(start), end: plainBound(end), step: plainBound(step) });
}

export function takeView(view: View, indices: IndexInput): View {
  const array = toIndexArray(indices, view.pending.length === 0 ? countRows(view.rows) : view.source.rowCount);
  return view.pending.length === 0
    ? withRows(view, { kind: 'take', base: view.rows, indices: array })
    : withStep(view, { kind: 'take', indices: array });
}

export function filterView(view: View, mask: Uint8Array | readonly boolean[]): View {
  if (view.pending.length === 0)
    return withRows(view, { kind: 'filter', base: view.rows, mask: new Mask(mask, countRows(view.rows)) });
  // Its length is checked when the rows before it are known.
  const given = new Mask(mask, (mask as { readonly length?: number } | null | undefined)?.length ?? 0);
  return withStep(view, { kind: 'filter', mask: given.bytes });
}

export function headView(view: View, rowCount: number | bigint = END_ROWS): View {
  return sliceView(view, 0, endRows('head', rowCount));
}

export function tailView(view: View, rowCount: number | bigint = END_ROWS): View {
  const count = endRows('tail', rowCount);
  if (view.pending.length > 0) return count === 0 ? sliceView(view, 0, 0) : sliceView(view, -count);
  return sliceView(view, Math.max(0, countRows(view.rows) - count));
}

/** A step on a view all of whose rows are known. */
export function applyStep(view: View, step: Exclude<PendingStep, ArrangeStep | { kind: 'where' | 'condition' }>): View {
  switch (step.kind) {
    case 'slice':
      return sliceView(view, step.start, step.end, step.step);
    case 'take':
      return takeView(view, step.indices);
    case 'filter':
      return filterView(view, step.mask);
    default:
      return assertNever(step);
  }
}

/** @throws UnsupportedError ERR_FEATURE where a predicate has still to be looked at. */
export function knownRowCount({ rows, pending }: View, property: 'rowCount' | 'length'): number {
  // An order leaves all rows.
  if (pending.every(({ kind }) => kind === 'order')) return countRows(rows);
  throw new UnsupportedError(
    'ERR_FEATURE',
    property,
    `${property}: how many rows match is not known before the data is read; use await count(), or countSync()`,
  );
}

/** @throws UnsupportedError ERR_FEATURE where steps wait. */
export function requireKnownRows({ rows, pending }: View): Rows {
  if (pending.length === 0) return rows;
  const remedy = 'use (await resolve()).rowNumbers(), or resolveSync()';
  const message = `rowNumbers: which rows these are is not known before the data is read; ${remedy}`;
  throw new UnsupportedError('ERR_FEATURE', 'rowNumbers', message);
}

/** One more step that waits. */
export function withStep(view: View, step: PendingStep): View {
  return { source: view.source, projection: view.projection, rows: view.rows, pending: [...view.pending, step] };
}

function endRows(argument: string, rowCount: number | bigint): number {
  const count = typeof rowCount === 'bigint' ? Number(rowCount) : rowCount;
  if (!Number.isSafeInteger(count) || count < 0)
    throw new ArgumentError('ERR_ARGUMENT', argument, 'a count of rows, an integer from 0 on', describeValue(rowCount));
  return count;
}
