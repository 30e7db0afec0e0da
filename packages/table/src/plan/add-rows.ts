// A plan -> an aggregation to which its rows were added, by the source as far as it knows how, else by reading values.
import type { Work } from '@colkit/io/effects';
import { addCount, aggregateRows } from '../aggregate/aggregate-rows.ts';
import { scan } from '../query/evaluate/scan.ts';
import type { MatchSink } from '../query/evaluate/scan.ts';
import type { TableSource } from '../source.ts';
import { ask, findRows, matchingRows, unexpected } from './execute.ts';
import type { Plan, WantedAggregates } from './plan.ts';

/** Adds the rows of a plan to what they are to add up to. @throws LimitError; what reading throws. */
export function* addRows(source: TableSource, plan: Plan<WantedAggregates>): Work<void> {
  const { aggregation } = plan.want;
  const isCount = aggregation.columns.length === 0;
  if (isCount && plan.order?.kind === 'order') {
    // It leaves all rows.
    yield* addRows(source, { ...plan, order: null });
    return;
  }
  if (plan.order !== null || (isCount && plan.where === null)) {
    yield* addRest(source, { ...plan, rows: yield* findRows(source, plan), where: null, order: null });
    return;
  }
  const answer = yield* ask(source, plan);
  switch (answer.kind) {
    case 'aggregates':
      return;
    case 'rest':
      for (const rest of answer.plans) yield* addRest(source, rest);
      return;
    default:
      throw unexpected(answer);
  }
}

/** By reading values: what a source left of a plan whose rows add up. @throws what reading throws. */
export function* addRest(source: TableSource, plan: Plan): Work<void> {
  const { rows, where, want } = plan;
  if (want.kind !== 'aggregates') throw new TypeError('what is left of aggregates adds up to something');
  const { aggregation } = want;
  if (where === null) {
    yield* aggregateRows(source, rows, aggregation);
    return;
  }
  if (aggregation.columns.length > 0 || where.root.kind === 'constant') {
    yield* aggregateRows(source, yield* matchingRows(source, plan, [plan]), aggregation);
    return;
  }
  // Matches that are counted are not kept.
  const counter = new MatchCounter();
  yield* scan(source, rows, where, { limit: Infinity }, counter);
  addCount(aggregation, counter.count);
}

class MatchCounter implements MatchSink {
  count = 0;

  add(matches: Int32Array): void {
    this.count += matches.length;
  }
}
