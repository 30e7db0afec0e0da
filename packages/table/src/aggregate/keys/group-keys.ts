// The values of one or several columns -> numbers of groups, in the order in which the combinations are first met. A
// combination of null is one like any other.
import { LimitError } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import type { Cell, ColumnValues } from '../column-values.ts';
import { PairCodes } from '../codes/pair-codes.ts';
import { KeyRanges } from './key-ranges.ts';
import type { ComputedKeys } from './key-ranges.ts';
import { valueCodes } from '../value-codes.ts';
import type { ValueCodes } from '../codes/codes.ts';

interface Limit {
  /** What there are too many of, in the plural. */
  readonly what: string;
  /** How many there may be. */
  readonly most: number;
}

export class GroupKeys {
  readonly #limit: Limit;
  readonly #columns: readonly ValueCodes[];
  /** For each column new numbers for its keys. */
  readonly #newCodes: readonly (() => ValueCodes)[];
  /** For each column what is done with the values that are given; null: they are the keys. */
  readonly #computed: readonly (ComputedKeys | null)[];
  /** For each column but the first: the combination of those before it, and its value. */
  readonly #pairs: readonly PairCodes[];
  #groups = new Uint32Array(0);
  #codes = new Int32Array(0);

  private constructor(
    columns: readonly ValueCodes[],
    newCodes: readonly (() => ValueCodes)[],
    pairs: readonly PairCodes[],
    computed: readonly (ComputedKeys | null)[],
    limit: Limit,
  ) {
    this.#limit = limit;
    this.#columns = columns;
    this.#newCodes = newCodes;
    this.#pairs = pairs;
    this.#computed = computed;
  }

  /**
   * @param columns at least one.
   * @param what in the plural, for the message about too many.
   * @throws UnsupportedError ERR_DTYPE for float128.
   */
  static of(columns: readonly DTypeInfo[], operation: string, what: string, most: number): GroupKeys {
    const newCodes = columns.map((info) => () => valueCodes(info, operation, what, most));
    return new GroupKeys(
      newCodes.map((codes) => codes()),
      newCodes,
      columns.slice(1).map(() => new PairCodes(what, most)),
      columns.map(() => null),
      { what, most },
    );
  }

  /**
   * The same groups for somebody who has other values, of which the keys are computed: what is met there is met here.
   * Of columns with null the keys are given.
   */
  computedBy(computed: readonly (ComputedKeys | null)[]): GroupKeys {
    const all = this.#computed.map((own, index): ComputedKeys | null => {
      const first = computed[index] ?? null;
      if (own === null || first === null) return own ?? first;
      return { ...first, compute: (values, rowCount) => own.compute(first.compute(values, rowCount), rowCount) };
    });
    return new GroupKeys(this.#columns, this.#newCodes, this.#pairs, all, this.#limit);
  }

  /** Ranges of the integers that a column is given, for each its key. Null where the integers are the keys. */
  rangesOf(column: number): KeyRanges | null {
    const computed = this.#computed[column] ?? null;
    const codes = this.#newCodes[column];
    if (computed === null || computed.width === null || codes === undefined) return null;
    return new KeyRanges(computed, computed.width, codes());
  }

  get count(): number {
    return this.#pairs.at(-1)?.count ?? this.#columns[0]?.count ?? 0;
  }

  /** The groups of some rows; good until the next call. @throws LimitError. */
  groupsOf(columns: readonly ColumnValues[], rowCount: number): Uint32Array {
    if (this.#groups.length < rowCount) {
      this.#groups = new Uint32Array(rowCount);
      this.#codes = new Int32Array(rowCount);
    }
    const groups = this.#groups.subarray(0, rowCount);
    this.encode(0, columns[0] as ColumnValues, rowCount, new Int32Array(groups.buffer));
    for (const [index, pairs] of this.#pairs.entries()) {
      const codes = this.#codes;
      this.encode(index + 1, columns[index + 1] as ColumnValues, rowCount, codes);
      combine(pairs, groups, codes, rowCount);
    }
    this.#checkCount();
    return groups;
  }

  /** The numbers of the values of one of the columns, by their order: those of `codeOf`. @throws LimitError. */
  encode(column: number, values: ColumnValues, rowCount: number, out: Int32Array): void {
    const computed = this.#computed[column] ?? null;
    this.#columns[column]?.encode(computed === null ? values : computed.compute(values, rowCount), rowCount, out);
  }

  /** As `groupsOf`. @param codes of the values, by `encode` or `codeOf`: for each column as many as there are rows. */
  groupsOfCodes(codes: readonly Int32Array[], rowCount: number): Uint32Array {
    const groups = Uint32Array.from(codes[0] as Int32Array);
    for (const [index, pairs] of this.#pairs.entries())
      combine(pairs, groups, codes[index + 1] as Int32Array, rowCount);
    this.#checkCount();
    return groups;
  }

  /** The group of one combination; a new one where it was not met. @throws LimitError. */
  groupOf(key: readonly Cell[]): number {
    let group = this.codeOf(0, key[0] ?? null);
    for (const [index, pairs] of this.#pairs.entries())
      group = pairs.codeOf(group, this.codeOf(index + 1, key[index + 1] ?? null));
    this.#checkCount();
    return group;
  }

  /** The number of a key of one of the columns, by their order; it stays the same. @throws LimitError. */
  codeOf(column: number, value: Cell): number {
    return this.#columns[column]?.codeOf(value) ?? 0;
  }

  /** Writes for each column the values of groups [from, end). */
  writeValues(columns: readonly Cell[][], from: number, end: number): void {
    for (let group = from; group < end; group += 1) {
      let code = group;
      for (let index = this.#columns.length - 1; index >= 0; index -= 1) {
        const pairs = this.#pairs[index - 1];
        const own = pairs === undefined ? code : pairs.rightOf(code);
        (columns[index] as Cell[])[group] = this.#columns[index]?.valueOf(own) ?? null;
        if (pairs !== undefined) code = pairs.leftOf(code);
      }
    }
  }

  /** A single column counts null beside its values. */
  #checkCount(): void {
    const { what, most } = this.#limit;
    if (this.count > most) throw new LimitError('ERR_LIMIT', what, most, most + 1);
  }
}

/** Groups by the columns so far and values of the next one -> groups by both. */
function combine(pairs: PairCodes, groups: Uint32Array, codes: Int32Array, rowCount: number): void {
  const own = new Uint32Array(codes.buffer, codes.byteOffset, rowCount);
  pairs.encode(groups, own, null, new Int32Array(groups.buffer, groups.byteOffset, rowCount));
}
