// A view -> a short text table: the first and the last rows under names and dtypes. Reads these rows and nothing else.
// Also the one line that util.inspect prints, which reads nothing.
import { dtypeFacts, option, visibleJson } from '@colkit/io';
import type { OptionSet } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import { countRows } from '../../views/rows.ts';
import { headView, tailView, withProjection } from '../../views/view.ts';
import type { View } from '../../views/view.ts';
import { cellText, shortText } from './cell-text.ts';
import type { AnyColumn } from '../convert.ts';
import { RUN_OPTIONS } from '../options.ts';
import type { RunOptions } from '../options.ts';
import { readColumns } from '../read.ts';
import { cellsOf } from '../cells.ts';
import { settleView } from '../settle.ts';

export interface PreviewOptions extends RunOptions {
  /** Most rows, half of them from the end; default 10. */
  readonly rows?: number;
  /** Most columns; default 12. */
  readonly columns?: number;
}

export const PREVIEW_OPTIONS: OptionSet<PreviewOptions> = {
  ...RUN_OPTIONS,
  rows: option.count('rows', 1),
  columns: option.count('columns', 1),
};

const ROWS = 10;
const COLUMNS = 12;
/** Columns that inspect names. */
const INSPECTED = 20;
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

/** What util.inspect shows of a table: name, size and types. Reads nothing. */
export function inspectText(kind: string, view: View): string {
  const { projection, source } = view;
  const fields = projection.fields
    .slice(0, INSPECTED)
    .map(({ name, dtype, nullable }) => `${shortText(name)}: ${dtype}${nullable ? '?' : ''}`);
  const more = projection.fields.length > INSPECTED ? [`${String(projection.fields.length - INSPECTED)} more`] : [];
  return `${kind} ${visibleJson(JSON.stringify(source.name))}${source.closed ? ' (closed)' : ''}, ${sizeText(view)} { ${[...fields, ...more].join(', ')} }`;
}

function sizeText({ projection, rows, pending }: View): string {
  const count = (value: number, noun: string): string => `${String(value)} ${noun}${value === 1 ? '' : 's'}`;
  const size = pending.length === 0 ? count(countRows(rows), 'row') : pendingText(pending);
  return `${size} x ${count(projection.fields.length, 'column')}`;
}

function pendingText(pending: View['pending']): string {
  const isWhere = pending.some(({ kind }) => kind === 'where');
  const texts = pending.flatMap((step) => {
    switch (step.kind) {
      case 'where':
        return [step.predicate.text];
      case 'order': {
        const keys = step.columns.map(({ column, descending }) => column.name + (descending ? ' descending' : ''));
        return [`orderBy(${keys.join(', ')})`];
      }
      case 'distinct':
        return [`distinct(${step.columns.map(({ name }) => name).join(', ')})`];
      default:
        return [];
    }
  });
  return `rows ${isWhere ? 'where' : 'by'} ${shortText(texts.join(' and then '))}`;
}

function widthOf(line: string): number {
  return Array.from(line).length;
}
