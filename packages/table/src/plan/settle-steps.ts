// A view whose steps wait -> the same view with its rows known, or read.
import type { Work } from '@colkit/io/effects';
import { viewOf, withRows } from '../views/view.ts';
import type { View } from '../views/view.ts';
import { findRows, readPlan } from './execute.ts';
import { ROWS } from './plan.ts';
import type { WantedColumns } from './plan.ts';
import { lastPlan } from './plan-view.ts';

/** @throws what reading throws; what a step behind a predicate throws (a mask of another length). */
export function* settleSteps(view: View): Work<View> {
  return withRows(view, yield* findRows(view.source, yield* lastPlan(view, ROWS)));
}

/** Where the source finds and reads matching rows in one pass, a view of what was read. */
export function* settleStepsToRead(view: View, strings: WantedColumns['strings']): Work<View> {
  const want: WantedColumns = { kind: 'columns', select: view.projection.numbers, strings };
  const read = yield* readPlan(view.source, yield* lastPlan(view, want));
  return 'table' in read ? viewOf(read.table) : withRows(view, read.rows);
}
