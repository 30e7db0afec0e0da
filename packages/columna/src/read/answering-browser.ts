// The same names as answering.ts, loaded when a predicate, an aggregate or an order is first asked for.
import { LazyPart } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { Answer, ColumnStatistics, Plan, RowRange } from '@colkit/table';
import type { AnsweringTable } from './answer-plan.ts';
import type { StoredFile } from './file/stored-file.ts';
import type { PruneRecord } from './filter/prune-record.ts';

const part = new LazyPart(() => import('./answer-plan.ts'));

export function* answerPlan(table: AnsweringTable, plan: Plan, record: PruneRecord): Work<Answer> {
  return yield* (yield* part.use()).answerPlan(table, plan, record);
}

export function* pageStatistics(file: StoredFile, column: number, rows: RowRange): Work<readonly ColumnStatistics[]> {
  return yield* (yield* part.use()).pageStatistics(file, column, rows);
}
