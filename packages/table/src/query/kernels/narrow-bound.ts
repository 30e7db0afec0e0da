// Which rows of a typed array are at least, or at most, a bound: what `<`, `<=`, `>` and `>=` become, at half the
// comparisons of a range. See narrow-range.ts for the form of the loops.
import type { NarrowArray } from './narrow-array.ts';

/** Rows [0, count) of at least `low`, into `out` from 0 on; how many. `flip` 1 gives the others, NaN among them. */
export function selectAtLeast(values: NarrowArray, count: number, low: number, flip: 0 | 1, out: Int32Array): number {
  if (values instanceof Int8Array) return leastInt8(values, count, low, flip, out);
  if (values instanceof Uint8Array) return leastUint8(values, count, low, flip, out);
  if (values instanceof Int16Array) return leastInt16(values, count, low, flip, out);
  if (values instanceof Uint16Array) return leastUint16(values, count, low, flip, out);
  if (values instanceof Int32Array) return leastInt32(values, count, low, flip, out);
  if (values instanceof Uint32Array) return leastUint32(values, count, low, flip, out);
  if (values instanceof Float32Array) return leastFloat32(values, count, low, flip, out);
  return leastFloat64(values, count, low, flip, out);
}

/** Rows [0, count) of at most `high`. */
export function selectAtMost(values: NarrowArray, count: number, high: number, flip: 0 | 1, out: Int32Array): number {
  if (values instanceof Float32Array) return mostFloat32(values, count, high, flip, out);
  if (values instanceof Float64Array) return mostFloat64(values, count, high, flip, out);
  // Integers are at most `high` where they are not at least the next one.
  return selectAtLeast(values, count, high + 1, flip === 0 ? 1 : 0, out);
}

function leastInt8(values: Int8Array, count: number, low: number, flip: 0 | 1, out: Int32Array): number {
  let used = 0;
  let row = 0;
  for (const whole = count - (count % 4); row < whole; row += 4) {
    const a = Number((values[row] as number) >= low) ^ flip;
    const b = Number((values[row + 1] as number) >= low) ^ flip;
    const c = Number((values[row + 2] as number) >= low) ^ flip;
    const d = Number((values[row + 3] as number) >= low) ^ flip;
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
    used += Number((values[row] as number) >= low) ^ flip;
  }
  return used;
}

function leastUint8(values: Uint8Array, count: number, low: number, flip: 0 | 1, out: Int32Array): number {
  let used = 0;
  let row = 0;
  for (const whole = count - (count % 4); row < whole; row += 4) {
    const a = Number((values[row] as number) >= low) ^ flip;
    const b = Number((values[row + 1] as number) >= low) ^ flip;
    const c = Number((values[row + 2] as number) >= low) ^ flip;
    const d = Number((values[row + 3] as number) >= low) ^ flip;
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
    used += Number((values[row] as number) >= low) ^ flip;
  }
  return used;
}

function leastInt16(values: Int16Array, count: number, low: number, flip: 0 | 1, out: Int32Array): number {
  let used = 0;
  let row = 0;
  for (const whole = count - (count % 4); row < whole; row += 4) {
    const a = Number((values[row] as number) >= low) ^ flip;
    const b = Number((values[row + 1] as number) >= low) ^ flip;
    const c = Number((values[row + 2] as number) >= low) ^ flip;
    const d = Number((values[row + 3] as number) >= low) ^ flip;
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
    used += Number((values[row] as number) >= low) ^ flip;
  }
  return used;
}

function leastUint16(values: Uint16Array, count: number, low: number, flip: 0 | 1, out: Int32Array): number {
  let used = 0;
  let row = 0;
  for (const whole = count - (count % 4); row < whole; row += 4) {
    const a = Number((values[row] as number) >= low) ^ flip;
    const b = Number((values[row + 1] as number) >= low) ^ flip;
    const c = Number((values[row + 2] as number) >= low) ^ flip;
    const d = Number((values[row + 3] as number) >= low) ^ flip;
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
    used += Number((values[row] as number) >= low) ^ flip;
  }
  return used;
}

function leastInt32(values: Int32Array, count: number, low: number, flip: 0 | 1, out: Int32Array): number {
  let used = 0;
  let row = 0;
  for (const whole = count - (count % 4); row < whole; row += 4) {
    const a = Number((values[row] as number) >= low) ^ flip;
    const b = Number((values[row + 1] as number) >= low) ^ flip;
    const c = Number((values[row + 2] as number) >= low) ^ flip;
    const d = Number((values[row + 3] as number) >= low) ^ flip;
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
    used += Number((values[row] as number) >= low) ^ flip;
  }
  return used;
}

function leastUint32(values: Uint32Array, count: number, low: number, flip: 0 | 1, out: Int32Array): number {
  let used = 0;
  let row = 0;
  for (const whole = count - (count % 4); row < whole; row += 4) {
    const a = Number((values[row] as number) >= low) ^ flip;
    const b = Number((values[row + 1] as number) >= low) ^ flip;
    const c = Number((values[row + 2] as number) >= low) ^ flip;
    const d = Number((values[row + 3] as number) >= low) ^ flip;
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
    used += Number((values[row] as number) >= low) ^ flip;
  }
  return used;
}

function leastFloat32(values: Float32Array, count: number, low: number, flip: 0 | 1, out: Int32Array): number {
  let used = 0;
  let row = 0;
  for (const whole = count - (count % 4); row < whole; row += 4) {
    const a = Number((values[row] as number) >= low) ^ flip;
    const b = Number((values[row + 1] as number) >= low) ^ flip;
    const c = Number((values[row + 2] as number) >= low) ^ flip;
    const d = Number((values[row + 3] as number) >= low) ^ flip;
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
    used += Number((values[row] as number) >= low) ^ flip;
  }
  return used;
}

function leastFloat64(values: Float64Array, count: number, low: number, flip: 0 | 1, out: Int32Array): number {
  let used = 0;
  let row = 0;
  for (const whole = count - (count % 4); row < whole; row += 4) {
    const a = Number((values[row] as number) >= low) ^ flip;
    const b = Number((values[row + 1] as number) >= low) ^ flip;
    const c = Number((values[row + 2] as number) >= low) ^ flip;
    const d = Number((values[row + 3] as number) >= low) ^ flip;
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
    used += Number((values[row] as number) >= low) ^ flip;
  }
  return used;
}

function mostFloat32(values: Float32Array, count: number, high: number, flip: 0 | 1, out: Int32Array): number {
  let used = 0;
  let row = 0;
  for (const whole = count - (count % 4); row < whole; row += 4) {
    const a = Number((values[row] as number) <= high) ^ flip;
    const b = Number((values[row + 1] as number) <= high) ^ flip;
    const c = Number((values[row + 2] as number) <= high) ^ flip;
    const d = Number((values[row + 3] as number) <= high) ^ flip;
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
    used += Number((values[row] as number) <= high) ^ flip;
  }
  return used;
}

function mostFloat64(values: Float64Array, count: number, high: number, flip: 0 | 1, out: Int32Array): number {
  let used = 0;
  let row = 0;
  for (const whole = count - (count % 4); row < whole; row += 4) {
    const a = Number((values[row] as number) <= high) ^ flip;
    const b = Number((values[row + 1] as number) <= high) ^ flip;
    const c = Number((values[row + 2] as number) <= high) ^ flip;
    const d = Number((values[row + 3] as number) <= high) ^ flip;
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
    used += Number((values[row] as number) <= high) ^ flip;
  }
  return used;
}
