// Which of some rows of a typed array lie in [low, high]: the sparse twin of narrow-range.ts, for the terms after the
// first.
import type { NarrowArray } from './narrow-array.ts';

/** Those of the first `count` of `rows`, into `out` from 0 on; how many. `out` may be `rows`. */
export function selectRowsInRange(
  values: NarrowArray,
  rows: Int32Array,
  count: number,
  low: number,
  high: number,
  flip: 0 | 1,
  out: Int32Array,
): number {
  if (values instanceof Int8Array) return sparseInt8(values, rows, count, low, high, flip, out);
  if (values instanceof Uint8Array) return sparseUint8(values, rows, count, low, high, flip, out);
  if (values instanceof Int16Array) return sparseInt16(values, rows, count, low, high, flip, out);
  if (values instanceof Uint16Array) return sparseUint16(values, rows, count, low, high, flip, out);
  if (values instanceof Int32Array) return sparseInt32(values, rows, count, low, high, flip, out);
  if (values instanceof Uint32Array) return sparseUint32(values, rows, count, low, high, flip, out);
  if (values instanceof Float32Array) return sparseFloat32(values, rows, count, low, high, flip, out);
  return sparseFloat64(values, rows, count, low, high, flip, out);
}

function sparseInt8(
  values: Int8Array,
  rows: Int32Array,
  count: number,
  low: number,
  high: number,
  flip: 0 | 1,
  out: Int32Array,
): number {
  let used = 0;
  for (let index = 0; index < count; index += 1) {
    const row = rows[index] as number;
    const value = values[row] as number;
    out[used] = row;
    used += (Number(value >= low) & Number(value <= high)) ^ flip;
  }
  return used;
}

function sparseUint8(
  values: Uint8Array,
  rows: Int32Array,
  count: number,
  low: number,
  high: number,
  flip: 0 | 1,
  out: Int32Array,
): number {
  let used = 0;
  for (let index = 0; index < count; index += 1) {
    const row = rows[index] as number;
    const value = values[row] as number;
    out[used] = row;
    used += (Number(value >= low) & Number(value <= high)) ^ flip;
  }
  return used;
}

function sparseInt16(
  values: Int16Array,
  rows: Int32Array,
  count: number,
  low: number,
  high: number,
  flip: 0 | 1,
  out: Int32Array,
): number {
  let used = 0;
  for (let index = 0; index < count; index += 1) {
    const row = rows[index] as number;
    const value = values[row] as number;
    out[used] = row;
    used += (Number(value >= low) & Number(value <= high)) ^ flip;
  }
  return used;
}

function sparseUint16(
  values: Uint16Array,
  rows: Int32Array,
  count: number,
  low: number,
  high: number,
  flip: 0 | 1,
  out: Int32Array,
): number {
  let used = 0;
  for (let index = 0; index < count; index += 1) {
    const row = rows[index] as number;
    const value = values[row] as number;
    out[used] = row;
    used += (Number(value >= low) & Number(value <= high)) ^ flip;
  }
  return used;
}

function sparseInt32(
  values: Int32Array,
  rows: Int32Array,
  count: number,
  low: number,
  high: number,
  flip: 0 | 1,
  out: Int32Array,
): number {
  let used = 0;
  for (let index = 0; index < count; index += 1) {
    const row = rows[index] as number;
    const value = values[row] as number;
    out[used] = row;
    used += (Number(value >= low) & Number(value <= high)) ^ flip;
  }
  return used;
}

function sparseUint32(
  values: Uint32Array,
  rows: Int32Array,
  count: number,
  low: number,
  high: number,
  flip: 0 | 1,
  out: Int32Array,
): number {
  let used = 0;
  for (let index = 0; index < count; index += 1) {
    const row = rows[index] as number;
    const value = values[row] as number;
    out[used] = row;
    used += (Number(value >= low) & Number(value <= high)) ^ flip;
  }
  return used;
}

function sparseFloat32(
  values: Float32Array,
  rows: Int32Array,
  count: number,
  low: number,
  high: number,
  flip: 0 | 1,
  out: Int32Array,
): number {
  let used = 0;
  for (let index = 0; index < count; index += 1) {
    const row = rows[index] as number;
    const value = values[row] as number;
    out[used] = row;
    used += (Number(value >= low) & Number(value <= high)) ^ flip;
  }
  return used;
}

function sparseFloat64(
  values: Float64Array,
  rows: Int32Array,
  count: number,
  low: number,
  high: number,
  flip: 0 | 1,
  out: Int32Array,
): number {
  let used = 0;
  for (let index = 0; index < count; index += 1) {
    const row = rows[index] as number;
    const value = values[row] as number;
    out[used] = row;
    used += (Number(value >= low) & Number(value <= high)) ^ flip;
  }
  return used;
}
