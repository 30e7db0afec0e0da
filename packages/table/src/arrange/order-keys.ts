// The values of a column that is ordered by -> words that compare as the values do: numbers by their bits, text by its
// rank among the texts that are there. Nulls come last and NaN and NaT before them, in both directions.
import { dtypeFacts } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import { compareText } from '../values/text-order.ts';
import { domainOf } from '../aggregate/column-values.ts';
import type { ColumnValues, Domain } from '../aggregate/column-values.ts';
import type { RadixOrder } from './radix-order.ts';

/** The keys of the rows that may be among the first, and of the block that is looked at. */
export interface OrderKeys {
  /** Makes the keys of a block. */
  read(values: ColumnValues, rowCount: number): void;
  /**
   * Which rows of the block may come before the kept row that was called the last.
   * @param orEqual whether one that is equal may, by another column.
   * @returns how many, of which `picks` holds the indexes.
   */
  pick(rowCount: number, orEqual: boolean, picks: Int32Array): number;
  /** Keeps the first `count` rows of the block, or those at these indexes, from index `at` on. */
  append(picks: Int32Array | null, count: number, at: number): void;
  /** Orders the first so many kept rows. */
  sort(order: RadixOrder, count: number): void;
  /** Keeps these indexes only, in this order; the last of them is what others have to come before. */
  keep(indexes: Int32Array): void;
}

export function orderKeys(info: DTypeInfo, descending: boolean, capacity: number): OrderKeys {
  return domainOf(info) === 'text' ? new TextKeys(descending, capacity) : new WordKeys(info, descending, capacity);
}

/** Beside the words, in this order. */
const VALUE = 0;
const NO_NUMBER = 1;
const NULL = 2;

const SIGN = 0x8000_0000;

class WordKeys implements OrderKeys {
  readonly #domain: Domain;
  readonly #unsigned: boolean;
  /** What all bits are changed by. */
  readonly #flip: number;
  readonly #highs: Uint32Array;
  readonly #lows: Uint32Array;
  readonly #classes: Uint8Array;
  #blockHighs = new Uint32Array(0);
  #blockLows = new Uint32Array(0);
  #blockClasses = new Uint8Array(0);
  #numbers = new Float64Array(0);
  #last = 0;

  constructor(info: DTypeInfo, descending: boolean, capacity: number) {
    this.#domain = domainOf(info);
    this.#unsigned = dtypeFacts(info).isUnsigned;
    this.#flip = descending ? 0xffff_ffff : 0;
    this.#highs = new Uint32Array(capacity);
    this.#lows = new Uint32Array(capacity);
    this.#classes = new Uint8Array(capacity);
  }

  read(values: ColumnValues, rowCount: number): void {
    if (this.#blockHighs.length < rowCount) {
      this.#blockHighs = new Uint32Array(rowCount);
      this.#blockLows = new Uint32Array(rowCount);
      this.#blockClasses = new Uint8Array(rowCount);
    }
    this.#blockClasses.fill(VALUE, 0, rowCount);
    if (values.kind === 'words') this.#readWords(values.words, rowCount);
    else if (values.kind === 'numbers' && this.#domain === 'floats') this.#readFloats(values.numbers, rowCount);
    else if (values.kind === 'numbers') this.#readIntegers(values.numbers, rowCount);
    const { validity } = values;
    if (validity === null) return;
    for (let row = 0; row < rowCount; row += 1) {
      if ((((validity[row >>> 3] as number) >> (row & 7)) & 1) === 1) continue;
      this.#blockHighs[row] = 0;
      this.#blockLows[row] = 0;
      this.#blockClasses[row] = NULL;
    }
  }

  pick(rowCount: number, orEqual: boolean, picks: Int32Array): number {
    const [ofHighs, ofLows, ofClasses] = [this.#blockHighs, this.#blockLows, this.#blockClasses];
    const lastClass = this.#classes[this.#last] as number;
    const lastHigh = this.#highs[this.#last] as number;
    const lastLow = this.#lows[this.#last] as number;
    let count = 0;
    for (let row = 0; row < rowCount; row += 1) {
      const own = ofClasses[row] as number;
      if (own > lastClass) continue;
      if (own === lastClass) {
        const high = ofHighs[row] as number;
        if (high > lastHigh) continue;
        if (high === lastHigh) {
          const low = ofLows[row] as number;
          if (low > lastLow || (low === lastLow && !orEqual)) continue;
        }
      }
      picks[count] = row;
      count += 1;
    }
    return count;
  }

  append(picks: Int32Array | null, count: number, at: number): void {
    if (picks === null) {
      this.#highs.set(this.#blockHighs.subarray(0, count), at);
      this.#lows.set(this.#blockLows.subarray(0, count), at);
      this.#classes.set(this.#blockClasses.subarray(0, count), at);
      return;
    }
    for (let index = 0; index < count; index += 1) {
      const row = picks[index] as number;
      this.#highs[at + index] = this.#blockHighs[row] as number;
      this.#lows[at + index] = this.#blockLows[row] as number;
      this.#classes[at + index] = this.#blockClasses[row] as number;
    }
  }

  sort(order: RadixOrder, count: number): void {
    const near = this.#nearWords(count);
    if (near !== null) order.by(near);
    else {
      order.by(this.#lows);
      order.by(this.#highs);
    }
    order.byBytes(this.#classes);
  }

  /** How far each value lies above the least one; null where that takes more than a word. */
  #nearWords(count: number): Uint32Array | null {
    const [highs, lows, classes] = [this.#highs, this.#lows, this.#classes];
    let [leastHigh, leastLow] = [0xffff_ffff, 0xffff_ffff];
    let [mostHigh, mostLow] = [0, 0];
    for (let index = 0; index < count; index += 1) {
      if (classes[index] !== VALUE) continue;
      const high = highs[index] as number;
      const low = lows[index] as number;
      if (high < leastHigh || (high === leastHigh && low < leastLow)) {
        leastHigh = high;
        leastLow = low;
      }
      if (high > mostHigh || (high === mostHigh && low > mostLow)) {
        mostHigh = high;
        mostLow = low;
      }
    }
    if ((mostHigh - leastHigh) * 2 ** 32 + (mostLow - leastLow) >= 2 ** 32) return null;
    const near = new Uint32Array(count);
    // Modulo 2^32, below which the differences are. What is no value has one word everywhere.
    for (let index = 0; index < count; index += 1) near[index] = (lows[index] as number) - leastLow;
    return near;
  }

  keep(indexes: Int32Array): void {
    this.#highs.set(gathered(this.#highs, indexes));
    this.#lows.set(gathered(this.#lows, indexes));
    this.#classes.set(gathered(this.#classes, indexes));
    this.#last = indexes.length - 1;
  }

  #readWords(words: Uint32Array, rowCount: number): void {
    const sign = this.#unsigned ? 0 : SIGN;
    const isTicks = this.#domain === 'ticks';
    for (let row = 0; row < rowCount; row += 1) {
      const low = words[2 * row] as number;
      const high = words[2 * row + 1] as number;
      if (isTicks && high === SIGN && low === 0) {
        this.#setNoNumber(row);
        continue;
      }
      this.#blockHighs[row] = high ^ sign ^ this.#flip;
      this.#blockLows[row] = low ^ this.#flip;
    }
  }

  #readFloats(numbers: Float64Array, rowCount: number): void {
    if (this.#numbers.length < rowCount) this.#numbers = new Float64Array(rowCount);
    const own = this.#numbers;
    // -0 is 0.
    for (let row = 0; row < rowCount; row += 1) own[row] = (numbers[row] as number) + 0;
    const words = new Uint32Array(own.buffer, 0, 2 * rowCount);
    for (let row = 0; row < rowCount; row += 1) {
      if (own[row] !== own[row]) {
        this.#setNoNumber(row);
        continue;
      }
      const high = words[2 * row + 1] as number;
      const isNegative = high >= SIGN;
      this.#blockHighs[row] = (isNegative ? ~high : high ^ SIGN) ^ this.#flip;
      this.#blockLows[row] = (isNegative ? ~(words[2 * row] as number) : (words[2 * row] as number)) ^ this.#flip;
    }
  }

  #readIntegers(numbers: Float64Array, rowCount: number): void {
    const offset = this.#unsigned ? 0 : 2 ** 31;
    for (let row = 0; row < rowCount; row += 1) {
      this.#blockHighs[row] = ((numbers[row] as number) + offset) ^ this.#flip;
      this.#blockLows[row] = 0;
    }
  }

  #setNoNumber(row: number): void {
    this.#blockHighs[row] = 0;
    this.#blockLows[row] = 0;
    this.#blockClasses[row] = NO_NUMBER;
  }
}

const CODE_OF_NULL = -1;

/** A text's own number, in no order, until it is sorted; texts that no kept row has are forgotten. */
class TextKeys implements OrderKeys {
  readonly #descending: boolean;
  readonly #codes: Int32Array;
  #texts: string[] = [];
  #known = new Map<string, number>();
  #blockCodes = new Int32Array(0);
  /** For each text whether it comes before the last one kept: 0 unknown, 1 no, 2 equal, 3 yes. */
  #standings = new Uint8Array(0);
  #last: string | null = null;

  constructor(descending: boolean, capacity: number) {
    this.#descending = descending;
    this.#codes = new Int32Array(capacity);
  }

  read(values: ColumnValues, rowCount: number): void {
    if (values.kind !== 'codes') return;
    const { codes, texts, validity } = values;
    if (this.#blockCodes.length < rowCount) this.#blockCodes = new Int32Array(rowCount);
    const own = new Int32Array(texts.length).fill(-1);
    for (let row = 0; row < rowCount; row += 1) {
      const index = codes[row] as number;
      const isNull = validity !== null && (((validity[row >>> 3] as number) >> (row & 7)) & 1) === 0;
      if (isNull || index < 0 || index >= own.length) {
        this.#blockCodes[row] = CODE_OF_NULL;
        continue;
      }
      let code = own[index] as number;
      if (code === -1) own[index] = code = this.#codeOf(texts[index] as string);
      this.#blockCodes[row] = code;
    }
  }

  pick(rowCount: number, orEqual: boolean, picks: Int32Array): number {
    if (this.#standings.length < this.#texts.length) {
      const longer = new Uint8Array(2 * this.#texts.length);
      longer.set(this.#standings);
      this.#standings = longer;
    }
    let count = 0;
    for (let row = 0; row < rowCount; row += 1) {
      const standing = this.#standingOf(this.#blockCodes[row] as number);
      if (standing === 1 || (standing === 2 && !orEqual)) continue;
      picks[count] = row;
      count += 1;
    }
    return count;
  }

  append(picks: Int32Array | null, count: number, at: number): void {
    if (picks === null) this.#codes.set(this.#blockCodes.subarray(0, count), at);
    else
      for (let index = 0; index < count; index += 1)
        this.#codes[at + index] = this.#blockCodes[picks[index] as number] as number;
  }

  sort(order: RadixOrder, count: number): void {
    const texts = this.#texts;
    const sorted = Int32Array.from(texts.keys()).sort((left, right) =>
      compareText(texts[left] as string, texts[right] as string),
    );
    const ranks = new Uint32Array(texts.length);
    for (const [rank, code] of sorted.entries()) ranks[code] = this.#descending ? texts.length - rank : rank;
    const words = new Uint32Array(count);
    for (let index = 0; index < count; index += 1) {
      const code = this.#codes[index] as number;
      words[index] = code === CODE_OF_NULL ? texts.length + 1 : (ranks[code] as number);
    }
    order.by(words);
  }

  keep(indexes: Int32Array): void {
    const before = this.#texts;
    const codes = gathered(this.#codes, indexes);
    this.#texts = [];
    this.#known = new Map();
    for (const [index, code] of codes.entries())
      this.#codes[index] = code === CODE_OF_NULL ? code : this.#codeOf(before[code] as string);
    const last = this.#codes[indexes.length - 1] ?? CODE_OF_NULL;
    this.#last = last === CODE_OF_NULL ? null : (this.#texts[last] as string);
    this.#standings = new Uint8Array(this.#texts.length);
  }

  #codeOf(text: string): number {
    let code = this.#known.get(text);
    if (code === undefined) {
      code = this.#texts.push(text) - 1;
      this.#known.set(text, code);
    }
    return code;
  }

  #standingOf(code: number): number {
    if (code === CODE_OF_NULL) return this.#last === null ? 2 : 1;
    if (this.#last === null) return 3;
    const known = this.#standings[code] as number;
    if (known !== 0) return known;
    const order = compareText(this.#texts[code] as string, this.#last);
    const standing = order === 0 ? 2 : order < 0 !== this.#descending ? 3 : 1;
    this.#standings[code] = standing;
    return standing;
  }
}

function gathered<T extends Uint8Array | Int32Array | Uint32Array>(from: T, indexes: Int32Array): T {
  const out = from.slice(0, indexes.length) as T;
  for (let index = 0; index < out.length; index += 1) out[index] = from[indexes[index] as number] as number;
  return out;
}
