// What raw plans are asked of, and those that are asked together.
import type { RawAnswer, RawColumn, RawFold, RawNode, RawProgram } from '@colkit/io';
import type { Operation } from '@colkit/io/effects';
import type { Aggregation, Running } from '../aggregate/aggregation.ts';
import type { ColumnRef } from '../query/bound-predicate.ts';
import type { Plan } from '../plan/plan.ts';
import type { TableSource } from '../source.ts';
import type { RawColumnOf } from './raw-predicate.ts';

/** A source of raw columns without nulls. */
export interface RawSource {
  readonly table: TableSource;
  /** The column as the addon sees it; null where it does not. */
  readonly columnOf: RawColumnOf;
  run(program: RawProgram): Operation<RawAnswer>;
}

/** One that gathers what the addon folds; null: nothing but rows is counted. */
export interface FoldedRunning {
  readonly running: Running<ColumnRef>;
  readonly fold: RawFold | null;
}

/** Plans that are alike but for their rows: one look at all of these. */
export interface RawBatch {
  readonly where: RawNode | null;
  readonly aggregation: Aggregation<ColumnRef>;
  /** What rows are grouped by, where the addon groups them. */
  readonly keys: readonly RawColumn[];
  readonly plans: Plan[];
  readonly folded: readonly FoldedRunning[];
  /** Who has to see values. */
  readonly left: readonly Running<ColumnRef>[];
}
