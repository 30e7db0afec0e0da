// A view with pending steps -> the same view with its rows known: each predicate is looked at once, then the steps
// behind it are the ordinary lazy ones. Every materialiser begins here, so that a view reads its predicate's columns
// once per materialisation, whatever it reads afterwards.
import type { RowSelection } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import { arrangedRows } from '../arrange/arrange-rows.ts';
import type { BoundPredicate } from '../query/bound-predicate.ts';
import { RowCollector } from '../query/evaluate/row-collector.ts';
import { scan } from '../query/evaluate/scan.ts';
import type { MatchSink } from '../query/evaluate/scan.ts';
import type { CollectOptions, RowSpan, TableSource } from '../source.ts';
import { Mask } from '../views/mask.ts';
import { matchesNeeded } from '../views/pending.ts';
import { allRows, countRows } from '../views/rows.ts';
import type { Rows } from '../views/rows.ts';
import { applyStep, viewOf, withRows } from '../views/view.ts';
import type { View } from '../views/view.ts';
import { requireOpen } from './require-open.ts';

/** @throws ClosedError; what reading throws; what a step behind the predicate throws (a mask of another length). */
export function* settleView(view: View, operation: string): Work<View> {
  if (view.pending.length === 0) return view;
  requireOpen(view.source, operation);
  let current = withRows(view, view.rows);
  for (const [index, step] of view.pending.entries()) {
    const limit = matchesNeeded(view.pending[index + 1]);
    if (step.kind === 'where') current = withRows(current, yield* matchingRows(current, step.predicate, limit));
    else if (step.kind === 'order' || step.kind === 'distinct')
      current = withRows(current, yield* arrangedRows(current.source, current.rows, step, limit));
    else current = applyStep(current, step);
  }
  return current;
}

/**
 * For a reader of all columns: as `settleView`; where the source finds and reads matching rows in one pass, the result
 * is a view of what was read.
 */
export function* settleToRead(view: View, operation: string, strings: CollectOptions['strings']): Work<View> {
  const matching = collectable(view);
  if (matching === null) return yield* settleView(view, operation);
  requireOpen(view.source, operation);
  const collecting = view.source.collectRows?.(matching.predicate, matching.span, view.projection.numbers, { strings });
  return collecting === undefined ? yield* settleView(view, operation) : viewOf(yield* collecting);
}

/** A predicate on consecutive rows, all matches of which are wanted: a step behind it may leave few of them. */
function collectable({ pending, rows }: View): { readonly predicate: BoundPredicate; readonly span: RowSpan } | null {
  const [step] = pending;
  const span = spanOf(rows);
  return pending.length === 1 && step?.kind === 'where' && step.predicate.root.kind !== 'constant' && span !== null
    ? { predicate: step.predicate, span }
    : null;
}

/** How many rows; where the last step is a predicate, its matches are counted and not kept. */
export function* countView(from: View, operation: string): Work<number> {
  requireOpen(from.source, operation);
  const view = unordered(from);
  const last = view.pending.at(-1);
  const base = yield* settleView(
    { ...view, pending: last?.kind === 'where' ? view.pending.slice(0, -1) : view.pending },
    operation,
  );
  if (last?.kind !== 'where') return countRows(base.rows);
  const { root } = last.predicate;
  if (root.kind === 'constant') return root.matches ? countRows(base.rows) : 0;
  if (answersItself(base.source, base.rows)) return countRows(yield* matchingRows(base, last.predicate, Infinity));
  const counter = new MatchCounter();
  yield* scan(base.source, base.rows, last.predicate, { limit: Infinity }, counter);
  return counter.count;
}

/** Without the orders at its end, which leave all rows. */
function unordered(view: View): View {
  let steps = view.pending.length;
  while (view.pending[steps - 1]?.kind === 'order') steps -= 1;
  return steps === view.pending.length ? view : { ...view, pending: view.pending.slice(0, steps) };
}

class MatchCounter implements MatchSink {
  count = 0;

  add(matches: Int32Array): void {
    this.count += matches.length;
  }
}

/** @param limit so many matches are enough. */
function* matchingRows({ source, rows }: View, predicate: BoundPredicate, limit: number): Work<Rows> {
  const decided = decidedRows(rows, predicate);
  if (decided !== null) return decided;
  const span = spanOf(rows);
  if (span !== null && source.filterRows !== undefined)
    return rowsOfSelection(yield* source.filterRows(predicate, span, { limit }), source.rowCount);
  const collector = new RowCollector(countRows(rows));
  yield* scan(source, rows, predicate, { limit }, collector);
  return collector.rowsOf(rows);
}

/** Where nothing has to be read. */
function decidedRows(rows: Rows, { root }: BoundPredicate): Rows | null {
  if (root.kind === 'constant') return root.matches ? rows : { kind: 'take', base: rows, indices: new Int32Array(0) };
  return null;
}

/** What a source that answers itself is asked about: consecutive rows. Null: other rows, which are read. */
export function spanOf(rows: Rows): RowSpan | null {
  return rows.kind === 'range' && rows.step === 1 ? { start: rows.start, end: rows.start + rows.count } : null;
}

function answersItself(source: TableSource, rows: Rows): boolean {
  return source.filterRows !== undefined && spanOf(rows) !== null;
}

function rowsOfSelection(selection: RowSelection, rowCount: number): Rows {
  switch (selection.kind) {
    case 'range':
      return { ...selection, rowCount };
    case 'indices':
      return { kind: 'take', base: allRows(rowCount), indices: selection.indices };
    case 'mask':
      return { kind: 'filter', base: allRows(rowCount), mask: new Mask(selection.mask, rowCount) };
  }
}
