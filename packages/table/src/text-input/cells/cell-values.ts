// Bytes of one cell that was classified -> its value, without a string where that can be.
import { daysOfNearCivil } from '../../values/calendar.ts';
import { asciiText, number2, number4 } from './classify.ts';

const ZERO = 48;
const PLUS = 43;
const MINUS = 45;
const POINT = 46;
/** Digits that a double holds exactly. */
const EXACT_DIGITS = 15;
/** Powers of ten that are doubles exactly. */
const POWERS: readonly number[] = Array.from({ length: 23 }, (_, power) => Number(`1e${String(power)}`));
const TWO_32 = 2 ** 32;

/** A decimal number; the double nearest to it. Relies on the grammar having been checked. */
export function parseFloatBytes(bytes: Uint8Array, start: number, end: number): number {
  const negative = bytes[start] === MINUS;
  let position = negative ? start + 1 : start;
  let mantissa = 0;
  let digits = 0;
  let scale = 0;
  for (; position < end; position += 1) {
    const digit = (bytes[position] as number) - ZERO;
    if (digit < 0 || digit > 9) break;
    mantissa = 10 * mantissa + digit;
    if (mantissa !== 0) digits += 1;
  }
  if (position < end && bytes[position] === POINT) {
    for (position += 1; position < end; position += 1) {
      const digit = (bytes[position] as number) - ZERO;
      if (digit < 0 || digit > 9) break;
      mantissa = 10 * mantissa + digit;
      if (mantissa !== 0) digits += 1;
      scale += 1;
    }
  }
  // Up to fifteen digits and a power of ten that is exact, one division rounds once. Exponents, longer numbers and
  // words go the long way.
  if (position < end || digits > EXACT_DIGITS || scale > 22) return parseText(asciiText(bytes, start, end));
  const value = mantissa / (POWERS[scale] as number);
  return negative ? -value : value;
}

function parseText(text: string): number {
  const value = Number(text);
  if (!Number.isNaN(value)) return value;
  const word = text.toLowerCase();
  if (word.endsWith('nan')) return Number.NaN;
  return word.startsWith('-') ? -Infinity : Infinity;
}

/** Whether there are digits alone, after a sign at most. */
export function isDigits(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start] === MINUS || bytes[start] === PLUS ? start + 1 : start;
  for (let position = first; position < end; position += 1) {
    const digit = (bytes[position] as number) - ZERO;
    if (digit < 0 || digit > 9) return false;
  }
  return end > first;
}

/** A decimal integer into item `item` of little-endian 64-bit words. Relies on its being one of int64 or uint64. */
export function parseWideBytes(bytes: Uint8Array, start: number, end: number, words: Int32Array, item: number): void {
  const negative = bytes[start] === MINUS;
  const first = negative || bytes[start] === PLUS ? start + 1 : start;
  if (end - first > EXACT_DIGITS) {
    writeWide(negative ? -BigInt(asciiText(bytes, first, end)) : BigInt(asciiText(bytes, first, end)), words, item);
    return;
  }
  let value = 0;
  for (let position = first; position < end; position += 1) value = 10 * value + (bytes[position] as number) - ZERO;
  writeSafe(negative ? -value : value, words, item);
}

/** An integer within +-2^53. */
export function writeSafe(value: number, words: Int32Array, item: number): void {
  words[2 * item] = value;
  words[2 * item + 1] = Math.floor(value / TWO_32);
}

export function writeWide(value: bigint, words: Int32Array, item: number): void {
  words[2 * item] = Number(BigInt.asIntN(32, value));
  words[2 * item + 1] = Number(BigInt.asIntN(32, value >> 32n));
}

/** Days since 1970 of YYYY-MM-DD. */
export function parseDay(bytes: Uint8Array, start: number): number {
  return daysOfNearCivil(number4(bytes, start), number2(bytes, start + 5), number2(bytes, start + 8));
}
