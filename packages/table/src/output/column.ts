// What a user holds of one column: a lazy view of its rows and the ways to materialise it. Nothing is read before a
// method that says so.
import { checkOptions } from '@colkit/io';
import type { DType } from '@colkit/io';
import { contextOf, run, runSync } from '@colkit/io/effects';
import type { AggregateOperation } from '../aggregate/spec.ts';
import type { ArrayOf, ColumnType, SumOf } from '../schema.ts';
import type { IndexInput } from '../views/indices.ts';
import { filterView, headView, knownRowCount, sliceView, tailView, takeView } from '../views/view.ts';
import type { View } from '../views/view.ts';
import { ARRAY_OPTIONS, RUN_OPTIONS } from './options.ts';
import type { ArrayOptions, CellOf, ColumnResult, ColumnsOptions, RunOptions } from './options.ts';
import { columnAnswer } from './parts.ts';
import { inspectText } from './text/inspect-text.ts';
import { readCell, readColumns, readColumnsSync, streamCells, streamCellsSync } from './reading/reading.ts';
import { viewBytes } from './zero-copy.ts';

/** What `viewArray` gives: the raw packed items where the values have no typed array. */
export type ViewOf<D extends DType> =
  ArrayOf<D> extends infer A ? (A extends readonly unknown[] ? Uint8Array : A) : never;

export class Column<T extends ColumnType = ColumnType> {
  readonly name: string;
  readonly dtype: T['dtype'];
  /** Whether a value may be null. */
  readonly nullable: T['nullable'];
  /** The lazy description, for packages that build on this one. */
  readonly view: View;

  /** @param view a view of exactly one column; tables make these: `table.column(name)`. */
  constructor(view: View) {
    const [field] = view.projection.fields;
    this.view = view;
    this.name = field?.name ?? '';
    this.dtype = view.projection.at(0).info.name;
    this.nullable = field?.nullable ?? false;
  }

  /**
   * Number of rows, nulls included. Reads nothing.
   * @throws UnsupportedError ERR_FEATURE behind a `where`: count the table.
   */
  get length(): number {
    return knownRowCount(this.view, 'length');
  }

  /** Lazy; see `Table.slice`. */
  slice(start?: number | bigint, end?: number | bigint, step?: number | bigint): Column<T> {
    return new Column<T>(sliceView(this.view, start, end, step));
  }

  /** Lazy; see `Table.take`. */
  take(indices: IndexInput): Column<T> {
    return new Column<T>(takeView(this.view, indices));
  }

  /** Lazy; see `Table.filter`. */
  filter(mask: Uint8Array | readonly boolean[]): Column<T> {
    return new Column<T>(filterView(this.view, mask));
  }

  /** The first rows; lazy. */
  head(rowCount?: number | bigint): Column<T> {
    return new Column<T>(headView(this.view, rowCount));
  }

  /** The last rows; lazy. */
  tail(rowCount?: number | bigint): Column<T> {
    return new Column<T>(tailView(this.view, rowCount));
  }

  /**
   * All values, copied; see `FormOptions` for their form.
   * @throws OutOfRangeError before anything is read; ArgumentError ERR_OUT_BUFFER, ERR_UNSAFE_INTEGER; ClosedError;
   * what the source throws.
   */
  async toArray<const O extends ArrayOptions = object>(options?: O): Promise<ColumnResult<T, O>> {
    checkOptions<ArrayOptions>('toArray', ARRAY_OPTIONS, options);
    const [column] = await run(
      readColumns(this.view, 'toArray', this.#columnsOptions(options ?? {})),
      contextOf(options ?? {}),
    );
    return column as ColumnResult<T, O>;
  }

  toArraySync<const O extends ArrayOptions = object>(options?: O): ColumnResult<T, O> {
    checkOptions<ArrayOptions>('toArraySync', ARRAY_OPTIONS, options);
    const [column] = readColumnsSync(
      this.view,
      'toArraySync',
      options === undefined ? undefined : this.#columnsOptions(options),
    );
    return column as ColumnResult<T, O>;
  }

  /**
   * The values without a copy: over the file's pages, copy-on-write, so that a write into it reaches neither the file
   * nor a later read. Views that one opened table gives, earlier or later, share memory: there a write shows, and its
   * pages take memory until the table is closed and the views are dropped. S and U come as raw items. Outlives close().
   * The array's `buffer` may hold more than the array: a slice's holds the column.
   * @throws CannotViewError with the reason and the remedy; ClosedError.
   */
  viewArray(): ViewOf<T['dtype']> {
    const [array] = viewBytes(this.view, 'viewArray', 'toArray()');
    return array as unknown as ViewOf<T['dtype']>;
  }

  /** One value; negatives count from the end. Reads one row. @throws OutOfRangeError. */
  async at(index: number | bigint): Promise<CellOf<T>> {
    return (await run(readCell(this.view, 'at', index))) as CellOf<T>;
  }

  atSync(index: number | bigint): CellOf<T> {
    return runSync(readCell(this.view, 'atSync', index)) as CellOf<T>;
  }

  /** The values one by one, in bounded memory. */
  async *[Symbol.asyncIterator](): AsyncGenerator<CellOf<T>, void, undefined> {
    for await (const cell of streamCells(this.view, 'asyncIterator')) yield cell as CellOf<T>;
  }

  /** The Sync twin of the asynchronous iteration. */
  *[Symbol.iterator](): Generator<CellOf<T>, void, undefined> {
    for (const cell of streamCellsSync(this.view, 'iterator')) yield cell as CellOf<T>;
  }

  /** How many values are not null (NaN and NaT count). Reads the column only where it is nullable. */
  async count(options?: RunOptions): Promise<number> {
    return (await this.#answer('count', 'count', options)) as number;
  }

  countSync(options?: RunOptions): number {
    return this.#answerSync('count', 'countSync', options) as number;
  }

  /**
   * The smallest value, in bounded memory. Nulls, NaN and NaT are passed over; null where there is no value, NaN or NaT
   * where there is nothing else. Text goes by code point.
   * @throws UnsupportedError ERR_DTYPE for binary and float128.
   */
  async min(options?: RunOptions): Promise<CellOf<T> | null> {
    return (await this.#answer('min', 'min', options)) as CellOf<T> | null;
  }

  minSync(options?: RunOptions): CellOf<T> | null {
    return this.#answerSync('min', 'minSync', options) as CellOf<T> | null;
  }

  /** The largest value; see `min`. */
  async max(options?: RunOptions): Promise<CellOf<T> | null> {
    return (await this.#answer('max', 'max', options)) as CellOf<T> | null;
  }

  maxSync(options?: RunOptions): CellOf<T> | null {
    return this.#answerSync('max', 'maxSync', options) as CellOf<T> | null;
  }

  /**
   * The sum, in bounded memory; nulls are passed over, NaN is not. Integers and booleans add up exactly: bigint for
   * 64-bit columns, else a number. Floats add up exactly, rounded once. 0 where there is no value.
   * @throws ArgumentError ERR_UNSAFE_INTEGER where a sum of narrower integers is beyond +-2^53; UnsupportedError
   * ERR_DTYPE for text, binary, datetimes and timedeltas.
   */
  async sum(options?: RunOptions): Promise<SumOf<T['dtype']>> {
    return (await this.#answer('sum', 'sum', options)) as SumOf<T['dtype']>;
  }

  sumSync(options?: RunOptions): SumOf<T['dtype']> {
    return this.#answerSync('sum', 'sumSync', options) as SumOf<T['dtype']>;
  }

  /**
   * The sum over the count of values that are not null; NaN where there is none.
   * @throws as `sum`, but for ERR_UNSAFE_INTEGER.
   */
  async mean(options?: RunOptions): Promise<number> {
    return (await this.#answer('mean', 'mean', options)) as number;
  }

  meanSync(options?: RunOptions): number {
    return this.#answerSync('mean', 'meanSync', options) as number;
  }

  /** The standard deviation of a sample, the root of `var`. @throws as `mean`. */
  async std(options?: RunOptions): Promise<number> {
    return (await this.#answer('std', 'std', options)) as number;
  }

  stdSync(options?: RunOptions): number {
    return this.#answerSync('std', 'stdSync', options) as number;
  }

  /**
   * The variance of a sample (n - 1 degrees of freedom), in bounded memory and without loss for large means; nulls are
   * passed over, NaN and infinities give NaN. NaN of fewer than two values.
   * @throws as `mean`.
   */
  async var(options?: RunOptions): Promise<number> {
    return (await this.#answer('var', 'var', options)) as number;
  }

  varSync(options?: RunOptions): number {
    return this.#answerSync('var', 'varSync', options) as number;
  }

  /**
   * How many different values there are, exactly. Nulls are none, NaN and NaT are one each, 0 and -0 are the same.
   * @throws LimitError beyond 16,777,215 of them; UnsupportedError ERR_DTYPE for float128.
   */
  async countDistinct(options?: RunOptions): Promise<number> {
    return (await this.#answer('countDistinct', 'countDistinct', options)) as number;
  }

  countDistinctSync(options?: RunOptions): number {
    return this.#answerSync('countDistinct', 'countDistinctSync', options) as number;
  }

  /** The first value that is not null (NaN and NaT are values), in the order of the rows; null where there is none. */
  async first(options?: RunOptions): Promise<CellOf<T> | null> {
    return (await this.#answer('first', 'first', options)) as CellOf<T> | null;
  }

  firstSync(options?: RunOptions): CellOf<T> | null {
    return this.#answerSync('first', 'firstSync', options) as CellOf<T> | null;
  }

  /** The last value that is not null; see `first`. */
  async last(options?: RunOptions): Promise<CellOf<T> | null> {
    return (await this.#answer('last', 'last', options)) as CellOf<T> | null;
  }

  lastSync(options?: RunOptions): CellOf<T> | null {
    return this.#answerSync('last', 'lastSync', options) as CellOf<T> | null;
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return inspectText('Column', this.view);
  }

  #columnsOptions({ out, ...options }: ArrayOptions): ColumnsOptions {
    return out === undefined ? options : { ...options, out: new Map([[this.name, out]]) };
  }

  async #answer(asked: AggregateOperation, operation: string, options?: RunOptions): Promise<unknown> {
    checkOptions(operation, RUN_OPTIONS, options);
    return run(columnAnswer(this.view, asked, operation), contextOf(options ?? {}));
  }

  #answerSync(asked: AggregateOperation, operation: string, options?: RunOptions): unknown {
    checkOptions(operation, RUN_OPTIONS, options);
    return runSync(columnAnswer(this.view, asked, operation), contextOf(options ?? {}));
  }
}
