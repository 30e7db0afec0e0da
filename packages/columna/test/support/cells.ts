// Rows of a test column as the values that a table gives: the oracle that every way of reading is compared with.
import type { FixedArray } from '@colkit/io';
import { isSet } from '../../src/write/values/column-values.ts';
import type { TestColumn } from './table.ts';

export type Cell = boolean | number | bigint | string | Uint8Array | null;

/** One cell a row. */
export function cellsOf({ type, values, validity }: TestColumn): Cell[] {
  return Array.from<unknown, Cell>(values as ArrayLike<unknown>, (value, row) => {
    if (validity !== undefined && !isSet(validity, row)) return null;
    return type === 'bool' ? value !== 0 : (value as Cell);
  });
}

/** Whatever form a column comes in, one cell a row; bool as true and false. */
export function cellsOfResult(column: unknown, type: string): Cell[] {
  return Array.from(column as ArrayLike<Cell> | FixedArray, (value: Cell) =>
    type === 'bool' && typeof value === 'number' ? value !== 0 : value,
  );
}

/** Equal down to the sign of zero and NaN; payloads of NaN are compared elsewhere, by bits. */
export function sameCells(actual: readonly Cell[], expected: readonly Cell[]): boolean {
  return actual.length === expected.length && actual.every((value, row) => sameCell(value, expected[row] ?? null));
}

function sameCell(a: Cell, b: Cell): boolean {
  if (a instanceof Uint8Array && b instanceof Uint8Array)
    return a.length === b.length && a.every((byte, at) => byte === b[at]);
  return Object.is(a, b);
}
