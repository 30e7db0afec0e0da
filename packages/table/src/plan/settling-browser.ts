// The same names as settling.ts, loaded when a view with a predicate or an order is first read.
import { LazyPart } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { Predicate } from '../query/bind/bind.ts';
import type { BoundPredicate, ColumnRef } from '../query/bound-predicate.ts';
import type { QueryParams } from '../query/text/query-params.ts';
import type { View } from '../views/view.ts';
import type { WantedColumns } from './plan.ts';

const binding = new LazyPart(() => import('./bound-view.ts'));
const part = new LazyPart(() => import('./settle-steps.ts'));

export function* settleSteps(view: View): Work<View> {
  return yield* (yield* part.use()).settleSteps(view);
}

export function* settleStepsToRead(view: View, strings: WantedColumns['strings']): Work<View> {
  return yield* (yield* part.use()).settleStepsToRead(view, strings);
}

export function* boundPredicate(
  predicate: Predicate,
  columns: readonly ColumnRef[],
  params?: QueryParams,
): Work<BoundPredicate> {
  return yield* (yield* binding.use()).boundPredicate(predicate, columns, params);
}
