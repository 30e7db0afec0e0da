// What a user asks of a table, as one description: which rows of the source, which of them match, in which order, how
// many, and what is wanted of them. Tables, columns, groups, rows, batches and scans build plans; see execute.ts for
// who answers.
import type { Aggregation } from '../aggregate/aggregation.ts';
import type { BoundPredicate, ColumnRef } from '../query/bound-predicate.ts';
import type { TextForm } from '../text-form.ts';
import type { ArrangeStep } from '../views/pending.ts';
import type { Rows } from '../views/rows.ts';

export interface Plan<W extends Want = Want> {
  /** Rows of the source that are looked at. */
  readonly rows: Rows;
  /** Those that are wanted; null: all. Its column numbers are the source's. */
  readonly where: BoundPredicate | null;
  /** How they are arranged: orders, and the first rows of distinct values. A source is asked plans without. */
  readonly order: ArrangeStep | null;
  /** The first so many are enough; more may come. Infinity: all. */
  readonly limit: number;
  readonly want: W;
}

/** What is wanted of the rows. */
export type Want = WantedRows | WantedColumns | WantedAggregates | WantedExplanation;

/** Which they are. */
export interface WantedRows {
  readonly kind: 'rows';
}

/** Their values in these columns, by the source's numbers and in this order. */
export interface WantedColumns {
  readonly kind: 'columns';
  readonly select: readonly number[];
  readonly strings: TextForm;
}

/** What they add up to: whoever looks at rows adds them, in their order. */
export interface WantedAggregates {
  readonly kind: 'aggregates';
  readonly aggregation: Aggregation<ColumnRef>;
}

/** In words, what would be read to find them, what would be skipped, and why. Nothing but metadata is read for that. */
export interface WantedExplanation {
  readonly kind: 'explanation';
}

export const ROWS: WantedRows = { kind: 'rows' };

/** The same with another wish. */
export function wanting<W extends Want>(plan: Plan, want: W): Plan<W> {
  return { rows: plan.rows, where: plan.where, order: plan.order, limit: plan.limit, want };
}
