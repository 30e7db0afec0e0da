// The values of the columns that a predicate reads, for one batch of rows.
import type { FixedArray } from '@colkit/io';

/**
 * `validity`: one bit a row, least significant first, 1 = not null; null where no row is null. Rows that it calls null
 * may hold anything. Nothing in it is changed or kept.
 */
export type BatchColumn =
  /**
   * Everything with a typed array: bool as Uint8Array of 0 and 1 (every other value is true too), datetimes and
   * timedeltas as BigInt64Array ticks.
   */
  | { readonly kind: 'array'; readonly values: FixedArray; readonly validity: Uint8Array | null }
  /** Packed items of S and U columns, as stored. */
  | { readonly kind: 'items'; readonly bytes: Uint8Array; readonly validity: Uint8Array | null }
  | { readonly kind: 'text'; readonly values: readonly string[]; readonly validity: Uint8Array | null }
  | { readonly kind: 'binary'; readonly values: readonly Uint8Array[]; readonly validity: Uint8Array | null }
  /**
   * Text as codes into distinct strings: a leaf is evaluated once per distinct string. A code outside the dictionary is
   * null.
   */
  | {
      readonly kind: 'dictionary';
      readonly codes: Int32Array;
      readonly dictionary: readonly string[];
      readonly validity: Uint8Array | null;
    };

export interface PredicateBatch {
  readonly rowCount: number;
  /** By column number; at least what is evaluated. */
  readonly columns: ReadonlyMap<number, BatchColumn>;
}
