// The same name as answering.ts, loaded when a file with statistics is first asked a question.
import { LazyPart } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { Answer, Plan, RowRange } from '@colkit/table';
import type { FileLayout } from '../layout/read-layout.ts';
import type { Statistics } from '../layout/statistics-footer.ts';

const part = new LazyPart(() => import('./record-statistics.ts'));

export function* planHelped(layout: FileLayout, statistics: Statistics, plan: Plan, range: RowRange): Work<Answer> {
  return (yield* part.use()).planByStatistics(layout, statistics, plan, range);
}
