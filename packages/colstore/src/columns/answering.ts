// What answers plans by the statistics of records: where that is. In builds for browsers it is loaded when it is asked.
import type { Work } from '@colkit/io/effects';
import type { Answer, Plan, RowRange } from '@colkit/table';
import type { FileLayout } from '../layout/read-layout.ts';
import type { Statistics } from '../layout/statistics-footer.ts';
import { planByStatistics } from './record-statistics.ts';

// eslint-disable-next-line require-yield -- here it waits for nothing; in browsers it does
export function* planHelped(layout: FileLayout, statistics: Statistics, plan: Plan, range: RowRange): Work<Answer> {
  return planByStatistics(layout, statistics, plan, range);
}
