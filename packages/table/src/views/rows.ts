// Which rows a view shows: the steps that were asked for (slice, take, filter), composed where that is free and
// otherwise kept as a chain over the source's rows. Pure descriptions: nothing is checked against data, copied or read
// here; see resolve.ts.
import { attached } from '@colkit/io';
import type { IndexArray } from '@colkit/io';
import type { Mask } from './mask.ts';
import { rowRange } from './slice.ts';
import type { RowSlice } from './slice.ts';

export type Rows = RangeRows | TakenRows | FilteredRows | SlicedRows;

/** Rows of the source itself, of which it has `rowCount`. */
interface RangeRows extends RowSlice {
  readonly kind: 'range';
  readonly rowCount: number;
}

/** Row `indices[i]` of the base, negatives counted from its end; not yet checked. */
interface TakenRows {
  readonly kind: 'take';
  readonly base: Rows;
  readonly indices: IndexArray;
}

/** The rows of the base whose byte in the mask is not 0. */
interface FilteredRows {
  readonly kind: 'filter';
  readonly base: Rows;
  readonly mask: Mask;
}

/** A slice that cannot be folded into its base. */
interface SlicedRows extends RowSlice {
  readonly kind: 'slice';
  readonly base: TakenRows | FilteredRows;
}

/** All rows of a source. */
export function allRows(rowCount: number): RangeRows {
  return { kind: 'range', rowCount, start: 0, step: 1, count: rowCount };
}

/**
 * How many rows: known without reading anything of the source (a mask is counted once, when first asked).
 * @throws ClosedError ERR_DETACHED for row numbers or a mask whose memory went to another thread.
 */
export function countRows(rows: Rows): number {
  switch (rows.kind) {
    case 'range':
    case 'slice':
      return rows.count;
    case 'take':
      return indicesOf(rows).length;
    case 'filter':
      return rows.mask.count;
  }
}

/** The row numbers of a caller. @throws ClosedError ERR_DETACHED. */
export function indicesOf({ indices }: { readonly indices: IndexArray }): IndexArray {
  return attached(indices, 'take', 'the row numbers');
}

/** A range of the rows; ranges of ranges stay ranges, and a step-1 range of indices is a view of their array. O(1). */
export function sliceRows(rows: Rows, range: RowSlice): Rows {
  if (range.start === 0 && range.step === 1 && range.count === countRows(rows)) return rows;
  switch (rows.kind) {
    case 'range':
      return { kind: 'range', rowCount: rows.rowCount, ...within(rows, range) };
    case 'take':
      if (range.step === 1)
        return {
          kind: 'take',
          base: rows.base,
          indices: rows.indices.subarray(range.start, range.start + range.count),
        };
      return { kind: 'slice', base: rows, ...range };
    case 'filter':
      return { kind: 'slice', base: rows, ...range };
    case 'slice':
      return { kind: 'slice', base: rows.base, ...within(rows, range) };
  }
}

/** Whether these are all rows of the source, in order. */
export function isWhole(rows: Rows): boolean {
  return rows.kind === 'range' && rows.start === 0 && rows.step === 1 && rows.count === rows.rowCount;
}

/** A range of a range. */
export function within(outer: RowSlice, inner: RowSlice): RowSlice {
  return rowRange(outer.start + inner.start * outer.step, outer.step * inner.step, inner.count);
}

/** Rows that follow each other in the source; null: they do not. */
export function rangeOf(rows: Rows): { readonly start: number; readonly end: number } | null {
  return rows.kind === 'range' && rows.step === 1 ? { start: rows.start, end: rows.start + rows.count } : null;
}
