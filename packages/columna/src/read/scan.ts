// scan: the rows of a file that match, or what they add up to. Nothing is opened before the result is asked for.
import { ArgumentError, checkOptions, describeValue, option, visibleText } from '@colkit/io';
import type { Openable, OptionSet } from '@colkit/io';
import { Expression, FORM_OPTIONS, bindPredicate, tableOf } from '@colkit/table';
import type { BoundPredicate, ColumnsOptions, ColumnsResult, FormOptions, Predicate, QueryParams, Table, TableTypes } from '@colkit/table';
import { Aggregator } from './aggregate.ts';
import type { AggregateSpecs, AggregateValue, GroupedColumns } from './aggregate-spec.ts';
import { CollectedRows } from './collected.ts';
import { collectRows } from './collect-rows.ts';
import type { CollectedScan } from './collect-rows.ts';
import { explainFilter } from './filter-rows.ts';
import { OPEN_OPTIONS, withFile, withFileSync } from './open.ts';
import type { OpenOptions, OpenedFile } from './open.ts';
import { columnsOptions, selected } from './read.ts';
import { ScanResult, reasonLines, scanStats } from './scan-result.ts';
import { runSteps, runStepsSync } from './steps.ts';
import type { Steps } from './steps.ts';
import { StoredTable } from './stored-table.ts';

export interface ScanOptions extends OpenOptions, FormOptions {
  /** Which columns come back, in which order; default: all. */
  readonly columns?: readonly string[];
  /** Which rows: `col('amount').gt(4500)` or text; default: all. */
  readonly where?: Predicate;
  /** Values of `@name` in a text. */
  readonly params?: QueryParams;
}

const SCAN_OPTIONS: OptionSet<ScanOptions> = {
  ...OPEN_OPTIONS, ...FORM_OPTIONS, columns: option.names, where: option.kind('a predicate, as an expression or text', (value) => typeof value === 'string' || value instanceof Expression),
  params: option.byName('an object or a Map of parameters by name'),
};

/** Columns as `read` gives them, with the options of the scan. */
export type ScannedColumns<O> = ColumnsResult<TableTypes, O>;

/**
 * The rows of a .cna file that match `where`: row groups and pages are skipped where their statistics prove that nothing in them can match, the rest is compared in its encoded form, and of the other
 * columns only the pages with matches are read. Awaiting it gives the columns; `count`, `sum`, …, `agg` and `groupBy` give what the rows add up to, in bounded memory. Nothing stays open.
 * @throws (when awaited) as `open`; QueryError; UnknownColumnError.
 */
export function scan<const O extends ScanOptions = object>(source: Openable, options?: O): Scan<O> {
  return new Scan<O>(source, options === undefined ? {} : options);
}

/** The Sync twin of awaiting a scan, for local files and bytes. */
export function scanSync<const O extends ScanOptions = object>(source: Openable, options?: O): ScanResult<ScannedColumns<O>> {
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

  then<A = ScanResult<ScannedColumns<O>>, B = never>(onResult?: ((value: ScanResult<ScannedColumns<O>>) => A | PromiseLike<A>) | null, onError?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<A | B> {
    return this.run().then(onResult, onError);
  }

  /** The columns of the rows that match. */
  async run(): Promise<ScanResult<ScannedColumns<O>>> {
    return withFile(this.#source, this.#options, async (opened) => {
      const { predicate, projection } = this.#bind(opened);
      const collected = await runSteps(this.#collect(opened, predicate, projection), opened.context);
      return this.#result(opened, collected, await this.#rows(opened, projection, collected).toColumns(this.#forms()));
    });
  }

  runSync(): ScanResult<ScannedColumns<O>> {
    return withFileSync(this.#source, this.#options, (opened) => {
      const { predicate, projection } = this.#bind(opened);
      const collected = runStepsSync(this.#collect(opened, predicate, projection), opened.context);
      return this.#result(opened, collected, this.#rows(opened, projection, collected).toColumnsSync(this.#forms()));
    });
  }

  /** What would be read, what would be skipped, and why: one line a row group. Reads metadata only. */
  async explain(): Promise<string> {
    return withFile(this.#source, this.#options, async (opened) => {
      return textOf(await runSteps(this.#explanation(opened), opened.context));
    });
  }

  explainSync(): string {
    return withFileSync(this.#source, this.#options, (opened) => {
      return textOf(runStepsSync(this.#explanation(opened), opened.context));
    });
  }

  /** Number of rows that match. */
  async count(): Promise<number> {
    return (await this.agg({ count: 'count' })).count;
  }

  countSync(): number {
    return this.aggSync({ count: 'count' }).count;
  }

  /** Sum of a column of numbers or booleans over the rows that match: bigint for 64-bit integers. Nulls are passed over, NaN is not. 0 of no values. @throws UnsupportedError ERR_DTYPE. */
  async sum(column: string): Promise<AggregateValue> {
    return (await this.agg({ sum: { sum: column } })).sum;
  }

  sumSync(column: string): AggregateValue {
    return this.aggSync({ sum: { sum: column } }).sum;
  }

  /** Smallest value over the rows that match; nulls and NaN are passed over. Null of no values, NaN of nothing but NaN. @throws UnsupportedError ERR_DTYPE for binary. */
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

  /** Several at once, in one pass: `{ n: 'count', total: { sum: 'amount' }, last: { max: 'ts' } }`. Pages of which all rows match are answered from their statistics where those prove it. */
  async agg<const A extends AggregateSpecs>(specs: A): Promise<{ readonly [Name in keyof A]: Name extends string ? (A[Name] extends 'count' | { readonly count: string } ? number : AggregateValue) : never }> {
    return withFile(this.#source, this.#options, async (opened) => {
      const aggregator = new Aggregator(opened.file, this.#bind(opened).predicate, null, specs);
      await runSteps(aggregator.run(), opened.context);
      return aggregator.single() as never;
    });
  }

  aggSync<const A extends AggregateSpecs>(specs: A): { readonly [Name in keyof A]: Name extends string ? (A[Name] extends 'count' | { readonly count: string } ? number : AggregateValue) : never } {
    return withFileSync(this.#source, this.#options, (opened) => {
      const aggregator = new Aggregator(opened.file, this.#bind(opened).predicate, null, specs);
      runStepsSync(aggregator.run(), opened.context);
      return aggregator.single() as never;
    });
  }

  /** The same for every distinct value of a column, null being one. @throws ArgumentError for more than one column. */
  groupBy(column: string, ...others: readonly never[]): GroupedScan {
    const given: readonly unknown[] = [column, ...others];
    if (given.length > 1 || typeof column !== 'string') throw new ArgumentError('ERR_ARGUMENT', 'groupBy', 'the name of one column', given.map(describeValue).join(', '));
    return new GroupedScan(
      (specs) => withFile(this.#source, this.#options, async (opened) => {
        const aggregator = new Aggregator(opened.file, this.#bind(opened).predicate, column, specs);
        await runSteps(aggregator.run(), opened.context);
        return grouped(opened, aggregator);
      }),
      (specs) => withFileSync(this.#source, this.#options, (opened) => {
        const aggregator = new Aggregator(opened.file, this.#bind(opened).predicate, column, specs);
        runStepsSync(aggregator.run(), opened.context);
        return grouped(opened, aggregator);
      }),
    );
  }

  /** The predicate and the projection, checked against the file before any page is read. */
  #bind({ file }: OpenedFile): { readonly predicate: BoundPredicate | null; readonly projection: Table } {
    const { where, params, columns } = this.#options;
    const table = tableOf(new StoredTable(file));
    return { predicate: where === undefined ? null : bindPredicate(where, table.schema, params), projection: selected(table, columns) };
  }

  #collect({ file }: OpenedFile, predicate: BoundPredicate | null, { view }: Table): Steps<CollectedScan> {
    return collectRows(file, predicate, { start: 0, end: file.footer.rowCount }, view.projection.numbers, this.#options.strings === 'dictionary' ? 'dictionary' : 'values');
  }

  #rows({ file }: OpenedFile, projection: Table, { pieces, rowCount }: CollectedScan): Table {
    return tableOf(new CollectedRows(file.path, projection.schema, pieces, rowCount));
  }

  #forms(): ColumnsOptions {
    return columnsOptions(this.#options);
  }

  #result({ context }: OpenedFile, { record, rowCount }: CollectedScan, columns: unknown): ScanResult<ScannedColumns<O>> {
    return new ScanResult(columns as ScannedColumns<O>, rowCount, scanStats(record, rowCount, context.bytesRead), reasonLines(record));
  }

  *#explanation(opened: OpenedFile): Steps<readonly string[]> {
    const { predicate } = this.#bind(opened);
    const { file } = opened;
    if (predicate === null) return [`${file.path}: all rows`, `row groups: ${file.rowGroups.length}, none skipped`];
    return yield* explainFilter(file, predicate, { start: 0, end: file.footer.rowCount });
  }
}

/** A scan by the values of a column. */
export class GroupedScan {
  readonly #run: (specs: AggregateSpecs) => Promise<ScanResult<GroupedColumns>>;
  readonly #runSync: (specs: AggregateSpecs) => ScanResult<GroupedColumns>;

  constructor(run: (specs: AggregateSpecs) => Promise<ScanResult<GroupedColumns>>, runSync: (specs: AggregateSpecs) => ScanResult<GroupedColumns>) {
    this.#run = run;
    this.#runSync = runSync;
  }

  /**
   * One row a group, in the order in which the groups are first met: the column, then the aggregates. For small numbers of groups.
   * @throws LimitError beyond 65,536 groups; UnsupportedError ERR_DTYPE; ArgumentError for an aggregate that has the column's name.
   */
  agg(specs: AggregateSpecs): Promise<ScanResult<GroupedColumns>> {
    return this.#run(specs);
  }

  aggSync(specs: AggregateSpecs): ScanResult<GroupedColumns> {
    return this.#runSync(specs);
  }
}

function grouped({ context }: OpenedFile, aggregator: Aggregator): ScanResult<GroupedColumns> {
  const { record, matched } = aggregator;
  return new ScanResult(aggregator.columns(), aggregator.groupCount, scanStats(record, matched, context.bytesRead), reasonLines(record));
}

/** Lines for people, who see what is hidden in the names and values that they quote. */
function textOf(lines: readonly string[]): string {
  return lines.map(visibleText).join('\n');
}
