// Text as bytes of UTF-8, piece by piece: numbers and moments are written digit by digit, since a string for each cell
// of a table costs several times what its characters do.

import { doubleText, shortFloat } from '../values/floats/short-floats.ts';

const FIRST_BYTES = 1 << 20;
/** Room that no number and no moment needs more of. */
const LONGEST_NUMBER = 40;
const ZERO = 0x30;
const POINT = 0x2e;
const MINUS = 0x2d;
/** Digits of a number that fits into the smaller integers of the engine. */
const SMALL = 1e9;
const EIGHT_DIGITS = 1e8;
/** Doubles have fifteen digits: a decimal of as many is the only one, and the shortest, that reads as its double. */
const FIFTEEN_DIGITS = 1e15;
const CENTS = 1e2;
const MILLIONTHS = 1e6;
/** Below it all whole floats of 4 bytes have their digits, and others need decimals. */
const WHOLE_SINGLES = 4e6;
/** From it on nine digits are twelve decimals at most, and a float of 4 bytes times 10^12 is an exact double. */
const LEAST_SINGLE = 1e-4;
const MOST_DECIMALS = 12;
const ENCODER = new TextEncoder();

const asDouble = (value: number): number => value;

export class TextBytes {
  bytes = new Uint8Array(FIRST_BYTES);
  /** How many there are. */
  at = 0;

  /** What was written, no copy: the next bytes go to other memory. */
  take(): Uint8Array {
    const taken = this.bytes.subarray(0, this.at);
    this.bytes = new Uint8Array(Math.max(FIRST_BYTES, this.at));
    this.at = 0;
    return taken;
  }

  /** Makes room for so many bytes. */
  room(count: number): void {
    const needed = this.at + count;
    if (needed <= this.bytes.length) return;
    const longer = new Uint8Array(Math.max(needed, 2 * this.bytes.length));
    longer.set(this.bytes.subarray(0, this.at));
    this.bytes = longer;
  }

  byte(value: number): void {
    if (this.at === this.bytes.length) this.room(1);
    this.bytes[this.at++] = value;
  }

  /** Bytes [from, end) of UTF-8. */
  copy(source: Uint8Array, from: number, end: number): void {
    this.room(end - from);
    const { bytes } = this;
    let { at } = this;
    if (end - from > LONGEST_NUMBER) bytes.set(source.subarray(from, end), at);
    else for (let i = from, to = at; i < end; i += 1, to += 1) bytes[to] = source[i] as number;
    at += end - from;
    this.at = at;
  }

  text(text: string): void {
    // As many as UTF-8 needs for a unit of UTF-16.
    this.room(3 * text.length);
    const { bytes, at } = this;
    for (let i = 0; i < text.length; i += 1) {
      const unit = text.charCodeAt(i);
      if (unit >= 0x80) {
        this.at = at + ENCODER.encodeInto(text, bytes.subarray(at)).written;
        return;
      }
      bytes[at + i] = unit;
    }
    this.at = at + text.length;
  }

  /** A whole number within ±2^53, without exponent. */
  integer(value: number): void {
    this.room(LONGEST_NUMBER);
    if (value < 0) this.bytes[this.at++] = MINUS;
    this.#digits(Math.abs(value));
  }

  /** A finite double by its `doubleText`: the shortest decimal that reads back the same. */
  double(value: number): void {
    const size = Math.abs(value);
    if (size < FIFTEEN_DIGITS && size === Math.floor(size)) {
      if (Object.is(value, -0)) this.byte(MINUS);
      this.integer(value);
      return;
    }
    if (size < FIFTEEN_DIGITS / CENTS && this.#decimals(value, size, CENTS, 2)) return;
    if (size < FIFTEEN_DIGITS / MILLIONTHS && this.#decimals(value, size, MILLIONTHS, 6)) return;
    this.text(doubleText(value));
  }

  /** A finite float of 2 or 4 bytes, by its `shortFloat`, and -0 as such. @param round of its dtype. */
  float(value: number, itemBytes: number, round: (value: number) => number): void {
    const size = Math.abs(value);
    const isPlain = size < WHOLE_SINGLES;
    const isWhole = isPlain && size === Math.floor(size);
    if (size === 0 || (itemBytes === 4 && isWhole)) this.double(value);
    else if (!isPlain || isWhole || size < LEAST_SINGLE || !this.#fewestDecimals(value, size, round))
      this.text(doubleText(shortFloat(value, itemBytes, round)));
  }

  /** The first number of decimals that reads as the float is the first number of digits that does. */
  #fewestDecimals(value: number, size: number, round: (value: number) => number): boolean {
    for (let most = 1, scale = 10; most <= MOST_DECIMALS; most += 1, scale *= 10)
      if (this.#decimals(value, size, scale, most, round)) return true;
    return false;
  }

  /** So many digits of a number, zeros in front. */
  padded(value: number, digits: number): void {
    const end = this.at + digits;
    let rest = value;
    for (let at = end - 1; at >= this.at; at -= 1) {
      const tenth = Math.floor(rest / 10);
      this.bytes[at] = ZERO + rest - 10 * tenth;
      rest = tenth;
    }
    this.at = end;
  }

  /** False, and nothing written, where the number has more decimals than that. */
  #decimals(value: number, size: number, scale: number, most: number, read = asDouble): boolean {
    const scaled = Math.round(size * scale);
    if (read(scaled / scale) !== size) return false;
    this.room(LONGEST_NUMBER);
    if (value < 0) this.bytes[this.at++] = MINUS;
    const whole = Math.floor(scaled / scale);
    let rest = scaled - whole * scale;
    let digits = most;
    for (; rest % 10 === 0; digits -= 1) rest /= 10;
    this.#digits(whole);
    this.bytes[this.at++] = POINT;
    this.padded(rest, digits);
    return true;
  }

  #digits(value: number): void {
    if (value >= SMALL) {
      const upper = Math.floor(value / EIGHT_DIGITS);
      this.#digits(upper);
      this.padded(value - upper * EIGHT_DIGITS, 8);
      return;
    }
    let rest = value | 0;
    let count = 1;
    for (let bound = 10; rest >= bound; bound *= 10) count += 1;
    const end = this.at + count;
    for (let at = end - 1; at >= this.at; at -= 1) {
      const tenth = (rest / 10) | 0;
      this.bytes[at] = ZERO + rest - 10 * tenth;
      rest = tenth;
    }
    this.at = end;
  }
}
