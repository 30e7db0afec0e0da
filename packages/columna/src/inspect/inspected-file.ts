// What `inspect` finds in a file, as a plain object: the structure that the footer and the page headers tell, and,
// where it was asked for, why each encoding was kept.
import type { DType } from '@colkit/io';
import type { ColumnTypeName } from '../layout/column-type.ts';
import type { CodecName, EncodingName } from '../layout/constants.ts';
import type { Candidate } from '../columns/chooser.ts';

/**
 * A value as the column has it: bool, number, bigint (64-bit integers, days of a date, microseconds of a datetime),
 * text, bytes.
 */
export type InspectedValue = boolean | number | bigint | string | Uint8Array;

export interface InspectedBound {
  readonly value: InspectedValue;
  /** False: only a bound, which was cut or widened; no value lies beyond it. */
  readonly exact: boolean;
}

/** Over the values that are neither null nor NaN. A missing bound proves nothing. */
export interface InspectedStatistics {
  readonly nullCount: number;
  /** Null where it was not counted. */
  readonly nanCount: number | null;
  readonly min: InspectedBound | null;
  readonly max: InspectedBound | null;
}

/** Why a page has its encoding, worked out anew from its values: the file does not store what lost. */
export interface Choice {
  /** The encodings in words, children included: `DECIMAL(BITPACK)`. */
  readonly encoding: string;
  /** Bytes of the encoded values, before DEFLATE. */
  readonly bytes: number;
  /**
   * All encodings that were sized, the fewest bytes first; `estimated` where one could not win any more and was not
   * sized to the byte.
   */
  readonly candidates: readonly Candidate[];
  /** In a sentence. */
  readonly why: string;
}

export interface InspectedPage {
  readonly byteOffset: number;
  /** Header and padding included. */
  readonly byteLength: number;
  readonly rowCount: number;
  /** Rows (entries of a dictionary page) that are not null. */
  readonly valueCount: number;
  /** Of the root node; its number where this version does not know it. */
  readonly encoding: EncodingName | `encoding ${number}`;
  readonly codec: CodecName | `codec ${number}`;
  /** Bytes of the body in the file, and after decompression. */
  readonly storedBytes: number;
  readonly bodyBytes: number;
  /** Null in a dictionary page. */
  readonly statistics: InspectedStatistics | null;
  /** Present with `explainChoices`; null in pages without values and in dictionary pages. */
  readonly choice?: Choice | null;
}

/** What one row group holds of one column. */
export interface InspectedChunk {
  readonly column: string;
  readonly byteOffset: number;
  readonly byteLength: number;
  readonly dictionary: InspectedPage | null;
  /** Empty where the codes are another column's. */
  readonly pages: readonly InspectedPage[];
  /** Statistics of the pages of rows; also where the pages themselves are another column's. */
  readonly pageStatistics: readonly InspectedStatistics[];
  readonly statistics: InspectedStatistics;
  /** The root encodings of its pages, as the footer lists them. */
  readonly encodings: readonly string[];
  /** The column whose pages hold its codes, where that is another one. */
  readonly codesOf: string | null;
  /** Whether it shares a joint dictionary. */
  readonly joint: boolean;
  /** Present with `explainChoices`, in joint chunks: why the columns share codes. */
  readonly whyJoint?: string;
}

export interface InspectedRowGroup {
  readonly rowGroup: number;
  readonly firstRow: number;
  readonly rowCount: number;
  /** Rows of a page; the last one of the group has what is left. */
  readonly pageRows: number;
  readonly byteOffset: number;
  readonly byteLength: number;
  readonly chunks: readonly InspectedChunk[];
}

export interface InspectedColumn {
  readonly name: string;
  readonly type: ColumnTypeName;
  readonly dtype: DType;
  readonly nullable: boolean;
  /** Bytes of its chunks in the row groups that are described. */
  readonly byteLength: number;
  /** How many of its described pages have each encoding: `BITPACK`, `PLAIN + DEFLATE`. */
  readonly encodings: Readonly<Record<string, number>>;
}

export interface InspectedFile {
  readonly path: string;
  readonly byteLength: number;
  readonly formatVersion: number;
  readonly createdBy: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly rowCount: number;
  /** All columns and row groups there are; `columns` and `rowGroups` may be fewer, as asked. */
  readonly columnCount: number;
  readonly rowGroupCount: number;
  readonly footer: { readonly byteOffset: number; readonly byteLength: number; readonly previousEnd: number };
  readonly columns: readonly InspectedColumn[];
  readonly rowGroups: readonly InspectedRowGroup[];
}
