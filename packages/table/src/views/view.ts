// A lazy description: some rows and some columns of a source. Making one costs a few small objects and reads nothing; a pending predicate will be one more step beside `rows`.
import { ArgumentError } from '@colkit/io';
import type { TableSource } from '../source.ts';
import { toIndexArray } from './indices.ts';
import type { IndexInput } from './indices.ts';
import { Mask } from './mask.ts';
import { Projection } from './projection.ts';
import { allRows, countRows, sliceRows } from './rows.ts';
import type { Rows } from './rows.ts';
import { normaliseSlice } from './slice.ts';

/** Rows of head() and tail() where no number is given. */
const END_ROWS = 10;

export interface View {
  readonly source: TableSource;
  readonly projection: Projection;
  readonly rows: Rows;
}

/** All rows and columns of a source. */
export function viewOf(source: TableSource): View {
  return { source, projection: Projection.of(source.fields), rows: allRows(source.rowCount) };
}

export function withRows(view: View, rows: Rows): View {
  return { source: view.source, projection: view.projection, rows };
}

export function withProjection(view: View, projection: Projection): View {
  return { source: view.source, projection, rows: view.rows };
}

export function sliceView(view: View, start?: number, end?: number, step?: number): View {
  return withRows(view, sliceRows(view.rows, normaliseSlice(countRows(view.rows), start, end, step)));
}

export function takeView(view: View, indices: IndexInput): View {
  return withRows(view, { kind: 'take', base: view.rows, indices: toIndexArray(indices) });
}

export function filterView(view: View, mask: Uint8Array | readonly boolean[]): View {
  return withRows(view, { kind: 'filter', base: view.rows, mask: new Mask(mask, countRows(view.rows)) });
}

export function headView(view: View, rowCount = END_ROWS): View {
  return sliceView(view, 0, endRows('head', rowCount));
}

export function tailView(view: View, rowCount = END_ROWS): View {
  return sliceView(view, Math.max(0, countRows(view.rows) - endRows('tail', rowCount)));
}

function endRows(argument: string, rowCount: number): number {
  if (!Number.isSafeInteger(rowCount) || rowCount < 0) throw new ArgumentError('ERR_ARGUMENT', argument, 'a count of rows', String(rowCount));
  return rowCount;
}
