// Batches of few rows are cut from windows of more: every read has a cost of its own, and of a page that is decoded as
// a whole it would be paid for each of its batches. A window is no more than a few megabytes, by what the rows before
// took.
import { isBinary } from '@colkit/io';
import type { Projection } from '../views/projection.ts';
import { sliceValidity } from '../validity.ts';
import type { AnyColumn } from './forms/convert.ts';
import type { FormOptions } from './options.ts';

const WINDOW_ROWS = 65_536;
const WINDOW_BYTES = 1 << 22;
/** Batches of more rows are as quick as windows that they are copied from. */
const MOST_CUT = 4096;
/** Rows may suddenly be longer: a window is at most so many times the one before it. */
const MOST_GROWTH = 8;
/** What a value that is no number takes, but for its characters. */
const VALUE_BYTES = 16;

/** How many rows are read at once for batches of `size` rows. */
export class BatchWindow {
  readonly #size: number;
  #rows: number;
  #mayGrow: boolean;

  constructor(size: number, projection: Projection, { strings }: FormOptions) {
    this.#size = size;
    this.#rows = size;
    // A dictionary is of one batch, and bytes may share their memory with those of other rows.
    this.#mayGrow =
      size <= MOST_CUT && strings !== 'dictionary' && !projection.columns.some(({ info }) => isBinary(info));
  }

  get rows(): number {
    return this.#rows;
  }

  /** Learns what `count` rows took. */
  met(columns: readonly AnyColumn[], count: number): void {
    if (!this.#mayGrow) return;
    let bytes = 0;
    for (const column of columns) bytes += bytesOf(column);
    const most = Math.min(WINDOW_ROWS, MOST_GROWTH * this.#rows, (WINDOW_BYTES * count) / Math.max(1, bytes));
    this.#rows = this.#size * Math.max(1, Math.floor(most / this.#size));
  }

  /** From here on a batch is read at a time. */
  close(): void {
    this.#mayGrow = false;
    this.#rows = this.#size;
  }
}

function bytesOf(column: AnyColumn): number {
  if ('codes' in column) return column.codes.byteLength;
  if ('validity' in column) return column.validity.byteLength + bytesOf(column.values);
  if (!Array.isArray(column)) return column.byteLength;
  let bytes = VALUE_BYTES * column.length;
  for (const value of column) if (typeof value === 'string') bytes += value.length;
  return bytes;
}

/** Rows [start, end) of a column of `count` rows, in memory of their own. */
export function cutColumn(column: AnyColumn, count: number, start: number, end: number): AnyColumn {
  if ('codes' in column) return { codes: column.codes.slice(start, end), dictionary: column.dictionary };
  if ('validity' in column)
    return {
      values: cutColumn(column.values, count, start, end) as typeof column.values,
      validity: sliceValidity(column.validity, start, end),
    };
  if (Array.isArray(column)) return column.slice(start, end);
  // Packed items are so many bytes a row.
  const perRow = column.length / count;
  return column.slice(perRow * start, perRow * end);
}
