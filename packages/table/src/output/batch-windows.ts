// How many rows are read at once for batches. Batches of few rows are cut from windows of more: every read has a cost
// of its own, and of a page that is decoded as a whole it would be paid for each of its batches. A window is no more
// than a few megabytes, by what the rows before took. Where bytes are bounded, batches are of fewer rows while these
// are long.
import { LimitError, isBinary } from '@colkit/io';
import type { Projection } from '../views/projection.ts';
import { sliceValidity } from '../validity.ts';
import type { AnyColumn } from './forms/convert.ts';
import type { BatchOptions } from './options.ts';

/** Rows of a batch where no number is given, and what they take at most. */
const BATCH_ROWS = 65_536;
const BATCH_BYTES = 1 << 26;
/** Of columns of fixed width: fewer rows than a page has are decoded with all of it. */
const FIXED_BYTES = 1 << 28;
const WINDOW_ROWS = 65_536;
const WINDOW_BYTES = 1 << 22;
/** Batches of more rows are as quick as windows that they are copied from. */
const MOST_CUT = 4096;
/** Rows may suddenly be longer: a window is at most so many times the one before it. */
const MOST_GROWTH = 8;
/** What a value that is no number takes, but for its characters. */
const VALUE_BYTES = 16;
/** Of rows that take too much so many parts are read. */
const PARTS = 16;
/** Of pages at both ends all may be decoded for some of their rows. */
const PARTLY_WANTED = 2;
/** What a character takes at most where it is stored. */
const CHARACTER_BYTES = 3;

export class BatchWindow {
  /** Most rows of a batch. */
  readonly size: number;
  /** What a batch takes at most, unless it is of one row. */
  readonly #bytes: number;
  /** Of columns of fixed width. */
  readonly #rowBytes: number;
  #rows: number;
  #mayGrow: boolean;

  constructor(projection: Projection, { rows, bytes, strings }: BatchOptions) {
    const { columns } = projection;
    const given = bytes ?? (rows === undefined ? null : Infinity);
    this.#bytes = given ?? BATCH_BYTES;
    this.#rowBytes = columns.reduce((sum, { info }) => sum + info.itemBytes, 0);
    this.size = rows ?? BATCH_ROWS;
    while (this.size > 1 && this.size * this.#rowBytes > (given ?? FIXED_BYTES)) this.size = Math.ceil(this.size / 2);
    this.#rows = this.size;
    // A dictionary is of one batch, and bytes may share their memory with those of other rows.
    this.#mayGrow = this.size <= MOST_CUT && strings !== 'dictionary' && !columns.some(({ info }) => isBinary(info));
  }

  get rows(): number {
    return this.#rows;
  }

  /** What a read of so many rows may make; undefined: whatever it does. */
  mostBytes(rowCount: number): number | undefined {
    if (rowCount === 1 || this.#bytes === Infinity) return undefined;
    return PARTLY_WANTED * this.#bytes + rowCount * this.#rowBytes;
  }

  /** Learns what `count` rows took. @param end where the next ones begin. */
  met(columns: readonly AnyColumn[], count: number, end: number): void {
    const isNarrow = this.#rows < this.size;
    if (!isNarrow && !this.#mayGrow) return;
    let bytes = 0;
    for (const column of columns) bytes += bytesOf(column);
    if (isNarrow) {
      // Stretches of a power of two, each at a multiple of its length, cut no page.
      const twice = 2 * this.#rows;
      if (end % twice === 0 && 2 * CHARACTER_BYTES * bytes <= this.#bytes) this.#rows = Math.min(this.size, twice);
      return;
    }
    const most = Math.min(WINDOW_ROWS, MOST_GROWTH * this.#rows, (WINDOW_BYTES * count) / Math.max(1, bytes));
    this.#rows = this.size * Math.max(1, Math.floor(most / this.size));
  }

  /** Whether rows that could not be read at once may be in fewer: these are the next. */
  narrow(rowCount: number, error: unknown): boolean {
    // Batches before the one that cannot be read are given all the same.
    if (rowCount > this.size) {
      this.#mayGrow = false;
      this.#rows = this.size;
      return true;
    }
    if (!(error instanceof LimitError) || this.mostBytes(rowCount) === undefined) return false;
    // Of the window, so that pages that have as many rows as it, or a part of it, are not cut.
    while (this.#rows >= rowCount) this.#rows = Math.ceil(this.#rows / PARTS);
    return true;
  }
}

function bytesOf(column: AnyColumn): number {
  if ('codes' in column) return column.codes.byteLength;
  if ('validity' in column) return column.validity.byteLength + bytesOf(column.values);
  if (!Array.isArray(column)) return column.byteLength;
  let bytes = VALUE_BYTES * column.length;
  for (const value of column) if (typeof value === 'string' || value instanceof Uint8Array) bytes += value.length;
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
