// A table with changes that are described and not yet made: columns computed, renamed, cast and left out, rows that
// match. Nothing is read before the result is written or looked at; then a batch at a time.
import {
  ArgumentError,
  UnknownColumnError,
  checkOptions,
  describeValue,
  isByName,
  isMap,
  option,
  parseDType,
} from '@colkit/io';
import type { DType, OptionSet } from '@colkit/io';
import { contextOf, run, runSync } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { RUN_OPTIONS } from '../output/options.ts';
import type { RunOptions } from '../output/options.ts';
import { aggregatesOfView } from '../output/parts.ts';
import { requireOpen } from '../output/require-open.ts';
import { settleView } from '../output/settle.ts';
import { Table } from '../output/table.ts';
import { describeNoTable } from '../values/other-copies.ts';
import { bindValue } from '../query/bind/bind.ts';
import type { Predicate } from '../query/bind/bind.ts';
import type { BoundValue } from '../query/bound-predicate.ts';
import { Expression, col } from '../query/text/expression.ts';
import type { QueryParams } from '../query/text/query-params.ts';
import { printPredicate } from '../query/text/print.ts';
import { dtypeOf, mayBeNull } from '../query/value-dtype.ts';
import { columnRef, refOf } from '../views/column-refs.ts';
import { Projection } from '../views/projection.ts';
import type { Names, ProjectedColumn } from '../views/projection.ts';
import { countRows } from '../views/rows.ts';
import { filterView, withProjection, withRows } from '../views/view.ts';
import type { View } from '../views/view.ts';
import { whereView } from '../views/where-view.ts';
import type { Field } from '../field.ts';
import { dtypeOfResult } from './applied-column.ts';
import type { ColumnFunction } from './applied-column.ts';
import { CutFlow } from './cut-flow.ts';
import type { CutFlowStep } from './cut-flow.ts';
import { DerivedTable } from './derived-table.ts';
import type { DerivedColumn } from './derived-table.ts';

/** A value for every row: an expression, its text form (`'price * qty'`), or a constant that is no text. */
export type DerivedValue = Expression | string | number | bigint | boolean;
/** New columns by name, in this order; each may use those before it. */
export type DerivedValues = Readonly<Record<string, DerivedValue>> | ReadonlyMap<string, DerivedValue>;

export interface ConditionOptions {
  /** What `report` calls it; its text, where absent. */
  readonly label?: string;
  /** Values of `@name` in a text. */
  readonly params?: QueryParams;
}

export interface ApplyOptions {
  /**
   * The dtype of the new column, which holds all that the function gives (float64 for an array of numbers, 'U8' for
   * texts of a width). Absent: that of the typed array which the function gives when it is called with empty arrays.
   */
  readonly dtype?: DType;
  /** Whether the function may give null; default false: a null is ERR_VALUE. */
  readonly nullable?: boolean;
}

export interface ReportOptions extends RunOptions {
  /** A column whose sum each step tells too, before and after it. */
  readonly weight?: string;
}

/** What writes a table in a format. */
export interface EditWriter<Target, Settings, Result> {
  write(target: Target, table: Table, settings?: Settings): Promise<Result>;
  writeSync(target: Target, table: Table, settings?: Settings): Result;
}

/** A condition, with the columns that it was given: the rows are those that the ones before it left. */
interface Condition {
  readonly label: string;
  readonly view: View;
  readonly apply: (view: View) => View;
}

const CONDITION_OPTIONS: OptionSet<ConditionOptions> = {
  label: option.text,
  params: option.byName('an object or a Map of parameters by name'),
};
const APPLY_OPTIONS: OptionSet<ApplyOptions> = {
  dtype: option.kind('a dtype', (value) => typeof value === 'string'),
  nullable: option.flag,
};
const REPORT_OPTIONS: OptionSet<ReportOptions> = { ...RUN_OPTIONS, weight: option.text };
const REFUSED = 'a table of columns: what open gives, or a view of it (items of a .syr file have no columns)';

export class TableEdit<Target = unknown, Settings = unknown, Result = unknown> {
  /** The table as it will be: lazy, and read as any other. */
  readonly table: Table;
  readonly #first: View;
  readonly #conditions: readonly Condition[];
  readonly #writer: EditWriter<Target, Settings, Result>;

  constructor(
    view: View,
    writer: EditWriter<Target, Settings, Result>,
    first: View = view,
    conditions: readonly Condition[] = [],
  ) {
    this.table = new Table(view);
    this.#first = first;
    this.#conditions = conditions;
    this.#writer = writer;
  }

  /** For packages that build on this one. */
  get view(): View {
    return this.table.view;
  }

  get columnNames(): readonly string[] {
    return this.table.columnNames;
  }

  get schema(): readonly Field[] {
    return this.table.schema;
  }

  /**
   * Columns computed from those that are there, each also from those before it; one of a known name takes its place.
   * Integers are exact and become int64 (uint64 where a uint64 is in them and nothing can be negative): a result beyond
   * is ERR_VALUE when it is read. Floats are float64, or float32 where nothing wider is in them. A null in it leaves a
   * null, but for `fillNull` and `where`.
   * @throws QueryError ERR_QUERY_TYPE, ERR_QUERY_SYNTAX; ArgumentError for what is no value.
   */
  assign(values: DerivedValues, params?: QueryParams): TableEdit<Target, Settings, Result> {
    if (!isByName(values))
      throw new ArgumentError(
        'ERR_ARGUMENT',
        'assign',
        'an object or a Map of values by column',
        describeValue(values),
      );
    const given = isMap(values) ? [...(values as ReadonlyMap<string, unknown>)] : Object.entries(values);
    const { source } = this.view;
    const derived: DerivedColumn[] = [];
    // Of thousands of columns each may take another's place.
    const columns = [...this.view.projection.columns];
    const places = new Map(columns.map(({ field }, at) => [field.name, at]));
    const refs = new Map(columns.map((column) => [column.field.name, refOf(column)]));
    for (const [name, value] of given) {
      const bound = bindValue(value, refs, params);
      const at = places.get(name) ?? columns.length;
      const alias = columnOf(bound, columns, at);
      const placed =
        alias === null ? projected(name, bound, source.fields.length + derived.length) : renamed(alias, name);
      if (alias === null) derived.push({ field: placed.field, value: bound });
      columns[at] = placed;
      places.set(name, at);
      refs.set(name, refOf(placed));
    }
    return this.#derived(derived, columns);
  }

  /**
   * A column that a function of yours computes; one of a known name takes its place. The function is called with the
   * values of some rows, an array for each of the columns (as `toArray` gives it, and yours to change), and gives an
   * array of as many values. How many rows it is called with, in which order and how often is not told: a value may
   * depend on those of its own row only.
   * `edit(table).apply('bin', ['price'], (price: Float64Array) => price.map(Math.fround))`
   * @throws UnknownColumnError; ArgumentError ERR_SCHEMA where `dtype` is wanting; when rows are read, ERR_VALUE for
   * another number of values and for one that does not fit, and what the function throws.
   */
  apply<A extends readonly unknown[]>(
    name: string,
    columns: readonly string[],
    compute: ColumnFunction<A>,
    options: ApplyOptions = {},
  ): TableEdit<Target, Settings, Result> {
    checkOptions('apply', APPLY_OPTIONS, options);
    if (typeof (name as unknown) !== 'string')
      throw new ArgumentError('ERR_ARGUMENT', 'apply', 'the name of a column', describeValue(name));
    if (!Array.isArray(columns) || columns.length === 0)
      throw new ArgumentError('ERR_ARGUMENT', 'apply', 'an array of names of columns', describeValue(columns));
    if (typeof (compute as unknown) !== 'function')
      throw new ArgumentError('ERR_ARGUMENT', 'apply', 'a function', describeValue(compute));
    const { source, projection } = this.view;
    const refs = (columns as readonly string[]).map((each) => columnRef(projection, each, 'apply'));
    const value = { refs, compute: compute as unknown as (...values: readonly unknown[]) => unknown };
    const { dtype = dtypeOfResult(name, value), nullable = false } = options;
    const field = { name, dtype: parseDType(dtype).name, nullable };
    const placed = { ...(Projection.of([field]).columns[0] as ProjectedColumn), number: source.fields.length };
    const at = projection.names.indexOf(name);
    const after =
      at === -1
        ? [...projection.columns, placed]
        : projection.columns.map((column, index) => (index === at ? placed : column));
    return this.#derived([{ field, value }], after);
  }

  /** New names by the old ones. @throws UnknownColumnError; ArgumentError where two columns would have one name. */
  rename(names: Readonly<Record<string, string>> | ReadonlyMap<string, string>): TableEdit<Target, Settings, Result> {
    const given = this.#byName<string>(names, 'rename', 'new names');
    const columns = this.view.projection.columns.map((column) => {
      const name: unknown = given.get(column.field.name) ?? column.field.name;
      if (typeof name !== 'string')
        throw new ArgumentError('ERR_ARGUMENT', 'rename', 'column names', describeValue(name));
      return renamed(column, name);
    });
    const after = columns.map(({ field }) => field.name);
    const seen = new Set<string>();
    const twice = after.find((name) => seen.size === seen.add(name).size);
    if (twice !== undefined)
      throw new ArgumentError('ERR_ARGUMENT', 'rename', 'a name for each column', `${describeValue(twice)} twice`);
    return this.#with(withProjection(this.view, new Projection(columns)));
  }

  /** Other element types by column: as `col(name).cast(dtype)`. @throws UnknownColumnError; QueryError. */
  cast(dtypes: Readonly<Record<string, DType>> | ReadonlyMap<string, DType>): TableEdit<Target, Settings, Result> {
    const given = this.#byName<DType>(dtypes, 'cast', 'element types');
    return this.assign(new Map([...given].map(([name, dtype]) => [name, col(name).cast(dtype)])));
  }

  /** All columns but these. @throws UnknownColumnError. */
  drop(...names: Names): TableEdit<Target, Settings, Result> {
    return this.#with(withProjection(this.view, this.view.projection.drop(names)));
  }

  /** These columns, in this order. @throws UnknownColumnError; ArgumentError where a name comes twice. */
  select(...names: Names): TableEdit<Target, Settings, Result> {
    return this.#with(withProjection(this.view, this.view.projection.select(names)));
  }

  /** The rows for which a predicate is true, of the columns as they are here. @throws QueryError. */
  where(predicate: Predicate, options: ConditionOptions = {}): TableEdit<Target, Settings, Result> {
    checkOptions('where', CONDITION_OPTIONS, options);
    const { view } = this;
    const apply = (rows: View): View => whereView(rows, predicate, options.params);
    const after = apply(view);
    const text = typeof predicate === 'string' ? predicate : printPredicate(predicate.syntax).text;
    return this.#with(after, { label: options.label ?? text, view, apply });
  }

  /** The rows whose entry of a mask is true or 1; an entry for each row of those that are left. */
  filter(
    mask: Uint8Array | readonly boolean[],
    options: Pick<ConditionOptions, 'label'> = {},
  ): TableEdit<Target, Settings, Result> {
    checkOptions<Pick<ConditionOptions, 'label'>>('filter', { label: CONDITION_OPTIONS.label }, options);
    const apply = (rows: View): View => filterView(rows, mask);
    return this.#with(apply(this.view), { label: options.label ?? 'mask', view: this.view, apply });
  }

  /** How many rows each condition leaves of those that the ones before it left: each is looked at once. */
  async report(options: ReportOptions = {}): Promise<CutFlow> {
    checkOptions('report', REPORT_OPTIONS, options);
    return run(this.#report(options.weight), contextOf(options));
  }

  reportSync(options: ReportOptions = {}): CutFlow {
    checkOptions('reportSync', REPORT_OPTIONS, options);
    return runSync(this.#report(options.weight), contextOf(options));
  }

  /**
   * Writes the table in the format of the package, whole or not at all, in the memory of a batch; the file that it
   * comes from may be replaced. Options and result are those of the package's `write`.
   * @throws as `write`; ArgumentError ERR_VALUE for a computed value that its column cannot hold.
   */
  async write(target: Target, settings?: Settings): Promise<Result> {
    return this.#writer.write(target, this.table, settings);
  }

  writeSync(target: Target, settings?: Settings): Result {
    return this.#writer.writeSync(target, this.table, settings);
  }

  *#report(weight: string | undefined): Work<CutFlow> {
    requireOpen(this.view.source, 'report');
    let { rows } = yield* settleView(this.#first, 'report');
    const first = countRows(rows);
    const steps: CutFlowStep[] = [];
    for (const { label, view, apply } of this.#conditions) {
      const before = withRows(view, rows);
      const after = yield* settleView(apply(before), 'report');
      ({ rows } = after);
      const [rowsBefore, rowsAfter] = [countRows(before.rows), countRows(rows)];
      const step = { label, rowsBefore, rowsAfter, share: rowsBefore === 0 ? 1 : rowsAfter / rowsBefore };
      steps.push(
        weight === undefined
          ? step
          : { ...step, weightBefore: yield* weightOf(before, weight), weightAfter: yield* weightOf(after, weight) },
      );
    }
    return new CutFlow(first, steps);
  }

  #derived(
    derived: readonly DerivedColumn[],
    columns: readonly ProjectedColumn[],
  ): TableEdit<Target, Settings, Result> {
    const { source } = this.view;
    const over = derived.length === 0 ? source : new DerivedTable(source, derived);
    return this.#with({ ...this.view, source: over, projection: new Projection(columns) });
  }

  #byName<V>(
    given: Readonly<Record<string, V>> | ReadonlyMap<string, V>,
    operation: string,
    what: string,
  ): Map<string, V> {
    if (!isByName(given))
      throw new ArgumentError(
        'ERR_ARGUMENT',
        operation,
        `an object or a Map of ${what} by column`,
        describeValue(given),
      );
    const entries = isMap(given) ? [...given] : Object.entries(given as object);
    const known = new Set(this.columnNames);
    for (const [name] of entries) if (!known.has(name)) throw new UnknownColumnError(name, this.columnNames);
    return new Map(entries as [string, V][]);
  }

  #with(view: View, condition?: Condition): TableEdit<Target, Settings, Result> {
    const conditions = condition === undefined ? this.#conditions : [...this.#conditions, condition];
    return new TableEdit(view, this.#writer, this.#first, conditions);
  }
}

/** Begins an edit. @throws ArgumentError for what is no table. */
export function editTable<Target, Settings, Result>(
  table: Pick<Table, 'view'>,
  writer: EditWriter<Target, Settings, Result>,
): TableEdit<Target, Settings, Result> {
  const given: unknown = table;
  if (given instanceof TableEdit) return new TableEdit(given.view, writer);
  if (!(given instanceof Table)) throw new ArgumentError('ERR_ARGUMENT', 'edit', REFUSED, describeNoTable(given));
  return new TableEdit(given.view, writer);
}

/** The column that a value is, where no other than the one in place `at` shows it: sources give each column once. */
function columnOf(value: BoundValue, columns: readonly ProjectedColumn[], at: number): ProjectedColumn | null {
  if (value.kind !== 'column') return null;
  const shown = columns.filter(({ number }) => number === value.column.number);
  const [only] = shown;
  return only !== undefined && shown.length === 1 && columns.indexOf(only) === at ? only : null;
}

function projected(name: string, value: BoundValue, number: number): ProjectedColumn {
  const { name: dtype } = dtypeOf(value);
  const [column] = Projection.of([{ name, dtype: parseDType(dtype).name, nullable: mayBeNull(value) }]).columns;
  return { ...(column as ProjectedColumn), number };
}

function renamed(column: ProjectedColumn, name: string): ProjectedColumn {
  return column.field.name === name ? column : { ...column, field: { ...column.field, name } };
}

function* weightOf(view: View, column: string): Work<number> {
  const { sum } = yield* aggregatesOfView(view, { sum: { sum: column } }, 'report');
  return Number(sum ?? 0);
}
