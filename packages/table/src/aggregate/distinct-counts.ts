// How many different values each group has, exactly: nulls are none, NaN and NaT are one each, 0 and -0 are the same.
import { LimitError } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import type { ColumnStatistics } from '../query/proof/column-statistics.ts';
import { areNull } from './accumulator.ts';
import type { ValueAccumulator } from './accumulator.ts';
import { grown } from './column-values.ts';
import type { Cell, ColumnValues } from './column-values.ts';
import { PairCodes } from './codes/pair-codes.ts';
import { entriesOf, jsonValue, parseNumber, parseValue, stateError } from './state.ts';
import type { AggregateState, JsonValue } from './state.ts';
import { valueCodes } from './value-codes.ts';
import type { ValueCodes } from './codes/codes.ts';

/** Values that are told apart, in all groups together: some hundreds of megabytes. */
export const MOST_DISTINCT = 2 ** 24 - 1;
const WHAT = 'different values that countDistinct tells apart';

export class DistinctCounts implements ValueAccumulator {
  readonly summary = 'distinct';
  readonly fold = null;
  readonly #values: ValueCodes;
  /** Whether group 0 has a value, by the value's number: mostly there is no other group. */
  #ofFirst = new Uint8Array(0);
  /** Group and value of all that were met in the others. */
  readonly #pairs: PairCodes;
  readonly #most: number;
  #counts = new Float64Array(1);
  #codes = new Int32Array(0);
  /** Rows of other groups than 0, their values, and the numbers of both together. */
  #others = new Uint32Array(0);
  #ofOthers = new Uint32Array(0);
  #numbers = new Int32Array(0);

  /** @throws UnsupportedError ERR_DTYPE for float128. */
  constructor(info: DTypeInfo, most = MOST_DISTINCT) {
    this.#most = most;
    this.#pairs = new PairCodes(WHAT, most);
    this.#values = valueCodes(info, 'countDistinct', WHAT, most);
  }

  /** @throws LimitError. */
  add(values: ColumnValues, rowCount: number, groups: Uint32Array | null, groupCount: number): void {
    if (this.#codes.length < rowCount) this.#codes = new Int32Array(rowCount);
    const codes = this.#codes;
    this.#values.encode(values, rowCount, codes);
    this.#grow(groupCount);
    const codeOfNull = this.#values.codeOfNull;
    if (groups === null) {
      for (let row = 0; row < rowCount; row += 1)
        if (codes[row] !== codeOfNull) this.#meetInFirst(codes[row] as number);
    } else this.#meetAll(groups, codes, rowCount);
    this.#checkCount();
  }

  /** @throws LimitError. */
  addDistinct(group: number, value: Cell): void {
    if (value === null) return;
    const code = this.#values.codeOf(value);
    this.#grow(group + 1);
    this.#meet(group, code);
    this.#checkCount();
  }

  know(statistics: ColumnStatistics): boolean {
    return areNull(statistics);
  }

  merge(state: AggregateState, groupOf: Uint32Array, groupCount: number): void {
    const groups = entriesOf(state, 'groups', null);
    const values = entriesOf(state, 'values', groups.length);
    for (const [index, value] of values.entries()) {
      const group = groupOf[parseNumber(groups[index])];
      const cell = parseValue(value);
      if (group === undefined || cell === null) throw stateError('a value of a group', value);
      const code = this.#values.codeOf(cell);
      this.#grow(groupCount);
      this.#meet(group, code);
    }
    this.#checkCount();
  }

  state(): AggregateState {
    const [groups, values]: [number[], JsonValue[]] = [[], []];
    for (let code = 0; code < this.#values.count; code += 1) {
      if (this.#ofFirst[code] !== 1) continue;
      groups.push(0);
      values.push(jsonValue(this.#values.valueOf(code)));
    }
    for (let pair = 0; pair < this.#pairs.count; pair += 1) {
      groups.push(this.#pairs.leftOf(pair));
      values.push(jsonValue(this.#values.valueOf(this.#pairs.rightOf(pair))));
    }
    return { groups, values };
  }

  result(group: number): number {
    return this.#counts[group] ?? 0;
  }

  #meet(group: number, code: number): void {
    if (group === 0) {
      this.#meetInFirst(code);
      return;
    }
    const before = this.#pairs.count;
    if (this.#pairs.codeOf(group, code) === before) this.#counts[group] = (this.#counts[group] as number) + 1;
  }

  #meetAll(groups: Uint32Array, codes: Int32Array, rowCount: number): void {
    const codeOfNull = this.#values.codeOfNull;
    if (this.#others.length < rowCount)
      [this.#others, this.#ofOthers, this.#numbers] = [
        new Uint32Array(rowCount),
        new Uint32Array(rowCount),
        new Int32Array(rowCount),
      ];
    let count = 0;
    for (let row = 0; row < rowCount; row += 1) {
      const [group, code] = [groups[row] as number, codes[row] as number];
      if (code === codeOfNull) continue;
      if (group === 0) this.#meetInFirst(code);
      else {
        this.#others[count] = group;
        this.#ofOthers[count] = code;
        count += 1;
      }
    }
    const pairs = this.#pairs;
    const before = pairs.count;
    pairs.encode(this.#others.subarray(0, count), this.#ofOthers.subarray(0, count), null, this.#numbers);
    for (let pair = before; pair < pairs.count; pair += 1) {
      const group = pairs.leftOf(pair);
      this.#counts[group] = (this.#counts[group] as number) + 1;
    }
  }

  #meetInFirst(code: number): void {
    if (this.#ofFirst[code] === 1) return;
    this.#ofFirst[code] = 1;
    this.#counts[0] = (this.#counts[0] as number) + 1;
  }

  /** For all values that have a number. */
  #grow(groupCount: number): void {
    this.#counts = grown(this.#counts, groupCount);
    const { count } = this.#values;
    if (this.#ofFirst.length >= count) return;
    const longer = new Uint8Array(Math.max(count, 2 * this.#ofFirst.length));
    longer.set(this.#ofFirst);
    this.#ofFirst = longer;
  }

  #checkCount(): void {
    if ((this.#counts[0] as number) + this.#pairs.count > this.#most)
      throw new LimitError('ERR_LIMIT', WHAT, this.#most, this.#most + 1);
  }
}
