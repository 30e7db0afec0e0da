// Matching rows -> what they add up to, for all of them or by group: pages answered by their statistics where those prove it, the others column by column, in bounded memory.
import { ArgumentError, assertNever } from '@colkit/io';
import type { BoundPredicate, ColumnStatistics } from '@colkit/table';
import { rowsOfPage } from '../layout/footer.ts';
import { CountAccumulator, ExtremeAccumulator, SumAccumulator } from './accumulators.ts';
import type { Accumulator } from './accumulators.ts';
import { columnNumber, parseAggregates } from './aggregate-spec.ts';
import type { Aggregate, AggregateSpecs, AggregateValue, GroupedColumns } from './aggregate-spec.ts';
import { columnStatistics } from './column-statistics.ts';
import { GroupKeys } from './group-keys.ts';
import { pageValues } from './page-values.ts';
import { newRecord } from './prune.ts';
import { scanPages } from './scan-pages.ts';
import type { Session } from './session.ts';
import { spanCount } from './spans.ts';
import type { Span } from './spans.ts';
import type { Steps } from './steps.ts';
import type { StoredFile } from './stored-file.ts';
import type { Window } from './window.ts';

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

  /** @param groupBy a column name; null: one group. @throws ArgumentError, UnknownColumnError, UnsupportedError. */
  constructor(file: StoredFile, predicate: BoundPredicate | null, groupBy: string | null, specs: AggregateSpecs) {
    this.#file = file;
    this.#predicate = predicate;
    this.#groupColumn = groupBy === null ? null : columnNumber(file, groupBy);
    this.#running = parseAggregates(specs, file).map((aggregate) => ({ aggregate, accumulator: accumulatorOf(aggregate, file) }));
    if (groupBy !== null && Object.hasOwn(specs, groupBy)) throw new ArgumentError('ERR_ARGUMENT', `aggregates.${groupBy}`, 'a name other than that of the column grouped by', 'the same');
  }

  get groupCount(): number {
    return this.#keys?.count ?? 0;
  }

  *run(): Steps<void> {
    const session = this.#file.borrow();
    const columns = new Set(this.#running.flatMap(({ aggregate }) => (aggregate.column === null ? [] : [aggregate.column])));
    if (this.#groupColumn !== null) {
      columns.add(this.#groupColumn);
      this.#keys = new GroupKeys(this.#file.column(this.#groupColumn).type, session);
    }
    const rows = { start: 0, end: this.#file.footer.rowCount };
    try {
      yield* scanPages(this.#file, session, { predicate: this.#predicate, rows, columns: [...columns], needsAll: this.#groupColumn !== null }, this.record, (window, spans) => this.#addWindow(window, spans, session));
    } finally {
      this.#file.giveBack(session);
    }
  }

  /** The aggregates of all matching rows, by name: a null-prototype object. */
  single(): Readonly<Record<string, AggregateValue>> {
    return Object.assign(Object.create(null) as Record<string, AggregateValue>, Object.fromEntries(this.#running.map(({ aggregate, accumulator }) => [aggregate.name, accumulator.result(0)])));
  }

  /** One array a column, an element a group. */
  columns(): GroupedColumns {
    const keys = this.#keys?.values ?? [];
    const columns = Object.create(null) as Record<string, GroupedColumns[string]>;
    if (this.#groupColumn !== null) columns[this.#file.column(this.#groupColumn).name] = [...keys];
    for (const { aggregate, accumulator } of this.#running) columns[aggregate.name] = keys.map((_, group) => accumulator.result(group));
    return columns;
  }

  *#addWindow(window: Window, spans: readonly Span[], session: Session): Steps<void> {
    const work: { readonly span: Span; readonly left: readonly Running[] }[] = [];
    const needed = new Map<number, Span[]>();
    const need = (column: number, span: Span) => {
      const list = needed.get(column) ?? [];
      if (list.at(-1) !== span) list.push(span);
      needed.set(column, list);
    };
    for (const span of spans) {
      this.matched += spanCount(span);
      const left = this.#groupColumn === null ? this.#running.filter((each) => !this.#isAnswered(each, span)) : this.#running;
      if (left.length === 0 && this.#groupColumn === null) continue;
      work.push({ span, left });
      if (this.#groupColumn !== null) need(this.#groupColumn, span);
      for (const { aggregate } of left) if (aggregate.column !== null) need(aggregate.column, span);
    }
    for (const [column, list] of needed) yield* window.fetch([column], list);
    for (const { span, left } of work) {
      this.#addSpan(window, span, left, session);
      session.scratch.reset();
      yield null;
    }
  }

  /** Whether the statistics of a page of which all rows match say what its rows would; or whether they cannot matter. */
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

  #addSpan(window: Window, span: Span, left: readonly Running[], session: Session): void {
    const rows = this.#keys === null || this.#groupColumn === null ? null : this.#keys.groupsOf(window.open(this.#groupColumn, span), span);
    const groupCount = this.#keys?.count ?? 1;
    for (const { aggregate, accumulator } of left) {
      if (aggregate.column === null) {
        if (accumulator instanceof CountAccumulator) accumulator.addRows(spanCount(span), rows?.groups ?? null, groupCount);
        continue;
      }
      const page = window.open(aggregate.column, span);
      const isPacked = span.picks === null && page.validity === null && page.valueCount > 0 && page.type.domain !== 'strings';
      if (isPacked && accumulator.addVector(page.vector(span.start, span.end), rows, groupCount)) continue;
      accumulator.add(pageValues(page, span, session), rows?.groups ?? null, groupCount);
    }
  }
}

function accumulatorOf({ operation, column }: Aggregate, file: StoredFile): Accumulator {
  if (column === null) return new CountAccumulator();
  const { type, name } = file.column(column);
  switch (operation) {
    case 'count': return new CountAccumulator();
    case 'sum': return new SumAccumulator(type, name, false);
    case 'mean': return new SumAccumulator(type, name, true);
    case 'min': return new ExtremeAccumulator(type, false);
    case 'max': return new ExtremeAccumulator(type, true);
    default: return assertNever(operation);
  }
}
