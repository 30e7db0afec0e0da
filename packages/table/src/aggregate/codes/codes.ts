// What numbers values: from 0 on, in the order in which they are first met; null is one of them.
import type { Cell, ColumnValues } from '../column-values.ts';

export interface ValueCodes {
  /** How many values there are, null included. */
  readonly count: number;
  /** The number of null; -1: it was not met. */
  readonly codeOfNull: number;
  /** The numbers of the values of some rows. @throws LimitError. */
  encode(values: ColumnValues, rowCount: number, out: Int32Array): void;
  codeOf(value: Cell): number;
  valueOf(code: number): Cell;
}

/** What null takes from the numbers of the values. */
export class NullCode {
  code = -1;

  /** The number of a value that is not null, given its index among those. */
  of(index: number): number {
    return this.code !== -1 && index >= this.code ? index + 1 : index;
  }

  indexOf(code: number): number {
    return this.code !== -1 && code > this.code ? code - 1 : code;
  }
}
