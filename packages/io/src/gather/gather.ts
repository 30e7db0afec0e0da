// Copying rows of columns out of a source by range, index or mask: the contract. create-gatherer.ts chooses the
// implementation (native kernels or pure TypeScript, same bytes).
import type { BackendOptions } from '../backend/backend-options.ts';
import type { RawColumns } from '../raw/raw-columns.ts';
import type { RandomAccessSource } from '../source/source.ts';

export type IndexArray = Int32Array | Uint32Array | Float64Array | BigInt64Array;

/** Which rows of a table, in which order. A value, never a function. */
export type RowSelection =
  /** start + k * step for k in [0, count); step of any sign but 0; all of them within the table. */
  | { readonly kind: 'range'; readonly start: number; readonly step: number; readonly count: number }
  /**
   * Any order, repeats; negatives count from the end. Not yet checked against the row count: the gather does it, all
   * before one byte is written.
   */
  | { readonly kind: 'indices'; readonly indices: IndexArray }
  /** One byte a row, 0 or not 0; `count` of them are not 0. */
  | { readonly kind: 'mask'; readonly mask: Uint8Array; readonly count: number };

/**
 * Where fixed-width columns lie in a source: row g of column c, in segment s (the last one with rowStarts[s] <= g), is
 * at byte bases[c * S + s] + g * itemBytes[c].
 */
export interface ColumnSegments {
  /** S + 1 ascending row numbers: the first 0, the last the row count. */
  readonly rowStarts: Float64Array;
  /** Bytes of one item, per column. */
  readonly itemBytes: Int32Array;
  /**
   * C * S folded byte offsets: body offset of the column in the segment minus rowStarts[s] * itemBytes. May be
   * negative.
   */
  readonly bases: Float64Array;
}

/** Where one column's items go: item i at `bytes[byteOffset + i * byteStride]`. */
export interface GatherOutput {
  readonly bytes: Uint8Array;
  readonly byteOffset: number;
  readonly byteStride: number;
}

export interface GatherRequest {
  /** Column numbers, in the order of `outputs`. */
  readonly columns: Int32Array;
  readonly rows: RowSelection;
  readonly outputs: readonly GatherOutput[];
  /** Most threads; absent or 0: the process-wide setting. */
  readonly workers?: number;
  readonly signal?: AbortSignal;
}

/**
 * A source with its segments, ready to gather from. All of a request's indices are checked before one byte is written.
 * @throws OutOfRangeError with index, length and position; IoError ERR_FILE_CHANGED where the source shrank;
 * ArgumentError ERR_OUT_BUFFER, ERR_ARGUMENT; ClosedError.
 */
export interface Gatherer {
  readonly rowCount: number;
  gather(request: GatherRequest): Promise<void>;
  gatherSync(request: GatherRequest): void;
  /** Its columns as the addon looks at them without a gather; absent or null where there is no addon or no mapping. */
  raw?(): RawColumns | null;
}

/** Signature of `createGatherer`. */
export type CreateGatherer = (
  source: RandomAccessSource,
  segments: ColumnSegments,
  options?: BackendOptions,
) => Gatherer;
