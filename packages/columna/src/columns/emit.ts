// Decoded vectors -> the caller's memory: items of the column's type at their index in an array. The last step of every
// read, and the one whose loops count.
import { arrayOver } from '../layout/column-type.ts';
import type { ColumnType } from '../layout/column-type.ts';
import { POWERS_OF_TEN, RECIPROCAL_BELOW, reciprocalOf } from './decimal.ts';
import type { Reciprocal } from './decimal.ts';
import { safeLine, wordAt, writeWords } from './vector.ts';
import type { Decimal, Integers, Narrow, Vector } from './vector.ts';

/** Memory for the items of one column. Eight-byte items are also seen as pairs of 32-bit halves. */
export interface ItemTarget {
  readonly type: ColumnType;
  /** Items as unsigned integers of their width; for eight bytes, halves. */
  readonly items: Uint8Array | Uint16Array | Uint32Array;
  /** The same memory as floats, for float columns. */
  readonly floats: Float32Array | Float64Array | null;
}

/** A target over `bytes`, whose offset is a multiple of the item bytes. No copy. */
export function itemTarget(type: ColumnType, bytes: Uint8Array): ItemTarget {
  const { buffer, byteOffset, byteLength } = bytes;
  const items =
    type.itemBytes === 1
      ? bytes
      : type.itemBytes === 2
        ? new Uint16Array(buffer, byteOffset, byteLength / 2)
        : new Uint32Array(buffer, byteOffset, byteLength / 4);
  const floats =
    type.domain === 'float32' || type.domain === 'float64'
      ? arrayOver(type, buffer, byteOffset, byteLength / type.itemBytes)
      : null;
  return { type, items, floats: floats instanceof Float32Array || floats instanceof Float64Array ? floats : null };
}

/** Writes all values of a vector as items [to, to + count) of the target, which has room for them. */
export function emit(vector: Vector, target: ItemTarget, to: number): void {
  switch (vector.kind) {
    case 'decimal':
      if (target.floats !== null) emitDecimal(vector, target.floats, to);
      return;
    case 'patched':
      emit(vector.values, target, to);
      for (let i = 0; i < vector.positions.length; i++)
        emitHalves(vector.replacements.words, 2 * i, target, to + (vector.positions[i] as number));
      return;
    default:
      if (target.type.itemBytes === 8) writeWords(vector, target.items as Uint32Array, to);
      else emitSmall(vector, target, to);
  }
}

/** One item from the halves of its pattern. */
function emitHalves(words: Uint32Array, at: number, { type, items }: ItemTarget, to: number): void {
  if (type.itemBytes === 8) {
    items[2 * to] = words[at] as number;
    items[2 * to + 1] = words[at + 1] as number;
  } else {
    items[to] = type.isBool ? (words[at] as number) & 1 : (words[at] as number);
  }
}

/** Items of one, two or four bytes: the low bits, which need no more than 32-bit arithmetic. */
function emitSmall(vector: Integers, { type, items }: ItemTarget, to: number): void {
  const { count } = vector;
  const mask = type.isBool ? 1 : -1;
  switch (vector.kind) {
    case 'narrow': {
      const base = Number(BigInt.asIntN(32, vector.base)) | 0;
      const step = Number(BigInt.asIntN(32, vector.step)) | 0;
      const { values } = vector;
      if (base === 0 && step === 1 && mask === -1) items.set(values.subarray(0, count), to);
      else if (items instanceof Uint8Array)
        for (let i = 0; i < count; i++) items[to + i] = (Math.imul(step, values[i] as number) + base) & mask;
      else if (items instanceof Uint16Array)
        for (let i = 0; i < count; i++) items[to + i] = (Math.imul(step, values[i] as number) + base) | 0;
      else for (let i = 0; i < count; i++) items[to + i] = (Math.imul(step, values[i] as number) + base) | 0;
      return;
    }
    case 'safe':
      for (let i = 0; i < count; i++) items[to + i] = (vector.values[i] as number) & mask;
      return;
    case 'wide':
      for (let i = 0; i < count; i++) items[to + i] = (vector.words[2 * i] as number) & mask;
  }
}

function emitDecimal({ integers, exponent, count }: Decimal, out: Float32Array | Float64Array, to: number): void {
  if (integers.kind === 'narrow') {
    emitNarrowDecimal(integers, exponent, out, to);
    return;
  }
  const power = POWERS_OF_TEN[exponent] as number;
  for (let i = 0; i < count; i++) out[to + i] = (integers.values[i] as number) / power;
}

function emitNarrowDecimal(integers: Narrow, exponent: number, out: Float32Array | Float64Array, to: number): void {
  const { count, values } = integers;
  const line = safeLine(integers);
  if (line === null) {
    // The decoder has checked that every integer is an exact double, one by one.
    const power = POWERS_OF_TEN[exponent] as number;
    for (let i = 0; i < count; i++) out[to + i] = Number(BigInt.asIntN(64, wordAt(integers, i))) / power;
    return;
  }
  const { base, step } = line;
  const reciprocal = reciprocalOf(exponent);
  const largest = Math.max(Math.abs(base), Math.abs(base + step * (integers.below - 1)));
  if (reciprocal !== null && largest < RECIPROCAL_BELOW) {
    // All integers involved are below 2^26, so they are small ones to the compiler too.
    if (out instanceof Float64Array) multiplyDoubles(integers, base | 0, step | 0, reciprocal, out, to);
    else
      for (let i = 0; i < count; i++)
        out[to + i] = quotient((Math.imul(values[i] as number, step | 0) + (base | 0)) | 0, reciprocal);
    return;
  }
  const power = POWERS_OF_TEN[exponent] as number;
  for (let i = 0; i < count; i++) out[to + i] = (base + step * (values[i] as number)) / power;
}

function quotient(integer: number, { high, low }: Reciprocal): number {
  return integer * high + integer * low;
}

/** The most common loop of all: hundredths to doubles, four at a time. */
function multiplyDoubles(
  { count, values }: Narrow,
  base: number,
  step: number,
  { high, low }: Reciprocal,
  out: Float64Array,
  to: number,
): void {
  const whole = step === 1 ? count & ~3 : 0;
  let i = 0;
  let o = to;
  for (; i < whole; i += 4, o += 4) {
    const a = ((values[i] as number) + base) | 0;
    const b = ((values[i + 1] as number) + base) | 0;
    const c = ((values[i + 2] as number) + base) | 0;
    const d = ((values[i + 3] as number) + base) | 0;
    out[o] = a * high + a * low;
    out[o + 1] = b * high + b * low;
    out[o + 2] = c * high + c * low;
    out[o + 3] = d * high + d * low;
  }
  for (; i < count; i++, o++) {
    const a = (Math.imul(values[i] as number, step) + base) | 0;
    out[o] = a * high + a * low;
  }
}
