// A column that was read with the default forms, value by value: what rows and `at` give.
import { isBool, isRawItem } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import { arrayFor } from '../../array-for.ts';
import { cellReader } from './convert.ts';
import type { AnyColumn, Cell } from './convert.ts';

export function cellsOf(info: DTypeInfo, column: AnyColumn, count: number): ArrayLike<Cell> {
  if (!('length' in column)) return [];
  // Arrays hold cells already; only these two kinds of typed arrays hold something else.
  if (Array.isArray(column) || !(isBool(info) || isRawItem(info))) return column;
  const cellOf = cellReader(info, column);
  const cells = arrayFor<Cell>(count);
  for (let row = 0; row < count; row++) cells[row] = cellOf(row);
  return cells;
}
