// What a column's page of rows gives once it is open, whatever it is made of.
import type { OpenPage } from '../../columns/decode-page.ts';
import type { Strings, Vector } from '../../columns/vector.ts';
import type { ColumnType } from '../../layout/column-type.ts';
import type { FileLocation } from '../../layout/location.ts';

/**
 * Values are numbered without the nulls. What it returns is scratch memory or the page's own: valid until the scratch
 * memory is reset.
 */
export interface ColumnPage {
  readonly type: ColumnType;
  readonly location: FileLocation;
  readonly rowCount: number;
  readonly valueCount: number;
  /** One bit a row, 1 = not null; null where no row is null, and where all are (then there are no values). */
  readonly validity: Uint8Array | null;
  /** The page itself, unless it is seen through a joint dictionary: for evaluation on encoded values. */
  readonly own: OpenPage | null;
  /**
   * For every row its code in the chunk's dictionary, -1 for a null, and that dictionary; null where the page does not
   * come in this form. `joint`: the codes of a joint dictionary that were made these by a table, where they were.
   */
  readonly byRow: {
    readonly codes: Int32Array;
    readonly entries: Vector | Strings;
    readonly joint: { readonly codes: Uint32Array; readonly indexes: Int32Array } | null;
  } | null;
  /** The values as codes into the chunk's dictionary, where that is what the page holds. */
  coded(): { readonly codes: Uint32Array; readonly entries: Vector | Strings } | null;
  vector(start: number, end: number): Vector;
  strings(start: number, end: number): Strings;
  /** Values by number, in any order: where few are wanted, most encodings need not decode the others. */
  pick(values: Uint32Array): Vector;
  pickStrings(values: Uint32Array): Strings;
}
