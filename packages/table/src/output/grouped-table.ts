// A view by the values of some columns, and its answer as columns and as a table.
import { checkOptions } from '@colkit/io';
import { contextOf, run, runSync } from '@colkit/io/effects';
import type { AggregateSpecs, AggregatesOf } from '../aggregate/spec.ts';
import type { TableTypes } from '../schema.ts';
import type { TableSource } from '../source.ts';
import type { View } from '../views/view.ts';
import { groupColumns } from './group-columns.ts';
import { RUN_OPTIONS } from './options.ts';
import type { CellOf, RunOptions } from './options.ts';
import { groupsOfView } from './parts.ts';
import type { Groups } from './parts.ts';

/** Columns of an answer by group: those that were grouped by, then the aggregates. */
export type GroupedColumns<S extends TableTypes, By extends keyof S, A> = {
  readonly [Name in By]: readonly CellOf<S[Name]>[];
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
   * @throws LimitError beyond 16,777,215 groups; ArgumentError for an aggregate with the name of such a column,
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

  #result<A>({ columns, rowCount, source }: Groups): GroupedResult<GroupedColumns<S, By, A>, T> {
    // What the specs say the columns are, is what was computed.
    return new GroupedResult(columns as unknown as GroupedColumns<S, By, A>, rowCount, source, this.#tableOf);
  }
}
