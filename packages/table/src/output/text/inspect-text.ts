// What util.inspect prints of a table or a column, which reads nothing, and the options of a preview.
import { option, visibleJson } from '@colkit/io';
import type { OptionSet } from '@colkit/io';
import { countRows } from '../../views/rows.ts';
import type { View } from '../../views/view.ts';
import { RUN_OPTIONS } from '../options.ts';
import type { RunOptions } from '../options.ts';
import { shortText } from './short-text.ts';

/** Columns that inspect names. */
const INSPECTED = 20;

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

/** What util.inspect shows of a table: name, size and types. Reads nothing. */
export function inspectText(kind: string, view: View): string {
  const { projection, source } = view;
  const fields = projection.fields
    .slice(0, INSPECTED)
    .map(({ name, dtype, nullable }) => `${shortText(name)}: ${dtype}${nullable ? '?' : ''}`);
  const more = projection.fields.length > INSPECTED ? [`${String(projection.fields.length - INSPECTED)} more`] : [];
  return (
    `${kind} ${visibleJson(JSON.stringify(source.name))}${source.closed ? ' (closed)' : ''}, ${sizeText(view)} ` +
    `{ ${[...fields, ...more].join(', ')} }`
  );
}

/** Rows and columns in words. */
export function sizeText({ projection, rows, pending }: View): string {
  const count = (value: number, noun: string): string => `${String(value)} ${noun}${value === 1 ? '' : 's'}`;
  const size = pending.length === 0 ? count(countRows(rows), 'row') : pendingText(pending);
  return `${size} x ${count(projection.fields.length, 'column')}`;
}

function pendingText(pending: View['pending']): string {
  const isWhere = pending.some(({ kind }) => kind === 'where' || kind === 'condition');
  const texts = pending.flatMap((step) => {
    switch (step.kind) {
      case 'where':
        return [step.predicate.text];
      case 'condition':
        return [typeof step.predicate === 'string' ? step.predicate : 'an expression'];
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
