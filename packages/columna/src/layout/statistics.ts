// What chunks and pages say of their values: counts, minimum and maximum, in memory and in the eight-byte slots of the
// footer.
import { STATISTICS_STRING_BYTES } from './constants.ts';
import type { ColumnType } from './column-type.ts';
import { corrupt } from './location.ts';
import type { FileLocation } from './location.ts';

/** Integers, dates and bool as bigint; floats as number; byte strings as bytes (UTF-8 for string). */
export type StatisticsValue = bigint | number | Uint8Array;

export interface Bound {
  readonly value: StatisticsValue;
  /** Whether the value occurs; else nothing lies beyond it, and no more is known. */
  readonly exact: boolean;
}

export interface Statistics {
  readonly nullCount: number;
  /** Null where it was not counted: then nothing may be concluded about NaN. */
  readonly nanCount: number | null;
  /** Over values that are neither null nor NaN; null proves nothing. */
  readonly min: Bound | null;
  readonly max: Bound | null;
}

const FLAG = { MIN: 1, MAX: 2, MIN_EXACT: 4, MAX_EXACT: 8, NAN_KNOWN: 16 } as const;

/** Byte strings of a block's statistics: each distinct one once, behind the fixed-width entries. */
export class StatisticsStrings {
  readonly #start: number;
  readonly #offsets = new Map<string, number>();
  readonly #parts: Uint8Array[] = [];
  #byteLength = 0;

  constructor(start: number) {
    this.#start = start;
  }

  get byteLength(): number {
    return this.#byteLength;
  }

  /** The offset of these bytes from the start of the block. */
  add(bytes: Uint8Array): number {
    const key = bytes.reduce((text, byte) => text + String.fromCharCode(byte), '');
    let offset = this.#offsets.get(key);
    if (offset === undefined) {
      offset = this.#start + this.#byteLength;
      this.#offsets.set(key, offset);
      this.#parts.push(bytes);
      this.#byteLength += bytes.length;
    }
    return offset;
  }

  copyTo(block: Uint8Array): void {
    let at = this.#start;
    for (const part of this.#parts) {
      block.set(part, at);
      at += part.length;
    }
  }
}

/** The flags byte of a set of statistics. */
export function statisticsFlags(statistics: Statistics): number {
  const { min, max, nanCount } = statistics;
  return (
    (min === null ? 0 : FLAG.MIN | (min.exact ? FLAG.MIN_EXACT : 0)) |
    (max === null ? 0 : FLAG.MAX | (max.exact ? FLAG.MAX_EXACT : 0)) |
    (nanCount === null ? 0 : FLAG.NAN_KNOWN)
  );
}

/** Writes a bound into its slot of eight bytes; nothing where there is none. */
export function writeBound(view: DataView, byteOffset: number, bound: Bound | null, strings: StatisticsStrings): void {
  if (bound === null) return;
  const { value } = bound;
  if (typeof value === 'bigint') view.setBigUint64(byteOffset, BigInt.asUintN(64, value), true);
  else if (typeof value === 'number') view.setFloat64(byteOffset, value, true);
  else {
    view.setUint32(byteOffset, strings.add(value), true);
    view.setUint32(byteOffset + 4, value.length, true);
  }
}

interface StoredStatistics {
  readonly nullCount: number;
  readonly nanCount: number;
  readonly flags: number;
  /** Offset of the minimum's slot in the block; the maximum's is eight bytes behind it. */
  readonly slots: number;
}

/**
 * Reads a set of statistics of a block. A NaN bound proves nothing, so it is none.
 * @throws CorruptFileError ERR_METADATA for strings that are too long, or outside the block.
 */
export function readStatistics(
  block: DataView,
  stored: StoredStatistics,
  type: ColumnType,
  location: FileLocation,
): Statistics {
  const { flags, slots } = stored;
  const bound = (present: number, exact: number, byteOffset: number): Bound | null => {
    const value = (flags & present) === 0 ? null : readBound(block, byteOffset, type, location);
    return value === null ? null : Object.freeze({ value, exact: (flags & exact) !== 0 });
  };
  return Object.freeze({
    nullCount: stored.nullCount,
    nanCount: (flags & FLAG.NAN_KNOWN) === 0 ? null : stored.nanCount,
    min: bound(FLAG.MIN, FLAG.MIN_EXACT, slots),
    max: bound(FLAG.MAX, FLAG.MAX_EXACT, slots + 8),
  });
}

function readBound(
  block: DataView,
  byteOffset: number,
  type: ColumnType,
  location: FileLocation,
): StatisticsValue | null {
  if (type.domain === 'strings') {
    const start = block.getUint32(byteOffset, true);
    const length = block.getUint32(byteOffset + 4, true);
    // Entries may point at the same bytes: without the limit, each of a page's 32 would stand for a copy of the whole
    // block.
    if (length > STATISTICS_STRING_BYTES)
      throw corrupt(
        'ERR_METADATA',
        location,
        byteOffset + 4,
        `a string of at most ${STATISTICS_STRING_BYTES} bytes`,
        length,
      );
    if (start + length > block.byteLength)
      throw corrupt(
        'ERR_METADATA',
        location,
        byteOffset,
        `a string inside the block of ${block.byteLength} bytes`,
        `[${start}, ${start + length})`,
      );
    return new Uint8Array(block.buffer, block.byteOffset + start, length).slice();
  }
  if (type.domain === 'integers')
    return type.signed ? block.getBigInt64(byteOffset, true) : block.getBigUint64(byteOffset, true);
  const value = block.getFloat64(byteOffset, true);
  return Number.isNaN(value) ? null : value;
}

/** Statistics of two sets of rows together. */
export function mergeStatistics(a: Statistics, b: Statistics): Statistics {
  return Object.freeze({
    nullCount: a.nullCount + b.nullCount,
    nanCount: a.nanCount === null || b.nanCount === null ? null : a.nanCount + b.nanCount,
    min: pickBound(a, b, 'min', -1),
    max: pickBound(a, b, 'max', 1),
  });
}

/**
 * The lower minimum or higher maximum. A side without one has no values (a writer's own statistics), unless that was an
 * inexact bound that was dropped.
 */
function pickBound(a: Statistics, b: Statistics, side: 'min' | 'max', sign: number): Bound | null {
  const [first, second] = [a[side], b[side]];
  if (first === null || second === null) {
    const other = side === 'min' ? 'max' : 'min';
    // A maximum that could not be cut is missing although there are values: the minimum tells.
    if ((first === null && a[other] !== null) || (second === null && b[other] !== null)) return null;
    return first ?? second;
  }
  const order = compareValues(second.value, first.value) * sign;
  return order > 0 ? second : order < 0 ? first : first.exact ? first : second;
}

/** Order of two values of one type; −0 before +0, bytes (of any realm) unsigned. */
export function compareValues(a: StatisticsValue, b: StatisticsValue): number {
  if (typeof a === 'object' && typeof b === 'object') return compareBytes(a, b);
  if (a < b) return -1;
  if (a > b) return 1;
  return Number(Object.is(b, -0)) - Number(Object.is(a, -0));
}

export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  return compareRange(a, 0, a.length, b);
}

/** Of the bytes [from, end), without a view of them. */
export function compareRange(bytes: Uint8Array, from: number, end: number, other: Uint8Array): number {
  const shared = Math.min(end - from, other.length);
  for (let i = 0; i < shared; i++) {
    const difference = (bytes[from + i] as number) - (other[i] as number);
    if (difference !== 0) return difference;
  }
  return end - from - other.length;
}

/** A lower bound of at most 64 bytes: the bytes themselves, or a prefix that ends on a code point for text. */
export function lowerBound(bytes: Uint8Array, isText: boolean): Bound {
  if (bytes.length <= STATISTICS_STRING_BYTES) return { value: bytes.slice(), exact: true };
  return { value: bytes.slice(0, cut(bytes, isText)), exact: false };
}

/** An upper bound of at most 64 bytes, or null where every prefix is already the largest of its length. */
export function upperBound(bytes: Uint8Array, isText: boolean): Bound | null {
  if (bytes.length <= STATISTICS_STRING_BYTES) return { value: bytes.slice(), exact: true };
  const prefix = bytes.slice(0, cut(bytes, isText));
  const increased = isText ? increaseText(prefix) : increaseBytes(prefix);
  return increased === null ? null : { value: increased, exact: false };
}

function cut(bytes: Uint8Array, isText: boolean): number {
  let end = STATISTICS_STRING_BYTES;
  if (isText) while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return end;
}

function increaseBytes(prefix: Uint8Array): Uint8Array | null {
  let end = prefix.length;
  while (prefix[end - 1] === 0xff) end--;
  if (end === 0) return null;
  const increased = prefix.slice(0, end);
  increased[end - 1] = (increased[end - 1] ?? 0) + 1;
  return increased;
}

/**
 * The last code point that can be increased, increased; what follows it dropped. Surrogates, which UTF-8 does not have,
 * are stepped over.
 */
function increaseText(prefix: Uint8Array): Uint8Array | null {
  const points = Array.from(
    new TextDecoder('utf-8', { ignoreBOM: true }).decode(prefix),
    (point) => point.codePointAt(0) ?? 0,
  );
  while (points.length > 0) {
    const last = points.pop() ?? 0;
    if (last < 0x10ffff)
      return new TextEncoder().encode(
        [...points, last === 0xd7ff ? 0xe000 : last + 1].map((point) => String.fromCodePoint(point)).join(''),
      );
  }
  return null;
}
