// The values of a column that is ordered by -> words that compare as the values do: numbers by their bits.
import { dtypeFacts } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import { domainOf } from '../aggregate/column-values.ts';
import type { ColumnValues, Domain } from '../aggregate/column-values.ts';
import { gathered } from './gathered.ts';
import type { OrderKeys } from './order-keys.ts';
import type { RadixOrder } from './radix-order.ts';

/** Beside the words, in this order. */
const VALUE = 0;
const NO_NUMBER = 1;
const NULL = 2;

const SIGN = 0x8000_0000;

export class WordKeys implements OrderKeys {
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

  *sort(order: RadixOrder, count: number): Work<void> {
    const near = this.#nearWords(count);
    if (near !== null) yield* order.by(near);
    else {
      yield* order.by(this.#lows);
      yield* order.by(this.#highs);
    }
    yield* order.byBytes(this.#classes);
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
