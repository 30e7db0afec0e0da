// Row numbers from a caller or from a step of a view -> checked row numbers: the one room where an index is folded and
// refused.
import {
  ArgumentError,
  LimitError,
  OutOfRangeError,
  attached,
  describeValue,
  isExactBigInt,
  ofFixedLength,
  ofThisRealm,
} from '@colkit/io';
import type { IndexArray } from '@colkit/io';

/**
 * Everything that `take` accepts. Typed arrays of the four kinds of `IndexArray` are referenced, the rest is converted
 * once.
 */
export type IndexInput =
  | IndexArray
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | BigUint64Array
  | readonly number[]
  | readonly bigint[];

/** Largest row count whose row numbers fit an Int32Array. */
const INT32_ROWS = 2 ** 31;

/** What an array of 4 GiB holds of the wider kind of row numbers; some runtimes hold more. */
const MOST_PICKED = 2 ** 29;

/** An array for `count` row numbers below `rowCount`. @throws LimitError where the runtime has none so long. */
export function allocateIndices(count: number, rowCount: number): Int32Array | Float64Array {
  try {
    return rowCount <= INT32_ROWS ? new Int32Array(count) : new Float64Array(count);
  } catch {
    throw new LimitError(
      'ERR_LIMIT',
      'rows picked at a time (take fewer: slice(start, end) first, or batches())',
      MOST_PICKED,
      count,
    );
  }
}

/**
 * The caller's indices as one of the four kinds; no copy where they already are, in a buffer of fixed length. Range is
 * not checked here.
 * @param rowCount for the message about a bigint that no number holds exactly, which is out of any range.
 * @throws ArgumentError ERR_ARGUMENT for what is not an array of numbers; OutOfRangeError; ClosedError ERR_DETACHED.
 */
export function toIndexArray(given: IndexInput, rowCount = Number.MAX_SAFE_INTEGER): IndexArray {
  const indices = ofThisRealm(attached(given, 'take', 'the row numbers'));
  if (
    indices instanceof Int32Array ||
    indices instanceof Float64Array ||
    indices instanceof Uint32Array ||
    indices instanceof BigInt64Array
  )
    return ofFixedLength<IndexArray>(indices);
  if (
    indices instanceof Int8Array ||
    indices instanceof Uint8Array ||
    indices instanceof Int16Array ||
    indices instanceof Uint16Array
  )
    return Int32Array.from(indices);
  if (!Array.isArray(indices) && !(indices instanceof BigUint64Array)) {
    throw new ArgumentError(
      'ERR_ARGUMENT',
      'rows',
      'an array of row numbers (number[], Int32Array, Uint32Array, Float64Array, BigInt64Array)',
      describeValue(indices),
    );
  }
  return fromValues(indices, rowCount);
}

function fromValues(values: ArrayLike<unknown>, rowCount: number): Int32Array | Float64Array {
  const small = new Int32Array(values.length);
  for (let position = 0; position < values.length; position += 1) {
    const index = toIndex(values[position], position, rowCount);
    small[position] = index;
    if (small[position] !== index) return Float64Array.from(values, (value, index) => toIndex(value, index, rowCount));
  }
  return small;
}

function toIndex(value: unknown, position: number, rowCount: number): number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'bigint') {
    const remedy = typeof value === 'boolean' ? ' (filter() takes masks)' : '';
    throw new ArgumentError(
      'ERR_ARGUMENT',
      'rows',
      'integers',
      `${describeValue(value)} at position ${String(position)}${remedy}`,
    );
  }
  if (!isExactBigInt(value)) throw new OutOfRangeError('rows', value, rowCount, position);
  return Number(value);
}

/**
 * Whether all indices lie in [0, rowCount) already.
 * @throws OutOfRangeError, ArgumentError for one that lies outside [-rowCount, rowCount) or is no integer; `offset` is
 * added to the position that it tells.
 */
export function checkIndices(indices: IndexArray, rowCount: number, offset = 0): boolean {
  let folded = false;
  for (let position = 0; position < indices.length; position += 1) {
    const index = Number(indices[position]);
    if (index >= 0 ? index >= rowCount || !Number.isInteger(index) : !(index >= -rowCount) || !Number.isInteger(index))
      throw indexError(indices[position], rowCount, offset + position);
    if (index < 0) folded = true;
  }
  return !folded;
}

/** One index, folded. */
export function foldIndex(given: number | bigint, rowCount: number, position?: number): number {
  // A bigint beyond 2^53 may be rounded: not to a row number.
  const index = typeof given === 'bigint' ? Number(given) : given;
  if (!Number.isInteger(index) || index < -rowCount || index >= rowCount) throw indexError(given, rowCount, position);
  return index < 0 ? index + rowCount : index + 0;
}

/** Checked and folded row numbers: the array itself where nothing is to fold. */
export function foldIndices(indices: IndexArray, rowCount: number, offset: number): IndexArray {
  if (checkIndices(indices, rowCount, offset)) return indices;
  const out = allocateIndices(indices.length, rowCount);
  for (let position = 0; position < indices.length; position += 1) {
    const index = Number(indices[position]);
    out[position] = index < 0 ? index + rowCount : index;
  }
  return out;
}

function indexError(index: unknown, rowCount: number, position: number | undefined): Error {
  if (typeof index === 'bigint' || Number.isInteger(index))
    return new OutOfRangeError('rows', index, rowCount, position);
  return new ArgumentError(
    'ERR_ARGUMENT',
    'rows',
    'integers',
    `${describeValue(index)}${position === undefined ? '' : ` at position ${String(position)}`}`,
  );
}
