// What a format must fill to become a table, and nothing more. The table layer knows no file; a format knows no view.
import type { GatherOutput, RowSelection } from '@colkit/io';
import type { Operation, Work } from '@colkit/io/effects';
import type { Chunk } from './chunk/chunk.ts';
import type { Field } from './field.ts';
import type { Plan } from './plan/plan.ts';
import type { ColumnStatistics } from './query/proof/column-statistics.ts';
import type { TextForm } from './text-form.ts';
import type { Rows } from './views/rows.ts';

export type { Field } from './field.ts';

/** One concrete read: columns by number, rows by a selection of the source's own rows. */
export interface ReadRequest {
  readonly columns: readonly number[];
  readonly rows: RowSelection;
  /**
   * One per column: for a fixed-width column, where the source writes its items (little-endian, as stored; already
   * large enough); null for a variable-width column. What a null row leaves there is zero bytes.
   */
  readonly outputs: readonly (GatherOutput | null)[];
  readonly strings: TextForm;
  /**
   * Whether arrays that the source makes (codes) must each be an ordinary ArrayBuffer of its own, to be transferred to
   * another thread.
   */
  readonly transferable?: boolean;
  /**
   * About how many bytes the values that are asked for may take. A source that finds out that they take more, before it
   * has made them all, throws LimitError; one whose values have one width, or are in memory anyway, need not look.
   */
  readonly mostBytes?: number | undefined;
}

/** Consecutive rows of a source: [start, end). */
export interface RowRange {
  readonly start: number;
  readonly end: number;
}

/** What a source gives for a plan. */
export type Answer =
  /** The rows that match, ascending. */
  | { readonly kind: 'rows'; readonly rows: Rows }
  /**
   * The columns that are wanted of them, in memory, as a table that is read once: its fields are those, in that order.
   */
  | { readonly kind: 'columns'; readonly table: TableSource }
  /** All rows were added to the aggregation. */
  | { readonly kind: 'aggregates' }
  | { readonly kind: 'explanation'; readonly lines: readonly string[] }
  /**
   * What is left to the table layer, which reads values for it: plans over rows of this one, ascending and apart. Rows
   * in none of them are answered or do not match.
   */
  | { readonly kind: 'rest'; readonly plans: readonly Plan[] };

/** Columns that can be read. */
export interface ColumnSource {
  /** Path or name, for messages and previews. */
  readonly name: string;
  readonly rowCount: number;
  readonly fields: readonly Field[];
  readonly closed: boolean;
  /**
   * Of a table that is read once: fixed-width columns may have no output, and then have memory of their own, which is
   * not for another thread. Absent: each has an output.
   */
  readonly ownsMemory?: boolean;
  /**
   * One operation, of whatever works read the table: a chunk for each column of the request. One of fixed width has the
   * memory of its output (`writtenChunk`); other arrays are made for this read and are the caller's. Null rows hold
   * zero bytes, '' or no bytes, and the code -1.
   */
  read(request: ReadRequest): Operation<readonly Chunk[]>;
}

/**
 * A table's bytes behind its schema. Immutable while open: the same request gives the same values. What takes time is
 * described once (`@colkit/io/effects`) and performed in either form; the signal and the number of threads are the
 * context's. Every selection index is checked against `rowCount` before one byte of any output is written
 * (OutOfRangeError with its position). After close(), every method throws ClosedError.
 */
export interface TableSource extends ColumnSource {
  /**
   * The stored bytes of `count` items of a fixed-width column from row `start` on, without a copy; starts its own
   * alignment at byte 0 of its buffer or at a multiple of the item's alignment. A write into it reaches neither the
   * file nor a later read; it outlives close(). Views of one source may share memory; what `read` gives never does.
   * @throws CannotViewError with reason and remedy (not mapped, misaligned, more than one record, foreign byte order,
   * nullable, encoded).
   */
  viewColumn(column: number, start: number, count: number): Uint8Array;
  /**
   * For a format that knows better than to read every value (statistics, encoded data): as much of a plan as it can
   * answer. Absent: the table layer executes every plan by `read`.
   */
  execute?(plan: Plan): Work<Answer>;
  /** Of a source whose columns are computed from those of another: the other. */
  readonly inner?: TableSource;
  /**
   * What is known of the values of a column in stretches of some rows (pages, files), without a look at them: apart and
   * in the order of rows, but need not be of all rows. Absent: nothing.
   */
  statisticsOf?(column: number, rows: RowRange): Work<readonly ColumnStatistics[]>;
  /**
   * Whether a column is computed: that it may be null follows from its values, and a writer of a format without nulls
   * finds out as it reads. Absent: none is.
   */
  isComputed?(column: number): boolean;
  /** Idempotent. */
  close(): void;
}
