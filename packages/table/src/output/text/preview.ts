// A view -> a short text table: the first and the last rows under names and dtypes. Reads these rows and nothing else.
import { dtypeFacts } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import { countRows } from '../../views/rows.ts';
import { headView, tailView, withProjection } from '../../views/view.ts';
import type { View } from '../../views/view.ts';
import { cellText } from './cell-text.ts';
import { shortText } from './short-text.ts';
import type { AnyColumn } from '../forms/convert.ts';
import { sizeText } from './inspect-text.ts';
import type { PreviewOptions } from './inspect-text.ts';
import { readColumns } from '../read.ts';
import { cellsOf } from '../forms/cells.ts';
import { settleView } from '../settle.ts';

const ROWS = 10;
const COLUMNS = 12;
const GAP = '  ';
const OMITTED = '…';

interface Plan {
  readonly head: View;
  readonly tail: View | null;
}

export function* previewText(from: View, operation: string, options: PreviewOptions = {}): Work<string> {
  const view = yield* settleView(from, operation);
  const plan = planPreview(view, options);
  const head = yield* readColumns(plan.head, operation);
  const tail = plan.tail === null ? null : yield* readColumns(plan.tail, operation);
  return render(view, plan, head, tail);
}

function planPreview(view: View, options: PreviewOptions): Plan {
  const [rows, columns] = [options.rows ?? ROWS, options.columns ?? COLUMNS];
  const shown = withProjection(view, view.projection.select(view.projection.names.slice(0, columns)));
  if (countRows(view.rows) <= rows) return { head: shown, tail: null };
  return { head: headView(shown, Math.ceil(rows / 2)), tail: tailView(shown, Math.floor(rows / 2)) };
}

function render(
  view: View,
  { head, tail }: Plan,
  headColumns: readonly AnyColumn[],
  tailColumns: readonly AnyColumn[] | null,
): string {
  const { projection } = head;
  const printed = projection.fields.map((field, position) => {
    const info = projection.at(position).info;
    const texts = (columns: readonly AnyColumn[], part: View): string[] => {
      const column = columns[position];
      return column === undefined
        ? []
        : Array.from(cellsOf(info, column, countRows(part.rows)), (cell) => cellText(info, cell));
    };
    const omitted = tail === null ? [] : [OMITTED];
    const lines = [
      shortText(field.name),
      `${field.dtype}${field.nullable ? '?' : ''}`,
      ...texts(headColumns, head),
      ...omitted,
      ...(tail === null ? [] : texts(tailColumns ?? [], tail)),
    ];
    const width = lines.reduce((widest, line) => Math.max(widest, widthOf(line)), 0);
    const toTheRight = dtypeFacts(info).isNumber;
    return lines.map((line) =>
      toTheRight ? ' '.repeat(width - widthOf(line)) + line : line + ' '.repeat(width - widthOf(line)),
    );
  });
  const lines = (printed[0] ?? []).map((_, line) =>
    printed
      .map((column) => column[line] ?? '')
      .join(GAP)
      .trimEnd(),
  );
  const hidden = view.projection.fields.length - projection.fields.length;
  return [...lines, `${sizeText(view)}${hidden === 0 ? '' : `, ${String(hidden)} of them not shown`}`].join('\n');
}

function widthOf(line: string): number {
  return Array.from(line).length;
}
