// The values of one or several columns -> numbers of groups, in the order in which the combinations are first met. A
// combination of null is one like any other.
import { LimitError } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import type { Cell, ColumnValues } from './column-values.ts';
import { PairCodes } from './codes/pair-codes.ts';
import { valueCodes } from './value-codes.ts';
import type { ValueCodes } from './codes/codes.ts';

/** Values of a column -> those that some rows are grouped by, each of one value alone. */
export type ComputeKeys = (values: ColumnValues, rowCount: number) => ColumnValues;

interface Limit {
  /** What there are too many of, in the plural. */
  readonly what: string;
  /** How many there may be. */
  readonly most: number;
}

export class GroupKeys {
  readonly #what: string;
  readonly #most: number;
  readonly #columns: readonly ValueCodes[];
  /** For each column what is done with the values that are given; null: they are the keys. */
  readonly #computed: readonly (ComputeKeys | null)[];
  /** For each column but the first: the combination of those before it, and its value. */
  readonly #pairs: readonly PairCodes[];
  #groups = new Uint32Array(0);
  #codes = new Int32Array(0);

  private constructor(
    columns: readonly ValueCodes[],
    pairs: readonly PairCodes[],
    computed: readonly (ComputeKeys | null)[],
    { what, most }: Limit,
  ) {
    this.#what = what;
    this.#most = most;
    this.#columns = columns;
    this.#pairs = pairs;
    this.#computed = computed;
  }

  /**
   * @param columns at least one.
   * @param what in the plural, for the message about too many.
   * @throws UnsupportedError ERR_DTYPE for float128.
   */
  static of(columns: readonly DTypeInfo[], operation: string, what: string, most: number): GroupKeys {
    return new GroupKeys(
      columns.map((info) => valueCodes(info, operation, what, most)),
      columns.slice(1).map(() => new PairCodes(what, most)),
      columns.map(() => null),
      { what, most },
    );
  }

  /**
   * The same groups for somebody who has other values, of which the keys are computed: what is met there is met here.
   * Of columns with null the keys are given.
   */
  computedBy(computed: readonly (ComputeKeys | null)[]): GroupKeys {
    const all = this.#computed.map((own, index): ComputeKeys | null => {
      const compute = computed[index] ?? null;
      if (own === null || compute === null) return own ?? compute;
      return (values, rowCount) => own(compute(values, rowCount), rowCount);
    });
    return new GroupKeys(this.#columns, this.#pairs, all, { what: this.#what, most: this.#most });
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
    const compute = this.#computed[column] ?? null;
    this.#columns[column]?.encode(compute === null ? values : compute(values, rowCount), rowCount, out);
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
  const own = new Uint32Array(codes.buffer, codes.byteOffset, rowCount);
  pairs.encode(groups, own, null, new Int32Array(groups.buffer, groups.byteOffset, rowCount));
}
