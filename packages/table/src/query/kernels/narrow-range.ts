// Which rows of a typed array lie in [low, high]: one loop per element type, so that each stays monomorphic. Four rows
// at a time: where none of them matches, nothing is written, and where one does, all four are decided without a branch,
// so that no selectivity is slow. `flip` 1 gives the rows outside, NaN among them.
import type { NarrowArray } from './narrow-array.ts';

/** Rows [0, count) that lie in the range, into `out` from 0 on; how many. `out` has room for `count`. */
export function selectInRange(
  values: NarrowArray,
  count: number,
  low: number,
  high: number,
  flip: 0 | 1,
  out: Int32Array,
): number {
  if (values instanceof Int8Array) return rangeInt8(values, count, low, high, flip, out);
  if (values instanceof Uint8Array) return rangeUint8(values, count, low, high, flip, out);
  if (values instanceof Int16Array) return rangeInt16(values, count, low, high, flip, out);
  if (values instanceof Uint16Array) return rangeUint16(values, count, low, high, flip, out);
  if (values instanceof Int32Array) return rangeInt32(values, count, low, high, flip, out);
  if (values instanceof Uint32Array) return rangeUint32(values, count, low, high, flip, out);
  if (values instanceof Float32Array) return rangeFloat32(values, count, low, high, flip, out);
  return rangeFloat64(values, count, low, high, flip, out);
}

function rangeInt8(values: Int8Array, count: number, low: number, high: number, flip: 0 | 1, out: Int32Array): number {
  let used = 0;
  let row = 0;
  for (const whole = count - (count % 4); row < whole; row += 4) {
    const a = (Number((values[row] as number) >= low) & Number((values[row] as number) <= high)) ^ flip;
    const b = (Number((values[row + 1] as number) >= low) & Number((values[row + 1] as number) <= high)) ^ flip;
    const c = (Number((values[row + 2] as number) >= low) & Number((values[row + 2] as number) <= high)) ^ flip;
    const d = (Number((values[row + 3] as number) >= low) & Number((values[row + 3] as number) <= high)) ^ flip;
    if ((a | b | c | d) === 0) continue;
    out[used] = row;
    used += a;
    out[used] = row + 1;
    used += b;
    out[used] = row + 2;
    used += c;
    out[used] = row + 3;
    used += d;
  }
  for (; row < count; row += 1) {
    out[used] = row;
    used += (Number((values[row] as number) >= low) & Number((values[row] as number) <= high)) ^ flip;
  }
  return used;
}

function rangeUint8(
  values: Uint8Array,
  count: number,
  low: number,
  high: number,
  flip: 0 | 1,
  out: Int32Array,
): number {
  let used = 0;
  let row = 0;
  for (const whole = count - (count % 4); row < whole; row += 4) {
    const a = (Number((values[row] as number) >= low) & Number((values[row] as number) <= high)) ^ flip;
    const b = (Number((values[row + 1] as number) >= low) & Number((values[row + 1] as number) <= high)) ^ flip;
    const c = (Number((values[row + 2] as number) >= low) & Number((values[row + 2] as number) <= high)) ^ flip;
    const d = (Number((values[row + 3] as number) >= low) & Number((values[row + 3] as number) <= high)) ^ flip;
    if ((a | b | c | d) === 0) continue;
    out[used] = row;
    used += a;
    out[used] = row + 1;
    used += b;
    out[used] = row + 2;
    used += c;
    out[used] = row + 3;
    used += d;
  }
  for (; row < count; row += 1) {
    out[used] = row;
    used += (Number((values[row] as number) >= low) & Number((values[row] as number) <= high)) ^ flip;
  }
  return used;
}

function rangeInt16(
  values: Int16Array,
  count: number,
  low: number,
  high: number,
  flip: 0 | 1,
  out: Int32Array,
): number {
  let used = 0;
  let row = 0;
  for (const whole = count - (count % 4); row < whole; row += 4) {
    const a = (Number((values[row] as number) >= low) & Number((values[row] as number) <= high)) ^ flip;
    const b = (Number((values[row + 1] as number) >= low) & Number((values[row + 1] as number) <= high)) ^ flip;
    const c = (Number((values[row + 2] as number) >= low) & Number((values[row + 2] as number) <= high)) ^ flip;
    const d = (Number((values[row + 3] as number) >= low) & Number((values[row + 3] as number) <= high)) ^ flip;
    if ((a | b | c | d) === 0) continue;
    out[used] = row;
    used += a;
    out[used] = row + 1;
    used += b;
    out[used] = row + 2;
    used += c;
    out[used] = row + 3;
    used += d;
  }
  for (; row < count; row += 1) {
    out[used] = row;
    used += (Number((values[row] as number) >= low) & Number((values[row] as number) <= high)) ^ flip;
  }
  return used;
}

function rangeUint16(
  values: Uint16Array,
  count: number,
  low: number,
  high: number,
  flip: 0 | 1,
  out: Int32Array,
): number {
  let used = 0;
  let row = 0;
  for (const whole = count - (count % 4); row < whole; row += 4) {
    const a = (Number((values[row] as number) >= low) & Number((values[row] as number) <= high)) ^ flip;
    const b = (Number((values[row + 1] as number) >= low) & Number((values[row + 1] as number) <= high)) ^ flip;
    const c = (Number((values[row + 2] as number) >= low) & Number((values[row + 2] as number) <= high)) ^ flip;
    const d = (Number((values[row + 3] as number) >= low) & Number((values[row + 3] as number) <= high)) ^ flip;
    if ((a | b | c | d) === 0) continue;
    out[used] = row;
    used += a;
    out[used] = row + 1;
    used += b;
    out[used] = row + 2;
    used += c;
    out[used] = row + 3;
    used += d;
  }
  for (; row < count; row += 1) {
    out[used] = row;
    used += (Number((values[row] as number) >= low) & Number((values[row] as number) <= high)) ^ flip;
  }
  return used;
}

function rangeInt32(
  values: Int32Array,
  count: number,
  low: number,
  high: number,
  flip: 0 | 1,
  out: Int32Array,
): number {
  let used = 0;
  let row = 0;
  for (const whole = count - (count % 4); row < whole; row += 4) {
    const a = (Number((values[row] as number) >= low) & Number((values[row] as number) <= high)) ^ flip;
    const b = (Number((values[row + 1] as number) >= low) & Number((values[row + 1] as number) <= high)) ^ flip;
    const c = (Number((values[row + 2] as number) >= low) & Number((values[row + 2] as number) <= high)) ^ flip;
    const d = (Number((values[row + 3] as number) >= low) & Number((values[row + 3] as number) <= high)) ^ flip;
    if ((a | b | c | d) === 0) continue;
    out[used] = row;
    used += a;
    out[used] = row + 1;
    used += b;
    out[used] = row + 2;
    used += c;
    out[used] = row + 3;
    used += d;
  }
  for (; row < count; row += 1) {
    out[used] = row;
    used += (Number((values[row] as number) >= low) & Number((values[row] as number) <= high)) ^ flip;
  }
  return used;
}

function rangeUint32(
  values: Uint32Array,
  count: number,
  low: number,
  high: number,
  flip: 0 | 1,
  out: Int32Array,
): number {
  let used = 0;
  let row = 0;
  for (const whole = count - (count % 4); row < whole; row += 4) {
    const a = (Number((values[row] as number) >= low) & Number((values[row] as number) <= high)) ^ flip;
    const b = (Number((values[row + 1] as number) >= low) & Number((values[row + 1] as number) <= high)) ^ flip;
    const c = (Number((values[row + 2] as number) >= low) & Number((values[row + 2] as number) <= high)) ^ flip;
    const d = (Number((values[row + 3] as number) >= low) & Number((values[row + 3] as number) <= high)) ^ flip;
    if ((a | b | c | d) === 0) continue;
    out[used] = row;
    used += a;
    out[used] = row + 1;
    used += b;
    out[used] = row + 2;
    used += c;
    out[used] = row + 3;
    used += d;
  }
  for (; row < count; row += 1) {
    out[used] = row;
    used += (Number((values[row] as number) >= low) & Number((values[row] as number) <= high)) ^ flip;
  }
  return used;
}

function rangeFloat32(
  values: Float32Array,
  count: number,
  low: number,
  high: number,
  flip: 0 | 1,
  out: Int32Array,
): number {
  let used = 0;
  let row = 0;
  for (const whole = count - (count % 4); row < whole; row += 4) {
    const a = (Number((values[row] as number) >= low) & Number((values[row] as number) <= high)) ^ flip;
    const b = (Number((values[row + 1] as number) >= low) & Number((values[row + 1] as number) <= high)) ^ flip;
    const c = (Number((values[row + 2] as number) >= low) & Number((values[row + 2] as number) <= high)) ^ flip;
    const d = (Number((values[row + 3] as number) >= low) & Number((values[row + 3] as number) <= high)) ^ flip;
    if ((a | b | c | d) === 0) continue;
    out[used] = row;
    used += a;
    out[used] = row + 1;
    used += b;
    out[used] = row + 2;
    used += c;
    out[used] = row + 3;
    used += d;
  }
  for (; row < count; row += 1) {
    out[used] = row;
    used += (Number((values[row] as number) >= low) & Number((values[row] as number) <= high)) ^ flip;
  }
  return used;
}

function rangeFloat64(
  values: Float64Array,
  count: number,
  low: number,
  high: number,
  flip: 0 | 1,
  out: Int32Array,
): number {
  let used = 0;
  let row = 0;
  for (const whole = count - (count % 4); row < whole; row += 4) {
    const a = (Number((values[row] as number) >= low) & Number((values[row] as number) <= high)) ^ flip;
    const b = (Number((values[row + 1] as number) >= low) & Number((values[row + 1] as number) <= high)) ^ flip;
    const c = (Number((values[row + 2] as number) >= low) & Number((values[row + 2] as number) <= high)) ^ flip;
    const d = (Number((values[row + 3] as number) >= low) & Number((values[row + 3] as number) <= high)) ^ flip;
    if ((a | b | c | d) === 0) continue;
    out[used] = row;
    used += a;
    out[used] = row + 1;
    used += b;
    out[used] = row + 2;
    used += c;
    out[used] = row + 3;
    used += d;
  }
  for (; row < count; row += 1) {
    out[used] = row;
    used += (Number((values[row] as number) >= low) & Number((values[row] as number) <= high)) ^ flip;
  }
  return used;
}
