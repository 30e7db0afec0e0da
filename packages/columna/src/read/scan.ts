// scan: the rows of a file that match, or what they add up to. Nothing is opened before the result is asked for.
import { ArgumentError, checkOptions, describeValue, option, visibleText } from '@colkit/io';
import type { Openable, OptionSet } from '@colkit/io';
import { contextOf, run, runSync } from '@colkit/io/effects';
import type { Work, WorkContext } from '@colkit/io/effects';
import {
  EXPECT_OPTIONS,
  Expression,
  FORM_OPTIONS,
  TABLE_READING,
  aggregatesOfView,
  allRows,
  boundPredicate,
  columnRefsOf,
  columnsOfView,
  expectView,
  groupsOfView,
  provideTableReading,
  selectView,
  viewOf,
  whereView,
} from '@colkit/table';
import type {
  AggregateSpecs,
  ColumnsResult,
  ExpectOptions,
  ExpectedTypes,
  FormOptions,
  Predicate,
  QueryParams,
  View,
} from '@colkit/table';
import type { StoredFile } from './file/stored-file.ts';
import { newRecord, wholeRecord } from './filter/prune-record.ts';
import type { PruneRecord } from './filter/prune-record.ts';
import { OPEN_OPTIONS, withFile } from './open-file.ts';
import type { OpenOptions } from './open-file.ts';
import { columnsOptions } from './read.ts';
import { ScanResult, reasonLines, scanStats } from './scan-result.ts';
import { providePageReading } from './provided-page-reading.ts';
import { StoredTable } from './stored-table.ts';

/** A sum of 64-bit integers is a bigint; so are 64-bit integers, dates (days) and datetimes (microseconds). */
export type AggregateValue = number | bigint | string | boolean | Uint8Array | null;

/** One array a column: the group's values first (byte arrays where it is binary), then the aggregates. */
export type GroupedColumns = Readonly<Record<string, readonly AggregateValue[]>>;

export interface ScanOptions extends OpenOptions, FormOptions, ExpectOptions {
  /** Which columns come back, in which order; default: all. */
  readonly columns?: readonly string[];
  /** Which rows: `col('amount').gt(4500)` or text; default: all. */
  readonly where?: Predicate;
  /** Values of `@name` in a text. */
  readonly params?: QueryParams;
}

const SCAN_OPTIONS: OptionSet<ScanOptions> = {
  ...OPEN_OPTIONS,
  ...FORM_OPTIONS,
  ...EXPECT_OPTIONS,
  columns: option.names,
  where: option.kind(
    'a predicate, as an expression or text',
    (value) => typeof value === 'string' || value instanceof Expression,
  ),
  params: option.byName('an object or a Map of parameters by name'),
};

/** Columns as `read` gives them, with the options of the scan. */
export type ScannedColumns<O> = ColumnsResult<ExpectedTypes<O>, O>;

/**
 * The rows of a .cna file that match `where`: row groups and pages are skipped where their statistics prove that
 * nothing in them can match, the rest is compared in its encoded form, and of the other columns only the pages with
 * matches are read. Awaiting it gives the columns; `count`, `sum`, …, `agg` and `groupBy` give what the rows add up to,
 * in bounded memory. Nothing stays open.
 * @throws (when awaited) as `open`; QueryError; UnknownColumnError.
 */
export function scan<const O extends ScanOptions = object>(source: Openable, options?: O): Scan<O> {
  return new Scan<O>(source, options === undefined ? {} : options);
}

/** The Sync twin of awaiting a scan, for local files and bytes. */
export function scanSync<const O extends ScanOptions = object>(
  source: Openable,
  options?: O,
): ScanResult<ScannedColumns<O>> {
  providePageReading();
  provideTableReading();
  return new Scan<O>(source, options === undefined ? {} : options).runSync();
}

/** A scan that has not run. Each use of it runs it anew. */
export class Scan<O = object> implements PromiseLike<ScanResult<ScannedColumns<O>>> {
  readonly #source: Openable;
  readonly #options: ScanOptions;

  constructor(source: Openable, options: ScanOptions) {
    checkOptions('scan', SCAN_OPTIONS, options);
    this.#source = source;
    this.#options = options;
  }

  then<A = ScanResult<ScannedColumns<O>>, B = never>(
    onResult?: ((value: ScanResult<ScannedColumns<O>>) => A | PromiseLike<A>) | null,
    onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.run().then(onResult, onError);
  }

  /** The columns of the rows that match. */
  async run(): Promise<ScanResult<ScannedColumns<O>>> {
    const context = contextOf(this.#options);
    return run(this.#collecting(context), context);
  }

  runSync(): ScanResult<ScannedColumns<O>> {
    const context = contextOf(this.#options);
    return runSync(this.#collecting(context), context);
  }

  /** What would be read, what would be skipped, and why: one line a row group. Reads metadata only. */
  async explain(): Promise<string> {
    return run(this.#explaining(), contextOf(this.#options));
  }

  explainSync(): string {
    return runSync(this.#explaining(), contextOf(this.#options));
  }

  /** Number of rows that match. */
  async count(): Promise<number> {
    return (await this.agg({ count: 'count' })).count;
  }

  countSync(): number {
    return this.aggSync({ count: 'count' }).count;
  }

  /**
   * Sum of a column of numbers or booleans over the rows that match: bigint for 64-bit integers. Nulls are passed over,
   * NaN is not. 0 of no values.
   * @throws UnsupportedError ERR_DTYPE.
   */
  async sum(column: string): Promise<AggregateValue> {
    return (await this.agg({ sum: { sum: column } })).sum;
  }

  sumSync(column: string): AggregateValue {
    return this.aggSync({ sum: { sum: column } }).sum;
  }

  /**
   * Smallest value over the rows that match; nulls and NaN are passed over. Null of no values, NaN of nothing but NaN.
   * @throws UnsupportedError ERR_DTYPE for binary.
   */
  async min(column: string): Promise<AggregateValue> {
    return (await this.agg({ min: { min: column } })).min;
  }

  minSync(column: string): AggregateValue {
    return this.aggSync({ min: { min: column } }).min;
  }

  /** Largest value; as `min`. */
  async max(column: string): Promise<AggregateValue> {
    return (await this.agg({ max: { max: column } })).max;
  }

  maxSync(column: string): AggregateValue {
    return this.aggSync({ max: { max: column } }).max;
  }

  /** Mean of a column of numbers or booleans, as a number. NaN of no values. @throws UnsupportedError ERR_DTYPE. */
  async mean(column: string): Promise<AggregateValue> {
    return (await this.agg({ mean: { mean: column } })).mean;
  }

  meanSync(column: string): AggregateValue {
    return this.aggSync({ mean: { mean: column } }).mean;
  }

  /**
   * Several at once, in one pass: `{ n: 'count', total: { sum: 'amount' }, last: { max: 'ts' } }`. Pages of which all
   * rows match are answered from their statistics where those prove it.
   */
  async agg<const A extends AggregateSpecs>(
    specs: A,
  ): Promise<{
    readonly [Name in keyof A]: Name extends string
      ? A[Name] extends 'count' | { readonly count: string } | { readonly countDistinct: string }
        ? number
        : AggregateValue
      : never;
  }> {
    return run(this.#aggregating(specs), contextOf(this.#options)) as Promise<never>;
  }

  aggSync<const A extends AggregateSpecs>(
    specs: A,
  ): {
    readonly [Name in keyof A]: Name extends string
      ? A[Name] extends 'count' | { readonly count: string } | { readonly countDistinct: string }
        ? number
        : AggregateValue
      : never;
  } {
    return runSync(this.#aggregating(specs), contextOf(this.#options)) as never;
  }

  /** The same for every distinct value of a column, null being one. @throws ArgumentError for more than one column. */
  groupBy(column: string, ...others: readonly never[]): GroupedScan {
    const given: readonly unknown[] = [column, ...others];
    if (given.length > 1 || typeof column !== 'string')
      throw new ArgumentError('ERR_ARGUMENT', 'groupBy', 'the name of one column', given.map(describeValue).join(', '));
    return new GroupedScan(
      (specs, context) => withFile(this.#source, this.#options, (file) => this.#grouping(file, column, specs, context)),
      this.#options,
    );
  }

  /** What is asked about, as a view that tells `record` what becomes of the row groups. */
  #view(file: StoredFile, record: PruneRecord): View {
    const { where, params } = this.#options;
    const view = viewOf(new StoredTable(file, record));
    return where === undefined ? view : whereView(view, where, params);
  }

  #collecting(context: WorkContext): Work<ScanResult<ScannedColumns<O>>> {
    return withFile(this.#source, this.#options, (file) => this.#collected(file, context), TABLE_READING);
  }

  *#collected(file: StoredFile, context: WorkContext): Work<ScanResult<ScannedColumns<O>>> {
    const record = this.#options.where === undefined ? wholeRecord(file) : newRecord();
    const { columns: names, expect } = this.#options;
    const all = this.#view(file, record);
    const known = expect === undefined ? all : expectView(all, expect);
    const view = names === undefined ? known : selectView(known, names);
    const columns = (yield* columnsOfView(view, 'scan', columnsOptions(this.#options))) as ScannedColumns<O>;
    const stats = scanStats(record, context.bytesRead);
    return new ScanResult(columns, record.matched, stats, reasonLines(record));
  }

  #aggregating(specs: AggregateSpecs): Work<unknown> {
    return withFile(this.#source, this.#options, (file) =>
      aggregatesOfView(this.#view(file, newRecord()), specs, 'agg'),
    );
  }

  *#grouping(
    file: StoredFile,
    column: string,
    specs: AggregateSpecs,
    context: WorkContext,
  ): Work<ScanResult<GroupedColumns>> {
    const record = newRecord();
    const { columns, rowCount } = yield* groupsOfView(this.#view(file, record), [column], specs, 'groupBy');
    const stats = scanStats(record, context.bytesRead);
    return new ScanResult(columns, rowCount, stats, reasonLines(record));
  }

  #explaining(): Work<string> {
    return withFile(this.#source, this.#options, (file) => this.#explained(file));
  }

  *#explained(file: StoredFile): Work<string> {
    const { where, params } = this.#options;
    if (where === undefined)
      return textOf([`${file.path}: all rows`, `row groups: ${file.rowGroups.length}, none skipped`]);
    const table = new StoredTable(file);
    const predicate = yield* boundPredicate(where, columnRefsOf(table.fields), params);
    const rows = allRows(table.rowCount);
    const want = { kind: 'explanation' } as const;
    const answer = yield* table.execute({ rows, where: predicate, order: null, limit: Infinity, want });
    return textOf(answer.kind === 'explanation' ? answer.lines : []);
  }
}

/** A scan by the values of a column. */
export class GroupedScan {
  readonly #describe: (specs: AggregateSpecs, context: WorkContext) => Work<ScanResult<GroupedColumns>>;
  readonly #options: ScanOptions;

  constructor(
    describe: (specs: AggregateSpecs, context: WorkContext) => Work<ScanResult<GroupedColumns>>,
    options: ScanOptions,
  ) {
    this.#describe = describe;
    this.#options = options;
  }

  /**
   * One row a group, in the order in which the groups are first met: the column, then the aggregates. For small numbers
   * of groups.
   * @throws LimitError beyond 16,777,215 groups; UnsupportedError ERR_DTYPE; ArgumentError for an aggregate that has
   * the column's name.
   */
  async agg(specs: AggregateSpecs): Promise<ScanResult<GroupedColumns>> {
    const context = contextOf(this.#options);
    return run(this.#describe(specs, context), context);
  }

  aggSync(specs: AggregateSpecs): ScanResult<GroupedColumns> {
    const context = contextOf(this.#options);
    return runSync(this.#describe(specs, context), context);
  }
}

/** Lines for people, who see what is hidden in the names and values that they quote. */
function textOf(lines: readonly string[]): string {
  return lines.map(visibleText).join('\n');
}
