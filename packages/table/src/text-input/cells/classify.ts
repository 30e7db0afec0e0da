// One cell, as bytes -> which types it could be. Grammars are strict, so that no text is taken for a number that may be
// none: `007`, `1,000`, `1_000` and `+5` are text, and an integer that would have to be rounded is no double. `.5` and
// `5.` are numbers, as programs write them.
import type { DType } from '@colkit/io';
import { daysInMonth } from '../../values/calendar.ts';
import { fromISO } from '../../values/time.ts';

export const BOOL = 1;
export const INTEGER = 2;
export const FLOAT = 4;
export const DATE = 8;
export const DATETIME = 16;
/** An integer of uint64; INTEGER is one of int64. */
export const UNSIGNED = 64;
export const NUMBER = INTEGER | UNSIGNED | FLOAT;
/** Everything but text, which every cell is. */
export const ANY = BOOL | NUMBER | DATE | DATETIME;
/**
 * Beside INTEGER or FLOAT where somebody said that it is one: zeros and a plus may lead, and integers are rounded to
 * doubles.
 */
export const SAID = 32;

const ZERO = 48;
const NINE = 57;
const PLUS = 43;
const MINUS = 45;
const POINT = 46;
const SMALL_E = 101;
/** Digits that every int64 has room for, that a double holds exactly, and that a uint64 may have. */
const SAFE_DIGITS = 18;
const EXACT_DIGITS = 15;
const UINT64_DIGITS = 20;
/** Longer integers are beyond all doubles. */
const MOST_DIGITS = 310;

/** Which of the types `among` bytes [start, end), which are not empty, could be. */
export function classify(bytes: Uint8Array, start: number, end: number, among: number): number {
  let types = 0;
  const first = bytes[start] as number;
  if (first === PLUS) return classifyPlus(bytes, start, end, among);
  const digits = first >= ZERO && first <= NINE;
  if ((among & NUMBER) !== 0 && (digits || first === MINUS || first === POINT))
    types |= classifyNumber(bytes, start, end, among) & among;
  else if ((among & FLOAT) !== 0 && isSpecial(bytes, start, end)) types |= FLOAT;
  if ((among & FLOAT) !== 0 && first === MINUS && isSpecial(bytes, start + 1, end)) types |= FLOAT;
  if ((among & BOOL) !== 0 && boolOf(bytes, start, end) !== -1) types |= BOOL;
  if ((among & (DATE | DATETIME)) !== 0 && digits) types |= classifyMoment(bytes, start, end) & among;
  if ((among & (DATE | DATETIME)) !== 0 && isFarYear(bytes, start, end))
    types |= classifyFarMoment(asciiText(bytes, start, end)) & among;
  return types;
}

/** A number only where somebody said so; a moment of a year beyond 9999. */
function classifyPlus(bytes: Uint8Array, start: number, end: number, among: number): number {
  const next = bytes[start + 1];
  const isNumber = (among & SAID) !== 0 && start + 1 < end && next !== MINUS && next !== PLUS;
  const number = isNumber ? classify(bytes, start + 1, end, among & (NUMBER | SAID)) : 0;
  return (among & (DATE | DATETIME)) !== 0 && isFarYear(bytes, start, end)
    ? number | (classifyFarMoment(asciiText(bytes, start, end)) & among)
    : number;
}

/** -?(0|[1-9][0-9]*)(\.[0-9]*)?([eE][+-]?[0-9]+)?, or no digits before the point and some behind it */
function classifyNumber(bytes: Uint8Array, start: number, end: number, among: number): number {
  const digits = bytes[start] === MINUS ? start + 1 : start;
  let position = pastDigits(bytes, digits, end);
  if (position === digits && (position === end || bytes[position] !== POINT)) return 0;
  let whole = digits;
  while (whole + 1 < position && bytes[whole] === ZERO) whole += 1;
  if (whole > digits && (among & SAID) === 0) return 0;
  if (position === end) {
    const count = end - whole;
    const integer = integerTypes(bytes, start, end, count);
    return count <= EXACT_DIGITS || (among & SAID) !== 0 || ((among & FLOAT) !== 0 && isDouble(bytes, start, end))
      ? integer | FLOAT
      : integer;
  }
  if (bytes[position] === POINT) {
    const fraction = position + 1;
    position = pastDigits(bytes, fraction, end);
    if (position === fraction && fraction === digits + 1) return 0;
  }
  if (position < end && ((bytes[position] as number) | 32) === SMALL_E) {
    position += 1;
    if (bytes[position] === MINUS || bytes[position] === PLUS) position += 1;
    const exponent = position;
    position = pastDigits(bytes, exponent, end);
    if (position === exponent) return 0;
  }
  return position === end ? FLOAT : 0;
}

export function pastDigits(bytes: Uint8Array, start: number, end: number): number {
  let position = start;
  while (position < end && (bytes[position] as number) >= ZERO && (bytes[position] as number) <= NINE) position += 1;
  return position;
}

/** Whether the double nearest to an integer is that integer, or is written like that. */
function isDouble(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start > MOST_DIGITS) return false;
  const text = asciiText(bytes, start, end);
  const value = Number(text);
  return (
    Number.isSafeInteger(value) ||
    (Number.isFinite(value) && (String(value) === text || BigInt(value) === BigInt(text)))
  );
}

function integerTypes(bytes: Uint8Array, start: number, end: number, count: number): number {
  if (count <= SAFE_DIGITS) {
    const isNegative = bytes[start] === MINUS && (count > 1 || bytes[end - 1] !== ZERO);
    return isNegative ? INTEGER : INTEGER | UNSIGNED;
  }
  if (count > UINT64_DIGITS) return 0;
  const value = BigInt(asciiText(bytes, start, end));
  const isSigned = value >= -(2n ** 63n) && value < 2n ** 63n;
  return (isSigned ? INTEGER : 0) | (value >= 0n && value < 2n ** 64n ? UNSIGNED : 0);
}

/** 1, 0, or -1 for what is neither true nor false (in any case). */
export function boolOf(bytes: Uint8Array, start: number, end: number): 1 | 0 | -1 {
  if (isWord(bytes, start, end, 'true')) return 1;
  return isWord(bytes, start, end, 'false') ? 0 : -1;
}

function isSpecial(bytes: Uint8Array, start: number, end: number): boolean {
  return isWord(bytes, start, end, 'nan') || isWord(bytes, start, end, 'inf') || isWord(bytes, start, end, 'infinity');
}

function isWord(bytes: Uint8Array, start: number, end: number, word: string): boolean {
  if (end - start !== word.length) return false;
  for (let index = 0; index < word.length; index += 1)
    if (((bytes[start + index] as number) | 32) !== word.charCodeAt(index)) return false;
  return true;
}

/** YYYY-MM-DD, and with (T| )HH:MM(:SS(.f{1,6})?)?Z? a datetime; a date is one too. */
function classifyMoment(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  if (length < 10 || bytes[start + 4] !== MINUS || bytes[start + 7] !== MINUS) return 0;
  const year = number4(bytes, start);
  const month = number2(bytes, start + 5);
  const day = number2(bytes, start + 8);
  if (year < 0 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return 0;
  if (length === 10) return DATE | DATETIME;
  const last = (bytes[end - 1] as number) === 90 ? end - 1 : end;
  const separator = bytes[start + 10];
  if ((separator !== 84 && separator !== 32) || last - start < 16 || bytes[start + 13] !== 58) return 0;
  const hour = number2(bytes, start + 11);
  const minute = number2(bytes, start + 14);
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return 0;
  if (last - start === 16) return DATETIME;
  const second = number2(bytes, start + 17);
  if (bytes[start + 16] !== 58 || last - start < 19 || second < 0 || second > 59) return 0;
  if (last - start === 19) return DATETIME;
  const fraction = start + 20;
  return bytes[start + 19] === POINT &&
    last > fraction &&
    last - fraction <= 6 &&
    pastDigits(bytes, fraction, last) === last
    ? DATETIME
    : 0;
}

/** Whether a sign and six digits of a year may start here: years before 0 and beyond 9999, as ISO 8601 writes them. */
export function isFarYear(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start >= 13 && (bytes[start] === MINUS || bytes[start] === PLUS) && bytes[start + 7] === MINUS;
}

const FAR_MOMENT = /^(?!-0{6})[+-]\d{6}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?Z?)?$/u;

function classifyFarMoment(text: string): number {
  const match = FAR_MOMENT.exec(text);
  if (match === null) return 0;
  const moment = holdsMoment('datetime64[us]', text) ? DATETIME : 0;
  return match[1] === undefined && holdsMoment('datetime64[D]', text) ? moment | DATE : moment;
}

/** Whether ISO text names a moment that the type holds exactly. */
function holdsMoment(dtype: DType, text: string): boolean {
  try {
    fromISO(text, dtype);
    return true;
  } catch {
    return false;
  }
}

/** Two digits as a number; negative where they are none. */
export function number2(bytes: Uint8Array, at: number): number {
  const tens = (bytes[at] as number) - ZERO;
  const ones = (bytes[at + 1] as number) - ZERO;
  return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? -1 : 10 * tens + ones;
}

export function number4(bytes: Uint8Array, at: number): number {
  const high = number2(bytes, at);
  const low = number2(bytes, at + 2);
  return high < 0 || low < 0 ? -1 : 100 * high + low;
}

export function asciiText(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let position = start; position < end; position += 1) text += String.fromCharCode(bytes[position] as number);
  return text;
}
