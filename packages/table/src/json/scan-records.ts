// Records of JSON, as bytes -> where the values of their members are, and in which forms they are written: no object
// and no string of the language is made. Records that hold anything but plain values of columns that are known, or no
// JSON, are left to the parser of the language. The addon has the same scan (native/src/json/json_members.h).
import { ESCAPED, PLAIN, QUOTED } from '../text-input/cells/cell-flags.ts';
import { pastDigits } from '../text-input/cells/classify.ts';
import { BOOL, FRACTION, NEGATIVE, NULL, OTHER_NUMBER, OTHER_TEXT, SPECIAL_TEXT, WHOLE } from './cell-forms.ts';
import { isSpace } from './find-records.ts';
import type { JsonPlan } from './json-options.ts';
import type { NameTable } from './name-table.ts';
import { compactText, unescapeText, unitAt } from './written-text.ts';

/** A row of `stride` cells for each record: without their quotes. */
export interface CellRows {
  starts: Int32Array;
  ends: Int32Array;
  flags: Uint8Array;
  stride: number;
  /** For each column, of all cells so far: how many are not null, and their forms. */
  facts: Uint32Array;
}

/** What lists and objects are. */
export type Nested = JsonPlan['nested'];

/** A list or an object with what space it has; as `ESCAPED`, text with escapes, until its record is taken. */
const NESTED = 3;
/** Lists and objects within each other. */
const MOST_DEPTH = 64;
const EXACT_DIGITS = 15;
/** Longer numbers, and those with more digits in their exponents, may be beyond all doubles. */
const LONGEST_NUMBER = 300;
const EXPONENT_DIGITS = 2;

const [OPEN, CLOSE, OPEN_LIST, COMMA, COLON] = [0x7b, 0x7d, 0x5b, 0x2c, 0x3a];
/** From the byte that opens a list or an object to the one that closes it. */
const TO_CLOSE = 2;
const [QUOTE, BACKSLASH, SPACE, PLUS, MINUS, POINT] = [0x22, 0x5c, 0x20, 0x2b, 0x2d, 0x2e];
const [ZERO, NINE, LETTER_I, LETTER_N] = [0x30, 0x39, 0x49, 0x4e];
const [LETTER_E, LOWER] = [0x65, 0x20];
const SPECIALS: ReadonlySet<number> = new Set([MINUS, PLUS, LETTER_N, LETTER_I, BACKSLASH]);
const WORDS = ['null', 'true', 'false'].map((word) => Uint8Array.from(word, (letter) => letter.charCodeAt(0)));
/** What may stand behind a backslash, but for `u`. */
const ESCAPES: ReadonlySet<number> = new Set(Array.from('"\\/bfnrt', (letter) => letter.charCodeAt(0)));

export class RecordScan {
  /** What the last value was, and how it is written. */
  #start = 0;
  #end = 0;
  #behind = 0;
  #flag = PLAIN;
  #form = 0;
  /** For each column the number of the record that had it last. */
  #seenIn = new Float64Array(0);
  #record = 0;
  /** Columns and forms of the members of one record. */
  readonly #columns: number[] = [];
  readonly #forms: number[] = [];
  /** What opened the lists and objects around a value. */
  readonly #opened: number[] = [];

  /**
   * Scans records from `first` on into rows from `row` on, up to one that is left.
   * @param bytes Escapes in texts that are taken are resolved in them.
   * @param bounds for each record its first byte and the one behind its last.
   * @param skipsOthers whether names that are not known are passed over.
   * @param nested what lists and objects are: left, text, or the one plain value of a list.
   * @returns the record that is left, or how many there are.
   */
  scan(
    bytes: Uint8Array,
    bounds: Int32Array,
    first: number,
    end: number,
    names: NameTable,
    skipsOthers: boolean,
    nested: Nested,
    row: number,
    rows: CellRows,
  ): number {
    if (this.#seenIn.length < names.columns) this.#seenIn = new Float64Array(2 * names.columns);
    for (let record = first; record < end; record += 1) {
      const cell = (row + record - first) * rows.stride;
      const [from, to] = [bounds[2 * record] as number, bounds[2 * record + 1] as number];
      if (!this.#scanOne(bytes, from, to, names, skipsOthers, nested, cell, rows)) return record;
      this.#take(bytes, cell, names.columns, rows);
    }
    return end;
  }

  #scanOne(
    bytes: Uint8Array,
    start: number,
    end: number,
    names: NameTable,
    skipsOthers: boolean,
    nested: Nested,
    cell: number,
    { starts, ends, flags }: CellRows,
  ): boolean {
    this.#record += 1;
    this.#columns.length = this.#forms.length = 0;
    let at = behind(bytes, start, end, OPEN);
    let expected = 0;
    // An object without members is left.
    while (at !== -1) {
      if (bytes[at] !== QUOTE) return false;
      // Names are mostly in the order of those before: then it is known where they end.
      let nameEnd = at + 1 + names.lengthOf(expected);
      let entry = expected;
      const isExpected = expected < names.count && nameEnd < end && bytes[nameEnd] === QUOTE;
      if (!isExpected || !names.is(expected, bytes, at + 1, nameEnd)) {
        nameEnd = nameEndOf(bytes, at + 1, end);
        if (nameEnd === -1) return false;
        entry = names.find(bytes, at + 1, nameEnd);
        // A name that is known may be written with other escapes.
        if (entry === -1 && bytes.subarray(at + 1, nameEnd).includes(BACKSLASH)) return false;
      }
      at = behind(bytes, nameEnd + 1, end, COLON);
      if (at === -1 || (entry === -1 && !skipsOthers)) return false;
      const isSingle = nested === 'single' && entry !== -1 && at < end && bytes[at] === OPEN_LIST;
      if (!(isSingle ? this.#scanSingle(bytes, at, end) : this.#scanValue(bytes, at, end))) return false;
      if (entry !== -1) {
        if (this.#flag === NESTED && nested !== 'text') return false;
        const column = names.columnOf(entry);
        // Of two members of one name the last one counts.
        if (this.#seenIn[column] === this.#record) return false;
        this.#seenIn[column] = this.#record;
        this.#columns.push(column);
        this.#forms.push(this.#form);
        starts[cell + column] = this.#start;
        ends[cell + column] = this.#end;
        flags[cell + column] = this.#flag;
        expected = entry + 1;
      }
      const next = this.#behind;
      at = behind(bytes, next, end, COMMA);
      if (at !== -1) continue;
      return behind(bytes, next, end, CLOSE) === end;
    }
    return false;
  }

  #take(bytes: Uint8Array, cell: number, columns: number, rows: CellRows): void {
    const { starts, ends, flags, facts } = rows;
    for (let member = 0; member < this.#columns.length; member += 1) {
      const column = this.#columns[member] as number;
      const form = this.#forms[member] as number;
      facts[2 * column + 1] = (facts[2 * column + 1] as number) | form;
      if (form === NULL) ends[cell + column] = starts[cell + column] as number;
      else facts[2 * column] = (facts[2 * column] as number) + 1;
      const flag = flags[cell + column] as number;
      if (flag <= QUOTED) continue;
      flags[cell + column] = QUOTED;
      const [start, end] = [starts[cell + column] as number, ends[cell + column] as number];
      ends[cell + column] = flag === ESCAPED ? unescapeText(bytes, start, end) : compactText(bytes, start, end);
    }
    if (this.#columns.length === columns) return;
    for (let column = 0; column < columns; column += 1) {
      if (this.#seenIn[column] === this.#record) continue;
      starts[cell + column] = ends[cell + column] = flags[cell + column] = 0;
    }
  }

  /** False for what is no JSON, and what is left. */
  #scanValue(bytes: Uint8Array, start: number, end: number): boolean {
    if (bytes[start] !== OPEN && bytes[start] !== OPEN_LIST) return this.#scanPlain(bytes, start, end);
    const at = this.#nestedEnd(bytes, start, end);
    this.#start = start;
    this.#end = this.#behind = at;
    this.#flag = NESTED;
    this.#form = OTHER_TEXT;
    return at !== -1;
  }

  /** The one plain value of a list, as though it stood alone. */
  #scanSingle(bytes: Uint8Array, start: number, end: number): boolean {
    if (!this.#scanPlain(bytes, pastSpace(bytes, start + 1, end), end)) return false;
    const at = pastSpace(bytes, this.#behind, end);
    this.#behind = at + 1;
    return at < end && bytes[at] === OPEN_LIST + TO_CLOSE;
  }

  /** Behind a list or an object; -1: it is none. */
  #nestedEnd(bytes: Uint8Array, start: number, end: number): number {
    const opened = this.#opened;
    opened.length = 0;
    for (let at = start; ; ) {
      const byte = at < end ? (bytes[at] as number) : 0;
      if (byte === OPEN || byte === OPEN_LIST) {
        if (opened.length === MOST_DEPTH) return -1;
        opened.push(byte);
        at = pastSpace(bytes, at + 1, end);
        if (at >= end || bytes[at] !== byte + TO_CLOSE) {
          if (byte === OPEN) at = behindName(bytes, at, end);
          if (at === -1) return -1;
          continue;
        }
      } else {
        if (!this.#scanPlain(bytes, at, end)) return -1;
        at = pastSpace(bytes, this.#behind, end);
      }
      // Behind a value, or at what closes one that has none: up to the next.
      while (at < end && bytes[at] === (opened.at(-1) as number) + TO_CLOSE) {
        opened.pop();
        if (opened.length === 0) return at + 1;
        at = pastSpace(bytes, at + 1, end);
      }
      if (at >= end || bytes[at] !== COMMA) return -1;
      at = pastSpace(bytes, at + 1, end);
      if (opened.at(-1) === OPEN) at = behindName(bytes, at, end);
      if (at === -1) return -1;
    }
  }

  /** False for a list, an object and what is no JSON. */
  #scanPlain(bytes: Uint8Array, at: number, end: number): boolean {
    const byte = at < end ? (bytes[at] as number) : 0;
    if (byte === QUOTE) return this.#scanText(bytes, at + 1, end);
    this.#flag = PLAIN;
    this.#start = at;
    if (byte === MINUS || (byte >= ZERO && byte <= NINE)) return this.#scanNumber(bytes, at, end);
    for (const [number, word] of WORDS.entries()) {
      let index = 0;
      while (index < word.length && bytes[at + index] === word[index]) index += 1;
      if (index < word.length || at + index > end) continue;
      this.#end = this.#behind = at + index;
      this.#form = number === 0 ? NULL : BOOL;
      return true;
    }
    return false;
  }

  #scanText(bytes: Uint8Array, start: number, end: number): boolean {
    this.#flag = QUOTED;
    let at = start;
    for (; ; at += 1) {
      if (at >= end) return false;
      const byte = bytes[at] as number;
      if (byte === QUOTE) break;
      if (byte < SPACE) return false;
      if (byte !== BACKSLASH) continue;
      at = escapeEnd(bytes, at + 1, end);
      if (at === -1) return false;
      this.#flag = ESCAPED;
    }
    this.#start = start;
    this.#end = at;
    this.#behind = at + 1;
    this.#form = isSpecial(bytes[start] as number) ? SPECIAL_TEXT : OTHER_TEXT;
    return true;
  }

  /** -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)? */
  #scanNumber(bytes: Uint8Array, start: number, end: number): boolean {
    const isNegative = bytes[start] === MINUS;
    const whole = isNegative ? start + 1 : start;
    let at = pastDigits(bytes, whole, end);
    const digits = at - whole;
    if (digits === 0 || (digits > 1 && bytes[whole] === ZERO)) return false;
    let hasFraction = isNegative && digits === 1 && bytes[whole] === ZERO;
    if (at < end && bytes[at] === POINT) {
      const first = at + 1;
      at = pastDigits(bytes, first, end);
      if (at === first) return false;
      for (let digit = first; digit < at && !hasFraction; digit += 1) hasFraction = bytes[digit] !== ZERO;
    }
    let isOther = digits > EXACT_DIGITS;
    if (at < end && ((bytes[at] as number) | LOWER) === LETTER_E) {
      at += 1;
      if (bytes[at] === PLUS || bytes[at] === MINUS) at += 1;
      const first = at;
      at = pastDigits(bytes, first, end);
      if (at === first || at - first > EXPONENT_DIGITS) return false;
      isOther = true;
    }
    if (at - start > LONGEST_NUMBER) return false;
    this.#form = isOther ? OTHER_NUMBER : hasFraction ? FRACTION : isNegative ? WHOLE | NEGATIVE : WHOLE;
    this.#end = this.#behind = at;
    return true;
  }
}

/** Past the byte, and the white space before and behind it; -1: another one stands there. */
function behind(bytes: Uint8Array, start: number, end: number, byte: number): number {
  const at = pastSpace(bytes, start, end);
  return at < end && bytes[at] === byte ? pastSpace(bytes, at + 1, end) : -1;
}

function pastSpace(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && isSpace(bytes[at] as number)) at += 1;
  return at;
}

/** Behind the colon of a name that begins here; -1: there is none. */
function behindName(bytes: Uint8Array, start: number, end: number): number {
  const nameEnd = start < end && bytes[start] === QUOTE ? nameEndOf(bytes, start + 1, end) : -1;
  return nameEnd === -1 ? -1 : behind(bytes, nameEnd + 1, end, COLON);
}

/** Where its closing quote is; -1: it is not understood. Escapes in it count as they are written. */
function nameEndOf(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) return at;
    if (byte < SPACE) return -1;
    if (byte !== BACKSLASH) continue;
    at = escapeEnd(bytes, at + 1, end);
    if (at === -1) return -1;
  }
  return -1;
}

/**
 * The last byte of an escape, whose backslash stands before `at`; -1: it is none, or one that is left: NUL, and half of
 * a surrogate pair.
 */
function escapeEnd(bytes: Uint8Array, at: number, end: number): number {
  if (at < end && ESCAPES.has(bytes[at] as number)) return at;
  const unit = unitAt(bytes, at, end);
  if (unit <= 0 || (unit >= 0xdc00 && unit < 0xe000)) return -1;
  if (unit < 0xd800 || unit >= 0xe000) return at + 4;
  const low = bytes[at + 5] === BACKSLASH ? unitAt(bytes, at + 6, end) : -1;
  return low >= 0xdc00 && low < 0xe000 ? at + 10 : -1;
}

/** Whether numbers, moments, NaN, NaT and Infinity begin with it, or may do so. */
function isSpecial(byte: number): boolean {
  return (byte >= ZERO && byte <= NINE) || SPECIALS.has(byte);
}
