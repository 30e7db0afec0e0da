// One aggregate for every group, page by page. Integers add up exactly whatever their width, and decimals as the
// integers that they are packed as; other floats with Neumaier's correction, so that the error does not grow with the
// number of rows.
import { ArgumentError, isExactBigInt, isExactResult } from '@colkit/io';
import type { ColumnStatistics } from '@colkit/table';
import { compareText } from '@colkit/table';
import type { ColumnType } from '../../layout/column-type.ts';
import { POWERS_OF_TEN } from '../../columns/decimal.ts';
import { safeLine } from '../../columns/vector.ts';
import type { Vector } from '../../columns/vector.ts';
import type { AggregateValue } from './aggregate-spec.ts';
import { addNumbers } from './add-numbers.ts';
import type { NumberLine } from '../pages/page-jobs.ts';
import type { PageValues } from './page-values.ts';
import { isPresent } from '../pages/rank.ts';
import type { RowGroups } from './row-groups.ts';

/** `groups`: for every row its group; null where there is one group. Groups are numbered from 0, and grow in number. */
export interface Accumulator {
  add(values: PageValues, groups: Uint32Array | null, groupCount: number): void;
  /**
   * The same from values as they are packed, no null among them; false where they are not in a form that this can use.
   */
  addVector(vector: Vector, rows: RowGroups | null, groupCount: number): boolean;
  /** All rows of a page, by what is known of them; false where that is not enough. Of one group only. */
  addStatistics(statistics: ColumnStatistics): boolean;
  /** Whether rows of which no more is known than this can change nothing. */
  isIndifferentTo(statistics: ColumnStatistics): boolean;
  /** @throws ArgumentError ERR_UNSAFE_INTEGER for a sum that is no exact number. */
  result(group: number): AggregateValue;
}

/** Rows, or values that are not null. */
export class CountAccumulator implements Accumulator {
  #counts = new Float64Array(1);

  add({ count, validity }: PageValues, groups: Uint32Array | null, groupCount: number): void {
    const counts = (this.#counts = grown(this.#counts, groupCount));
    for (let i = 0; i < count; i++) {
      if (validity !== null && !isPresent(validity, i)) continue;
      const group = groups === null ? 0 : (groups[i] as number);
      counts[group] = (counts[group] as number) + 1;
    }
  }

  addVector({ count }: Vector, rows: RowGroups | null, groupCount: number): boolean {
    this.addRows(count, rows?.groups ?? null, groupCount);
    return true;
  }

  /** Rows that all count. */
  addRows(count: number, groups: Uint32Array | null, groupCount: number): void {
    const counts = (this.#counts = grown(this.#counts, groupCount));
    if (groups === null) counts[0] = (counts[0] as number) + count;
    else for (let i = 0; i < count; i++) counts[groups[i] as number] = (counts[groups[i] as number] as number) + 1;
  }

  /** Rows by code: at 2 * code + 1 how many. */
  addKeys(keys: Uint32Array, groupOf: Int32Array): void {
    for (let code = 0; 2 * code < keys.length; code++) {
      const count = keys[2 * code + 1] as number;
      if (count > 0) this.addTo(groupOf[code] as number, count);
    }
  }

  addTo(group: number, count: number): void {
    this.#counts = grown(this.#counts, group + 1);
    this.#counts[group] = (this.#counts[group] as number) + count;
  }

  addStatistics({ rowCount, nullCount }: ColumnStatistics): boolean {
    if (nullCount === null) return false;
    this.#counts[0] = (this.#counts[0] as number) + rowCount - nullCount;
    return true;
  }

  isIndifferentTo(): boolean {
    return false;
  }

  result(group: number): number {
    return this.#counts[group] ?? 0;
  }
}

/** value = (base + step * number) / power, exactly. */
interface Line {
  readonly base: number;
  readonly step: number;
  readonly power: number;
}

/** Sums of floats, or of integers as bigint; and how many values are in them. */
export class SumAccumulator implements Accumulator {
  readonly #type: ColumnType;
  readonly #column: string;
  readonly #isMean: boolean;
  readonly #counts = new CountAccumulator();
  /** Of floats. */
  #sums = new Float64Array(1);
  #lost = new Float64Array(1);
  /** Of integers. */
  readonly #totals: bigint[] = [];
  #page = new Float64Array(1);
  #highs = new Float64Array(1);

  constructor(type: ColumnType, column: string, isMean: boolean) {
    this.#type = type;
    this.#column = column;
    this.#isMean = isMean;
  }

  add(values: PageValues, groups: Uint32Array | null, groupCount: number): void {
    const { items, validity, count } = values;
    if (items === null) return;
    this.#counts.add(values, groups, groupCount);
    const sums = this.#pageSums(groupCount);
    if (items instanceof BigInt64Array || items instanceof BigUint64Array) {
      const words = new Uint32Array(items.buffer, items.byteOffset, 2 * count);
      const highs = (this.#highs = grown(this.#highs, groupCount)).fill(0);
      for (let i = 0; i < count; i++) {
        const group = groups === null ? 0 : (groups[i] as number);
        const high = words[2 * i + 1] as number;
        sums[group] = (sums[group] as number) + (words[2 * i] as number);
        highs[group] = (highs[group] as number) + (this.#type.signed ? high | 0 : high);
      }
      for (let group = 0; group < groupCount; group++)
        this.#addInteger(group, BigInt(highs[group] as number) * 2n ** 32n + BigInt(sums[group] as number));
      return;
    }
    const isFloat = this.#type.domain !== 'integers';
    for (let i = 0; i < count; i++) {
      if (validity !== null && !isPresent(validity, i)) continue;
      const group = groups === null ? 0 : (groups[i] as number);
      if (isFloat) this.#addFloat(group, items[i] as number);
      else sums[group] = (sums[group] as number) + (items[i] as number);
    }
    if (!isFloat)
      for (let group = 0; group < groupCount; group++) this.#addInteger(group, BigInt(sums[group] as number));
  }

  addVector(vector: Vector, rows: RowGroups | null, groupCount: number): boolean {
    const narrow = vector.kind === 'decimal' ? vector.integers : vector;
    if (narrow.kind !== 'narrow') return false;
    const line = this.#lineOf({ ...narrow, exponent: vector.kind === 'decimal' ? vector.exponent : null });
    if (line === null) return false;
    const { sums, counts } = addNumbers(narrow, rows?.codes ?? null, rows?.codeCount ?? 1);
    this.#addLine(
      line,
      sums,
      (code) => counts[code] as number,
      (code) => rows?.groupOf(code) ?? 0,
      groupCount,
    );
    return true;
  }

  /** Whether sums of numbers on this line are exact, and mean what the column means. */
  takes(line: NumberLine): boolean {
    return this.#lineOf(line) !== null;
  }

  /** Sums of the numbers on a line that it takes, by code; `keys` holds at 2 * code + 1 how many rows there are. */
  addSums(numbers: NumberLine, sums: Float64Array, keys: Uint32Array, groupOf: Int32Array, groupCount: number): void {
    const line = this.#lineOf(numbers);
    if (line !== null)
      this.#addLine(
        line,
        sums,
        (code) => keys[2 * code + 1] as number,
        (code) => groupOf[code] as number,
        groupCount,
      );
  }

  addStatistics(statistics: ColumnStatistics): boolean {
    const { rowCount, nullCount, nanCount, min, max, minExact, maxExact } = statistics;
    if (nullCount === null) return false;
    const count = rowCount - nullCount;
    if (count > 0) {
      // Of a constant the sum is known. Floats would have to be added one by one to be the same.
      if (this.#type.domain !== 'integers' || nanCount !== 0 || !minExact || !maxExact || min === null || min !== max)
        return false;
      this.#addInteger(0, BigInt(count) * BigInt(min as number | bigint | boolean));
    }
    return this.#counts.addStatistics(statistics);
  }

  isIndifferentTo(): boolean {
    return false;
  }

  result(group: number): number | bigint {
    const count = this.#counts.result(group);
    const total = this.#totals[group] ?? 0n;
    const isInteger = this.#type.domain === 'integers';
    if (this.#isMean && count === 0) return NaN;
    if (!isInteger) {
      const sum = this.#sums[group] ?? 0;
      // Infinities and NaN leave no meaningful correction.
      const corrected = Number.isFinite(sum) ? sum + (this.#lost[group] ?? 0) : sum;
      return this.#isMean ? corrected / count : corrected;
    }
    const isExact = isExactBigInt(total);
    // Quotient and rest apart where the sum itself is too large for a number.
    if (this.#isMean)
      return isExact ? Number(total) / count : Number(total / BigInt(count)) + Number(total % BigInt(count)) / count;
    if (this.#type.itemBytes === 8) return total;
    if (!isExact)
      throw new ArgumentError(
        'ERR_UNSAFE_INTEGER',
        `column ${JSON.stringify(this.#column)}`,
        'a sum within +-2^53',
        String(total),
      );
    return Number(total);
  }

  /**
   * Null where a value could wrap around the type's range, or the sum of a page leave the exact numbers: then the items
   * themselves are added.
   */
  #lineOf(numbers: NumberLine): Line | null {
    const { count, below, exponent } = numbers;
    if (!areValues(this.#type, exponent !== null)) return null;
    const line = safeLine(numbers);
    if (line === null) return null;
    const span = line.step * (below - 1);
    const last = line.base + span;
    // What is added up is base * count and step * (the sum of the numbers): both must be exact, not their sum alone.
    if (
      !isExactResult(Math.max(Math.abs(line.base), Math.abs(last), Math.abs(span)) * count) ||
      (exponent === null && !this.#fits(line.base, last))
    )
      return null;
    return { ...line, power: exponent === null ? 1 : (POWERS_OF_TEN[exponent] as number) };
  }

  #addLine(
    { base, step, power }: Line,
    sums: Float64Array,
    countOf: (code: number) => number,
    groupOf: (code: number) => number,
    groupCount: number,
  ): void {
    this.#pageSums(groupCount);
    for (let code = 0; code < sums.length; code++) {
      const count = countOf(code);
      if (count === 0) continue;
      const group = groupOf(code);
      this.#counts.addTo(group, count);
      this.#addPage(group, (base * count + step * (sums[code] as number)) / power);
    }
  }

  #pageSums(groupCount: number): Float64Array {
    this.#sums = grown(this.#sums, groupCount);
    this.#lost = grown(this.#lost, groupCount);
    return (this.#page = grown(this.#page, groupCount)).fill(0);
  }

  #fits(a: number, b: number): boolean {
    const bits = 8 * this.#type.itemBytes;
    const [lo, hi] = this.#type.signed ? [-(2 ** (bits - 1)), 2 ** (bits - 1)] : [0, 2 ** bits];
    return Math.min(a, b) >= lo && Math.max(a, b) < hi;
  }

  #addPage(group: number, sum: number): void {
    if (this.#type.domain === 'integers') this.#addInteger(group, BigInt(sum));
    else this.#addFloat(group, sum);
  }

  /** With Neumaier's correction. */
  #addFloat(group: number, sum: number): void {
    const before = this.#sums[group] as number;
    const after = before + sum;
    const lost = Math.abs(before) >= Math.abs(sum) ? before - after + sum : sum - after + before;
    this.#lost[group] = (this.#lost[group] as number) + lost;
    this.#sums[group] = after;
  }

  #addInteger(group: number, sum: bigint): void {
    this.#totals[group] = (this.#totals[group] ?? 0n) + sum;
  }
}

type Extreme = number | bigint | string;

/**
 * Nulls, NaN and NaT are passed over: they are no answer to the question. Null of no value; NaN (NaT) of nothing else.
 */
export class ExtremeAccumulator implements Accumulator {
  readonly #type: ColumnType;
  readonly #isMax: boolean;
  readonly #best: (Extreme | undefined)[] = [];
  readonly #seen: boolean[] = [];

  constructor(type: ColumnType, isMax: boolean) {
    this.#type = type;
    this.#isMax = isMax;
  }

  add({ items, texts, validity, count }: PageValues, groups: Uint32Array | null): void {
    for (let i = 0; i < count; i++) {
      if (validity !== null && !isPresent(validity, i)) continue;
      this.#offer(groups === null ? 0 : (groups[i] as number), (items === null ? texts?.[i] : items[i]) as Extreme);
    }
  }

  addVector(vector: Vector, rows: RowGroups | null): boolean {
    // Of one group the packed extremes are enough; per group they are worth no code of their own.
    if (rows !== null || vector.count === 0) return rows === null;
    const narrow = vector.kind === 'decimal' ? vector.integers : vector;
    if (narrow.kind !== 'narrow' || !areValues(this.#type, vector.kind === 'decimal')) return false;
    const line = safeLine(narrow);
    if (line === null) return false;
    let [least, most] = [2 ** 32, 0];
    for (let i = 0; i < narrow.count; i++) {
      const value = narrow.values[i] as number;
      if (value < least) least = value;
      if (value > most) most = value;
    }
    const [first, last] = [line.base + line.step * least, line.base + line.step * most];
    const number = this.#isMax ? Math.max(first, last) : Math.min(first, last);
    if (vector.kind === 'decimal') this.#offer(0, number / (POWERS_OF_TEN[vector.exponent] as number));
    else if (this.#type.itemBytes === 8) {
      if (!this.#type.signed && Math.min(first, last) < 0) return false;
      this.#offer(0, BigInt(number));
    } else {
      const bound = this.#type.signed ? 2 ** 31 : 2 ** 32;
      if (
        line.base < (this.#type.signed ? -bound : 0) ||
        line.base + line.step * (narrow.below - 1) >= bound ||
        line.step < 0
      )
        return false;
      this.#offer(0, number);
    }
    return true;
  }

  addStatistics({ rowCount, nullCount, nanCount, min, max, minExact, maxExact }: ColumnStatistics): boolean {
    if (nullCount === rowCount) return true;
    const bound = this.#isMax ? max : min;
    // NaN beside a bound changes nothing; without one, it is unknown what there is. A moment's minimum may be NaT.
    if (bound === null || !(this.#isMax ? maxExact : minExact) || nanCount === null || bound instanceof Uint8Array)
      return false;
    if (typeof bound === 'bigint' && bound === NAT && this.#isMoment()) return false;
    this.#offer(0, typeof bound === 'boolean' ? Number(bound) : bound === 0 ? 0 : bound);
    return !(bound === 0 && this.#type.domain !== 'integers');
  }

  isIndifferentTo({ min, max }: ColumnStatistics): boolean {
    const bound = this.#isMax ? max : min;
    const best = this.#best[0];
    if (
      bound === null ||
      best === undefined ||
      bound instanceof Uint8Array ||
      typeof bound === 'boolean' ||
      typeof bound !== typeof best
    )
      return false;
    return this.#isMax ? bound <= best : bound >= best;
  }

  result(group: number): AggregateValue {
    const best = this.#best[group];
    if (best === undefined) return this.#seen[group] === true ? (this.#type.domain === 'integers' ? NAT : NaN) : null;
    return this.#type.name === 'bool' ? best !== 0 : best;
  }

  #isMoment(): boolean {
    return this.#type.name === 'date' || this.#type.name === 'datetime';
  }

  #offer(group: number, value: Extreme): void {
    this.#seen[group] = true;
    if (value !== value || (value === NAT && this.#isMoment())) return;
    const best = this.#best[group];
    if (
      best === undefined ||
      (typeof value === 'string' && typeof best === 'string'
        ? compareText(value, best) > 0 === this.#isMax && value !== best
        : this.#isMax
          ? value > best
          : value < best)
    )
      this.#best[group] = value;
  }
}

const NAT = -(2n ** 63n);

/** Whether packed numbers are the values of a type, and not bit patterns of floats; small integers are not worth it. */
function areValues({ domain, itemBytes }: ColumnType, areDecimals: boolean): boolean {
  return domain === (areDecimals ? 'float64' : 'integers') && itemBytes >= 4;
}

function grown(array: Float64Array<ArrayBuffer>, count: number): Float64Array<ArrayBuffer> {
  if (array.length >= count) return array;
  const longer = new Float64Array(Math.max(count, 2 * array.length));
  longer.set(array);
  return longer;
}
