// A view with steps that wait -> the same view with its rows known: each predicate is looked at once, then the steps
// behind it are the ordinary lazy ones. Every materialiser begins here, so that a view reads its predicate's columns
// once per materialisation, whatever it reads afterwards.
import type { Work } from '@colkit/io/effects';
import type { WantedColumns } from '../plan/plan.ts';
import { settleSteps, settleStepsToRead } from '../plan/settling.ts';
import type { View } from '../views/view.ts';
import { requireOpen } from './require-open.ts';

/** @throws ClosedError; what reading throws; what a step behind the predicate throws (a mask of another length). */
export function* settleView(view: View, operation: string): Work<View> {
  if (view.pending.length === 0) return view;
  requireOpen(view.source, operation);
  return yield* settleSteps(view);
}

/**
 * For a reader of all columns: as `settleView`; where the source finds and reads matching rows in one pass, the result
 * is a view of what was read.
 */
export function* settleToRead(view: View, operation: string, strings: WantedColumns['strings']): Work<View> {
  if (view.pending.length === 0) return view;
  requireOpen(view.source, operation);
  return yield* settleStepsToRead(view, strings);
}
