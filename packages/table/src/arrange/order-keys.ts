// What orders rows by one column: keys of its values, which compare as the values do. Nulls come last and NaN and NaT
// before them, in both directions.
import type { Work } from '@colkit/io/effects';
import type { ColumnValues } from '../aggregate/column-values.ts';
import type { RadixOrder } from './radix-order.ts';

/** The keys of the rows that may be among the first, and of the block that is looked at. */
export interface OrderKeys {
  /** Makes the keys of a block. */
  read(values: ColumnValues, rowCount: number): void;
  /**
   * Which rows of the block may come before the kept row that was called the last.
   * @param orEqual whether one that is equal may, by another column.
   * @returns how many, of which `picks` holds the indexes.
   */
  pick(rowCount: number, orEqual: boolean, picks: Int32Array): number;
  /** Keeps the first `count` rows of the block, or those at these indexes, from index `at` on. */
  append(picks: Int32Array | null, count: number, at: number): void;
  /** Orders the first so many kept rows. */
  sort(order: RadixOrder, count: number): Work<void>;
  /** Keeps these indexes only, in this order; the last of them is what others have to come before. */
  keep(indexes: Int32Array): void;
}
