// A view with steps that wait -> the same view with its rows known: each predicate is looked at once, then the steps
// behind it are the ordinary lazy ones. Every materialiser begins here, so that a view reads its predicate's columns
// once per materialisation, whatever it reads afterwards.
import type { Work } from '@colkit/io/effects';
import { findRows, readPlan } from '../plan/execute.ts';
import { ROWS } from '../plan/plan.ts';
import type { WantedColumns } from '../plan/plan.ts';
import { lastPlan } from '../plan/plan-view.ts';
import { viewOf, withRows } from '../views/view.ts';
import type { View } from '../views/view.ts';
import { requireOpen } from './require-open.ts';

/** @throws ClosedError; what reading throws; what a step behind the predicate throws (a mask of another length). */
export function* settleView(view: View, operation: string): Work<View> {
  if (view.pending.length === 0) return view;
  requireOpen(view.source, operation);
  return withRows(view, yield* findRows(view.source, yield* lastPlan(view, ROWS)));
}

/**
 * For a reader of all columns: as `settleView`; where the source finds and reads matching rows in one pass, the result
 * is a view of what was read.
 */
export function* settleToRead(view: View, operation: string, strings: WantedColumns['strings']): Work<View> {
  if (view.pending.length === 0) return view;
  requireOpen(view.source, operation);
  const want: WantedColumns = { kind: 'columns', select: view.projection.numbers, strings };
  const read = yield* readPlan(view.source, yield* lastPlan(view, want));
  return 'table' in read ? viewOf(read.table) : withRows(view, read.rows);
}
