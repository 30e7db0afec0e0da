// Sum and count of a column, block by block. Integers add up exactly whatever their width; floats add up in float64 with Neumaier's correction, so that the error does not grow
// with the number of rows. Nulls are passed over; NaN is not, since a sum without it would be the sum of something else.
import { UnsupportedError, isExactBigInt } from '@colkit/io';
import type { DTypeInfo, FixedArray } from '@colkit/io';
import { countValid, isValid } from '../validity.ts';
import type { Block } from './blocks.ts';
import { unsafeInteger } from './convert.ts';
import type { Fold } from './extremes.ts';
import { isWideInteger } from './column-form.ts';

type Numbers = Exclude<FixedArray, BigInt64Array | BigUint64Array>;

/** A sum and how many values are in it. */
export interface Total {
  readonly sum: bigint | number;
  readonly count: number;
}

/** @throws UnsupportedError ERR_DTYPE for a column that is not of numbers or booleans. */
export function total(info: DTypeInfo, operation: string): Fold<Total> {
  if (info.kind === 'float' && info.name !== 'float128') return new FloatTotal();
  if (isWideInteger(info)) return new WideTotal(info.kind === 'uint');
  if (info.kind === 'int' || info.kind === 'uint' || info.kind === 'bool') return new IntegerTotal(info.kind === 'bool');
  throw new UnsupportedError('ERR_DTYPE', info.name, `${operation}: ${info.name} values do not add up; sums are of integers, floats and booleans`);
}

/** The sum as users get it: bigint for 64-bit columns, else a number. @throws ArgumentError ERR_UNSAFE_INTEGER where that number would not be exact. */
export function sumOf(info: DTypeInfo, { sum }: Total, column: string): bigint | number {
  if (typeof sum === 'number' || isWideInteger(info)) return sum;
  if (!isExactBigInt(sum)) throw unsafeInteger(column, sum);
  return Number(sum);
}

/** NaN where there is no value. */
export function meanOf({ sum, count }: Total): number {
  if (count === 0) return Number.NaN;
  if (typeof sum === 'number' || isExactBigInt(sum)) return Number(sum) / count;
  const divisor = BigInt(count);
  // Quotient and rest apart: the sum itself is too large for a float64.
  return Number(sum / divisor) + Number(sum % divisor) / count;
}

export class ValueCount implements Fold<number> {
  #count = 0;

  add({ validity, rowCount }: Block): void {
    this.#count += countValid(validity, rowCount);
  }

  result(): number {
    return this.#count;
  }
}

/** Up to 32 bits: the sum of a block is exact as a number. */
class IntegerTotal implements Fold<Total> {
  readonly #isBoolean: boolean;
  #sum = 0n;
  #count = 0;

  /** @param isBoolean each byte other than 0 counts 1. */
  constructor(isBoolean: boolean) {
    this.#isBoolean = isBoolean;
  }

  add({ values, validity, rowCount }: Block): void {
    const numbers = values as Numbers;
    let sum = 0;
    for (let row = 0; row < rowCount; row += 1) {
      if (validity !== null && !isValid(validity, row)) continue;
      const value = numbers[row] ?? 0;
      sum += this.#isBoolean && value !== 0 ? 1 : value;
    }
    this.#sum += BigInt(sum);
    this.#count += countValid(validity, rowCount);
  }

  result(): Total {
    return { sum: this.#sum, count: this.#count };
  }
}

/** 64 bits: the sums of the high and the low words of a block are exact as numbers. */
class WideTotal implements Fold<Total> {
  readonly #unsigned: boolean;
  #sum = 0n;
  #count = 0;

  constructor(unsigned: boolean) {
    this.#unsigned = unsigned;
  }

  add({ values, validity, rowCount }: Block): void {
    const { buffer, byteOffset } = values as FixedArray;
    const words = new Uint32Array(buffer, byteOffset, 2 * rowCount);
    let low = 0;
    let high = 0;
    for (let row = 0; row < rowCount; row += 1) {
      if (validity !== null && !isValid(validity, row)) continue;
      const word = words[2 * row + 1] ?? 0;
      low += words[2 * row] ?? 0;
      high += this.#unsigned ? word : word | 0;
    }
    this.#sum += BigInt(high) * 2n ** 32n + BigInt(low);
    this.#count += countValid(validity, rowCount);
  }

  result(): Total {
    return { sum: this.#sum, count: this.#count };
  }
}

class FloatTotal implements Fold<Total> {
  #sum = 0;
  #lost = 0;
  #count = 0;

  add({ values, validity, rowCount }: Block): void {
    const numbers = values as Numbers;
    let sum = this.#sum;
    let lost = this.#lost;
    for (let row = 0; row < rowCount; row += 1) {
      if (validity !== null && !isValid(validity, row)) continue;
      const value = numbers[row] ?? 0;
      const next = sum + value;
      lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
      sum = next;
    }
    this.#sum = sum;
    this.#lost = lost;
    this.#count += countValid(validity, rowCount);
  }

  result(): Total {
    // Infinities and NaN leave no meaningful correction.
    return { sum: Number.isFinite(this.#sum) ? this.#sum + this.#lost : this.#sum, count: this.#count };
  }
}
