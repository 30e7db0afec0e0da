// The values of the columns that a predicate reads, for one batch of rows.
import type { Chunk } from '../../chunk/chunk.ts';

/** Nothing in it is changed or kept. */
export interface PredicateBatch {
  readonly rowCount: number;
  /** By column number; at least what is evaluated. */
  readonly columns: ReadonlyMap<number, Chunk>;
}
