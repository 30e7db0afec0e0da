// How many different values each group has, exactly: nulls are none, NaN and NaT are one each, 0 and -0 are the same.
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
import type { ValueCodes } from './value-codes.ts';

/** Values that are told apart, in all groups together: some tens of megabytes. */
export const MOST_DISTINCT = 2 ** 21;
const WHAT = 'different values that countDistinct tells apart';

export class DistinctCounts implements ValueAccumulator {
  readonly summary = 'distinct';
  readonly fold = null;
  readonly #values: ValueCodes;
  /** Group and value of all that were met. */
  readonly #pairs = new PairCodes(WHAT, MOST_DISTINCT);
  #counts = new Float64Array(1);
  #codes = new Int32Array(0);

  /** @throws UnsupportedError ERR_DTYPE for float128. */
  constructor(info: DTypeInfo) {
    this.#values = valueCodes(info, 'countDistinct', WHAT, MOST_DISTINCT);
  }

  /** @throws LimitError. */
  add(values: ColumnValues, rowCount: number, groups: Uint32Array | null, groupCount: number): void {
    if (this.#codes.length < rowCount) this.#codes = new Int32Array(rowCount);
    const codes = this.#codes;
    this.#values.encode(values, rowCount, codes);
    const counts = (this.#counts = grown(this.#counts, groupCount));
    const pairs = this.#pairs;
    const codeOfNull = this.#values.codeOfNull;
    for (let row = 0; row < rowCount; row += 1) {
      const code = codes[row] as number;
      if (code === codeOfNull) continue;
      const group = groups === null ? 0 : (groups[row] as number);
      const before = pairs.count;
      if (pairs.codeOf(group, code) === before) counts[group] = (counts[group] as number) + 1;
    }
  }

  /** @throws LimitError. */
  addDistinct(group: number, value: Cell): void {
    if (value === null) return;
    const counts = (this.#counts = grown(this.#counts, group + 1));
    const before = this.#pairs.count;
    if (this.#pairs.codeOf(group, this.#values.codeOf(value)) === before) counts[group] = (counts[group] as number) + 1;
  }

  know(statistics: ColumnStatistics): boolean {
    return areNull(statistics);
  }

  merge(state: AggregateState, groupOf: Uint32Array, groupCount: number): void {
    const counts = (this.#counts = grown(this.#counts, groupCount));
    const groups = entriesOf(state, 'groups', null);
    const values = entriesOf(state, 'values', groups.length);
    for (const [index, value] of values.entries()) {
      const group = groupOf[parseNumber(groups[index])];
      const cell = parseValue(value);
      if (group === undefined || cell === null) throw stateError('a value of a group', value);
      const before = this.#pairs.count;
      if (this.#pairs.codeOf(group, this.#values.codeOf(cell)) === before)
        counts[group] = (counts[group] as number) + 1;
    }
  }

  state(): AggregateState {
    const [groups, values]: [number[], JsonValue[]] = [[], []];
    for (let pair = 0; pair < this.#pairs.count; pair += 1) {
      groups.push(this.#pairs.leftOf(pair));
      values.push(jsonValue(this.#values.valueOf(this.#pairs.rightOf(pair))));
    }
    return { groups, values };
  }

  result(group: number): number {
    return this.#counts[group] ?? 0;
  }
}
