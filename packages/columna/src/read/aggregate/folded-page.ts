// The records that the addon wrote of a page -> groups, and what accumulators take.
import { RECORD_BYTES } from '@colkit/io';
import type { Accumulator, Cell, GroupKeys } from '@colkit/table';
import { POWERS_OF_TEN } from '../../columns/decimal.ts';
import type { ColumnType } from '../../layout/column-type.ts';
import type { OpenDictionary } from '../file/session.ts';
import type { FoldedNumbers } from '../pages/grouping-job.ts';

/** Where the parts of a record lie: see native/page-program.d.ts. */
const GROUP = { value: 0, before: 8, first: 12, count: 16, isNull: 20 } as const;
const FOLD = { count: 0, sum: 8, more: 16, least: 24, most: 32, special: 40, rest: 48 } as const;
const TWO_32 = 2n ** 32n;

/** A column that is grouped by. */
export interface PageKey {
  readonly records: DataView;
  /** Of texts or bytes; null: values are in the records. */
  readonly dictionary: OpenDictionary | null;
}

/** A column that is folded, a record a group. */
export interface PageFold {
  readonly of: FoldedNumbers;
  readonly records: DataView;
}

/** The value of a key's record that is not null. */
export type CellOf = (index: number, key: PageKey, record: number) => Cell;
/** The same as a number, as `GroupKeys` has it. */
export type CodeOf = (index: number, key: PageKey, record: number) => number;

export class FoldedPage {
  readonly groupCount: number;
  readonly #keys: readonly PageKey[];
  readonly #folds: ReadonlyMap<number, PageFold>;

  constructor(keys: readonly PageKey[], groupCount: number, folds: ReadonlyMap<number, PageFold>) {
    this.#keys = keys;
    this.groupCount = groupCount;
    this.#folds = folds;
  }

  /**
   * For each number of the page its group by the first `keyCount` keys, -1 where no row has it. New groups are met in
   * the order of rows.
   */
  groups(keys: GroupKeys, keyCount: number, codeOf: CodeOf): Int32Array {
    const groups = new Int32Array(this.groupCount).fill(-1);
    const { records } = this.#keys.at(-1) as PageKey;
    const met = this.#met();
    const inOrder = Float64Array.from(met, (number) => firstOf(records, number) * this.groupCount + number).sort();
    const codes = new Int32Array(keyCount);
    for (const place of inOrder) {
      const number = place % this.groupCount;
      let at = number;
      for (let index = this.#keys.length - 1; index >= 0; index--) {
        const key = this.#keys[index] as PageKey;
        if (index < keyCount)
          codes[index] = isNull(key.records, at) ? keys.codeOf(index, null) : codeOf(index, key, at);
        at = key.records.getUint32(at * RECORD_BYTES.group + GROUP.before, true);
      }
      groups[number] = keys.groupOfCodes(codes);
    }
    return groups;
  }

  /** The values that the numbers of the page have of a key, as often as there are numbers with them; no nulls. */
  addDistinct(accumulator: Accumulator, wanted: number, groups: Int32Array | null, cellOf: CellOf): void {
    for (const number of this.#met()) {
      let at = number;
      for (let index = this.#keys.length - 1; index > wanted; index--)
        at = (this.#keys[index] as PageKey).records.getUint32(at * RECORD_BYTES.group + GROUP.before, true);
      const key = this.#keys[wanted] as PageKey;
      if (!isNull(key.records, at)) accumulator.addDistinct?.(groups?.[number] ?? 0, cellOf(wanted, key, at));
    }
  }

  /** The numbers that some row has. */
  #met(): number[] {
    const { records } = this.#keys.at(-1) as PageKey;
    const met: number[] = [];
    for (let number = 0; number < this.groupCount; number++) if (countOf(records, number) > 0) met.push(number);
    return met;
  }

  /** Rows of a group. */
  rowsOf(number: number): number {
    return countOf((this.#keys.at(-1) as PageKey).records, number);
  }

  /** The first row of a group, among those that were looked at. */
  firstOf(number: number): number {
    return firstOf((this.#keys.at(-1) as PageKey).records, number);
  }

  /** Gives an accumulator what it wants to know of a column. @param groups null: all rows are of group 0. */
  add(accumulator: Accumulator, column: number, type: ColumnType, groups: Int32Array | null): void {
    const fold = this.#folds.get(column) as PageFold;
    for (let number = 0; number < this.groupCount; number++) {
      const count = fold.records.getFloat64(number * RECORD_BYTES.fold + FOLD.count, true);
      if (count > 0) addFold(accumulator, groups?.[number] ?? 0, count, fold, number * RECORD_BYTES.fold, type);
    }
  }
}

/** The value of a key that has no dictionary. */
export function valueOfKey({ records }: PageKey, record: number, type: ColumnType): Cell {
  const at = record * RECORD_BYTES.group + GROUP.value;
  if (type.domain !== 'integers') return records.getFloat64(at, true);
  if (type.name === 'bool') return records.getUint32(at, true) !== 0;
  if (type.itemBytes === 8) return type.signed ? records.getBigInt64(at, true) : records.getBigUint64(at, true);
  return type.signed ? records.getInt32(at, true) : records.getUint32(at, true);
}

/** The code of a key that has a dictionary. */
export function codeOfKey({ records }: PageKey, record: number): number {
  return records.getUint32(record * RECORD_BYTES.group + GROUP.value, true);
}

/** Whether the dictionary has an entry for each code that a row has: else the page is for who says what is wrong. */
export function areEntries(key: PageKey): boolean {
  const { records, dictionary } = key;
  if (dictionary === null) return true;
  for (let number = 0; number < records.byteLength / RECORD_BYTES.group; number++)
    if (!isNull(records, number) && countOf(records, number) > 0 && codeOfKey(key, number) >= dictionary.entryCount)
      return false;
  return true;
}

function countOf(records: DataView, number: number): number {
  return records.getUint32(number * RECORD_BYTES.group + GROUP.count, true);
}

function firstOf(records: DataView, number: number): number {
  return records.getUint32(number * RECORD_BYTES.group + GROUP.first, true);
}

function isNull(records: DataView, number: number): boolean {
  return records.getUint32(number * RECORD_BYTES.group + GROUP.isNull, true) !== 0;
}

function addFold(
  accumulator: Accumulator,
  group: number,
  count: number,
  { of, records }: PageFold,
  at: number,
  type: ColumnType,
): void {
  const { summary } = accumulator;
  if (summary === 'count') {
    accumulator.addSummary?.(group, count, 0);
    return;
  }
  if (summary === 'sum') {
    const sum = records.getFloat64(at + FOLD.sum, true);
    if (type.domain === 'integers') {
      const more = records.getFloat64(at + FOLD.more, true);
      accumulator.addSummary?.(group, count, of === 'values' ? integerSum(sum, more) : of.base * count + of.step * sum);
    } else {
      const special = records.getFloat64(at + FOLD.special, true);
      accumulator.addSummary?.(group, count, sum);
      // Further parts of the same sum: none of them is rounded.
      accumulator.addSummary?.(group, 0, records.getFloat64(at + FOLD.more, true));
      const rest = records.getFloat64(at + FOLD.rest, true);
      if (rest !== 0) accumulator.addSummary?.(group, 0, rest);
      if (special !== 0) accumulator.addSummary?.(group, 0, special);
    }
    return;
  }
  const [least, most] = [at + FOLD.least, at + FOLD.most];
  if (of !== 'values') {
    const first = of.base + of.step * records.getFloat64(least, true);
    const last = of.base + of.step * records.getFloat64(most, true);
    const end = summary === 'max' ? Math.max(first, last) : Math.min(first, last);
    accumulator.addSummary?.(group, count, end / (POWERS_OF_TEN[of.exponent] as number));
    return;
  }
  const index = summary === 'max' ? most : least;
  if (type.domain !== 'integers' || type.itemBytes < 8)
    accumulator.addSummary?.(group, count, records.getFloat64(index, true));
  else
    accumulator.addSummary?.(
      group,
      count,
      type.signed ? records.getBigInt64(index, true) : records.getBigUint64(index, true),
    );
}

function integerSum(low: number, high: number): number | bigint {
  const sum = high * 2 ** 32 + low;
  return Number.isSafeInteger(sum) ? sum : BigInt(high) * TWO_32 + BigInt(low);
}
