// A page as the addon has decoded it: its values as numbers, codes or byte strings, or items of some of its rows.
import type { Decimal, Narrow, Strings, Wide } from '../../columns/vector.ts';
import type { ColumnType } from '../../layout/column-type.ts';

/** What is known of a page that was decoded. */
export interface DecodedPage {
  readonly rowCount: number;
  readonly valueCount: number;
  /** Null where no row is null, and where all are. */
  readonly validity: Uint8Array | null;
}

/** Items of some rows of a page, with zeros for nulls, as though these rows were all of it. */
export interface PickedItems extends DecodedPage {
  readonly items: Uint8Array;
}

/** Values in the forms in which the addon gives them. */
export type NumberVector = Narrow | Wide | (Decimal & { readonly integers: Narrow });

/**
 * The values of a page that are not null; or for every row the code of its value, all below `below`, and -1 for a null.
 */
export type DecodedNumbers = DecodedPage &
  ({ readonly vector: NumberVector } | { readonly rowCodes: Int32Array; readonly below: number });

/** The byte strings of a page that are not null. */
export type DecodedTexts = DecodedPage & { readonly strings: Strings };

/** Room for a value as a number: of 64-bit types it may be its pattern. */
export function numberBytes({ itemBytes }: ColumnType): number {
  return itemBytes === 8 ? 8 : 4;
}
