// One column of a block, given the type that it is expected to have -> its values, and which other types its cells
// could have: grammar and value in one look at the bytes.
import { parseDay, parseFloatBytes, parseWideBytes, writeSafe, writeWide } from './cell-values.ts';
import {
  BOOL,
  DATE,
  DATETIME,
  FLOAT,
  NUMBER,
  UNSIGNED,
  asciiText,
  boolOf,
  classify,
  isFarYear,
  number2,
  number4,
} from './classify.ts';
import { NullMarks, isNullCell } from './column-cells.ts';
import type { ColumnCells } from './column-cells.ts';
import type { Chunk } from '../../chunk/chunk.ts';
import { daysInMonth } from '../../values/calendar.ts';
import { fromISO } from '../../values/time.ts';

export interface TypedChunk {
  readonly chunk: Chunk;
  /** Types that every cell could have. */
  readonly types: number;
  readonly nullCount: number;
}

export function typedChunk(
  rowCount: number,
  bytes: Uint8Array,
  { validity, count }: NullMarks,
  types: number,
): TypedChunk {
  return { chunk: { kind: 'fixed', rowCount, bytes, validity }, types, nullCount: count };
}

const ZERO = 48;
const MINUS = 45;
const POINT = 46;
const COLON = 58;
const SMALL_T = 84;
const SPACE = 32;
const LETTER_Z = 90;
/** Digits that an int32 has room for, and a double. */
const INT32_DIGITS = 9;
const EXACT_DIGITS = 15;
const TWO_32 = 2 ** 32;
/** Seconds either way from 1970 whose microseconds a double holds exactly. */
const EXACT_SECONDS = 9e9;
const POWERS: readonly number[] = Array.from({ length: EXACT_DIGITS + 1 }, (_, power) => Number(`1e${String(power)}`));

/** INTEGER: int64, UNSIGNED: uint64. Null: a cell is something else. */
export function integerChunk(cells: ColumnCells, wanted: number): TypedChunk | null {
  const out = cells.slab.take(8 * cells.count);
  const nulls = new NullMarks(cells);
  const types = fillIntegers(cells, new Int32Array(out.buffer, out.byteOffset, 2 * cells.count), nulls, wanted);
  return types === 0 ? null : typedChunk(cells.count, out, nulls, types);
}

// The loops are functions of their own that give a number or a boolean: what comes behind a loop is unknown to the
// compiler while the loop runs for the first time.
/** The types that all could have; 0: a cell is something else. */
function fillIntegers(cells: ColumnCells, words: Int32Array, nulls: NullMarks, wanted: number): number {
  const { bytes, starts, ends, first, stride, count, longestWord } = cells;
  let types = NUMBER;
  for (let item = 0, cell = first; item < count; item += 1, cell += stride) {
    const start = starts[cell] as number;
    const end = ends[cell] as number;
    if (end - start <= longestWord && isNullCell(cells, cell, start, end)) {
      nulls.mark(item);
      continue;
    }
    const negative = bytes[start] === MINUS;
    let position = negative ? start + 1 : start;
    const digits = end - position;
    let wrong = digits < 1 || digits > INT32_DIGITS || (digits > 1 && bytes[position] === ZERO) ? 1 : 0;
    let value = 0;
    if (wrong === 0) {
      for (; position < end; position += 1) {
        const digit = (bytes[position] as number) - ZERO;
        wrong |= digit | (9 - digit);
        value = (Math.imul(value, 10) + digit) | 0;
      }
      if (wrong >= 0) {
        if (negative && value !== 0) {
          if (wanted === UNSIGNED) return 0;
          types &= ~UNSIGNED;
          value = -value | 0;
        }
        words[2 * item] = value;
        words[2 * item + 1] = value >> 31;
        continue;
      }
    }
    types = putInteger(bytes, start, end, words, item, types, wanted);
    if (types === 0) return 0;
  }
  return types;
}

/** Any cell. `types` without those that it cannot have; 0: it is not of the one wanted, INTEGER or UNSIGNED. */
export function putInteger(
  bytes: Uint8Array,
  start: number,
  end: number,
  words: Int32Array,
  item: number,
  types: number,
  wanted: number,
): number {
  const left = start === end ? 0 : types & classify(bytes, start, end, types);
  if ((left & wanted) === 0) return 0;
  parseWideBytes(bytes, start, end, words, item);
  return left;
}

/** float64. Null: a cell is something else. */
export function floatChunk(cells: ColumnCells): TypedChunk | null {
  const out = cells.slab.take(8 * cells.count);
  const nulls = new NullMarks(cells);
  const types = fillFloats(cells, new Float64Array(out.buffer, out.byteOffset, cells.count), nulls);
  return types === 0 ? null : typedChunk(cells.count, out, nulls, types);
}

/** The types that all could have; 0: a cell is something else. */
function fillFloats(cells: ColumnCells, values: Float64Array, nulls: NullMarks): number {
  const { bytes, starts, ends, first, stride, count, longestWord } = cells;
  let types = NUMBER;
  for (let item = 0, cell = first; item < count; item += 1, cell += stride) {
    const start = starts[cell] as number;
    const end = ends[cell] as number;
    if (end - start <= longestWord && isNullCell(cells, cell, start, end)) {
      nulls.mark(item);
      continue;
    }
    const negative = bytes[start] === MINUS;
    const whole = negative ? start + 1 : start;
    // One of the bytes may be the point.
    if (end - whole <= INT32_DIGITS + 1) {
      let position = whole;
      let digit: number;
      let mantissa = 0;
      while (position < end && (digit = (bytes[position] as number) - ZERO) >= 0 && digit <= 9) {
        mantissa = (Math.imul(mantissa, 10) + digit) | 0;
        position += 1;
      }
      const wholeDigits = position - whole;
      const isNumber = wholeDigits < 2 || bytes[whole] !== ZERO;
      if (isNumber && position === end && wholeDigits > 0 && wholeDigits <= INT32_DIGITS) {
        values[item] = negative ? -mantissa : mantissa;
        if (negative && mantissa !== 0) types &= ~UNSIGNED;
        continue;
      }
      if (isNumber && position < end && bytes[position] === POINT) {
        const fraction = position + 1;
        position = fraction;
        while (position < end && (digit = (bytes[position] as number) - ZERO) >= 0 && digit <= 9) {
          mantissa = (Math.imul(mantissa, 10) + digit) | 0;
          position += 1;
        }
        // A digit on one side of the point at least.
        if (position === end && end > whole + 1) {
          // So few digits and a power of ten are exact, and one division rounds once.
          const value = mantissa / (POWERS[end - fraction] as number);
          values[item] = negative ? -value : value;
          types = FLOAT;
          continue;
        }
      }
    }
    types = putFloat(bytes, start, end, values, item, types);
    if (types === 0) return 0;
  }
  return types;
}

/** Any cell. `types` without those that it cannot have; 0: it is no float64. */
export function putFloat(
  bytes: Uint8Array,
  start: number,
  end: number,
  values: Float64Array,
  item: number,
  types: number,
): number {
  const found = start === end ? 0 : classify(bytes, start, end, NUMBER);
  if ((found & FLOAT) === 0) return 0;
  values[item] = parseFloatBytes(bytes, start, end);
  return types & found;
}

export function boolChunk(cells: ColumnCells): TypedChunk | null {
  const out = cells.slab.take(cells.count);
  const nulls = new NullMarks(cells);
  return fillBools(cells, out, nulls) ? typedChunk(cells.count, out, nulls, BOOL) : null;
}

function fillBools(cells: ColumnCells, values: Uint8Array, nulls: NullMarks): boolean {
  const { bytes, starts, ends, first, stride, count, longestWord } = cells;
  for (let item = 0, cell = first; item < count; item += 1, cell += stride) {
    const start = starts[cell] as number;
    const end = ends[cell] as number;
    if (end - start <= longestWord && isNullCell(cells, cell, start, end)) {
      nulls.mark(item);
      continue;
    }
    const value = boolOf(bytes, start, end);
    if (value === -1) return false;
    values[item] = value;
  }
  return true;
}

/** Days or, where `days` is false, microseconds since 1970. Null: a cell is something else. */
export function momentChunk(cells: ColumnCells, days: boolean): TypedChunk | null {
  const out = cells.slab.take(8 * cells.count);
  const nulls = new NullMarks(cells);
  const types = fillMoments(cells, days, new Int32Array(out.buffer, out.byteOffset, 2 * cells.count), nulls);
  return types === 0 ? null : typedChunk(cells.count, out, nulls, types);
}

/** The types that all could have; 0: a cell is something else. */
function fillMoments(cells: ColumnCells, days: boolean, words: Int32Array, nulls: NullMarks): number {
  const { bytes, starts, ends, first, stride, count, longestWord } = cells;
  let types = DATE | DATETIME;
  // Moments of one day often follow each other.
  let lastYear = -1;
  let lastDate = -1;
  let lastDay = 0;
  for (let item = 0, cell = first; item < count; item += 1, cell += stride) {
    const start = starts[cell] as number;
    const end = ends[cell] as number;
    if (end - start <= longestWord && isNullCell(cells, cell, start, end)) {
      nulls.mark(item);
      continue;
    }
    if (isFarYear(bytes, start, end)) {
      types = putFarMoment(bytes, start, end, days, words, item, types);
      if (types === 0) return 0;
      continue;
    }
    const length = end - start;
    if (length < 10 || bytes[start + 4] !== MINUS || bytes[start + 7] !== MINUS) return 0;
    const year =
      ((bytes[start] as number) << 24) |
      ((bytes[start + 1] as number) << 16) |
      ((bytes[start + 2] as number) << 8) |
      (bytes[start + 3] as number);
    const date =
      ((bytes[start + 5] as number) << 24) |
      ((bytes[start + 6] as number) << 16) |
      ((bytes[start + 8] as number) << 8) |
      (bytes[start + 9] as number);
    if (date !== lastDate || year !== lastYear) {
      if (!isDate(bytes, start)) return 0;
      lastYear = year;
      lastDate = date;
      lastDay = parseDay(bytes, start);
    }
    if (length === 10) {
      if (days) writeSafe(lastDay, words, item);
      else writeMicroseconds(lastDay * 86_400, 0, words, item);
      continue;
    }
    if (days) return 0;
    types = DATETIME;
    const last = bytes[end - 1] === LETTER_Z ? end - 1 : end;
    const separator = bytes[start + 10];
    if ((separator !== SMALL_T && separator !== SPACE) || last - start < 16 || bytes[start + 13] !== COLON) return 0;
    const hour = number2(bytes, start + 11);
    const minute = number2(bytes, start + 14);
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return 0;
    let seconds = lastDay * 86_400 + hour * 3600 + minute * 60;
    let micros = 0;
    if (last - start > 16) {
      const second = number2(bytes, start + 17);
      if (bytes[start + 16] !== COLON || last - start < 19 || second < 0 || second > 59) return 0;
      seconds += second;
      if (last - start > 19) {
        if (bytes[start + 19] !== POINT || last - start === 20 || last - start > 26) return 0;
        for (let position = start + 20, unit = 100_000; position < last; position += 1, unit /= 10) {
          const digit = (bytes[position] as number) - ZERO;
          if (digit < 0 || digit > 9) return 0;
          micros += digit * unit;
        }
      }
    }
    writeMicroseconds(seconds, micros, words, item);
  }
  return types;
}

/** A moment of a year of six digits. `types` without those that it cannot have; 0: it is none. */
export function putFarMoment(
  bytes: Uint8Array,
  start: number,
  end: number,
  days: boolean,
  words: Int32Array,
  item: number,
  types: number,
): number {
  const found = classify(bytes, start, end, types) & types;
  if ((found & (days ? DATE : DATETIME)) === 0) return 0;
  writeWide(fromISO(asciiText(bytes, start, end), days ? 'datetime64[D]' : 'datetime64[us]'), words, item);
  return found;
}

/** Whether the digits of YYYY-MM-DD are those of a date. */
function isDate(bytes: Uint8Array, start: number): boolean {
  const year = number4(bytes, start);
  const month = number2(bytes, start + 5);
  const day = number2(bytes, start + 8);
  return year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

function writeMicroseconds(seconds: number, micros: number, words: Int32Array, item: number): void {
  if (seconds >= EXACT_SECONDS || seconds <= -EXACT_SECONDS) {
    writeWide(BigInt(seconds) * 1_000_000n + BigInt(micros), words, item);
    return;
  }
  const value = seconds * 1_000_000 + micros;
  words[2 * item] = value;
  words[2 * item + 1] = Math.floor(value / TWO_32);
}
