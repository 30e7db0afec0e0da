// A view whose steps wait -> the same view with its rows known, or read.
import type { Work } from '@colkit/io/effects';
import { Projection } from '../views/projection.ts';
import { viewOf, withProjection, withRows } from '../views/view.ts';
import type { View } from '../views/view.ts';
import { findRows, readPlan } from './execute.ts';
import { ROWS } from './plan.ts';
import type { WantedColumns } from './plan.ts';
import { lastPlan } from './plan-view.ts';

/** @throws what reading throws; what a step behind a predicate throws (a mask of another length). */
export function* settleSteps(view: View): Work<View> {
  return withRows(view, yield* findRows(view.source, yield* lastPlan(view, ROWS)));
}

/** Where the source finds and reads matching rows in one pass, a view of what was read. */
export function* settleStepsToRead(view: View, strings: WantedColumns['strings']): Work<View> {
  const want: WantedColumns = { kind: 'columns', select: view.projection.numbers, strings };
  const read = yield* readPlan(view.source, yield* lastPlan(view, want));
  return 'table' in read ? withNames(viewOf(read.table), view.projection) : withRows(view, read.rows);
}

/** The columns by the names that the view gives them. */
function withNames(read: View, { names }: Projection): View {
  const { columns } = read.projection;
  if (columns.every(({ field }, position) => field.name === names[position])) return read;
  const renamed = columns.map((column, position) => {
    const name = names[position] ?? column.field.name;
    return { ...column, field: { ...column.field, name } };
  });
  return withProjection(read, new Projection(renamed));
}
