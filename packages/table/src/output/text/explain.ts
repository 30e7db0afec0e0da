// A view -> lines for people: which rows and columns, what each predicate reads and in which order, and, where the
// format answers predicates itself, what it skips and why.
import { visibleText } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import { boundView } from '../../plan/bound-view.ts';
import { explainPlan } from '../../plan/execute.ts';
import { nextPlan } from '../../plan/plan-view.ts';
import type { BoundPredicate } from '../../query/bound-predicate.ts';
import { conjuncts } from '../../query/evaluate/evaluate.ts';
import { printName } from '../../query/text/print.ts';
import { matchesNeeded } from '../../views/pending.ts';
import type { PendingStep } from '../../views/pending.ts';
import { countRows } from '../../views/rows.ts';
import type { Rows } from '../../views/rows.ts';
import type { View } from '../../views/view.ts';
import { requireOpen } from '../require-open.ts';

/** Columns that are named. */
const SHOWN_COLUMNS = 20;

export function* explainView(from: View, operation: string): Work<string> {
  requireOpen(from.source, operation);
  const view = yield* boundView(from);
  return render(view, yield* explainPlan(view.source, nextPlan(view).plan));
}

function render(view: View, answer: readonly string[] | null): string {
  const { source, projection, rows, pending } = view;
  const names = projection.names.slice(0, SHOWN_COLUMNS).map(printName);
  const more =
    projection.names.length > SHOWN_COLUMNS ? [`${String(projection.names.length - SHOWN_COLUMNS)} more`] : [];
  const lines = [
    `${source.name}: ${String(source.rowCount)} rows, ${String(source.fields.length)} columns`,
    `reads ${String(projection.names.length)} of ${String(source.fields.length)} columns: ` +
      [...names, ...more].join(', '),
    `from ${rowsText(rows)}`,
  ];
  for (const [index, step] of pending.entries()) {
    for (const line of stepLines(step, pending[index + 1], index === 0 ? answer : null)) lines.push(line);
  }
  return lines.map(visibleText).join('\n');
}

function rowsText(rows: Rows): string {
  const count = countRows(rows);
  switch (rows.kind) {
    case 'range':
      if (count === rows.rowCount && rows.start === 0 && rows.step === 1) return `all ${String(count)} rows`;
      return rows.step === 1
        ? `rows ${String(rows.start)} to ${String(rows.start + count)} (${String(count)})`
        : `${String(count)} rows from ${String(rows.start)} in steps of ${String(rows.step)}`;
    case 'take':
    case 'slice':
      return `${String(count)} rows that were picked by number`;
    case 'filter':
      return `${String(count)} rows that were picked by a mask`;
  }
}

function stepLines(
  step: PendingStep,
  next: PendingStep | undefined,
  answer: readonly string[] | null,
): readonly string[] {
  switch (step.kind) {
    case 'slice':
      return [
        `then slice(${[step.start, step.end, step.step]
          .map((part) => (part === undefined ? '' : String(part)))
          .join(', ')
          .replace(/[, ]+$/u, '')})`,
      ];
    case 'take':
      return [`then ${String(step.indices.length)} of these by number`];
    case 'filter':
      return ['then those of a mask'];
    case 'order': {
      const names = step.columns.map(({ column: { name }, descending }) => {
        return printName(name) + (descending ? ' descending' : '');
      });
      const limit = matchesNeeded(next);
      const kept = `keeps the keys of ${limit === Infinity ? 'all of them' : `the first ${String(limit)}`}`;
      return [
        `then in the order of ${names.join(', ')}`,
        `  reads ${namesOf(step.columns.map(({ column }) => column))} of every row so far, and ${kept}`,
      ];
    }
    case 'distinct': {
      const limit = matchesNeeded(next);
      const names = namesOf(step.columns);
      return [
        `then the first row of each ${names === '' ? 'table' : `combination of ${names}`}`,
        ...(limit === Infinity ? [] : [`  stops after ${String(limit)} combinations`]),
        ...(names === '' ? [] : [`  reads ${names} of every row so far`]),
      ];
    }
    case 'condition':
      return ['where a predicate that is not bound yet'];
    case 'where': {
      const limit = matchesNeeded(next);
      return [
        `where ${step.predicate.text}`,
        ...(limit === Infinity ? [] : [`  stops after ${String(limit)} matches`]),
        ...(answer ?? plainLines(step.predicate)).map((line) => `  ${line}`),
      ];
    }
  }
}

function namesOf(columns: readonly { readonly name: string }[]): string {
  return [...new Set(columns.map(({ name }) => printName(name)))].join(', ');
}

/** What the batch by batch evaluation does. */
function plainLines(predicate: BoundPredicate): readonly string[] {
  const { root } = predicate;
  if (root.kind === 'constant')
    return [root.matches ? 'true for every row: nothing is read for it' : 'true for no row: nothing is read'];
  const seen = new Set<number>();
  const lines = conjuncts(predicate).map((term, index) => {
    const names = term.refs.filter(({ number }) => !seen.has(number)).map(({ name }) => printName(name));
    for (const { number } of term.refs) seen.add(number);
    const what = names.length === 0 ? 'looks again at columns that were read' : `reads ${names.join(', ')}`;
    return index === 0 ? `${what} of every row` : `${what} where the terms before left rows`;
  });
  return ['no statistics: nothing can be skipped', ...lines];
}
