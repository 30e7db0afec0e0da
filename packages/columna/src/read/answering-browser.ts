// The same name as answering.ts, loaded when a predicate or an aggregate is first asked for.
import { LazyPart } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { Answer, Plan } from '@colkit/table';
import type { AnsweringTable } from './answer-plan.ts';
import type { PruneRecord } from './filter/prune-record.ts';

const part = new LazyPart(() => import('./answer-plan.ts'));

export function* answerPlan(table: AnsweringTable, plan: Plan, record: PruneRecord): Work<Answer> {
  return yield* (yield* part.use()).answerPlan(table, plan, record);
}
