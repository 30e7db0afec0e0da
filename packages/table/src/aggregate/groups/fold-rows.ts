// Rows by group in the addon (native/reader-loops.d.cts): what is kept of each group takes the next rows.
import { numberKernels } from '@colkit/io';

export const COUNT = 0;
export const SUM = 1;
export const EXACT_SUM = 2;
export const WORD_SUM = 3;
export const EXTREME = 4;
export const WORD_EXTREME = 5;

const MOST = 1;
const UNSIGNED = 2;
const HAS_NAT = 4;
/** Fewer rows are added here. */
const WORTH_A_CALL = 128;

export interface FoldedRows {
  /** Null: all rows are of group 0, which is no work for the addon. */
  readonly groups: Uint32Array | null;
  /** A number or two words a row; null where rows are counted. */
  readonly values: Float64Array | Uint32Array | null;
  /** One bit a row, 0 for those that are passed over; null: none is. */
  readonly validity: Uint8Array | null;
}

/** @returns The flags of a fold. */
export function foldFlags(isMax: boolean, isUnsigned: boolean, hasNaT: boolean): number {
  return (isMax ? MOST : 0) + (isUnsigned ? UNSIGNED : 0) + (hasNaT ? HAS_NAT : 0);
}

/**
 * Takes rows [start, end). @param states up to three doubles a group, each in an array of its own.
 * @returns The first row that is left to the caller: `end` where all are done, `start` without the addon.
 */
export function foldRows(
  fold: number,
  flags: number,
  { groups, values, validity }: FoldedRows,
  start: number,
  end: number,
  states: readonly [Float64Array, Float64Array?, Float64Array?],
): number {
  const kernels = groups === null || end - start < WORTH_A_CALL ? null : numberKernels();
  if (groups === null || kernels === null) return start;
  const [first, second = first, third = first] = states;
  return kernels.foldByGroup(fold, flags, groups.subarray(0, end), values, validity, start, first, second, third);
}
