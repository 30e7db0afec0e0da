// The signatures of this folder, for formats that push predicates down. `query/index` of the package's surface names the functions: bindPredicate, conjuncts, provesNoMatch,
// provesAllMatch, evaluateBatch, selectBatch.
import type { Field } from '../source.ts';
import type { BoundPredicate } from './bound-predicate.ts';
import type { StatisticsOf } from './column-statistics.ts';
import type { PredicateBatch } from './predicate-batch.ts';

/** Values of `@name` in a text; arrays only for `in @name`. */
export type QueryParams = Readonly<Record<string, unknown>> | ReadonlyMap<string, unknown>;

/** Parses, resolves and type-checks. Column numbers are positions in `fields`. @throws QueryError with the position in the text (an expression is printed first). */
export type BindPredicate<E> = (predicate: E | string, fields: readonly Field[], params?: QueryParams) => BoundPredicate;

/** The terms of the outermost `and`, each as a predicate of its own, cheap and selective ones first; the predicate itself where it is none. A row matches all or does not match. */
export type Conjuncts = (predicate: BoundPredicate) => readonly BoundPredicate[];

/** The reason in words ("amount: max 4300 < 4500") why no row can match; null where one might. */
export type ProvesNoMatch = (predicate: BoundPredicate, statisticsOf: StatisticsOf) => string | null;

/** Whether every row must match. */
export type ProvesAllMatch = (predicate: BoundPredicate, statisticsOf: StatisticsOf) => boolean;

/** One byte a row: 1 where the row matches, 0 where it does not or where it is unknown. */
export type EvaluateBatch = (predicate: BoundPredicate, batch: PredicateBatch) => Uint8Array;

/**
 * The rows of the batch that match, ascending; of `rows` (ascending row numbers of the batch) where they are given. The way to evaluate one conjunct after the other only where rows are left.
 */
export type SelectBatch = (predicate: BoundPredicate, batch: PredicateBatch, rows?: Int32Array) => Int32Array;
