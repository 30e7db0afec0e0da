// The steps of a view from its first predicate on: how many rows they leave is not known before the data was read, so
// they wait, in order, until the view is materialised.
import type { IndexArray } from '@colkit/io';
import type { Predicate } from '../query/bind/bind.ts';
import type { BoundPredicate, ColumnRef } from '../query/bound-predicate.ts';
import type { QueryParams } from '../query/text/query-params.ts';
import { indicesOf } from './rows.ts';

/** A column that is ordered by. */
export interface OrderColumn {
  readonly column: ColumnRef;
  readonly descending: boolean;
}

/** Steps that read columns to know which rows come, in which order. */
export type ArrangeStep =
  | { readonly kind: 'order'; readonly columns: readonly OrderColumn[] }
  | { readonly kind: 'distinct'; readonly columns: readonly ColumnRef[] };

/** A predicate that is not bound yet (only in builds for browsers), and the columns that it may name. */
interface ConditionStep {
  readonly kind: 'condition';
  readonly predicate: Predicate;
  readonly params: QueryParams | undefined;
  readonly columns: readonly ColumnRef[];
}

export type PendingStep =
  | ArrangeStep
  | ConditionStep
  | { readonly kind: 'where'; readonly predicate: BoundPredicate }
  | {
      readonly kind: 'slice';
      readonly start: number | undefined;
      readonly end: number | undefined;
      readonly step: number | undefined;
    }
  | { readonly kind: 'take'; readonly indices: IndexArray }
  | { readonly kind: 'filter'; readonly mask: Uint8Array | readonly boolean[] };

export const NO_STEPS: readonly PendingStep[] = Object.freeze([]);

/** Longest list of indices that is looked through for the largest. */
const MOST_INDICES = 4096;

/** How many rows of the step before it (a predicate's matches, the first of an order) a step can ask for at most. */
export function matchesNeeded(step: PendingStep | undefined): number {
  if (step?.kind === 'slice') return sliceNeeds(step.start ?? 0, step.end, step.step ?? 1);
  if (step?.kind !== 'take' || step.indices.length > MOST_INDICES) return Infinity;
  let most = 0;
  for (const index of indicesOf(step)) {
    // From the end, which must be found first; or no integer, which is refused when it is looked up.
    if (!(index >= 0)) return Infinity;
    most = Math.max(most, Number(index) + 1);
  }
  return most;
}

function sliceNeeds(start: number, end: number | undefined, step: number): number {
  return start >= 0 && end !== undefined && end >= 0 && step > 0 ? end : Infinity;
}
