// Which rows of a typed array lie in [low, high]: one loop per element type, so that each stays monomorphic, and none with a branch that depends on the data, so that a selectivity of
// a half costs no more than one of a hundredth. Every comparison of numbers is such a range; `flip` 1 gives the rows outside, NaN among them.

export type NarrowArray = Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array;

/** Rows [0, count) that lie in the range, into `out` from 0 on; how many. `out` has room for `count`. */
export function selectInRange(values: NarrowArray, count: number, low: number, high: number, flip: 0 | 1, out: Int32Array): number {
  if (values instanceof Int8Array) return denseInt8(values, count, low, high, flip, out);
  if (values instanceof Uint8Array) return denseUint8(values, count, low, high, flip, out);
  if (values instanceof Int16Array) return denseInt16(values, count, low, high, flip, out);
  if (values instanceof Uint16Array) return denseUint16(values, count, low, high, flip, out);
  if (values instanceof Int32Array) return denseInt32(values, count, low, high, flip, out);
  if (values instanceof Uint32Array) return denseUint32(values, count, low, high, flip, out);
  if (values instanceof Float32Array) return denseFloat32(values, count, low, high, flip, out);
  return denseFloat64(values, count, low, high, flip, out);
}

/** As `selectInRange` for the first `count` of some rows; `out` may be `rows`. */
export function selectRowsInRange(values: NarrowArray, rows: Int32Array, count: number, low: number, high: number, flip: 0 | 1, out: Int32Array): number {
  if (values instanceof Int8Array) return sparseInt8(values, rows, count, low, high, flip, out);
  if (values instanceof Uint8Array) return sparseUint8(values, rows, count, low, high, flip, out);
  if (values instanceof Int16Array) return sparseInt16(values, rows, count, low, high, flip, out);
  if (values instanceof Uint16Array) return sparseUint16(values, rows, count, low, high, flip, out);
  if (values instanceof Int32Array) return sparseInt32(values, rows, count, low, high, flip, out);
  if (values instanceof Uint32Array) return sparseUint32(values, rows, count, low, high, flip, out);
  if (values instanceof Float32Array) return sparseFloat32(values, rows, count, low, high, flip, out);
  return sparseFloat64(values, rows, count, low, high, flip, out);
}

function denseInt8(values: Int8Array, count: number, low: number, high: number, flip: 0 | 1, out: Int32Array): number {
  let used = 0;
  for (let row = 0; row < count; row += 1) {
    const value = values[row] as number;
    out[used] = row;
    used += (Number(value >= low) & Number(value <= high)) ^ flip;
  }
  return used;
}

function sparseInt8(values: Int8Array, rows: Int32Array, count: number, low: number, high: number, flip: 0 | 1, out: Int32Array): number {
  let used = 0;
  for (let index = 0; index < count; index += 1) {
    const row = rows[index] as number;
    const value = values[row] as number;
    out[used] = row;
    used += (Number(value >= low) & Number(value <= high)) ^ flip;
  }
  return used;
}

function denseUint8(values: Uint8Array, count: number, low: number, high: number, flip: 0 | 1, out: Int32Array): number {
  let used = 0;
  for (let row = 0; row < count; row += 1) {
    const value = values[row] as number;
    out[used] = row;
    used += (Number(value >= low) & Number(value <= high)) ^ flip;
  }
  return used;
}

function sparseUint8(values: Uint8Array, rows: Int32Array, count: number, low: number, high: number, flip: 0 | 1, out: Int32Array): number {
  let used = 0;
  for (let index = 0; index < count; index += 1) {
    const row = rows[index] as number;
    const value = values[row] as number;
    out[used] = row;
    used += (Number(value >= low) & Number(value <= high)) ^ flip;
  }
  return used;
}

function denseInt16(values: Int16Array, count: number, low: number, high: number, flip: 0 | 1, out: Int32Array): number {
  let used = 0;
  for (let row = 0; row < count; row += 1) {
    const value = values[row] as number;
    out[used] = row;
    used += (Number(value >= low) & Number(value <= high)) ^ flip;
  }
  return used;
}

function sparseInt16(values: Int16Array, rows: Int32Array, count: number, low: number, high: number, flip: 0 | 1, out: Int32Array): number {
  let used = 0;
  for (let index = 0; index < count; index += 1) {
    const row = rows[index] as number;
    const value = values[row] as number;
    out[used] = row;
    used += (Number(value >= low) & Number(value <= high)) ^ flip;
  }
  return used;
}

function denseUint16(values: Uint16Array, count: number, low: number, high: number, flip: 0 | 1, out: Int32Array): number {
  let used = 0;
  for (let row = 0; row < count; row += 1) {
    const value = values[row] as number;
    out[used] = row;
    used += (Number(value >= low) & Number(value <= high)) ^ flip;
  }
  return used;
}

function sparseUint16(values: Uint16Array, rows: Int32Array, count: number, low: number, high: number, flip: 0 | 1, out: Int32Array): number {
  let used = 0;
  for (let index = 0; index < count; index += 1) {
    const row = rows[index] as number;
    const value = values[row] as number;
    out[used] = row;
    used += (Number(value >= low) & Number(value <= high)) ^ flip;
  }
  return used;
}

function denseInt32(values: Int32Array, count: number, low: number, high: number, flip: 0 | 1, out: Int32Array): number {
  let used = 0;
  for (let row = 0; row < count; row += 1) {
    const value = values[row] as number;
    out[used] = row;
    used += (Number(value >= low) & Number(value <= high)) ^ flip;
  }
  return used;
}

function sparseInt32(values: Int32Array, rows: Int32Array, count: number, low: number, high: number, flip: 0 | 1, out: Int32Array): number {
  let used = 0;
  for (let index = 0; index < count; index += 1) {
    const row = rows[index] as number;
    const value = values[row] as number;
    out[used] = row;
    used += (Number(value >= low) & Number(value <= high)) ^ flip;
  }
  return used;
}

function denseUint32(values: Uint32Array, count: number, low: number, high: number, flip: 0 | 1, out: Int32Array): number {
  let used = 0;
  for (let row = 0; row < count; row += 1) {
    const value = values[row] as number;
    out[used] = row;
    used += (Number(value >= low) & Number(value <= high)) ^ flip;
  }
  return used;
}

function sparseUint32(values: Uint32Array, rows: Int32Array, count: number, low: number, high: number, flip: 0 | 1, out: Int32Array): number {
  let used = 0;
  for (let index = 0; index < count; index += 1) {
    const row = rows[index] as number;
    const value = values[row] as number;
    out[used] = row;
    used += (Number(value >= low) & Number(value <= high)) ^ flip;
  }
  return used;
}

function denseFloat32(values: Float32Array, count: number, low: number, high: number, flip: 0 | 1, out: Int32Array): number {
  let used = 0;
  for (let row = 0; row < count; row += 1) {
    const value = values[row] as number;
    out[used] = row;
    used += (Number(value >= low) & Number(value <= high)) ^ flip;
  }
  return used;
}

function sparseFloat32(values: Float32Array, rows: Int32Array, count: number, low: number, high: number, flip: 0 | 1, out: Int32Array): number {
  let used = 0;
  for (let index = 0; index < count; index += 1) {
    const row = rows[index] as number;
    const value = values[row] as number;
    out[used] = row;
    used += (Number(value >= low) & Number(value <= high)) ^ flip;
  }
  return used;
}

function denseFloat64(values: Float64Array, count: number, low: number, high: number, flip: 0 | 1, out: Int32Array): number {
  let used = 0;
  for (let row = 0; row < count; row += 1) {
    const value = values[row] as number;
    out[used] = row;
    used += (Number(value >= low) & Number(value <= high)) ^ flip;
  }
  return used;
}

function sparseFloat64(values: Float64Array, rows: Int32Array, count: number, low: number, high: number, flip: 0 | 1, out: Int32Array): number {
  let used = 0;
  for (let index = 0; index < count; index += 1) {
    const row = rows[index] as number;
    const value = values[row] as number;
    out[used] = row;
    used += (Number(value >= low) & Number(value <= high)) ^ flip;
  }
  return used;
}
