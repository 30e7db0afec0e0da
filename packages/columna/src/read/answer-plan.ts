// A plan -> what the file knows of it: rows that match, their columns, what they add up to, or how that would be found.
import { assertNever } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import { rangeOf } from '@colkit/table';
import type { Answer, Field, Plan, RowRange } from '@colkit/table';
import { aggregatePages } from './aggregate/aggregating.ts';
import { collectRows } from './filter/collect-rows.ts';
import { explainFilter, filterRows } from './filter/filter-rows.ts';
import type { PruneRecord } from './filter/prune-record.ts';
import { CollectedRows } from './filter/collected-rows.ts';
import type { StoredFile } from './file/stored-file.ts';

export { pageStatistics } from './filter/column-statistics.ts';

/** What is asked. */
export interface AnsweringTable {
  readonly name: string;
  readonly fields: readonly Field[];
  readonly file: StoredFile;
}

/** A plan over consecutive rows, for aggregates or with a predicate. */
export function* answerPlan({ name, fields, file }: AnsweringTable, plan: Plan, record: PruneRecord): Work<Answer> {
  const { where, limit, want } = plan;
  const range = rangeOf(plan.rows) as RowRange;
  if (want.kind === 'aggregates') {
    yield* aggregatePages(file, where, range, want.aggregation, record);
    return { kind: 'aggregates' };
  }
  if (where === null) return { kind: 'rest', plans: [plan] };
  switch (want.kind) {
    case 'rows':
      return { kind: 'rows', rows: yield* filterRows(file, where, range, limit, record) };
    case 'columns': {
      const { columns, rowCount } = yield* collectRows(file, where, range, want.select, want.strings, record);
      const selected = want.select.map((column) => fields[column] as Field);
      return { kind: 'columns', table: new CollectedRows(name, selected, columns, rowCount) };
    }
    case 'explanation':
      return { kind: 'explanation', lines: yield* explainFilter(file, where, range) };
    default:
      return assertNever(want);
  }
}
