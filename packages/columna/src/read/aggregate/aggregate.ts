// Matching rows -> what they add up to, for all of them or by group: pages answered by their statistics where those
// prove it, the others column by column, in bounded memory.
import { ArgumentError, assertNever } from '@colkit/io';
import { TURN } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { BoundPredicate, ColumnStatistics } from '@colkit/table';
import { rowsOfPage } from '../../layout/footer.ts';
import { CountAccumulator, ExtremeAccumulator, SumAccumulator } from './accumulators.ts';
import type { Accumulator } from './accumulators.ts';
import { columnNumber, parseAggregates } from './aggregate-spec.ts';
import type { Aggregate, AggregateSpecs, AggregateValue, GroupedColumns } from './aggregate-spec.ts';
import { columnStatistics } from '../filter/column-statistics.ts';
import { GroupJobs } from './group-jobs.ts';
import type { CodedSums, GroupedPages } from './group-jobs.ts';
import { GroupKeys } from './group-keys.ts';
import { pageValues } from './page-values.ts';
import { newRecord } from '../filter/prune.ts';
import { scanPages } from '../filter/scan-pages.ts';
import type { ScanPlan } from '../filter/scan-pages.ts';
import type { Session } from '../file/session.ts';
import { spanCount } from '../file/spans.ts';
import type { Span } from '../file/spans.ts';
import type { StoredFile } from '../file/stored-file.ts';
import type { Window } from '../pages/window.ts';

interface Running {
  readonly aggregate: Aggregate;
  readonly accumulator: Accumulator;
}

export class Aggregator {
  readonly record = newRecord();
  matched = 0;
  readonly #file: StoredFile;
  readonly #predicate: BoundPredicate | null;
  readonly #groupColumn: number | null;
  readonly #running: readonly Running[];
  #keys: GroupKeys | null = null;
  #jobs: GroupJobs | null = null;
  /** Of windows that were started. */
  readonly #grouped = new Map<Window, GroupedPages | null>();

  /** @param groupBy a column name; null: one group. @throws ArgumentError, UnknownColumnError, UnsupportedError. */
  constructor(file: StoredFile, predicate: BoundPredicate | null, groupBy: string | null, specs: AggregateSpecs) {
    this.#file = file;
    this.#predicate = predicate;
    this.#groupColumn = groupBy === null ? null : columnNumber(file, groupBy);
    this.#running = parseAggregates(specs, file).map((aggregate) => ({
      aggregate,
      accumulator: accumulatorOf(aggregate, file),
    }));
    if (groupBy !== null && Object.hasOwn(specs, groupBy))
      throw new ArgumentError(
        'ERR_ARGUMENT',
        `aggregates.${groupBy}`,
        'a name other than that of the column grouped by',
        'the same',
      );
  }

  get groupCount(): number {
    return this.#keys?.count ?? 0;
  }

  *run(): Work<void> {
    const session = this.#file.borrow();
    const columns = new Set(
      this.#running.flatMap(({ aggregate }) => (aggregate.column === null ? [] : [aggregate.column])),
    );
    const plan: ScanPlan = {
      predicate: this.#predicate,
      rows: { start: 0, end: this.#file.footer.rowCount },
      columns: [...columns],
    };
    const use = (window: Window, spans: readonly Span[]): Work<void> => this.#addWindow(window, spans, session);
    try {
      if (this.#groupColumn === null) yield* scanPages(this.#file, session, plan, this.record, use);
      else {
        const all = [...columns.add(this.#groupColumn)];
        this.#keys = new GroupKeys(this.#file.column(this.#groupColumn).type, session);
        this.#jobs = this.#groupJobs(this.#groupColumn);
        yield* scanPages(
          this.#file,
          session,
          { ...plan, columns: all, start: (window) => this.#start(window, all) },
          this.record,
          use,
        );
      }
    } finally {
      this.#file.giveBack(session);
    }
  }

  /** The aggregates of all matching rows, by name: a null-prototype object. */
  single(): Readonly<Record<string, AggregateValue>> {
    return Object.assign(
      Object.create(null) as Record<string, AggregateValue>,
      Object.fromEntries(this.#running.map(({ aggregate, accumulator }) => [aggregate.name, accumulator.result(0)])),
    );
  }

  /** One array a column, an element a group. */
  columns(): GroupedColumns {
    const keys = this.#keys?.values ?? [];
    const columns = Object.create(null) as Record<string, GroupedColumns[string]>;
    if (this.#groupColumn !== null) columns[this.#file.column(this.#groupColumn).name] = [...keys];
    for (const { aggregate, accumulator } of this.#running)
      columns[aggregate.name] = keys.map((_, group) => accumulator.result(group));
    return columns;
  }

  /** Null where the addon has no way to what is wanted: it groups by texts, and counts and adds. */
  #groupJobs(by: number): GroupJobs | null {
    const adds = this.#running.every(({ aggregate: { column }, accumulator }) =>
      accumulator instanceof CountAccumulator
        ? column === null || !this.#file.column(column).nullable
        : accumulator instanceof SumAccumulator,
    );
    if (this.#predicate !== null || this.#file.column(by).type.name !== 'string' || !adds) return null;
    return new GroupJobs(
      this.#file,
      by,
      this.#running.flatMap(({ aggregate: { column }, accumulator }) =>
        accumulator instanceof SumAccumulator && column !== null ? [column] : [],
      ),
    );
  }

  *#start(window: Window, columns: readonly number[]): Work<void> {
    const grouped = this.#jobs === null ? null : yield* this.#jobs.start(window);
    this.#grouped.set(window, grouped);
    const rest = window.spans.filter((span) => grouped?.has(span) !== true);
    if (rest.length > 0) yield* window.start(columns, rest);
  }

  *#addWindow(window: Window, spans: readonly Span[], session: Session): Work<void> {
    const work: { readonly span: Span; readonly left: readonly Running[]; readonly coded: CodedSums | null }[] = [];
    const needed = new Map<number, Span[]>();
    const need = (column: number, span: Span) => {
      const list = needed.get(column) ?? [];
      if (list.at(-1) !== span) list.push(span);
      needed.set(column, list);
    };
    const grouped = this.#grouped.get(window) ?? null;
    this.#grouped.delete(window);
    if (grouped !== null) yield* grouped.wait();
    for (const span of spans) {
      this.matched += spanCount(span);
      const coded = grouped === null ? null : this.#exactSums(grouped, span);
      if (coded !== null) {
        work.push({ span, left: [], coded });
        continue;
      }
      const left =
        this.#groupColumn === null ? this.#running.filter((each) => !this.#isAnswered(each, span)) : this.#running;
      if (left.length === 0 && this.#groupColumn === null) continue;
      work.push({ span, left, coded: null });
      if (this.#groupColumn !== null) need(this.#groupColumn, span);
      for (const { aggregate } of left) if (aggregate.column !== null) need(aggregate.column, span);
    }
    for (const [column, list] of needed) yield* window.fetch([column], list);
    // In the order of rows, whoever looked at the pages: groups are numbered as they are met, and floats add up
    // differently in another order.
    for (const { span, left, coded } of work) {
      if (coded !== null) this.#addCoded(coded, span);
      else this.#addSpan(window, span, left, session);
      session.scratch.reset();
      yield TURN;
    }
  }

  /**
   * Whether the statistics of a page of which all rows match say what its rows would; or whether they cannot matter.
   */
  #isAnswered({ aggregate, accumulator }: Running, span: Span): boolean {
    const { group, page } = span;
    const rows = rowsOfPage(this.#file.group(group), page);
    const isWhole = span.picks === null && span.start === 0 && span.end === rows;
    if (aggregate.column === null) {
      if (accumulator instanceof CountAccumulator) accumulator.addRows(spanCount(span), null, 1);
      return true;
    }
    const statistics = this.#statistics(aggregate.column, group, page, rows);
    if (statistics === null) return false;
    return accumulator.isIndifferentTo(statistics) || (isWhole && accumulator.addStatistics(statistics));
  }

  #statistics(column: number, group: number, page: number, rows: number): ColumnStatistics | null {
    const entry = this.#file.chunk(column, group).entry.pages[page];
    return entry === undefined ? null : columnStatistics(this.#file.column(column).type, entry.statistics, rows);
  }

  /** Null where the addon left a page, or its sums are not exact. */
  #exactSums(grouped: GroupedPages, span: Span): CodedSums | null {
    const found = grouped.of(span);
    const isExact = ({ aggregate: { column }, accumulator }: Running): boolean => {
      const ofColumn = column === null ? undefined : found?.sums.get(column);
      return !(accumulator instanceof SumAccumulator) || (ofColumn !== undefined && accumulator.takes(ofColumn.line));
    };
    return this.#running.every(isExact) ? found : null;
  }

  #addCoded({ entries, keys, sums }: CodedSums, { group }: Span): void {
    if (this.#keys === null || this.#groupColumn === null) return;
    const { byteOffset } = this.#file.chunk(this.#groupColumn, group).entry;
    const groups = this.#keys.groupsOfCodes(
      entries,
      keys,
      this.#file.place('dictionary page', byteOffset, this.#groupColumn, group),
    );
    for (const {
      aggregate: { column },
      accumulator,
    } of this.#running) {
      const ofColumn = column === null ? undefined : sums.get(column);
      if (accumulator instanceof SumAccumulator && ofColumn !== undefined)
        accumulator.addSums(ofColumn.line, ofColumn.sums, keys, groups, this.#keys.count);
      else if (accumulator instanceof CountAccumulator) accumulator.addKeys(keys, groups);
    }
  }

  #addSpan(window: Window, span: Span, left: readonly Running[], session: Session): void {
    const rows =
      this.#keys === null || this.#groupColumn === null
        ? null
        : this.#keys.groupsOf(window.open(this.#groupColumn, span), span);
    const groupCount = this.#keys?.count ?? 1;
    for (const { aggregate, accumulator } of left) {
      if (aggregate.column === null) {
        if (accumulator instanceof CountAccumulator)
          accumulator.addRows(spanCount(span), rows?.groups ?? null, groupCount);
        continue;
      }
      const page = window.open(aggregate.column, span);
      const isPacked =
        span.picks === null && page.validity === null && page.valueCount > 0 && page.type.domain !== 'strings';
      if (isPacked && accumulator.addVector(page.vector(span.start, span.end), rows, groupCount)) continue;
      accumulator.add(pageValues(page, span, session), rows?.groups ?? null, groupCount);
    }
  }
}

function accumulatorOf({ operation, column }: Aggregate, file: StoredFile): Accumulator {
  if (column === null) return new CountAccumulator();
  const { type, name } = file.column(column);
  switch (operation) {
    case 'count':
      return new CountAccumulator();
    case 'sum':
      return new SumAccumulator(type, name, false);
    case 'mean':
      return new SumAccumulator(type, name, true);
    case 'min':
      return new ExtremeAccumulator(type, false);
    case 'max':
      return new ExtremeAccumulator(type, true);
    default:
      return assertNever(operation);
  }
}
