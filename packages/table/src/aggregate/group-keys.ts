// The values of one or several columns -> numbers of groups, in the order in which the combinations are first met. A
// combination of null is one like any other.
import { LimitError } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import type { Cell, ColumnValues } from './column-values.ts';
import { PairCodes } from './codes/pair-codes.ts';
import { valueCodes } from './value-codes.ts';
import type { ValueCodes } from './value-codes.ts';

export class GroupKeys {
  readonly #what: string;
  readonly #most: number;
  readonly #columns: readonly ValueCodes[];
  /** For each column but the first: the combination of those before it, and its value. */
  readonly #pairs: readonly PairCodes[];
  #groups = new Uint32Array(0);
  #codes = new Int32Array(0);

  /**
   * @param columns at least one.
   * @param what in the plural, for the message about too many.
   * @throws UnsupportedError ERR_DTYPE for float128.
   */
  constructor(columns: readonly DTypeInfo[], operation: string, what: string, most: number) {
    this.#what = what;
    this.#most = most;
    this.#columns = columns.map((info) => valueCodes(info, operation, what, most));
    this.#pairs = columns.slice(1).map(() => new PairCodes(what, most));
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
    this.#columns[column]?.encode(values, rowCount, out);
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

  /** The number of a value of one of the columns, by their order; it stays the same. @throws LimitError. */
  codeOf(column: number, value: Cell): number {
    return this.#columns[column]?.codeOf(value) ?? 0;
  }

  /** For each column the values of all groups. */
  values(): readonly (readonly Cell[])[] {
    const columns = this.#columns.map(() => new Array<Cell>(this.count));
    for (let group = 0; group < this.count; group += 1) {
      let code = group;
      for (let index = this.#columns.length - 1; index >= 0; index -= 1) {
        const pairs = this.#pairs[index - 1];
        const own = pairs === undefined ? code : pairs.rightOf(code);
        (columns[index] as Cell[])[group] = this.#columns[index]?.valueOf(own) ?? null;
        if (pairs !== undefined) code = pairs.leftOf(code);
      }
    }
    return columns;
  }

  /** A single column counts null beside its values. */
  #checkCount(): void {
    if (this.count > this.#most) throw new LimitError('ERR_LIMIT', this.#what, this.#most, this.#most + 1);
  }
}

/** Groups by the columns so far and values of the next one -> groups by both. */
function combine(pairs: PairCodes, groups: Uint32Array, codes: Int32Array, rowCount: number): void {
  for (let row = 0; row < rowCount; row += 1) groups[row] = pairs.codeOf(groups[row] as number, codes[row] as number);
}
