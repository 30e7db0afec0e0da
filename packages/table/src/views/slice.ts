// slice(start, end, step) -> the rows it stands for, by numpy's (and Python's) rules: negatives count from the end,
// bounds are clamped, a negative step walks backwards.
import { ArgumentError, describeValue } from '@colkit/io';

/** start + k * step for k in [0, count). */
export interface RowSlice {
  readonly start: number;
  readonly step: number;
  readonly count: number;
}

/** A bigint too, as columns of int64 give them. */
type RowBound = number | bigint;

/**
 * Resolves a slice of `length` rows; O(1).
 * @throws ArgumentError ERR_ARGUMENT for a step of 0 and for anything that is not an integer.
 */
export function normaliseSlice(
  length: number,
  start: RowBound | undefined,
  end: RowBound | undefined,
  step: RowBound | undefined,
): RowSlice {
  const stride = step === undefined ? 1 : integer('step', step);
  if (stride === 0) throw new ArgumentError('ERR_ARGUMENT', 'step', 'an integer other than 0', describeValue(step));
  const backwards = stride < 0;
  const first = start === undefined ? (backwards ? length - 1 : 0) : clamp('start', start, length, backwards);
  const last = end === undefined ? (backwards ? -1 : length) : clamp('end', end, length, backwards);
  return rowRange(first, stride, Math.max(0, Math.ceil((last - first) / stride)));
}

/** A bound that was checked, as a number. */
export function plainBound(bound: RowBound | undefined): number | undefined {
  return bound === undefined ? undefined : Number(bound);
}

/** A range in its canonical form: an empty one starts at 0, and one of at most one row has step 1. */
export function rowRange(start: number, step: number, count: number): RowSlice {
  if (count === 0) return { start: 0, step: 1, count };
  return { start, step: count === 1 ? 1 : step, count };
}

function clamp(name: string, value: RowBound, length: number, backwards: boolean): number {
  const index = integer(name, value);
  const counted = index < 0 ? index + length : index;
  const [low, high] = backwards ? [-1, length - 1] : [0, length];
  return Math.min(Math.max(counted, low), high);
}

function integer(name: string, value: RowBound): number {
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (!Number.isSafeInteger(number))
    throw new ArgumentError('ERR_ARGUMENT', name, 'an integer within 2^53', describeValue(value));
  // Not -0, which would come out of a range as a row number.
  return number + 0;
}
