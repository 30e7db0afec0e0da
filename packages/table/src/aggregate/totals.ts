// Sums, and means from them. They are exact: of integers whatever their width, of floats but for one rounding at the
// end, so that neither the number of rows nor their order matters. Nulls are passed over; NaN is not, since a sum
// without it would be the sum of something else.
import { ArgumentError, dtypeFacts, isExactBigInt } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import { sumOfIntegers } from '../query/kernels/narrow-fold.ts';
import type { ColumnStatistics } from '../query/proof/column-statistics.ts';
import { areNull } from './accumulator.ts';
import type { Accumulator } from './accumulator.ts';
import { domainOf, grown } from './column-values.ts';
import type { ColumnValues } from './column-values.ts';
import { FloatTotals } from './float-totals.ts';
import { SUM, WORD_SUM, foldFlags, foldRows } from './groups/fold-rows.ts';
import { countsOf, entriesOf, jsonNumbers, parseBigInt } from './state.ts';
import type { AggregateState } from './state.ts';

/** So many words of 32 bits add up exactly in a float64. */
const EXACT_ROWS = 2 ** 21;
const TWO_32 = 2 ** 32;

export interface Totals extends Accumulator {
  /**
   * bigint of 64-bit integers, else a number. @throws ArgumentError ERR_UNSAFE_INTEGER where that would not be exact.
   */
  sum(group: number): bigint | number;
  /** NaN where there is no value. */
  mean(group: number): number;
}

/** @param column its name, for the message about a sum that no number holds. */
export function totalsOf(info: DTypeInfo, column: string): Totals {
  return domainOf(info) === 'floats' ? new FloatTotals() : new IntegerTotals(info, column);
}

class IntegerTotals implements Totals {
  readonly summary = 'sum';
  readonly fold = 'sum';
  readonly #info: DTypeInfo;
  readonly #column: string;
  #counts = new Float64Array(1);
  /** Of the rows since the last flush: sums of low words (or whole numbers) and of high words. */
  #lows = new Float64Array(1);
  #highs = new Float64Array(1);
  #rows = 0;
  /** Sums of all before, as far as they are exact numbers; and what is beyond, by group. */
  #sums = new Float64Array(1);
  readonly #beyond = new Map<number, bigint>();

  constructor(info: DTypeInfo, column: string) {
    this.#info = info;
    this.#column = column;
  }

  add(values: ColumnValues, rowCount: number, groups: Uint32Array | null, groupCount: number): void {
    this.#grow(groupCount);
    for (let start = 0; start < rowCount; start += EXACT_ROWS) {
      const end = Math.min(rowCount, start + EXACT_ROWS);
      if (this.#rows + end - start > EXACT_ROWS) this.#flush();
      this.#rows += end - start;
      if (values.kind === 'words') this.#addWords(values.words, values.validity, start, end, groups);
      else if (values.kind === 'numbers' && !this.#addStored(values, start, end, groups))
        this.#addNumbers(values.numbers, values.validity, start, end, groups);
    }
  }

  addSummary(group: number, count: number, sum: number | bigint | string): void {
    this.#grow(group + 1);
    this.#counts[group] = (this.#counts[group] as number) + count;
    if (typeof sum === 'number') this.#addSum(group, sum);
    else this.#addTotal(group, BigInt(sum));
  }

  /** Of a constant the sum is known. */
  know(statistics: ColumnStatistics, isWhole: boolean): boolean {
    if (areNull(statistics)) return true;
    const { rowCount, nullCount, min, max, minExact, maxExact } = statistics;
    const isConstant = minExact && maxExact && min !== null && min === max;
    if (!isWhole || nullCount === null || !isConstant || typeof min === 'string' || min instanceof Uint8Array)
      return false;
    this.addSummary(0, rowCount - nullCount, BigInt(rowCount - nullCount) * BigInt(min));
    return true;
  }

  merge(state: AggregateState, groupOf: Uint32Array, groupCount: number): void {
    this.#grow(groupCount);
    const counts = countsOf(state, 'counts', groupOf.length);
    const totals = entriesOf(state, 'totals', groupOf.length);
    for (const [index, group] of groupOf.entries()) {
      this.#counts[group] = (this.#counts[group] as number) + (counts[index] as number);
      this.#addTotal(group, parseBigInt(totals[index]));
    }
  }

  state(groupCount: number): AggregateState {
    this.#flush();
    return {
      counts: jsonNumbers(this.#counts, groupCount),
      totals: Array.from({ length: groupCount }, (_, group) => String(this.#total(group))),
    };
  }

  sum(group: number): bigint | number {
    this.#flush();
    const isWide = domainOf(this.#info) === 'wide';
    if (!isWide && !this.#beyond.has(group)) return this.#sums[group] ?? 0;
    const total = this.#total(group);
    if (isWide) return total;
    if (isExactBigInt(total)) return Number(total);
    throw new ArgumentError(
      'ERR_UNSAFE_INTEGER',
      `column ${JSON.stringify(this.#column)}`,
      'a sum within +-2^53',
      String(total),
    );
  }

  mean(group: number): number {
    this.#flush();
    const count = this.#counts[group] ?? 0;
    if (count === 0) return Number.NaN;
    if (!this.#beyond.has(group)) return (this.#sums[group] ?? 0) / count;
    const total = this.#total(group);
    if (isExactBigInt(total)) return Number(total) / count;
    const divisor = BigInt(count);
    // Quotient and rest apart: the sum itself is too large for a float64.
    return Number(total / divisor) + Number(total % divisor) / count;
  }

  /** All of them, where none is null and none has to become a float first; false: nothing was added. */
  #addStored(
    { stored, validity }: ColumnValues & { kind: 'numbers' },
    start: number,
    end: number,
    groups: Uint32Array | null,
  ): boolean {
    if (groups !== null || validity !== null || stored === null) return false;
    if (stored instanceof Float64Array || stored instanceof Float32Array) return false;
    this.#lows[0] = (this.#lows[0] as number) + sumOfIntegers(stored, start, end);
    this.#counts[0] = (this.#counts[0] as number) + end - start;
    return true;
  }

  #addNumbers(
    numbers: Float64Array,
    validity: Uint8Array | null,
    start: number,
    end: number,
    groups: Uint32Array | null,
  ): void {
    const sums = this.#lows;
    const counts = this.#counts;
    if (groups === null) {
      let sum = 0;
      let nulls = 0;
      for (let row = start; row < end; row += 1) {
        if (validity !== null && (((validity[row >>> 3] as number) >> (row & 7)) & 1) === 0) nulls += 1;
        else sum += numbers[row] as number;
      }
      sums[0] = (sums[0] as number) + sum;
      counts[0] = (counts[0] as number) + end - start - nulls;
      return;
    }
    const done = foldRows(SUM, 0, { groups, values: numbers, validity }, start, end, [counts, sums]);
    for (let row = done; row < end; row += 1) {
      if (validity !== null && (((validity[row >>> 3] as number) >> (row & 7)) & 1) === 0) continue;
      const group = groups[row] as number;
      sums[group] = (sums[group] as number) + (numbers[row] as number);
      counts[group] = (counts[group] as number) + 1;
    }
  }

  #addWords(
    words: Uint32Array,
    validity: Uint8Array | null,
    start: number,
    end: number,
    groups: Uint32Array | null,
  ): void {
    const lows = this.#lows;
    const highs = this.#highs;
    const counts = this.#counts;
    const unsigned = dtypeFacts(this.#info).isUnsigned;
    if (groups === null) {
      let low = 0;
      let high = 0;
      let nulls = 0;
      if (validity === null && !unsigned)
        for (let row = start; row < end; row += 1) {
          low += words[2 * row] as number;
          high += (words[2 * row + 1] as number) | 0;
        }
      else
        for (let row = start; row < end; row += 1) {
          if (validity !== null && (((validity[row >>> 3] as number) >> (row & 7)) & 1) === 0) {
            nulls += 1;
            continue;
          }
          const word = words[2 * row + 1] as number;
          low += words[2 * row] as number;
          high += unsigned ? word : word | 0;
        }
      lows[0] = (lows[0] as number) + low;
      highs[0] = (highs[0] as number) + high;
      counts[0] = (counts[0] as number) + end - start - nulls;
      return;
    }
    const rows = { groups, values: words, validity };
    const done = foldRows(WORD_SUM, foldFlags(false, unsigned, false), rows, start, end, [counts, lows, highs]);
    for (let row = done; row < end; row += 1) {
      if (validity !== null && (((validity[row >>> 3] as number) >> (row & 7)) & 1) === 0) continue;
      const group = groups[row] as number;
      const word = words[2 * row + 1] as number;
      lows[group] = (lows[group] as number) + (words[2 * row] as number);
      highs[group] = (highs[group] as number) + (unsigned ? word : word | 0);
      counts[group] = (counts[group] as number) + 1;
    }
  }

  #flush(): void {
    if (this.#rows === 0) return;
    for (let group = 0; group < this.#counts.length; group += 1) {
      const low = this.#lows[group] as number;
      const high = this.#highs[group] as number;
      if (low === 0 && high === 0) continue;
      const sum = high * TWO_32 + low;
      if (Number.isSafeInteger(sum)) this.#addSum(group, sum);
      else this.#addBeyond(group, BigInt(high) * BigInt(TWO_32) + BigInt(low));
    }
    this.#lows.fill(0);
    this.#highs.fill(0);
    this.#rows = 0;
  }

  /** A whole number; a sum that is rounded is none within the exact numbers. */
  #addSum(group: number, sum: number): void {
    const all = (this.#sums[group] as number) + sum;
    if (Number.isSafeInteger(all)) this.#sums[group] = all;
    else this.#addBeyond(group, BigInt(sum));
  }

  #addTotal(group: number, sum: bigint): void {
    if (isExactBigInt(sum)) this.#addSum(group, Number(sum));
    else this.#addBeyond(group, sum);
  }

  #addBeyond(group: number, sum: bigint): void {
    this.#beyond.set(group, (this.#beyond.get(group) ?? 0n) + sum);
  }

  #total(group: number): bigint {
    return BigInt(this.#sums[group] ?? 0) + (this.#beyond.get(group) ?? 0n);
  }

  #grow(groupCount: number): void {
    this.#counts = grown(this.#counts, groupCount);
    this.#lows = grown(this.#lows, groupCount);
    this.#highs = grown(this.#highs, groupCount);
    this.#sums = grown(this.#sums, groupCount);
  }
}
