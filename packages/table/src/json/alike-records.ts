// Records that have the names of those before, in their order, some of them left out: what nearly all records of a file
// are. Their members are read off the text; whatever is not plain (escapes, nested values, other names, faults) is
// left to the parser of the language, and its names are learnt from.
import { isSpace } from './find-records.ts';
import type { JsonScalar, Members } from './parse-record.ts';

/** More names cost more to go through than they spare. */
const MOST_NAMES = 512;
/** Records that are tried before it is asked whether trying pays. */
const TRIED = 256;
/** Longer ones may not be exact, as integers or as multiples of a power of ten. */
const MOST_DIGITS = 15;
const POWERS_OF_TEN = Array.from({ length: MOST_DIGITS + 1 }, (_, digits) => 10 ** digits);

const [OPEN, CLOSE, COMMA, COLON] = [0x7b, 0x7d, 0x2c, 0x3a];
const [QUOTE, BACKSLASH, SPACE, MINUS, POINT] = [0x22, 0x5c, 0x20, 0x2d, 0x2e];
const [ZERO, NINE, PLUS] = [0x30, 0x39, 0x2b];
const [LETTER_E, LOWER] = [0x65, 0x20];

export class AlikeRecords {
  #names: readonly string[] = [];
  #quoted: readonly string[] = [];
  #isRead: readonly boolean[] = [];
  /** Those that are read, which is what a record gives that leaves none out. */
  #readNames: readonly string[] = [];
  #tried = 0;
  #missed = 0;
  /** Where the text was read up to, and what was found there. */
  #at = 0;
  #value: JsonScalar = null;

  /** Null: it is to be parsed as a whole. */
  parse(text: string): Members | null {
    if (this.#names.length === 0) return null;
    this.#tried += 1;
    const members = this.#read(text);
    if (members === null) this.#missed += 1;
    return members;
  }

  /** @param written the names of a record that was parsed as a whole, in their order. */
  learn(written: readonly string[], isRead: (name: string) => boolean): void {
    const pays = this.#tried < TRIED || this.#missed < this.#tried / 2;
    const names = pays ? merged(this.#names, written) : [];
    if (names.length === this.#names.length && names.every((name, index) => name === this.#names[index])) return;
    this.#names = names.length > MOST_NAMES ? [] : names;
    this.#quoted = this.#names.map((name) => JSON.stringify(name));
    this.#isRead = this.#names.map(isRead);
    this.#readNames = this.#names.filter(isRead);
  }

  #read(text: string): Members | null {
    this.#at = 0;
    if (!this.#skip(text, OPEN)) return null;
    const values: JsonScalar[] = [];
    let found: string[] | null = null;
    let next = 0;
    for (;;) {
      const first = next;
      while (next < this.#quoted.length && !text.startsWith(this.#quoted[next] as string, this.#at)) next += 1;
      if (next === this.#quoted.length) return null;
      if (next > first) found ??= this.#readAmong(0, first);
      this.#at += (this.#quoted[next] as string).length;
      if (!this.#skip(text, COLON) || !this.#readValue(text)) return null;
      if (this.#isRead[next] === true) {
        values.push(this.#value);
        found?.push(this.#names[next] as string);
      }
      next += 1;
      if (this.#skip(text, COMMA)) continue;
      if (!this.#skip(text, CLOSE) || this.#at !== text.length) return null;
      if (next < this.#names.length) found ??= this.#readAmong(0, next);
      return { names: found ?? this.#readNames, values, refused: null };
    }
  }

  #readAmong(start: number, end: number): string[] {
    return this.#names.slice(start, end).filter((_, index) => this.#isRead[start + index] === true);
  }

  /** A character, and white space before and behind it. */
  #skip(text: string, character: number): boolean {
    let at = this.#at;
    while (isSpace(text.charCodeAt(at))) at += 1;
    if (text.charCodeAt(at) !== character) return false;
    at += 1;
    while (isSpace(text.charCodeAt(at))) at += 1;
    this.#at = at;
    return true;
  }

  #readValue(text: string): boolean {
    const unit = text.charCodeAt(this.#at);
    if (unit === QUOTE) return this.#readText(text);
    if (unit === MINUS || (unit >= ZERO && unit <= NINE)) return this.#readNumber(text);
    if (text.startsWith('null', this.#at)) return this.#take(null, 4);
    if (text.startsWith('true', this.#at)) return this.#take(true, 4);
    return text.startsWith('false', this.#at) && this.#take(false, 5);
  }

  #take(value: JsonScalar, length: number): boolean {
    this.#value = value;
    this.#at += length;
    return true;
  }

  #readText(text: string): boolean {
    const start = this.#at + 1;
    for (let at = start; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit === QUOTE) return this.#take(text.slice(start, at), at + 1 - this.#at);
      if (unit === BACKSLASH || unit < SPACE) return false;
    }
    return false;
  }

  #readNumber(text: string): boolean {
    let at = this.#at;
    const isNegative = text.charCodeAt(at) === MINUS;
    if (isNegative) at += 1;
    const start = at;
    let digits = 0;
    let point = -1;
    for (; ; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit >= ZERO && unit <= NINE) digits = 10 * digits + unit - ZERO;
      else if (unit === POINT && point === -1) point = at;
      else break;
    }
    const wholeDigits = (point === -1 ? at : point) - start;
    const fractionDigits = point === -1 ? 0 : at - point - 1;
    if (wholeDigits === 0 || (wholeDigits > 1 && text.charCodeAt(start) === ZERO)) return false;
    if (point !== -1 && fractionDigits === 0) return false;
    const mantissa = at;
    if ((text.charCodeAt(at) | LOWER) === LETTER_E) at = exponentEnd(text, at + 1);
    const end = text.charCodeAt(at);
    if (end !== COMMA && end !== CLOSE && !isSpace(end)) return false;
    if (at === mantissa && wholeDigits + fractionDigits <= MOST_DIGITS) {
      // Both are exact, so that their quotient is rounded once.
      const size = digits / (POWERS_OF_TEN[fractionDigits] as number);
      return this.#take(isNegative ? -size : size, at - this.#at);
    }
    const written = text.slice(this.#at, at);
    const number = Number(written);
    const isExact = point !== -1 || at > mantissa || Math.abs(number) < 2 ** 53;
    return this.#take(isExact ? number : BigInt(written), at - this.#at);
  }
}

/** Where the digits of an exponent end; -1: there are none. */
function exponentEnd(text: string, start: number): number {
  const sign = text.charCodeAt(start);
  const first = sign === MINUS || sign === PLUS ? start + 1 : start;
  let at = first;
  while (text.charCodeAt(at) >= ZERO && text.charCodeAt(at) <= NINE) at += 1;
  return at === first ? -1 : at;
}

/** Names that are new come behind those that they follow; those of another order take the place of all. */
function merged(names: readonly string[], written: readonly string[]): readonly string[] {
  const out = [...names];
  let next = 0;
  for (const name of written) {
    const at = out.indexOf(name);
    if (at !== -1 && at < next) return written;
    if (at === -1) out.splice(next, 0, name);
    next = at === -1 ? next + 1 : at + 1;
  }
  return out;
}
