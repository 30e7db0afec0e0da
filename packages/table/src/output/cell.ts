// One value of one column: what at() gives. Reads one row, whatever the length of the view.
import type { RowSelection } from '@colkit/io';
import { resolveRow } from '../views/resolve.ts';
import type { View } from '../views/view.ts';
import type { Cell } from './convert.ts';
import { readColumns, readColumnsSync, requireOpen } from './read.ts';
import { cellsOf } from './rows.ts';
import type { AnyColumn } from './convert.ts';

export async function readCell(view: View, index: number): Promise<Cell> {
  const [column] = await readColumns(view, 'at', {}, oneRow(view, 'at', index));
  return firstCell(view, column);
}

export function readCellSync(view: View, index: number): Cell {
  const [column] = readColumnsSync(view, 'atSync', {}, oneRow(view, 'atSync', index));
  return firstCell(view, column);
}

function oneRow(view: View, operation: string, index: number): RowSelection {
  requireOpen(view.source, operation);
  return { kind: 'range', start: resolveRow(view.rows, index), step: 1, count: 1 };
}

function firstCell({ projection }: View, column: AnyColumn | undefined): Cell {
  return column === undefined ? null : (cellsOf(projection.at(0).info, column, 1)[0] ?? null);
}
