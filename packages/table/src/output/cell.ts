// One value of one column: what at() gives. Reads one row, whatever the length of the view.
import type { RowSelection } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import { resolveRow } from '../views/resolve.ts';
import { headView } from '../views/view.ts';
import type { View } from '../views/view.ts';
import type { Cell } from './forms/convert.ts';
import { readColumns } from './read.ts';
import { requireOpen } from './require-open.ts';
import { cellsOf } from './forms/cells.ts';
import type { AnyColumn } from './forms/convert.ts';
import { settleView } from './settle.ts';

export function* readCell(view: View, operation: string, index: number | bigint): Work<Cell> {
  const settled = yield* settleView(upTo(view, index), operation);
  const [column] = yield* readColumns(settled, operation, {}, oneRow(settled, operation, index));
  return firstCell(view, column);
}

/** Behind a predicate, no more matches are looked for than it takes. */
function upTo(view: View, index: number | bigint): View {
  const row = typeof index === 'bigint' ? Number(index) : index;
  return view.pending.length > 0 && Number.isSafeInteger(row) && row >= 0 && row < Number.MAX_SAFE_INTEGER
    ? headView(view, row + 1)
    : view;
}

function oneRow(view: View, operation: string, index: number | bigint): RowSelection {
  requireOpen(view.source, operation);
  return { kind: 'range', start: resolveRow(view.rows, index), step: 1, count: 1 };
}

function firstCell({ projection }: View, column: AnyColumn | undefined): Cell {
  return column === undefined ? null : (cellsOf(projection.at(0).info, column, 1)[0] ?? null);
}
