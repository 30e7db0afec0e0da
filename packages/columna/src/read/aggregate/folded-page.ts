// The records that the addon wrote of a page -> groups, and what accumulators take.
import { RECORD_BYTES } from '@colkit/io';
import type { Accumulator, ColumnValues, GroupKeys, KeyRanges } from '@colkit/table';
import { POWERS_OF_TEN } from '../../columns/decimal.ts';
import type { ColumnType } from '../../layout/column-type.ts';
import { MAX_PAGE_ROWS } from '../../layout/constants.ts';
import type { OpenDictionary } from '../file/session.ts';
import type { FoldedNumbers } from '../pages/jobs/grouping-job.ts';

/** Where the parts of a record lie, in words of 32 bits and in doubles: see native/page-program.d.cts. */
const GROUP = { value: 0, before: 2, first: 3, count: 4, isNull: 5 } as const;
const FOLD = { count: 0, sum: 1, more: 2, least: 3, most: 4, special: 5, rest: 6 } as const;
const GROUP_WORDS = RECORD_BYTES.group / 4;
const FOLD_NUMBERS = RECORD_BYTES.fold / 8;
const TWO_32 = 2n ** 32n;
/** From so many numbers on going through all rows is faster than sorting. */
const WORTH_A_SWEEP = 8192;

/** A column that is grouped by. */
export interface PageKey {
  readonly records: Uint32Array;
  /** Of texts or bytes; null: values are in the records. */
  readonly dictionary: OpenDictionary | null;
  /** What the numbers in the records stand for, in place of values; null: they are values. */
  readonly ranges: KeyRanges | null;
  /** Whether the records are those of the key before, whose codes stand for values of this one too. */
  readonly isShared: boolean;
}

/** A column that is folded, a record a group. */
export interface PageFold {
  readonly of: FoldedNumbers;
  readonly records: Float64Array;
  /** The same memory, for extremes of 64-bit integers. */
  readonly integers: BigInt64Array;
}

/** Of a column one fold is of moments, another one of all else. */
export const foldKey = (column: number, moments: boolean): number => 2 * column + Number(moments);

/** What some records of a key stand for, as the numbers that `GroupKeys` has for them. */
export type CodesOf = (index: number, key: PageKey, records: Uint32Array) => Int32Array;

export class FoldedPage {
  readonly groupCount: number;
  readonly #keys: readonly PageKey[];
  readonly #folds: ReadonlyMap<number, PageFold>;
  #order: Uint32Array | null = null;

  constructor(keys: readonly PageKey[], groupCount: number, folds: ReadonlyMap<number, PageFold>) {
    this.#keys = keys;
    this.groupCount = groupCount;
    this.#folds = folds;
  }

  /**
   * For each number of the page its group by the first `keyCount` keys, -1 where no row has it. New groups are met in
   * the order of rows.
   */
  groups(keys: GroupKeys, keyCount: number, codesOf: CodesOf): Int32Array {
    const order = this.#inOrder();
    const codes: Int32Array[] = [];
    for (let index = 0; index < keyCount; index++)
      codes.push(codesOf(index, this.#keys[index] as PageKey, this.#recordsOf(index)));
    const found = keys.groupsOfCodes(codes, order.length);
    const groups = new Int32Array(this.groupCount).fill(-1);
    for (let place = 0; place < order.length; place++) groups[order[place] as number] = found[place] as number;
    return groups;
  }

  /**
   * The records of a key for all numbers that some row has, in the order of their first rows: what these rows have of
   * the key.
   */
  #recordsOf(index: number): Uint32Array {
    let records = this.#inOrder();
    for (let key = this.#keys.length - 1; key > index; key--) {
      const { records: own, isShared } = this.#keys[key] as PageKey;
      if (!isShared) records = records.map((number) => own[number * GROUP_WORDS + GROUP.before] as number);
    }
    return records;
  }

  /** For somebody who wants the different values of a key. @param groups null: all are of group 0. */
  distinct(wanted: number, groups: Int32Array | null): DistinctRecords {
    const order = this.#inOrder();
    return {
      key: this.#keys[wanted] as PageKey,
      records: this.#recordsOf(wanted),
      groups: groups === null ? null : order.map((number) => groups[number] as number),
    };
  }

  /** The numbers that some row has, in the order of the first rows that do. */
  #inOrder(): Uint32Array {
    return (this.#order ??= inOrder((this.#keys.at(-1) as PageKey).records, this.groupCount));
  }

  /** Rows of a group. */
  rowsOf(number: number): number {
    return countOf((this.#keys.at(-1) as PageKey).records, number);
  }

  /** The first row of a group, among those that were looked at. */
  firstOf(number: number): number {
    return firstOf((this.#keys.at(-1) as PageKey).records, number);
  }

  /**
   * Whether numbers of one group have both 0 and -0 as an extreme of a column: which of them comes first is seen in the
   * rows alone.
   */
  hasBothZeros({ summary }: Accumulator, column: number, type: ColumnType, groups: Int32Array | null): boolean {
    if ((summary !== 'min' && summary !== 'max') || type.domain === 'integers') return false;
    const { of, records } = this.#folds.get(foldKey(column, false)) as PageFold;
    // Decimals have one 0.
    if (of !== 'values') return false;
    const zeros = new Map<number, number>();
    const place = summary === 'max' ? FOLD.most : FOLD.least;
    for (let number = 0; number < this.groupCount; number++) {
      const at = number * FOLD_NUMBERS;
      const zero = records[at + place] as number;
      if (zero !== 0 || records[at + FOLD.count] === 0) continue;
      const group = groups === null ? 0 : (groups[number] as number);
      if (!Object.is(zeros.get(group) ?? zero, zero)) return true;
      zeros.set(group, zero);
    }
    return false;
  }

  /** Gives an accumulator what it wants to know of a column. @param groups null: all rows are of group 0. */
  add(accumulator: Accumulator, column: number, type: ColumnType, groups: Int32Array | null): void {
    const fold = this.#folds.get(foldKey(column, accumulator.summary === 'moments')) as PageFold;
    for (let number = 0; number < this.groupCount; number++) {
      const at = number * FOLD_NUMBERS;
      const count = fold.records[at + FOLD.count] as number;
      if (count > 0) addFold(accumulator, groups === null ? 0 : (groups[number] as number), count, fold, at, type);
    }
  }
}

/** Records of a key, one for each of its numbers that some row has, with the groups of these. */
interface DistinctRecords {
  readonly key: PageKey;
  readonly records: Uint32Array;
  readonly groups: Uint32Array | null;
}

/** Mostly numbers were given in this order: else they are sorted. A page has at most 2^16 rows. */
function inOrder(records: Uint32Array, groupCount: number): Uint32Array {
  const met = new Uint32Array(groupCount);
  let count = 0;
  let last = -1;
  let isOrdered = true;
  for (let number = 0; number < groupCount; number++) {
    if (countOf(records, number) === 0) continue;
    const first = firstOf(records, number);
    isOrdered &&= first > last;
    last = first;
    met[count++] = number;
  }
  const order = met.subarray(0, count);
  if (isOrdered) return order;
  if (count < WORTH_A_SWEEP) {
    // By the lower byte of their first rows, then by the upper one.
    const lower = sortedBy(order, (number) => firstOf(records, number) & 255);
    return sortedBy(lower, (number) => firstOf(records, number) >>> 8);
  }
  // For each row the number that it is the first of, and 1.
  const numbers = new Uint32Array(MAX_PAGE_ROWS);
  for (let at = 0; at < count; at++) numbers[firstOf(records, order[at] as number)] = (order[at] as number) + 1;
  for (let row = 0, at = 0; at < count; row++) if (numbers[row] !== 0) order[at++] = (numbers[row] as number) - 1;
  return order;
}

/** Those with equal bytes stay as they were. @param byteOf below 256. */
function sortedBy(numbers: Uint32Array, byteOf: (number: number) => number): Uint32Array {
  const ends = new Uint32Array(257);
  for (let at = 0; at < numbers.length; at++) {
    const next = byteOf(numbers[at] as number) + 1;
    ends[next] = (ends[next] as number) + 1;
  }
  for (let byte = 0; byte < 256; byte++) ends[byte + 1] = (ends[byte + 1] as number) + (ends[byte] as number);
  const sorted = new Uint32Array(numbers.length);
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] as number;
    const byte = byteOf(number);
    const place = ends[byte] as number;
    sorted[place] = number;
    ends[byte] = place + 1;
  }
  return sorted;
}

/** The values of some records of a key that has no dictionary, one a row. */
export function valuesOfKey({ records }: PageKey, wanted: Uint32Array, type: ColumnType): ColumnValues {
  const { length } = wanted;
  const validity = validityOf(records, wanted);
  if (type.domain === 'integers' && type.itemBytes === 8) {
    const words = new Uint32Array(2 * length);
    for (let row = 0; row < length; row++) {
      const at = (wanted[row] as number) * GROUP_WORDS + GROUP.value;
      words[2 * row] = records[at] as number;
      words[2 * row + 1] = records[at + 1] as number;
    }
    return { kind: 'words', words, validity };
  }
  const numbers = new Float64Array(length);
  if (type.domain !== 'integers') {
    const doubles = new Float64Array(records.buffer, records.byteOffset, records.byteLength / 8);
    const step = GROUP_WORDS / 2;
    for (let row = 0; row < length; row++) numbers[row] = doubles[(wanted[row] as number) * step] as number;
    return { kind: 'numbers', numbers, stored: null, validity };
  }
  for (let row = 0; row < length; row++) {
    const word = records[(wanted[row] as number) * GROUP_WORDS + GROUP.value] as number;
    numbers[row] = type.isBool ? Number(word !== 0) : type.signed ? word | 0 : word;
  }
  const stored = type.isBool ? null : type.signed ? Int32Array.from(numbers) : Uint32Array.from(numbers);
  return { kind: 'numbers', numbers, stored, validity };
}

/** The codes of some records of a key that has a dictionary; -1 for null. */
export function codesOfKey({ records }: PageKey, wanted: Uint32Array): Int32Array {
  const codes = new Int32Array(wanted.length);
  for (let row = 0; row < wanted.length; row++) {
    const record = wanted[row] as number;
    codes[row] = isNull(records, record) ? -1 : (records[record * GROUP_WORDS + GROUP.value] as number);
  }
  return codes;
}

/** Null where none of them is. */
function validityOf(records: Uint32Array, wanted: Uint32Array): Uint8Array | null {
  let validity: Uint8Array | null = null;
  for (let row = 0; row < wanted.length; row++) {
    if (!isNull(records, wanted[row] as number)) continue;
    validity ??= new Uint8Array(Math.ceil(wanted.length / 8)).fill(255);
    validity[row >>> 3] = (validity[row >>> 3] as number) & ~(1 << (row & 7));
  }
  return validity;
}

/** Whether the dictionary has an entry for each code that a row has: else the page is for who says what is wrong. */
export function areEntries({ records, dictionary }: Pick<PageKey, 'records' | 'dictionary'>): boolean {
  if (dictionary === null) return true;
  const { entryCount } = dictionary;
  for (let number = 0; number * GROUP_WORDS < records.length; number++) {
    const code = records[number * GROUP_WORDS + GROUP.value] as number;
    if (code >= entryCount && !isNull(records, number) && countOf(records, number) > 0) return false;
  }
  return true;
}

function countOf(records: Uint32Array, number: number): number {
  return records[number * GROUP_WORDS + GROUP.count] as number;
}

function firstOf(records: Uint32Array, number: number): number {
  return records[number * GROUP_WORDS + GROUP.first] as number;
}

function isNull(records: Uint32Array, number: number): boolean {
  return records[number * GROUP_WORDS + GROUP.isNull] !== 0;
}

function addFold(
  accumulator: Accumulator,
  group: number,
  count: number,
  { of, records, integers }: PageFold,
  at: number,
  type: ColumnType,
): void {
  const { summary } = accumulator;
  if (summary === 'count') {
    accumulator.addSummary?.(group, count, 0);
    return;
  }
  if (summary === 'sum') {
    const sum = records[at + FOLD.sum] as number;
    if (type.domain === 'integers') {
      const more = records[at + FOLD.more] as number;
      accumulator.addSummary?.(group, count, of === 'values' ? integerSum(sum, more) : of.base * count + of.step * sum);
    } else {
      const special = records[at + FOLD.special] as number;
      accumulator.addSummary?.(group, count, sum);
      // Further parts of the same sum: none of them is rounded.
      accumulator.addSummary?.(group, 0, records[at + FOLD.more] as number);
      const rest = records[at + FOLD.rest] as number;
      if (rest !== 0) accumulator.addSummary?.(group, 0, rest);
      if (special !== 0) accumulator.addSummary?.(group, 0, special);
    }
    return;
  }
  if (summary === 'moments') {
    const [near, mean, squares] = [at + FOLD.sum, at + FOLD.more, at + FOLD.least].map((i) => records[i] as number) as [
      number,
      number,
      number,
    ];
    if (of === 'values') accumulator.addMoments?.(group, count, near, mean, squares);
    else {
      const power = POWERS_OF_TEN[of.exponent] as number;
      const step = of.step / power;
      accumulator.addMoments?.(group, count, (of.base + of.step * near) / power, step * mean, step * step * squares);
    }
    return;
  }
  const [least, most] = [at + FOLD.least, at + FOLD.most];
  if (of !== 'values') {
    const first = of.base + of.step * (records[least] as number);
    const last = of.base + of.step * (records[most] as number);
    const end = summary === 'max' ? Math.max(first, last) : Math.min(first, last);
    accumulator.addSummary?.(group, count, end / (POWERS_OF_TEN[of.exponent] as number));
    return;
  }
  const index = summary === 'max' ? most : least;
  if (type.domain !== 'integers' || type.itemBytes < 8)
    accumulator.addSummary?.(group, count, records[index] as number);
  else {
    const integer = integers[index] as bigint;
    accumulator.addSummary?.(group, count, type.signed ? integer : BigInt.asUintN(64, integer));
  }
}

function integerSum(low: number, high: number): number | bigint {
  const sum = high * 2 ** 32 + low;
  return Number.isSafeInteger(sum) ? sum : BigInt(high) * TWO_32 + BigInt(low);
}
