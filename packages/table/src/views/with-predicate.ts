// A bound predicate as a step of a view.
import { andPredicates } from '../query/and-predicates.ts';
import type { BoundPredicate } from '../query/bound-predicate.ts';
import { withStep } from './view.ts';
import type { View } from './view.ts';

/** One predicate after the other is their conjunction, whose terms can be put in a better order. */
export function withPredicate(view: View, predicate: BoundPredicate): View {
  const last = view.pending.at(-1);
  if (last?.kind !== 'where') return withStep(view, { kind: 'where', predicate });
  return {
    ...view,
    pending: [...view.pending.slice(0, -1), { kind: 'where', predicate: andPredicates(last.predicate, predicate) }],
  };
}
