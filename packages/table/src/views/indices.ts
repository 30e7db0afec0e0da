// Row numbers from a caller or from a step of a view -> checked row numbers: the one place where an index is folded and refused.
import { ArgumentError, LimitError, OutOfRangeError } from '@colkit/io';
import type { IndexArray } from '@colkit/io';

/** Everything that `take` accepts. Typed arrays of the four kinds of `IndexArray` are referenced, the rest is converted once. */
export type IndexInput = IndexArray | Int8Array | Uint8Array | Int16Array | Uint16Array | BigUint64Array | readonly number[] | readonly bigint[];

/** Largest row count whose row numbers fit an Int32Array. */
const INT32_ROWS = 2 ** 31;

/** What an array of 4 GiB holds of the wider kind of row numbers; some runtimes hold more. */
const MOST_PICKED = 2 ** 29;

/** An array for `count` row numbers below `rowCount`. @throws LimitError where the runtime has none so long. */
export function allocateIndices(count: number, rowCount: number): Int32Array | Float64Array {
  try {
    return rowCount <= INT32_ROWS ? new Int32Array(count) : new Float64Array(count);
  } catch {
    throw new LimitError('ERR_LIMIT', 'rows picked at a time (take fewer: slice(start, end) first, or batches())', MOST_PICKED, count);
  }
}

/**
 * The caller's indices as one of the four kinds; no copy where they already are. Range is not checked here.
 * @throws ArgumentError ERR_ARGUMENT for what is not an array of numbers.
 */
export function toIndexArray(indices: IndexInput): IndexArray {
  if (indices instanceof Int32Array || indices instanceof Float64Array || indices instanceof Uint32Array || indices instanceof BigInt64Array) return indices;
  if (indices instanceof Int8Array || indices instanceof Uint8Array || indices instanceof Int16Array || indices instanceof Uint16Array) return Int32Array.from(indices);
  if (!Array.isArray(indices) && !(indices instanceof BigUint64Array)) {
    throw new ArgumentError('ERR_ARGUMENT', 'rows', 'an array of row numbers (number[], Int32Array, Uint32Array, Float64Array, BigInt64Array)', kindOf(indices));
  }
  return fromValues(indices);
}

function fromValues(values: ArrayLike<unknown>): Int32Array | Float64Array {
  const small = new Int32Array(values.length);
  for (let position = 0; position < values.length; position += 1) {
    const value = values[position];
    const index = typeof value === 'bigint' ? Number(value) : value;
    if (typeof index !== 'number') {
      const remedy = typeof value === 'boolean' ? ' (filter() takes masks)' : '';
      throw new ArgumentError('ERR_ARGUMENT', 'rows', 'integers', `${kindOf(value)} at position ${String(position)}${remedy}`);
    }
    small[position] = index;
    if (small[position] !== index) return Float64Array.from(values as ArrayLike<number | bigint>, Number);
  }
  return small;
}

/**
 * Whether all indices lie in [0, rowCount) already.
 * @throws OutOfRangeError, ArgumentError for one that lies outside [-rowCount, rowCount) or is no integer; `offset` is added to the position that it tells.
 */
export function checkIndices(indices: IndexArray, rowCount: number, offset = 0): boolean {
  let folded = false;
  for (let position = 0; position < indices.length; position += 1) {
    const index = Number(indices[position]);
    if (index >= 0 ? index >= rowCount || !Number.isInteger(index) : !(index >= -rowCount) || !Number.isInteger(index)) throw indexError(indices[position], rowCount, offset + position);
    if (index < 0) folded = true;
  }
  return !folded;
}

/** One index, folded. */
export function foldIndex(index: number, rowCount: number, position?: number): number {
  if (!Number.isInteger(index) || index < -rowCount || index >= rowCount) throw indexError(index, rowCount, position);
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

function indexError(value: number | bigint | undefined, rowCount: number, position: number | undefined): Error {
  const index = Number(value);
  if (Number.isInteger(index)) return new OutOfRangeError('rows', index, rowCount, position);
  return new ArgumentError('ERR_ARGUMENT', 'rows', 'integers', position === undefined ? String(value) : `${String(value)} at position ${String(position)}`);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? (Object.getPrototypeOf(value) as { constructor?: { name?: string } } | null)?.constructor?.name ?? 'an object' : typeof value;
}
