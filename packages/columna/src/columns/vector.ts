// Values between bytes and arrays: what every node decodes to and is made from. Small unsigned numbers with a base and
// a step wherever possible, since JavaScript computes with those at full speed; pairs of 32-bit halves otherwise. No
// form copies another's memory.
import { isExactBigInt, isExactResult } from '@colkit/io';
import type { LazyBytes } from './lazy-bytes.ts';

/** Integers base + step * values[i] modulo 2^64. */
export interface Narrow {
  readonly kind: 'narrow';
  readonly count: number;
  readonly base: bigint;
  readonly step: bigint;
  readonly values: Uint32Array;
  /** Every value is below this: at most 2^32. */
  readonly below: number;
}

/** Integers as doubles, none beyond 2^53 either way. */
export interface Safe {
  readonly kind: 'safe';
  readonly count: number;
  readonly values: Float64Array;
}

/** Any 64-bit patterns: words[2i] the low half, words[2i + 1] the high one. */
export interface Wide {
  readonly kind: 'wide';
  readonly count: number;
  readonly words: Uint32Array;
}

/** Floats: each integer divided by 10^exponent. */
export interface Decimal {
  readonly kind: 'decimal';
  readonly count: number;
  readonly exponent: number;
  readonly integers: Narrow | Safe;
}

/** Another vector with replacements (bit patterns) at some positions, ascending. */
export interface Patched {
  readonly kind: 'patched';
  readonly count: number;
  readonly values: Vector;
  readonly positions: Uint32Array;
  readonly replacements: Wide;
}

export type Integers = Narrow | Safe | Wide;
export type Vector = Integers | Decimal | Patched;

/** Byte strings back to back: string i is bytes[ends[i - 1] …, ends[i]), the first from `start` on. */
export interface ByteStrings {
  readonly kind: 'strings';
  readonly count: number;
  /** Where they are lazy, looking at it loads all that the strings need. */
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly ends: Uint32Array;
  /** Where the bytes come from, if they are decompressed when they are needed; absent: they are there. */
  readonly lazy?: LazyBytes | undefined;
  /** A few bits of the hash of each string, where they are stored. */
  readonly fingerprints?: Fingerprints | undefined;
  /** Many pages have these strings: whoever needs bytes of some gets all of them, as the same object each time. */
  readonly isShared?: boolean;
  /** Whether it is known that all bytes are ASCII. */
  readonly isAscii?: boolean | undefined;
}

/** Of each string `bits` bits, 1 to 8. */
export interface Fingerprints {
  readonly bits: number;
  readonly values: Uint32Array;
}

/** Byte strings by number. */
export interface CodedStrings {
  readonly kind: 'coded';
  readonly count: number;
  readonly codes: Uint32Array;
  readonly entries: ByteStrings;
}

export type Strings = ByteStrings | CodedStrings;

const TWO_32 = 2 ** 32;

/** A signed 64-bit integer as a double where it is exact, else null. */
export function safeNumber(value: bigint): number | null {
  const signed = BigInt.asIntN(64, value);
  return isExactBigInt(signed) ? Number(signed) : null;
}

/**
 * Base and step of a narrow vector as doubles, where every value is then an exact double, and so is every product on
 * the way; null otherwise.
 */
export function safeLine(
  vector: Pick<Narrow, 'base' | 'step' | 'below'>,
): { readonly base: number; readonly step: number } | null {
  const base = safeNumber(vector.base);
  const step = safeNumber(vector.step);
  if (base === null || step === null) return null;
  const distance = step * (vector.below - 1);
  return isExactResult(distance) && isExactResult(base + distance) ? { base, step } : null;
}

/** One value as an unsigned 64-bit integer. For single values and rare paths. */
export function wordAt(vector: Integers, index: number): bigint {
  switch (vector.kind) {
    case 'narrow':
      return BigInt.asUintN(64, vector.base + vector.step * BigInt(vector.values[index] ?? 0));
    case 'safe':
      return BigInt.asUintN(64, BigInt(vector.values[index] ?? 0));
    case 'wide':
      return (BigInt(vector.words[2 * index + 1] ?? 0) << 32n) | BigInt(vector.words[2 * index] ?? 0);
  }
}

/** Writes integers as pairs of halves to words[2 * to …]. */
export function writeWords(vector: Integers, words: Uint32Array, to: number): void {
  const { count } = vector;
  switch (vector.kind) {
    case 'wide':
      words.set(vector.words.subarray(0, 2 * count), 2 * to);
      return;
    case 'safe':
      for (let i = 0, o = 2 * to; i < count; i++, o += 2) {
        const value = vector.values[i] as number;
        words[o] = value;
        words[o + 1] = Math.floor(value / TWO_32);
      }
      return;
    case 'narrow':
      writeNarrowWords(vector, words, 2 * to);
  }
}

/**
 * From here on BigInt loops pay: compiled, they are plain 64-bit integer code; before that, every value is an object.
 */
const LONG_LOOP = 4096;

function writeNarrowWords(vector: Narrow, words: Uint32Array, to: number): void {
  const line = safeLine(vector);
  if (line !== null) {
    const other = line.base + line.step * (vector.below - 1);
    const high = Math.floor(Math.min(line.base, other) / TWO_32);
    if (high === Math.floor(Math.max(line.base, other) / TWO_32)) {
      writeOneHigh(vector, line.base | 0, line.step | 0, high | 0, words, to);
      return;
    }
    if (vector.count < LONG_LOOP) {
      writeDoubles(vector, line.base, line.step, words, to);
      return;
    }
  }
  const { values, base, step, count } = vector;
  if ((words.byteOffset + 4 * to) % 8 === 0) {
    const longs = new BigInt64Array(words.buffer, words.byteOffset + 4 * to, count);
    if (step === 1n) for (let i = 0; i < count; i++) longs[i] = BigInt.asIntN(64, base + BigInt(values[i] as number));
    else
      for (let i = 0; i < count; i++)
        longs[i] = BigInt.asIntN(64, base + BigInt.asIntN(64, BigInt(values[i] as number) * step));
    return;
  }
  for (let i = 0, o = to; i < count; i++, o += 2) {
    const word = BigInt.asUintN(64, base + step * BigInt(values[i] as number));
    words[o] = Number(word & 0xffffffffn);
    words[o + 1] = Number(word >> 32n);
  }
}

/**
 * One high half for all, so the low halves add up in 32 bits. Four at a time: a loop of so few instructions is half
 * overhead.
 */
function writeOneHigh(
  { count, values }: Narrow,
  base: number,
  step: number,
  high: number,
  words: Uint32Array,
  to: number,
): void {
  const whole = step === 1 ? count & ~3 : 0;
  let i = 0;
  let o = to;
  for (; i < whole; i += 4, o += 8) {
    words[o] = ((values[i] as number) + base) | 0;
    words[o + 1] = high;
    words[o + 2] = ((values[i + 1] as number) + base) | 0;
    words[o + 3] = high;
    words[o + 4] = ((values[i + 2] as number) + base) | 0;
    words[o + 5] = high;
    words[o + 6] = ((values[i + 3] as number) + base) | 0;
    words[o + 7] = high;
  }
  for (; i < count; i++, o += 2) {
    words[o] = (Math.imul(values[i] as number, step) + base) | 0;
    words[o + 1] = high;
  }
}

function writeDoubles({ count, values }: Narrow, base: number, step: number, words: Uint32Array, to: number): void {
  for (let i = 0, o = to; i < count; i++, o += 2) {
    const value = base + step * (values[i] as number);
    words[o] = value;
    words[o + 1] = Math.floor(value * (1 / TWO_32));
  }
}

/** `first`, and the `count - 1` numbers after it. */
export function numbersFrom(first: number, count: number): Uint32Array {
  const numbers = new Uint32Array(count);
  for (let i = 0; i < count; i++) numbers[i] = first + i;
  return numbers;
}

/** The values at some indexes. A loop: a callback of `map` is compiled again each time. */
export function valuesAt(values: Uint32Array, indexes: Uint32Array): Uint32Array {
  const found = new Uint32Array(indexes.length);
  for (let i = 0; i < indexes.length; i++) found[i] = values[indexes[i] as number] as number;
  return found;
}
