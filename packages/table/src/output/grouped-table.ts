// What the rows of a view add up to, for all of them or for each group, and the answer as columns and as a table.
import { ArgumentError, LimitError, checkOptions, describeValue } from '@colkit/io';
import type { DType } from '@colkit/io';
import { contextOf, run, runSync } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { Aggregation } from '../aggregate/aggregation.ts';
import type { Cell } from '../aggregate/column-values.ts';
import { MemoryRows } from '../aggregate/memory-rows.ts';
import { parseAggregates } from '../aggregate/spec.ts';
import type { Aggregate, AggregateSpecs, AggregatesOf } from '../aggregate/spec.ts';
import { checkGrouped } from '../aggregate/value-codes.ts';
import type { ColumnRef } from '../query/bound-predicate.ts';
import type { TableTypes, ValueOf } from '../schema.ts';
import type { Field, TableSource } from '../source.ts';
import { addRows } from '../plan/execute.ts';
import { lastPlan } from '../plan/plan-view.ts';
import { columnRef, columnRefs } from '../views/column-refs.ts';
import type { View } from '../views/view.ts';
import { byName } from './null-object.ts';
import { RUN_OPTIONS } from './options.ts';
import type { RunOptions } from './options.ts';
import { requireOpen } from './require-open.ts';

/** Columns of an answer by group: those that were grouped by, then the aggregates. */
export type GroupedColumns<S extends TableTypes, By extends keyof S, A> = {
  readonly [Name in By]: readonly (ValueOf<S[Name]['dtype']> | null)[];
} & { readonly [Name in keyof A]: readonly AggregatesOf<S, A>[Name][] };

/** One row a group. */
export class GroupedResult<Columns, T> {
  /** Arrays by name, the columns that were grouped by first: a null-prototype object. */
  readonly columns: Columns;
  /** How many groups there are. */
  readonly rowCount: number;
  readonly #source: () => TableSource;
  readonly #tableOf: (source: TableSource) => T;
  #table: T | null = null;

  constructor(columns: Columns, rowCount: number, source: () => TableSource, tableOf: (source: TableSource) => T) {
    this.columns = columns;
    this.rowCount = rowCount;
    this.#source = source;
    this.#tableOf = tableOf;
  }

  /**
   * The same as a table in memory, to be ordered, filtered or written: counts, means, sums of floats and of narrow
   * integers as float64, other values in their column's type (text as string).
   * @throws LimitError for sums that no 64-bit integer holds.
   */
  get table(): T {
    this.#table ??= this.#tableOf(this.#source());
    return this.#table;
  }
}

/** A view by the values of some columns. */
export class GroupedTable<S extends TableTypes, By extends keyof S & string, T> {
  readonly #view: View;
  readonly #names: readonly string[];
  readonly #tableOf: (source: TableSource) => T;

  /**
   * @throws UnknownColumnError; ArgumentError for no column, or one that comes twice; UnsupportedError ERR_DTYPE for
   * float128.
   */
  constructor(view: View, names: readonly string[], tableOf: (source: TableSource) => T) {
    groupColumns(view, names);
    this.#view = view;
    this.#names = names;
    this.#tableOf = tableOf;
  }

  /**
   * One row a group, in the order in which the groups are first met, null being a value like any other: the columns
   * that are grouped by, then the aggregates (see `AggregateSpec`). In memory that the groups bound.
   * @throws LimitError beyond 65,536 groups; ArgumentError for an aggregate with the name of such a column,
   * ERR_UNSAFE_INTEGER; UnknownColumnError; UnsupportedError ERR_DTYPE; what reading throws.
   */
  async agg<const A extends AggregateSpecs<keyof S & string>>(
    specs: A,
    options?: RunOptions,
  ): Promise<GroupedResult<GroupedColumns<S, By, A>, T>> {
    checkOptions('agg', RUN_OPTIONS, options);
    return this.#result<A>(await run(groupsOfView(this.#view, this.#names, specs, 'agg'), contextOf(options ?? {})));
  }

  aggSync<const A extends AggregateSpecs<keyof S & string>>(
    specs: A,
    options?: RunOptions,
  ): GroupedResult<GroupedColumns<S, By, A>, T> {
    checkOptions('aggSync', RUN_OPTIONS, options);
    return this.#result<A>(runSync(groupsOfView(this.#view, this.#names, specs, 'aggSync'), contextOf(options ?? {})));
  }

  #result<A>({ by, aggregates, columns, rowCount }: Groups): GroupedResult<GroupedColumns<S, By, A>, T> {
    const source = (): TableSource => {
      const fields = [...by.map(keyField), ...aggregates.map(resultField)];
      const values = fields.map(({ name }) => columns[name] ?? []);
      for (const [index, field] of fields.entries()) checkRange(field, values[index] ?? []);
      return new MemoryRows('groups', fields, values, rowCount);
    };
    // What the specs say the columns are, is what was computed.
    return new GroupedResult(columns as unknown as GroupedColumns<S, By, A>, rowCount, source, this.#tableOf);
  }
}

/** What is asked of the columns of a view. @throws as `parseAggregates`. */
export function aggregatesOf({ projection }: View, specs: AggregateSpecs): readonly Aggregate<ColumnRef>[] {
  return parseAggregates(specs, columnRefs(projection)).map((aggregate) => {
    // Where nothing can be null, values are rows.
    return aggregate.operation === 'count' && aggregate.column?.nullable === false
      ? { ...aggregate, column: null }
      : aggregate;
  });
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
  return answers.results()[0]?.[0] as number;
}

/** What all rows of a view add up to, by name. @throws as `Table.agg`. */
export function* aggregatesOfView(view: View, specs: AggregateSpecs, operation: string): Work<Record<string, Cell>> {
  const aggregates = aggregatesOf(view, specs);
  const aggregation = yield* aggregateView(view, aggregates, [], operation);
  return byName(
    aggregates.map(({ name }) => name),
    aggregation.results().map(([value = null]) => value),
  );
}

/** The groups of a view by the values of some columns. */
interface Groups {
  readonly by: readonly ColumnRef[];
  readonly aggregates: readonly Aggregate<ColumnRef>[];
  /** Arrays by name, the columns that were grouped by first. */
  readonly columns: Record<string, readonly Cell[]>;
  readonly rowCount: number;
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
  for (const { name } of aggregates) {
    if (!names.includes(name)) continue;
    const expected = 'a name other than that of a column grouped by';
    throw new ArgumentError('ERR_ARGUMENT', `aggregates.${name}`, expected, 'the same');
  }
  const aggregation = yield* aggregateView(view, aggregates, by, operation);
  const columns = [...aggregation.keyValues(), ...aggregation.results()];
  const all = [...names, ...aggregates.map(({ name }) => name)];
  return { by, aggregates, columns: byName(all, columns), rowCount: aggregation.groupCount };
}

function groupColumns({ projection }: View, names: readonly string[]): readonly ColumnRef[] {
  if (names.length === 0) throw new ArgumentError('ERR_ARGUMENT', 'groupBy', 'a column at least', describeValue(names));
  const by = names.map((name) => columnRef(projection, name, 'groupBy'));
  for (const [index, { name, info }] of by.entries()) {
    checkGrouped(info, 'groupBy');
    if (names.indexOf(name) !== index)
      throw new ArgumentError('ERR_ARGUMENT', 'groupBy', 'each column once', `${JSON.stringify(name)} twice`);
  }
  return by;
}

function keyField({ name, info, nullable }: ColumnRef): Field {
  return { name, dtype: plainType(info.kind === 'bytes' || info.kind === 'unicode', info.name), nullable };
}

function resultField({ name, operation, column }: Aggregate<ColumnRef>): Field {
  if (column === null) return { name, dtype: 'float64', nullable: false };
  const { info } = column;
  switch (operation) {
    case 'min':
    case 'max':
    case 'first':
    case 'last':
      return { name, dtype: plainType(info.kind === 'bytes' || info.kind === 'unicode', info.name), nullable: true };
    case 'sum':
      return { name, dtype: info.itemBytes === 8 && info.kind !== 'float' ? info.name : 'float64', nullable: false };
    case 'count':
    case 'mean':
    case 'std':
    case 'var':
    case 'countDistinct':
      return { name, dtype: 'float64', nullable: false };
  }
}

/** Text of fixed width has a width no more. */
function plainType(isText: boolean, dtype: DType): DType {
  return isText ? 'string' : dtype;
}

/** Sums of 64-bit integers may be wider than these. */
function checkRange({ name, dtype }: Field, values: readonly Cell[]): void {
  if (dtype !== 'int64' && dtype !== 'uint64') return;
  const [least, most] = dtype === 'int64' ? [-(2n ** 63n), 2n ** 63n - 1n] : [0n, 2n ** 64n - 1n];
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
