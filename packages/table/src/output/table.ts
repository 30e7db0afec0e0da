// What a user holds of a table, in any format: a lazy view of rows and columns and the ways to materialise it. Nothing
// is read before a method that says so.
import { checkOptions } from '@colkit/io';
import type { FixedArray } from '@colkit/io';
import { distinctView, orderView } from '../arrange/arrange-view.ts';
import type { OrderKey } from '../arrange/arrange-view.ts';
import { rowNumbersOf } from '../views/row-numbers.ts';
import type { AggregateSpecs, AggregatesOf } from '../aggregate/spec.ts';
import { contextOf, run, runSync } from '@colkit/io/effects';
import { checkSchema } from '../schema.ts';
import type { ExpectedSchema, TableTypes, TypesOf } from '../schema.ts';
import type { Predicate } from '../query/bind/bind.ts';
import type { QueryParams } from '../query/text/query-params.ts';
import type { Field, TableSource } from '../source.ts';
import type { IndexInput } from '../views/indices.ts';
import { listed } from '../views/projection.ts';
import type { Listed, Names } from '../views/projection.ts';
import {
  filterView,
  headView,
  knownRowCount,
  requireKnownRows,
  sliceView,
  tailView,
  takeView,
  viewOf,
  withProjection,
} from '../views/view.ts';
import type { View } from '../views/view.ts';
import type { ArrowTable } from './arrow/arrow.ts';
import { Column } from './column.ts';
import type { ViewOf } from './column.ts';
import { GroupedTable } from './grouped-table.ts';
import { byName, mapByName } from './null-object.ts';
import { ARROW_OPTIONS, BATCH_OPTIONS, COLUMNS_OPTIONS, RECORD_OPTIONS, ROW_OPTIONS, RUN_OPTIONS } from './options.ts';
import type {
  ArrowOptions,
  BatchOptions,
  ColumnResult,
  ColumnsOptions,
  ColumnsResult,
  RecordOptions,
  RowOf,
  RowOptions,
  RunOptions,
} from './options.ts';
import { aggregatesOfView, countView, explainView, previewText, readRecords, toArrowTable } from './parts.ts';
import { PREVIEW_OPTIONS, inspectText } from './text/inspect-text.ts';
import type { PreviewOptions } from './text/inspect-text.ts';
import * as reading from './reading/reading.ts';
import type { RecordBatch } from './record-batch.ts';
import { settleView } from './settle.ts';
import { viewBytes } from './zero-copy.ts';
import { whereView } from '../views/where-view.ts';

type NameOf<S extends TableTypes> = keyof S & string;

/**
 * Rows and columns of a source. Views (`slice`, `take`, `filter`, `select`, …) are tables too, cost next to nothing,
 * and compose in any order and depth. They all read from one source: closing one closes it for all.
 */
export class Table<S extends TableTypes = TableTypes> {
  /** The lazy description, for packages that build on this one. */
  readonly view: View;
  /** Only for the compiler: it makes a table of known columns one of unknown columns. */
  declare readonly columnTypes?: { -readonly [Name in keyof S]: S[Name] };

  /** @param from a source (all of its rows and columns) or a view. */
  constructor(from: TableSource | View) {
    this.view = 'projection' in from ? from : viewOf(from);
  }

  /** Number of rows. Reads nothing. @throws UnsupportedError ERR_FEATURE behind a `where`: only `count` can tell. */
  get rowCount(): number {
    return knownRowCount(this.view, 'rowCount');
  }

  /** In order; frozen. */
  get columnNames(): readonly NameOf<S>[] {
    return this.view.projection.shown.names;
  }

  /** Names and types, in order; frozen. */
  get schema(): readonly Field[] {
    return this.view.projection.shown.fields;
  }

  /** Path or name of what it reads from. */
  get name(): string {
    return this.view.source.name;
  }

  get closed(): boolean {
    return this.view.source.closed;
  }

  /** One column; lazy. @throws UnknownColumnError. */
  column<Name extends NameOf<S>>(name: Name): Column<S[Name]> {
    return new Column<S[Name]>(withProjection(this.view, this.view.projection.one(name)));
  }

  /**
   * These columns, in this order: names one by one, or one array of them; lazy.
   * @throws UnknownColumnError; ArgumentError where a name comes twice.
   */
  select<Name extends NameOf<S>>(...names: Names<Name>): Table<Pick<S, Name>> {
    return new Table<Pick<S, Name>>(withProjection(this.view, this.view.projection.select(names)));
  }

  /** All columns but these; lazy. @throws UnknownColumnError. */
  drop<Name extends NameOf<S>>(...names: Names<Name>): Table<Omit<S, Name>> {
    return new Table<Omit<S, Name>>(withProjection(this.view, this.view.projection.drop(names)));
  }

  /**
   * Rows [start, end) in steps, as numpy slices: negatives count from the end, bounds are clamped, a negative step
   * walks backwards. Lazy; O(1).
   * @throws ArgumentError for a step of 0.
   */
  slice(start?: number | bigint, end?: number | bigint, step?: number | bigint): Table<S> {
    return new Table<S>(sliceView(this.view, start, end, step));
  }

  /**
   * These rows, in any order and with repeats; negatives count from the end. Lazy. Int32Array, Uint32Array,
   * Float64Array and BigInt64Array are referenced, not copied: do not change them before the view is materialised. They
   * are checked then, all before anything is written, but for those that a later slice or filter leaves out.
   */
  take(indices: IndexInput): Table<S> {
    return new Table<S>(takeView(this.view, indices));
  }

  /** The rows whose entry is true or 1; one a row. Lazy; no copy. @throws ArgumentError for another length or entry. */
  filter(mask: Uint8Array | readonly boolean[]): Table<S> {
    return new Table<S>(filterView(this.view, mask));
  }

  /**
   * The rows for which a predicate is true: an expression (`col('price').gt(10).and(col('qty').lt(5))`) or text
   * (`'price > 10 and qty < @max'`, with `{ max: 5 }`). Lazy: it is checked against the schema now, and looked at once
   * by every method that materialises the view, which first finds the matching rows (in bounded memory: at most a byte
   * or so for each row) and then reads them. Columns that a later `select` leaves out may be asked about. Nulls are
   * unknown, and unknown is not true; the page "Predicates" has the whole meaning.
   * @throws QueryError ERR_QUERY_SYNTAX, ERR_QUERY_TYPE with the position in the text (an expression's, as printed).
   */
  where(predicate: Predicate, params?: QueryParams): Table<S> {
    return new Table<S>(whereView(this.view, predicate, params));
  }

  /** The first rows (10); lazy. Behind a `where`, the search ends with the last of them. */
  head(rowCount?: number | bigint): Table<S> {
    return new Table<S>(headView(this.view, rowCount));
  }

  /** The last rows (10); lazy. */
  tail(rowCount?: number | bigint): Table<S> {
    return new Table<S>(tailView(this.view, rowCount));
  }

  /**
   * The rows in the order of some columns: names, or `{ column, descending: true }`, one by one or in one array; lazy.
   * Rows that are equal stay as they were. Nulls come last, NaN and NaT before them, in both directions; text goes by
   * code point, -0 is 0. Every method that materialises the view reads these columns first, then the rows; `head(k)` or
   * `slice` behind it keeps the keys of k rows, else those of all are in memory.
   * @throws UnknownColumnError; ArgumentError for no column; UnsupportedError ERR_DTYPE for binary and float128.
   */
  orderBy(...keys: Listed<OrderKey<NameOf<S>>>): Table<S> {
    return new Table<S>(orderView(this.view, listed(keys)));
  }

  /**
   * The first row of each combination of values of these columns (none: of all), in the order of the rows; lazy. Null
   * is a value, NaN is one, 0 and -0 are the same.
   * @throws UnknownColumnError; UnsupportedError ERR_DTYPE for float128; LimitError, when the view is materialised,
   * beyond 16,777,215 combinations.
   */
  distinct(...names: Names<NameOf<S>>): Table<S> {
    return new Table<S>(distinctView(this.view, listed(names)));
  }

  /**
   * The table with just these columns, typed, where they have these dtypes (and no nulls but as `{ dtype, nullable }`).
   * @throws ArgumentError ERR_SCHEMA naming every column that is missing or different.
   */
  expectSchema<const E extends ExpectedSchema>(expected: E): Table<TypesOf<E>> {
    const names = checkSchema(this.schema, expected);
    return new Table<TypesOf<E>>(withProjection(this.view, this.view.projection.select(names)));
  }

  /**
   * The columns as arrays, copied: a null-prototype object in schema order (an object puts names such as "10" first;
   * `toColumnMap` does not).
   * @throws OutOfRangeError for an index, before anything is written; ArgumentError ERR_OUT_BUFFER, ERR_UNSAFE_INTEGER;
   * ClosedError; what the source throws.
   */
  async toColumns<const O extends ColumnsOptions = object>(options?: O): Promise<ColumnsResult<S, O>> {
    checkOptions<ColumnsOptions>('toColumns', COLUMNS_OPTIONS, options);
    const columns = await run(reading.readColumns(this.view, 'toColumns', options), contextOf(options ?? {}));
    return byName(this.view.projection.names, columns) as ColumnsResult<S, O>;
  }

  toColumnsSync<const O extends ColumnsOptions = object>(options?: O): ColumnsResult<S, O> {
    checkOptions<ColumnsOptions>('toColumnsSync', COLUMNS_OPTIONS, options);
    const columns = reading.readColumnsSync(this.view, 'toColumnsSync', options);
    return byName(this.view.projection.names, columns) as ColumnsResult<S, O>;
  }

  /** As `toColumns`, as a Map: in schema order whatever the names. */
  async toColumnMap<const O extends ColumnsOptions = object>(
    options?: O,
  ): Promise<Map<NameOf<S>, ColumnResult<S[NameOf<S>], O>>> {
    checkOptions<ColumnsOptions>('toColumnMap', COLUMNS_OPTIONS, options);
    const columns = await run(reading.readColumns(this.view, 'toColumnMap', options), contextOf(options ?? {}));
    return mapByName(this.view.projection.names, columns) as Map<NameOf<S>, ColumnResult<S[NameOf<S>], O>>;
  }

  toColumnMapSync<const O extends ColumnsOptions = object>(options?: O): Map<NameOf<S>, ColumnResult<S[NameOf<S>], O>> {
    checkOptions<ColumnsOptions>('toColumnMapSync', COLUMNS_OPTIONS, options);
    const columns = reading.readColumnsSync(this.view, 'toColumnMapSync', options);
    return mapByName(this.view.projection.names, columns) as Map<NameOf<S>, ColumnResult<S[NameOf<S>], O>>;
  }

  /**
   * Packed records in one buffer, copied.
   * @throws UnsupportedError ERR_DTYPE for a column without a fixed width; as `toColumns`.
   */
  async toRecords(options?: RecordOptions): Promise<RecordBatch<S>> {
    checkOptions('toRecords', RECORD_OPTIONS, options);
    return run(readRecords<S>(this.view, 'toRecords', options), contextOf(options ?? {}));
  }

  toRecordsSync(options?: RecordOptions): RecordBatch<S> {
    checkOptions('toRecordsSync', RECORD_OPTIONS, options);
    return runSync(readRecords<S>(this.view, 'toRecordsSync', options), contextOf(options ?? {}));
  }

  /** All rows as objects (a column may have any name). Costly for many rows: see `rows` and `batches`. */
  async toRows<const O extends RowOptions = object>(options?: O): Promise<RowOf<S, O>[]> {
    checkOptions<RowOptions>('toRows', ROW_OPTIONS, options);
    return (await run(reading.readAllRows(this.view, 'toRows', options), contextOf(options ?? {}))) as RowOf<S, O>[];
  }

  toRowsSync<const O extends RowOptions = object>(options?: O): RowOf<S, O>[] {
    checkOptions<RowOptions>('toRowsSync', ROW_OPTIONS, options);
    return runSync(reading.readAllRows(this.view, 'toRowsSync', options), contextOf(options ?? {})) as RowOf<S, O>[];
  }

  /** The rows one by one, in bounded memory. */
  rows<const O extends RowOptions = object>(options?: O): AsyncGenerator<RowOf<S, O>, void, undefined> {
    checkOptions<RowOptions>('rows', ROW_OPTIONS, options);
    return reading.streamRows(this.view, 'rows', options) as AsyncGenerator<RowOf<S, O>, void, undefined>;
  }

  rowsSync<const O extends RowOptions = object>(options?: O): Generator<RowOf<S, O>, void, undefined> {
    checkOptions<RowOptions>('rowsSync', ROW_OPTIONS, options);
    return reading.streamRowsSync(this.view, 'rowsSync', options) as Generator<RowOf<S, O>, void, undefined>;
  }

  /** The columns of at most `rows` rows, or of `bytes`, at a time, each batch in memory of its own; bounded in all. */
  batches<const O extends BatchOptions = object>(options?: O): AsyncGenerator<ColumnsResult<S, O>, void, undefined> {
    checkOptions<BatchOptions>('batches', BATCH_OPTIONS, options);
    return reading.readNamedBatches(this.view, 'batches', options) as never;
  }

  batchesSync<const O extends BatchOptions = object>(options?: O): Generator<ColumnsResult<S, O>, void, undefined> {
    checkOptions<BatchOptions>('batchesSync', BATCH_OPTIONS, options);
    return reading.readNamedBatchesSync(this.view, 'batchesSync', options) as never;
  }

  /**
   * The columns without a copy, all of them or none: over the file's pages, copy-on-write, so that a write into one
   * reaches neither the file nor a later read. Views that one opened table gives, earlier or later, share memory: there
   * a write shows, and its pages take memory until the table is closed and the views are dropped. S and U come as their
   * raw items. They outlive close(). An array's `buffer` may hold more than the array: a slice's holds the column.
   * @throws CannotViewError with the reason and the remedy; ClosedError.
   */
  viewColumns(): { [Name in keyof S]: ViewOf<S[Name]['dtype']> } {
    const views = byName<FixedArray>(this.view.projection.names, viewBytes(this.view, 'viewColumns', 'toColumns()'));
    return views as unknown as { [Name in keyof S]: ViewOf<S[Name]['dtype']> };
  }

  /**
   * An Arrow table (`apache-arrow`, an optional peer dependency): datetimes become timestamps, NaT null; texts Utf8, or
   * dictionaries (`{ strings: 'dictionary' }`). Copies. Give the type for the compiler:
   * `toArrow<import('apache-arrow').Table>()`.
   * @throws UnsupportedError ERR_FEATURE where apache-arrow is not installed, ERR_DTYPE for what Arrow has no type for.
   */
  async toArrow<A = ArrowTable>(options?: ArrowOptions): Promise<A> {
    checkOptions('toArrow', ARROW_OPTIONS, options);
    return (await toArrowTable(this.view, options)) as A;
  }

  /** Number of rows. Reads only what a `where` asks about. @throws ClosedError; what reading throws. */
  async count(options?: RunOptions): Promise<number> {
    checkOptions('count', RUN_OPTIONS, options);
    return run(countView(this.view, 'count'), contextOf(options ?? {}));
  }

  countSync(options?: RunOptions): number {
    checkOptions('countSync', RUN_OPTIONS, options);
    return runSync(countView(this.view, 'countSync'), contextOf(options ?? {}));
  }

  /**
   * What all rows add up to: `{ n: 'count', total: { sum: 'amount' } }`, several answers in one pass and in bounded
   * memory. See `AggregateSpec` for what can be asked. Of no rows counts and sums are 0, means NaN, others null; `std`
   * and `var` of fewer than two values are NaN.
   * @returns the answers by name: a null-prototype object.
   * @throws UnknownColumnError; ArgumentError, ERR_UNSAFE_INTEGER; UnsupportedError ERR_DTYPE for what does not add up
   * or has no order; LimitError for more different values than `countDistinct` tells apart.
   */
  async agg<const A extends AggregateSpecs<NameOf<S>>>(specs: A, options?: RunOptions): Promise<AggregatesOf<S, A>> {
    checkOptions('agg', RUN_OPTIONS, options);
    return (await run(aggregatesOfView(this.view, specs, 'agg'), contextOf(options ?? {}))) as AggregatesOf<S, A>;
  }

  aggSync<const A extends AggregateSpecs<NameOf<S>>>(specs: A, options?: RunOptions): AggregatesOf<S, A> {
    checkOptions('aggSync', RUN_OPTIONS, options);
    return runSync(aggregatesOfView(this.view, specs, 'aggSync'), contextOf(options ?? {})) as AggregatesOf<S, A>;
  }

  /**
   * The rows by the values of some columns: `groupBy('region', 'status').agg({ n: 'count' })`; lazy.
   * @throws UnknownColumnError; ArgumentError for no column, or one that comes twice; UnsupportedError ERR_DTYPE.
   */
  groupBy<Name extends NameOf<S>>(...names: Names<Name>): GroupedTable<S, Name, Table> {
    return new GroupedTable<S, Name, Table>(this.view, listed(names), tableOf);
  }

  /**
   * The same view with its rows known: predicates, orders and distinct values are looked at now, once, and whatever is
   * read of it then reads values only. Of matches it keeps at most a byte or so for each row that was looked at.
   * @throws ClosedError; what reading throws.
   */
  async resolve(options?: RunOptions): Promise<Table<S>> {
    checkOptions('resolve', RUN_OPTIONS, options);
    return new Table<S>(await run(settleView(this.view, 'resolve'), contextOf(options ?? {})));
  }

  resolveSync(options?: RunOptions): Table<S> {
    checkOptions('resolveSync', RUN_OPTIONS, options);
    return new Table<S>(runSync(settleView(this.view, 'resolveSync'), contextOf(options ?? {})));
  }

  /**
   * Which rows of the source these are, in the order of the view; an array of its own. Reads nothing.
   * @throws UnsupportedError ERR_FEATURE where a predicate, an order or distinct values have still to be looked at:
   * `resolve` does that; OutOfRangeError for an index.
   */
  rowNumbers(): Int32Array | Float64Array {
    return rowNumbersOf(requireKnownRows(this.view), this.view.source.rowCount);
  }

  /**
   * Lines for people: which rows and columns are read, what each predicate reads, and, where the format has statistics,
   * what is skipped and why. Reads metadata at most.
   */
  async explain(): Promise<string> {
    return run(explainView(this.view, 'explain'));
  }

  explainSync(): string {
    return runSync(explainView(this.view, 'explainSync'));
  }

  /** A short text table of the first and last rows. */
  async preview(options?: PreviewOptions): Promise<string> {
    checkOptions('preview', PREVIEW_OPTIONS, options);
    return run(previewText(this.view, 'preview', options), contextOf(options ?? {}));
  }

  previewSync(options?: PreviewOptions): string {
    checkOptions('previewSync', PREVIEW_OPTIONS, options);
    return runSync(previewText(this.view, 'previewSync', options), contextOf(options ?? {}));
  }

  /** Closes the source, for this table and every view of it; what was materialised stays. Idempotent. */
  close(): void {
    this.view.source.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.close();
    return Promise.resolve();
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return inspectText('Table', this.view);
  }
}

/** A table over a source: all of its rows and columns. */
export function tableOf(source: TableSource): Table {
  return new Table(source);
}
