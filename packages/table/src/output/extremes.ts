// The smallest or largest value of a column, block by block. Nulls, NaN and NaT are passed over: they are no answer to the question. Text goes by code point.
import { UnsupportedError } from '@colkit/io';
import type { DTypeInfo, FixedArray } from '@colkit/io';
import { isValid } from '../validity.ts';
import { compareText } from '../values/text-order.ts';
import { NAT } from '../values/time.ts';
import type { Block } from './blocks.ts';
import type { Cell } from './convert.ts';

/** A fold over blocks. */
export interface Fold<R> {
  add(block: Block): void;
  result(): R;
}

/** @throws UnsupportedError ERR_DTYPE for binary and float128. */
export function extreme(info: DTypeInfo, wanted: 'min' | 'max'): Fold<Cell> {
  const isMax = wanted === 'max';
  switch (info.kind) {
    case 'bool':
      return new ExtremeNumber(isMax, true);
    case 'int':
    case 'uint':
      return info.itemBytes === 8 ? new ExtremeWide(isMax, info.kind === 'uint', false) : new ExtremeNumber(isMax, false);
    case 'float':
      if (info.name === 'float128') throw new UnsupportedError('ERR_DTYPE', info.name, `${wanted}: float128 has no JavaScript value`);
      return new ExtremeNumber(isMax, false);
    case 'datetime':
    case 'timedelta':
      return new ExtremeWide(isMax, false, true);
    case 'bytes':
    case 'unicode':
    case 'string':
      return new ExtremeText(isMax);
    case 'binary':
      throw new UnsupportedError('ERR_DTYPE', info.name, `${wanted}: binary values have no order`);
  }
}

/** No value: null. Only NaN: NaN. */
class ExtremeNumber implements Fold<Cell> {
  readonly #isMax: boolean;
  readonly #isBoolean: boolean;
  #best = Number.NaN;
  #seen = false;

  constructor(isMax: boolean, isBoolean: boolean) {
    this.#isMax = isMax;
    this.#isBoolean = isBoolean;
  }

  add({ values, validity, rowCount }: Block): void {
    const numbers = values as Exclude<FixedArray, BigInt64Array | BigUint64Array>;
    const isMax = this.#isMax;
    let best = this.#best;
    for (let row = 0; row < rowCount; row += 1) {
      if (validity !== null && !isValid(validity, row)) continue;
      this.#seen = true;
      const value = numbers[row] ?? Number.NaN;
      if (isMax ? value > best : value < best) best = value;
      else if (Number.isNaN(best)) best = value;
    }
    this.#best = best;
  }

  result(): Cell {
    if (!this.#seen) return null;
    return this.#isBoolean ? this.#best !== 0 : this.#best;
  }
}

/** The upper half of NaT. */
const NAT_WORD = 0x8000_0000;

/** 64-bit values, compared as two words: a bigint for each would cost more than the read. */
class ExtremeWide implements Fold<Cell> {
  readonly #isMax: boolean;
  readonly #unsigned: boolean;
  readonly #hasNaT: boolean;
  #high = 0;
  #low = 0;
  #found = false;
  #seen = false;

  constructor(isMax: boolean, unsigned: boolean, hasNaT: boolean) {
    this.#isMax = isMax;
    this.#unsigned = unsigned;
    this.#hasNaT = hasNaT;
  }

  add({ values, validity, rowCount }: Block): void {
    const { buffer, byteOffset } = values as FixedArray;
    const words = new Uint32Array(buffer, byteOffset, 2 * rowCount);
    const isMax = this.#isMax;
    const unsigned = this.#unsigned;
    let found = this.#found;
    let bestHigh = this.#high;
    let bestLow = this.#low;
    for (let row = 0; row < rowCount; row += 1) {
      if (validity !== null && !isValid(validity, row)) continue;
      this.#seen = true;
      const low = words[2 * row] as number;
      const word = words[2 * row + 1] as number;
      if (word === NAT_WORD && low === 0 && this.#hasNaT) continue;
      const high = unsigned ? word : word | 0;
      if (found && (isMax ? high < bestHigh || (high === bestHigh && low <= bestLow) : high > bestHigh || (high === bestHigh && low >= bestLow))) continue;
      found = true;
      bestHigh = high;
      bestLow = low;
    }
    this.#found = found;
    this.#high = bestHigh;
    this.#low = bestLow;
  }

  result(): Cell {
    if (!this.#found) return this.#seen ? NAT : null;
    return BigInt(this.#high) * 2n ** 32n + BigInt(this.#low);
  }
}

class ExtremeText implements Fold<Cell> {
  readonly #isMax: boolean;
  #best: string | null = null;

  constructor(isMax: boolean) {
    this.#isMax = isMax;
  }

  add({ values, validity, rowCount }: Block): void {
    const texts = values as readonly string[];
    for (let row = 0; row < rowCount; row += 1) {
      if (!isValid(validity, row)) continue;
      const text = texts[row] ?? '';
      const order = this.#best === null ? 0 : compareText(text, this.#best);
      if (this.#best === null || (this.#isMax ? order > 0 : order < 0)) this.#best = text;
    }
  }

  result(): Cell {
    return this.#best;
  }
}
