// What the rows of a view add up to, for all of them or for each group.
import { ArgumentError, LimitError, dtypeFacts, integerRange, isFixedText, parseDType } from '@colkit/io';
import type { DType, DTypeInfo } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import { Aggregation } from '../aggregate/aggregation.ts';
import type { Cell } from '../aggregate/column-values.ts';
import { MemoryRows } from '../aggregate/memory-rows.ts';
import { parseAggregates } from '../aggregate/spec.ts';
import type { Aggregate, AggregateOperation, AggregateSpecs } from '../aggregate/spec.ts';
import { addRows } from '../plan/add-rows.ts';
import { lastPlan } from '../plan/plan-view.ts';
import type { ColumnRef } from '../query/bound-predicate.ts';
import type { Field, TableSource } from '../source.ts';
import { columnRefs } from '../views/column-refs.ts';
import type { View } from '../views/view.ts';
import { groupColumns } from './group-columns.ts';
import { byName } from './null-object.ts';
import { requireOpen } from './require-open.ts';

/** What is asked of the columns of a view. @throws as `parseAggregates`. */
export function aggregatesOver(columns: readonly ColumnRef[], specs: AggregateSpecs): readonly Aggregate<ColumnRef>[] {
  return parseAggregates(specs, columns).map((aggregate) => {
    // Where nothing can be null, values are rows.
    return aggregate.operation === 'count' && aggregate.column?.nullable === false
      ? { ...aggregate, column: null }
      : aggregate;
  });
}

function aggregatesOf({ projection }: View, specs: AggregateSpecs): readonly Aggregate<ColumnRef>[] {
  return aggregatesOver(columnRefs(projection), specs);
}

/** @throws ClosedError; LimitError; what reading throws. */
export function* aggregateView(
  view: View,
  aggregates: readonly Aggregate<ColumnRef>[],
  by: readonly ColumnRef[],
  operation: string,
): Work<Aggregation<ColumnRef>> {
  requireOpen(view.source, operation);
  const aggregation = new Aggregation(aggregates, by);
  yield* addRows(view.source, yield* lastPlan(view, { kind: 'aggregates', aggregation }));
  return aggregation;
}

/** How many rows. Reads only what predicates, orders and distinct values ask about. @throws as `aggregateView`. */
export function* countView(view: View, operation: string): Work<number> {
  const answers = yield* aggregateView(view, [{ name: '', operation: 'count', column: null }], [], operation);
  return answers.results()[0] as number;
}

/** What all rows of a view add up to, by name. @throws as `Table.agg`. */
export function* aggregatesOfView(view: View, specs: AggregateSpecs, operation: string): Work<Record<string, Cell>> {
  const aggregates = aggregatesOf(view, specs);
  const aggregation = yield* aggregateView(view, aggregates, [], operation);
  return byName(
    aggregates.map(({ name }) => name),
    aggregation.results(),
  );
}

/** One answer about a view of one column. @throws as `aggregateView`. */
export function* columnAnswer(view: View, asked: AggregateOperation, operation: string): Work<unknown> {
  const [name = ''] = view.projection.names;
  const specs = { [asked]: { [asked]: name } } as unknown as AggregateSpecs;
  const answers = yield* aggregateView(view, aggregatesOf(view, specs), [], operation);
  return answers.results()[0];
}

/** The groups of a view by the values of some columns. */
export interface Groups {
  /** Arrays by name, the columns that were grouped by first. */
  readonly columns: Record<string, readonly Cell[]>;
  readonly rowCount: number;
  /** The same as a table in memory. @throws LimitError for sums that no 64-bit integer holds. */
  readonly source: () => TableSource;
}

/** @throws as `GroupedTable` and its `agg`. */
export function* groupsOfView(
  view: View,
  names: readonly string[],
  specs: AggregateSpecs,
  operation: string,
): Work<Groups> {
  const by = groupColumns(view, names);
  const aggregates = aggregatesOf(view, specs);
  checkNames(names, aggregates);
  return yield* groupsOf(by, aggregates, yield* aggregateView(view, aggregates, by, operation));
}

/** @throws ArgumentError for an aggregate with the name of a column that is grouped by. */
export function checkNames(names: readonly string[], aggregates: readonly Aggregate<ColumnRef>[]): void {
  for (const { name } of aggregates) {
    if (!names.includes(name)) continue;
    const expected = 'a name other than that of a column grouped by';
    throw new ArgumentError('ERR_ARGUMENT', `aggregates.${name}`, expected, 'the same');
  }
}

/** What was gathered by the values of some columns. */
export function* groupsOf(
  by: readonly ColumnRef[],
  aggregates: readonly Aggregate<ColumnRef>[],
  aggregation: Aggregation<ColumnRef>,
): Work<Groups> {
  const columns = yield* aggregation.cells();
  const all = [...by.map(({ name }) => name), ...aggregates.map(({ name }) => name)];
  const rowCount = aggregation.groupCount;
  const source = (): TableSource => {
    const fields = [...by.map(keyField), ...aggregates.map(resultField)];
    for (const [index, field] of fields.entries()) checkRange(field, columns[index] ?? []);
    return new MemoryRows('groups', fields, columns, rowCount);
  };
  return { columns: byName(all, columns), rowCount, source };
}

function keyField({ name, info, nullable }: ColumnRef): Field {
  return { name, dtype: plainType(info), nullable };
}

function resultField({ name, operation, column }: Aggregate<ColumnRef>): Field {
  if (column === null) return { name, dtype: 'float64', nullable: false };
  const { info } = column;
  switch (operation) {
    case 'min':
    case 'max':
    case 'first':
    case 'last':
      return { name, dtype: plainType(info), nullable: true };
    case 'sum':
      return { name, dtype: dtypeFacts(info).domain === 'wide' ? info.name : 'float64', nullable: false };
    case 'count':
    case 'mean':
    case 'std':
    case 'var':
    case 'countDistinct':
      return { name, dtype: 'float64', nullable: false };
  }
}

/** Text of fixed width has a width no more. */
function plainType(info: DTypeInfo): DType {
  return isFixedText(info) ? 'string' : info.name;
}

/** Sums of 64-bit integers may be wider than these. */
function checkRange({ name, dtype }: Field, values: readonly Cell[]): void {
  const info = parseDType(dtype);
  if (dtypeFacts(info).domain !== 'wide') return;
  const [least, most] = integerRange(info);
  for (const value of values) {
    if (typeof value !== 'bigint' || (value >= least && value <= most)) continue;
    throw new LimitError(
      'ERR_LIMIT',
      `size of a sum in column ${JSON.stringify(name)} of a table (${dtype}); take it from columns`,
      Number(most),
      Number(value),
    );
  }
}
