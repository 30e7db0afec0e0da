// Keys that are computed of one column of integers or ticks, and are the same for all of a range of them (the month of
// all ticks of a day): computed once a range, so that rows are told apart by the range that they lie in.
import { isColkitError } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import { floorDivide } from '../../values/calendar.ts';
import { domainOf } from '../column-values.ts';
import type { Cell, ColumnValues } from '../column-values.ts';
import type { ValueCodes } from '../codes/codes.ts';

/** Values of a column -> those that some rows are grouped by, each of one value alone. */
export interface ComputedKeys {
  /** The column's dtype. */
  readonly of: DTypeInfo;
  /** So many integers or ticks, from each multiple of that on, have the same key. Null of other columns. */
  readonly width: bigint | null;
  readonly compute: (values: ColumnValues, rowCount: number) => ColumnValues;
}

/** Ranges that follow one another, all of one width. */
export interface NumberedRanges {
  /** The first integer of the first one. */
  readonly first: bigint;
  readonly width: bigint;
  /** For each of them the number of its key. */
  readonly numbers: Uint32Array;
}

/** Ranges that are remembered. */
const MOST_KNOWN = 2 ** 18;
const NONE: Uint32Array = new Uint32Array(0);
const INT64 = { least: -(2n ** 63n), most: 2n ** 63n - 1n } as const;

export class KeyRanges {
  readonly #computed: ComputedKeys;
  readonly #width: bigint;
  readonly #codes: ValueCodes;
  /** By how many widths the first range that is known begins above 0, and the numbers of those from it on. */
  #start = 0n;
  #known: Uint32Array = NONE;
  #isKnowable = true;

  /** @param codes for these keys alone. */
  constructor(computed: ComputedKeys, width: bigint, codes: ValueCodes) {
    this.#computed = computed;
    this.#width = width;
    this.#codes = codes;
  }

  /** How many numbers there are so far. */
  get count(): number {
    return this.#codes.count;
  }

  valueOf(number: number): Cell {
    return this.#codes.valueOf(number);
  }

  /**
   * The ranges that hold the integers from `least` to `most`.
   * @returns null for more than `limit`, for integers of more than 63 bits, and where the key of one of them is an
   * error: it may be a range that no row is in.
   */
  between(least: bigint, most: bigint, limit: number): NumberedRanges | null {
    const width = this.#width;
    const [start, last] = [floorDivide(least, width), floorDivide(most, width)];
    const count = Number(last - start) + 1;
    if (!this.#isKnowable || count > limit || start * width < INT64.least || (last + 1n) * width > INT64.most)
      return null;
    if (!this.#know(start, count)) return null;
    const at = Number(start - this.#start);
    return { first: start * width, width, numbers: this.#known.subarray(at, at + count) };
  }

  /** @returns false where a key cannot be computed. */
  #know(start: bigint, count: number): boolean {
    const end = start + BigInt(count);
    const [kept, from] = this.#isNear(start, end) ? [this.#known, this.#start] : [NONE, start];
    const to = from + BigInt(kept.length);
    try {
      const before = start < from ? this.#numbersOf(start, from) : NONE;
      const after = end > to ? this.#numbersOf(to, end) : NONE;
      this.#start = from - BigInt(before.length);
      if (before.length + after.length === 0) return true;
      this.#known = new Uint32Array(before.length + kept.length + after.length);
      this.#known.set(before);
      this.#known.set(kept, before.length);
      this.#known.set(after, before.length + kept.length);
      return true;
    } catch (error) {
      if (!isColkitError(error)) throw error;
      return (this.#isKnowable = false);
    }
  }

  /** Whether the ranges that are known are kept, with all between them and those from `start` to `end`. */
  #isNear(start: bigint, end: bigint): boolean {
    const known = BigInt(this.#known.length);
    const most = BigInt(MOST_KNOWN);
    return known > 0n && end - this.#start <= most && this.#start + known - start <= most;
  }

  /** The numbers of the ranges from `start` to `end`. */
  #numbersOf(start: bigint, end: bigint): Uint32Array {
    const count = Number(end - start);
    const { of, compute } = this.#computed;
    const isWide = domainOf(of) === 'wide' || domainOf(of) === 'ticks';
    const integers = BigInt64Array.from({ length: count }, (_, index) => (start + BigInt(index)) * this.#width);
    const values: ColumnValues = isWide
      ? { kind: 'words', words: new Uint32Array(integers.buffer), validity: null }
      : { kind: 'numbers', numbers: Float64Array.from(integers, Number), stored: null, validity: null };
    const numbers = new Int32Array(count);
    this.#codes.encode(compute(values, count), count, numbers);
    return new Uint32Array(numbers.buffer);
  }
}
