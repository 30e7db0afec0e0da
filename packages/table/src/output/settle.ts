// A view with pending steps -> the same view with its rows known: each predicate is looked at once, then the steps behind it are the ordinary lazy ones. Every materialiser begins here,
// so that a view reads its predicate's columns once per materialisation, whatever it reads afterwards.
import type { RowSelection } from '@colkit/io';
import { contextOf, run, runSync } from '@colkit/io/effects';
import { arrangedRows } from '../arrange/arrange-rows.ts';
import type { BoundPredicate } from '../query/bound-predicate.ts';
import { RowCollector } from '../query/row-collector.ts';
import { scan, scanSync } from '../query/scan.ts';
import type { MatchSink, ScanOptions } from '../query/scan.ts';
import type { CollectOptions, FilterOptions, RowSpan, TableSource } from '../source.ts';
import { Mask } from '../views/mask.ts';
import { matchesNeeded } from '../views/pending.ts';
import { allRows, countRows } from '../views/rows.ts';
import type { Rows } from '../views/rows.ts';
import { applyStep, viewOf, withRows } from '../views/view.ts';
import type { View } from '../views/view.ts';
import type { RunOptions } from './options.ts';
import { requireOpen } from './require-open.ts';

/** @throws ClosedError; the signal's reason; what reading throws; what a step behind the predicate throws (a mask of another length). */
export async function settleView(view: View, operation: string, options: RunOptions = {}): Promise<View> {
  if (view.pending.length === 0) return view;
  requireOpen(view.source, operation);
  options.signal?.throwIfAborted();
  let current = withRows(view, view.rows);
  for (const [index, step] of view.pending.entries()) {
    const limit = matchesNeeded(view.pending[index + 1]);
    if (step.kind === 'where') {
      current = withRows(current, await matchingRows(current, step.predicate, scanOptions(options, limit)));
    } else if (step.kind === 'order' || step.kind === 'distinct') {
      const arranged = arrangedRows(current.source, current.rows, step, limit);
      current = withRows(current, await run(arranged, contextOf(options)));
    } else current = applyStep(current, step);
  }
  return current;
}

export function settleViewSync(view: View, operation: string, options: RunOptions = {}): View {
  if (view.pending.length === 0) return view;
  requireOpen(view.source, operation);
  options.signal?.throwIfAborted();
  let current = withRows(view, view.rows);
  for (const [index, step] of view.pending.entries()) {
    const limit = matchesNeeded(view.pending[index + 1]);
    if (step.kind === 'where') {
      current = withRows(current, matchingRowsSync(current, step.predicate, scanOptions(options, limit)));
    } else if (step.kind === 'order' || step.kind === 'distinct') {
      const arranged = arrangedRows(current.source, current.rows, step, limit);
      current = withRows(current, runSync(arranged, contextOf(options)));
    } else current = applyStep(current, step);
  }
  return current;
}

/** For a reader of all columns: as `settleView`; where the source finds and reads matching rows in one pass, the result is a view of what was read. */
export async function settleToRead(view: View, operation: string, options: RunOptions, strings: CollectOptions['strings']): Promise<View> {
  const matching = collectable(view);
  if (matching === null) return settleView(view, operation, options);
  requireOpen(view.source, operation);
  options.signal?.throwIfAborted();
  const collected = await view.source.collectRows?.(matching.predicate, matching.span, view.projection.numbers, collectOptions(options, strings));
  return collected === undefined ? settleView(view, operation, options) : viewOf(collected);
}

export function settleToReadSync(view: View, operation: string, options: RunOptions, strings: CollectOptions['strings']): View {
  const matching = collectable(view);
  if (matching === null) return settleViewSync(view, operation, options);
  requireOpen(view.source, operation);
  options.signal?.throwIfAborted();
  const collected = view.source.collectRowsSync?.(matching.predicate, matching.span, view.projection.numbers, collectOptions(options, strings));
  return collected === undefined ? settleViewSync(view, operation, options) : viewOf(collected);
}

/** A predicate on consecutive rows, all matches of which are wanted: a step behind it may leave few of them. */
function collectable({ pending, rows }: View): { readonly predicate: BoundPredicate; readonly span: RowSpan } | null {
  const [step] = pending;
  const span = spanOf(rows);
  return pending.length === 1 && step?.kind === 'where' && step.predicate.root.kind !== 'constant' && span !== null ? { predicate: step.predicate, span } : null;
}

function collectOptions({ workers, signal }: RunOptions, strings: CollectOptions['strings']): CollectOptions {
  const options = { strings, workers: workers ?? 0 };
  return signal === undefined ? options : { ...options, signal };
}

/** How many rows; where the last step is a predicate, its matches are counted and not kept. */
export async function countView(from: View, operation: string, options: RunOptions = {}): Promise<number> {
  requireOpen(from.source, operation);
  const view = unordered(from);
  const last = view.pending.at(-1);
  const base = await settleView({ ...view, pending: last?.kind === 'where' ? view.pending.slice(0, -1) : view.pending }, operation, options);
  if (last?.kind !== 'where') return countRows(base.rows);
  const { root } = last.predicate;
  if (root.kind === 'constant') return root.matches ? countRows(base.rows) : 0;
  if (answersItself(base.source, base.rows)) return countRows(await matchingRows(base, last.predicate, scanOptions(options, Infinity)));
  const counter = new MatchCounter();
  await scan(base.source, base.rows, last.predicate, scanOptions(options, Infinity), counter);
  return counter.count;
}

export function countViewSync(from: View, operation: string, options: RunOptions = {}): number {
  requireOpen(from.source, operation);
  const view = unordered(from);
  const last = view.pending.at(-1);
  const base = settleViewSync({ ...view, pending: last?.kind === 'where' ? view.pending.slice(0, -1) : view.pending }, operation, options);
  if (last?.kind !== 'where') return countRows(base.rows);
  const { root } = last.predicate;
  if (root.kind === 'constant') return root.matches ? countRows(base.rows) : 0;
  if (answersItself(base.source, base.rows)) return countRows(matchingRowsSync(base, last.predicate, scanOptions(options, Infinity)));
  const counter = new MatchCounter();
  scanSync(base.source, base.rows, last.predicate, scanOptions(options, Infinity), counter);
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

async function matchingRows({ source, rows }: View, predicate: BoundPredicate, options: ScanOptions): Promise<Rows> {
  const decided = decidedRows(rows, predicate);
  if (decided !== null) return decided;
  const span = spanOf(rows);
  if (span !== null && source.filterRows !== undefined) return rowsOfSelection(await source.filterRows(predicate, span, options), source.rowCount);
  const collector = new RowCollector(countRows(rows));
  await scan(source, rows, predicate, options, collector);
  return collector.rowsOf(rows);
}

function matchingRowsSync({ source, rows }: View, predicate: BoundPredicate, options: ScanOptions): Rows {
  const decided = decidedRows(rows, predicate);
  if (decided !== null) return decided;
  const span = spanOf(rows);
  if (span !== null && source.filterRowsSync !== undefined) return rowsOfSelection(source.filterRowsSync(predicate, span, options), source.rowCount);
  const collector = new RowCollector(countRows(rows));
  scanSync(source, rows, predicate, options, collector);
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
    case 'range': return { ...selection, rowCount };
    case 'indices': return { kind: 'take', base: allRows(rowCount), indices: selection.indices };
    case 'mask': return { kind: 'filter', base: allRows(rowCount), mask: new Mask(selection.mask, rowCount) };
  }
}

function scanOptions({ workers, signal }: RunOptions, limit: number): ScanOptions & FilterOptions {
  return signal === undefined ? { workers: workers ?? 0, limit } : { workers: workers ?? 0, limit, signal };
}
