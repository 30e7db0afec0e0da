// Conditions as they were given -> predicates bound to their columns: the first thing that is done with the steps of a
// view, in builds for browsers, where `where` leaves it to this.
import type { Work } from '@colkit/io/effects';
import { bindSyntax, checkPredicate } from '../query/bind/bind.ts';
import type { Predicate } from '../query/bind/bind.ts';
import type { BoundPredicate, ColumnRef } from '../query/bound-predicate.ts';
import { parsedPredicate } from '../query/text/parsing.ts';
import type { QueryParams } from '../query/text/query-params.ts';
import { NO_STEPS } from '../views/pending.ts';
import { withStep } from '../views/view.ts';
import type { View } from '../views/view.ts';
import { withPredicate } from '../views/with-predicate.ts';

/** The view itself where nothing is left to bind. @throws QueryError. */
export function* boundView(view: View): Work<View> {
  if (!view.pending.some(({ kind }) => kind === 'condition')) return view;
  let bound: View = { ...view, pending: NO_STEPS };
  for (const step of view.pending) {
    bound =
      step.kind === 'condition'
        ? withPredicate(bound, yield* boundPredicate(step.predicate, step.columns, step.params))
        : withStep(bound, step);
  }
  return bound;
}

/** What parses text comes only where there is text. @throws QueryError. */
export function* boundPredicate(
  predicate: Predicate,
  columns: readonly ColumnRef[],
  params: QueryParams = {},
): Work<BoundPredicate> {
  checkPredicate(predicate, params);
  const tree = typeof predicate === 'string' ? yield* parsedPredicate(predicate) : predicate.syntax;
  return bindSyntax(tree, typeof predicate === 'string' ? predicate : null, columns, params);
}
