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
/** Bytes of flags, where there is more than one group. */
const MOST_FLAGS = 2 ** 22;
const WHAT = 'different values that countDistinct tells apart';

export class DistinctCounts implements ValueAccumulator {
  readonly summary = 'distinct';
  readonly fold = null;
  readonly #values: ValueCodes;
  /**
   * Whether a group has a value, by the group and the value's number, `#stride` numbers a group: of all groups while
   * they are few and their values too, then of group 0 alone, which mostly is the only one.
   */
  #flags = new Uint8Array(0);
  #stride = 0;
  #flagged = 1;
  /** Group and value of all that were met in groups without flags. */
  readonly #pairs: PairCodes;
  /** The same of groups with flags but 0, in the order in which they were met. */
  #flaggedGroups = new Uint32Array(0);
  #flaggedCodes = new Uint32Array(0);
  #flaggedCount = 0;
  /** In all groups together. */
  #met = 0;
  readonly #most: number;
  #counts = new Float64Array(1);
  #codes = new Int32Array(0);
  /** Rows of groups without flags, their values, and the numbers of both together. */
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
      for (let row = 0; row < rowCount; row += 1) if (codes[row] !== codeOfNull) this.#flag(0, codes[row] as number);
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
      if (this.#flags[code] !== 1) continue;
      groups.push(0);
      values.push(jsonValue(this.#values.valueOf(code)));
    }
    for (let index = 0; index < this.#flaggedCount; index += 1) {
      groups.push(this.#flaggedGroups[index] as number);
      values.push(jsonValue(this.#values.valueOf(this.#flaggedCodes[index] as number)));
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
    if (group < this.#flagged) {
      this.#flag(group, code);
      return;
    }
    const before = this.#pairs.count;
    if (this.#pairs.codeOf(group, code) === before) this.#count(group);
  }

  #meetAll(groups: Uint32Array, codes: Int32Array, rowCount: number): void {
    const codeOfNull = this.#values.codeOfNull;
    if (this.#others.length < rowCount)
      [this.#others, this.#ofOthers, this.#numbers] = [
        new Uint32Array(rowCount),
        new Uint32Array(rowCount),
        new Int32Array(rowCount),
      ];
    const flagged = this.#flagged;
    let count = 0;
    for (let row = 0; row < rowCount; row += 1) {
      const [group, code] = [groups[row] as number, codes[row] as number];
      if (code === codeOfNull) continue;
      if (group < flagged) this.#flag(group, code);
      else {
        this.#others[count] = group;
        this.#ofOthers[count] = code;
        count += 1;
      }
    }
    if (count === 0) return;
    const pairs = this.#pairs;
    const before = pairs.count;
    pairs.encode(this.#others.subarray(0, count), this.#ofOthers.subarray(0, count), null, this.#numbers);
    for (let pair = before; pair < pairs.count; pair += 1) this.#count(pairs.leftOf(pair));
  }

  #flag(group: number, code: number): void {
    const at = group * this.#stride + code;
    if (this.#flags[at] === 1) return;
    this.#flags[at] = 1;
    this.#count(group);
    if (group === 0) return;
    const index = this.#flaggedCount++;
    if (index === this.#flaggedGroups.length) {
      this.#flaggedGroups = longer(this.#flaggedGroups);
      this.#flaggedCodes = longer(this.#flaggedCodes);
    }
    this.#flaggedGroups[index] = group;
    this.#flaggedCodes[index] = code;
  }

  #count(group: number): void {
    this.#counts[group] = (this.#counts[group] as number) + 1;
    this.#met += 1;
  }

  /** For all values that have a number. */
  #grow(groupCount: number): void {
    this.#counts = grown(this.#counts, groupCount);
    const { count } = this.#values;
    const stride = count <= this.#stride ? this.#stride : Math.max(count, 2 * this.#stride);
    const wanted = groupCount <= this.#flagged ? this.#flagged : Math.max(groupCount, 2 * this.#flagged);
    const room = Math.floor(MOST_FLAGS / Math.max(1, stride));
    const flagged = this.#pairs.count === 0 && groupCount <= room ? Math.min(wanted, room) : 1;
    if (stride === this.#stride && flagged === this.#flagged) return;
    const flags = new Uint8Array(stride * flagged);
    for (let group = 0; group < Math.min(flagged, this.#flagged); group += 1)
      flags.set(this.#flags.subarray(group * this.#stride, (group + 1) * this.#stride), group * stride);
    [this.#flags, this.#stride, this.#flagged] = [flags, stride, flagged];
    if (flagged > 1) return;
    for (let index = 0; index < this.#flaggedCount; index += 1)
      this.#pairs.codeOf(this.#flaggedGroups[index] as number, this.#flaggedCodes[index] as number);
    this.#flaggedCount = 0;
  }

  #checkCount(): void {
    if (this.#met > this.#most) throw new LimitError('ERR_LIMIT', WHAT, this.#most, this.#most + 1);
  }
}

function longer(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const copy = new Uint32Array(Math.max(1024, 2 * array.length));
  copy.set(array);
  return copy;
}
