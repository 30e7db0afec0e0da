// A view -> plans, one after the other: a predicate, and the order or the distinct rows behind it, are one plan. All
// but the last have to be executed to know which rows the next one is about.
import type { Work } from '@colkit/io/effects';
import { matchesNeeded } from '../views/pending.ts';
import type { PendingStep } from '../views/pending.ts';
import { applyStep, withRows } from '../views/view.ts';
import type { View } from '../views/view.ts';
import { boundView } from './bound-view.ts';
import { findRows } from './execute.ts';
import { ROWS, wanting } from './plan.ts';
import type { Plan, Want, WantedRows } from './plan.ts';

/** What waits of a view from some step on: a plan, and the steps behind it. */
interface NextPlan {
  readonly plan: Plan<WantedRows>;
  readonly behind: readonly PendingStep[];
}

/** The plan of a view's steps as far as one plan goes. Reads nothing. */
export function nextPlan({ rows, pending }: View): NextPlan {
  const [first, second] = pending;
  const where = first?.kind === 'where' ? first.predicate : null;
  const arranging = where === null ? first : second;
  const order = arranging?.kind === 'order' || arranging?.kind === 'distinct' ? arranging : null;
  const behind = pending.slice(Number(where !== null) + Number(order !== null));
  return { plan: { rows, where, order, limit: matchesNeeded(behind[0]), want: ROWS }, behind };
}

/**
 * The last plan of a view, with what is wanted of its rows: the plans before it are executed.
 * @throws what reading throws; what a step behind a predicate throws (a mask of another length).
 */
export function* lastPlan<W extends Want>(view: View, want: W): Work<Plan<W>> {
  let current = yield* boundView(view);
  for (;;) {
    const { plan, behind } = nextPlan(current);
    const [step] = behind;
    if (step === undefined) return wanting(plan, want);
    const known = withRows(current, yield* findRows(view.source, plan));
    const isKnown = step.kind === 'slice' || step.kind === 'take' || step.kind === 'filter';
    const applied = isKnown ? applyStep(known, step) : known;
    current = { ...applied, pending: isKnown ? behind.slice(1) : behind };
  }
}
