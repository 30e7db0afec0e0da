// What a user holds of one column: a lazy view of its rows and the ways to materialise it. Nothing is read before a method that says so.
import { checkOptions } from '@colkit/io';
import type { BigIntDType, DType, DTypeInfo } from '@colkit/io';
import type { ArrayOf, ColumnType } from '../schema.ts';
import type { IndexInput } from '../views/indices.ts';
import { filterView, headView, knownRowCount, sliceView, tailView, takeView } from '../views/view.ts';
import type { View } from '../views/view.ts';
import { readBlocks, readBlocksSync } from './blocks.ts';
import { readCell, readCellSync } from './cell.ts';
import type { Cell } from './convert.ts';
import { extreme } from './extremes.ts';
import type { Fold } from './extremes.ts';
import { ARRAY_OPTIONS, RUN_OPTIONS } from './options.ts';
import type { ArrayOptions, CellOf, ColumnResult, ColumnsOptions, RunOptions } from './options.ts';
import { inspectText } from './preview.ts';
import { readColumns, readColumnsSync } from './read.ts';
import { streamCells, streamCellsSync } from './rows.ts';
import { ValueCount, meanOf, sumOf, total } from './sums.ts';
import { viewBytes } from './zero-copy.ts';

/** A sum: bigint for 64-bit integers, else a number. */
export type SumOf<D extends DType> = D extends BigIntDType ? bigint : number;
/** What `viewArray` gives: the raw packed items where the values have no typed array. */
export type ViewOf<D extends DType> = ArrayOf<D> extends infer A ? (A extends readonly unknown[] ? Uint8Array : A) : never;

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

  /** Number of rows, nulls included. Reads nothing. @throws UnsupportedError ERR_FEATURE behind a `where`: count the table. */
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
   * @throws OutOfRangeError before anything is read; ArgumentError ERR_OUT_BUFFER, ERR_UNSAFE_INTEGER; ClosedError; what the source throws.
   */
  async toArray<const O extends ArrayOptions = object>(options?: O): Promise<ColumnResult<T, O>> {
    checkOptions<ArrayOptions>('toArray', ARRAY_OPTIONS, options);
    const [column] = await readColumns(this.view, 'toArray', this.#columnsOptions(options ?? {}));
    return column as ColumnResult<T, O>;
  }

  toArraySync<const O extends ArrayOptions = object>(options?: O): ColumnResult<T, O> {
    checkOptions<ArrayOptions>('toArraySync', ARRAY_OPTIONS, options);
    const [column] = readColumnsSync(this.view, 'toArraySync', options === undefined ? undefined : this.#columnsOptions(options));
    return column as ColumnResult<T, O>;
  }

  /**
   * The values without a copy: over the file's pages, copy-on-write, so that a write into it reaches neither the file nor a later read. Views that one opened table gives, earlier or
   * later, share memory: there a write shows, and its pages take memory until the table is closed and the views are dropped. S and U come as raw items. Outlives close(). The array's
   * `buffer` may hold more than the array: a slice's holds the column.
   * @throws CannotViewError with the reason and the remedy; ClosedError.
   */
  viewArray(): ViewOf<T['dtype']> {
    const [array] = viewBytes(this.view, 'viewArray', 'toArray()');
    return array as unknown as ViewOf<T['dtype']>;
  }

  /** One value; negatives count from the end. Reads one row. @throws OutOfRangeError. */
  async at(index: number | bigint): Promise<CellOf<T>> {
    return (await readCell(this.view, index)) as CellOf<T>;
  }

  atSync(index: number | bigint): CellOf<T> {
    return readCellSync(this.view, index) as CellOf<T>;
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
    return this.#fold('count', new ValueCount(), options);
  }

  countSync(options?: RunOptions): number {
    return this.#foldSync('countSync', new ValueCount(), options);
  }

  /**
   * The smallest value, in bounded memory. Nulls, NaN and NaT are passed over; null where there is no value, NaN or NaT where there is nothing else. Text goes by code point.
   * @throws UnsupportedError ERR_DTYPE for binary and float128.
   */
  async min(options?: RunOptions): Promise<CellOf<T> | null> {
    return (await this.#fold<Cell>('min', extreme(this.#info, 'min'), options)) as CellOf<T> | null;
  }

  minSync(options?: RunOptions): CellOf<T> | null {
    return this.#foldSync<Cell>('minSync', extreme(this.#info, 'min'), options) as CellOf<T> | null;
  }

  /** The largest value; see `min`. */
  async max(options?: RunOptions): Promise<CellOf<T> | null> {
    return (await this.#fold<Cell>('max', extreme(this.#info, 'max'), options)) as CellOf<T> | null;
  }

  maxSync(options?: RunOptions): CellOf<T> | null {
    return this.#foldSync<Cell>('maxSync', extreme(this.#info, 'max'), options) as CellOf<T> | null;
  }

  /**
   * The sum, in bounded memory; nulls are passed over, NaN is not. Integers and booleans add up exactly: bigint for 64-bit columns, else a number. Floats add up in float64 with
   * compensation. 0 where there is no value.
   * @throws ArgumentError ERR_UNSAFE_INTEGER where a sum of narrower integers is beyond +-2^53; UnsupportedError ERR_DTYPE for text, binary, datetimes and timedeltas.
   */
  async sum(options?: RunOptions): Promise<SumOf<T['dtype']>> {
    return sumOf(this.#info, await this.#fold('sum', total(this.#info, 'sum'), options), this.name) as SumOf<T['dtype']>;
  }

  sumSync(options?: RunOptions): SumOf<T['dtype']> {
    return sumOf(this.#info, this.#foldSync('sumSync', total(this.#info, 'sum'), options), this.name) as SumOf<T['dtype']>;
  }

  /** The sum over the count of values that are not null; NaN where there is none. @throws as `sum`, but for ERR_UNSAFE_INTEGER. */
  async mean(options?: RunOptions): Promise<number> {
    return meanOf(await this.#fold('mean', total(this.#info, 'mean'), options));
  }

  meanSync(options?: RunOptions): number {
    return meanOf(this.#foldSync('meanSync', total(this.#info, 'mean'), options));
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return inspectText('Column', this.view);
  }

  get #info(): DTypeInfo {
    return this.view.projection.at(0).info;
  }

  #columnsOptions({ out, ...options }: ArrayOptions): ColumnsOptions {
    return out === undefined ? options : { ...options, out: new Map([[this.name, out]]) };
  }

  async #fold<R>(operation: string, fold: Fold<R>, options?: RunOptions): Promise<R> {
    checkOptions(operation, RUN_OPTIONS, options);
    for await (const block of readBlocks(this.view, operation, options)) fold.add(block);
    return fold.result();
  }

  #foldSync<R>(operation: string, fold: Fold<R>, options?: RunOptions): R {
    checkOptions(operation, RUN_OPTIONS, options);
    for (const block of readBlocksSync(this.view, operation, options)) fold.add(block);
    return fold.result();
  }
}
