// The values of the columns that a predicate reads, for one batch of rows.
import type { RowSelection } from '@colkit/io';
import type { Chunk } from '../../chunk/chunk.ts';

/** Nothing in it is changed or kept. */
export interface PredicateBatch {
  readonly rowCount: number;
  /** By column number; at least what is evaluated. */
  readonly columns: ReadonlyMap<number, Chunk>;
  /** Which rows of the table these are, for messages; absent: they are counted from the first of the batch. */
  readonly rows?: RowSelection | undefined;
}

/** How messages name a row of a batch. */
export function rowLabel({ rows }: PredicateBatch, row: number): string {
  const number =
    rows?.kind === 'range' ? rows.start + row * rows.step : rows?.kind === 'indices' ? Number(rows.indices[row]) : -1;
  return number >= 0 ? `row ${String(number)}` : `row ${String(row)} of those that were read`;
}
