// Matching rows -> what they add up to: pages answered by their statistics where those prove it, others by what the
// addon or their packed numbers say, the rest by values, column by column, in bounded memory.
import { TURN } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type {
  Aggregation,
  BoundPredicate,
  ColumnRef,
  ColumnStatistics,
  ColumnValues,
  RowRange,
  Running,
} from '@colkit/table';
import { rowsOfPage } from '../../layout/footer.ts';
import type { Session } from '../file/session.ts';
import { spanCount } from '../file/spans.ts';
import type { Span } from '../file/spans.ts';
import type { StoredFile } from '../file/stored-file.ts';
import { columnStatistics } from '../filter/column-statistics.ts';
import type { PruneRecord } from '../filter/prune-record.ts';
import { scanPages } from '../filter/scan-pages.ts';
import type { FetchedPages } from '../pages/fetched-pages.ts';
import { GroupJobs } from './group-jobs.ts';
import type { CodedSums, GroupedPages } from './group-jobs.ts';
import { PageGroups } from './page-groups.ts';
import { PageValues } from './page-values.ts';
import { addLineSums, addPacked, isSummable } from './summaries.ts';

type Gathering = Running<ColumnRef>;

/** What remains to be done with the rows of a span. */
interface SpanWork {
  readonly span: Span;
  /** Who has to see values. */
  readonly left: readonly Gathering[];
  readonly coded: CodedSums | null;
}

/** Adds the rows of `rows` that match to an aggregation whose columns have the file's numbers. @throws LimitError. */
export function* aggregatePages(
  file: StoredFile,
  predicate: BoundPredicate | null,
  rows: RowRange,
  aggregation: Aggregation<ColumnRef>,
  record: PruneRecord,
): Work<void> {
  const session = file.borrow();
  try {
    const jobs = predicate === null ? groupJobs(file, aggregation) : null;
    const pages = new AggregatedPages(file, session, aggregation, jobs, record);
    // Of one group statistics may answer, so that nothing is fetched ahead.
    const ahead = aggregation.by.length === 0 ? {} : { start: (fetched: FetchedPages) => pages.start(fetched) };
    const plan = { predicate, rows, columns: pages.columns, ...ahead };
    yield* scanPages(file, session, plan, record, (fetched, spans) => pages.add(fetched, spans));
  } finally {
    file.giveBack(session);
  }
}

/** Null where the addon has no way to what is wanted: it groups by texts, and counts and adds. */
function groupJobs(file: StoredFile, { by, running }: Aggregation<ColumnRef>): GroupJobs | null {
  const [key] = by;
  if (key === undefined || by.length > 1 || file.column(key.number).type.name !== 'string') return null;
  const adds = running.every(({ column, accumulator: { summary } }) =>
    summary === 'count' ? column?.nullable !== true : summary === 'sum',
  );
  if (!adds) return null;
  const summed = running.filter(({ accumulator }) => accumulator.summary === 'sum');
  return new GroupJobs(
    file,
    key.number,
    summed.flatMap(({ column }) => (column === null ? [] : [column.number])),
  );
}

class AggregatedPages {
  /** Numbers of the columns that are looked at. */
  readonly columns: readonly number[];
  readonly #file: StoredFile;
  readonly #session: Session;
  readonly #aggregation: Aggregation<ColumnRef>;
  readonly #jobs: GroupJobs | null;
  readonly #record: PruneRecord;
  /** Of fetches that were started. */
  readonly #grouped = new Map<FetchedPages, GroupedPages | null>();
  readonly #groups: PageGroups | null;
  readonly #values = new Map<number, PageValues>();

  constructor(
    file: StoredFile,
    session: Session,
    aggregation: Aggregation<ColumnRef>,
    jobs: GroupJobs | null,
    record: PruneRecord,
  ) {
    this.columns = aggregation.columns.map(({ number }) => number);
    this.#jobs = jobs;
    this.#file = file;
    this.#session = session;
    this.#aggregation = aggregation;
    this.#record = record;
    const { keys, by } = aggregation;
    this.#groups = keys === null ? null : new PageGroups(keys, by.length, session);
  }

  /** Starts to look at all rows of a fetch. */
  *start(fetched: FetchedPages): Work<void> {
    const grouped = this.#jobs === null ? null : yield* this.#jobs.start(fetched);
    this.#grouped.set(fetched, grouped);
    const rest = fetched.spans.filter((span) => grouped?.has(span) !== true);
    if (rest.length > 0) yield* fetched.start(this.columns, rest);
  }

  /** Adds the rows of a fetch that match. */
  *add(fetched: FetchedPages, spans: readonly Span[]): Work<void> {
    const grouped = this.#grouped.get(fetched) ?? null;
    this.#grouped.delete(fetched);
    const work: SpanWork[] = [];
    const needed = new Map<number, Span[]>();
    const need = (column: number, span: Span): void => {
      const list = needed.get(column);
      if (list === undefined) needed.set(column, [span]);
      else if (list.at(-1) !== span) list.push(span);
    };
    if (grouped !== null) yield* grouped.wait();
    const { by, running } = this.#aggregation;
    for (const span of spans) {
      this.#record.matched += spanCount(span);
      const coded = grouped === null ? null : this.#exactSums(grouped, span);
      const left = coded !== null ? [] : this.#groups === null ? this.#unknown(span) : running;
      if (coded === null && left.length === 0 && by.length === 0) continue;
      work.push({ span, left, coded });
      if (coded !== null) continue;
      for (const { number } of by) need(number, span);
      for (const { column } of left) if (column !== null) need(column.number, span);
    }
    for (const [column, list] of needed) yield* fetched.fetch([column], list);
    // In the order of rows, whoever looked at the pages: groups are numbered as they are met, and floats add up
    // differently in another order.
    for (const { span, left, coded } of work) {
      if (coded !== null) this.#addCoded(coded, span);
      else this.#addSpan(fetched, span, left);
      this.#session.scratch.reset();
      yield TURN;
    }
  }

  /** Who has to see the values of a span, of which the statistics of its page do not say enough. */
  #unknown(span: Span): readonly Gathering[] {
    const { group, page, start, end, picks } = span;
    const rows = rowsOfPage(this.#file.group(group), page);
    const isWhole = picks === null && start === 0 && end === rows;
    return this.#aggregation.know(spanCount(span), isWhole, ({ number }): ColumnStatistics | null => {
      const entry = this.#file.chunk(number, group).entry.pages[page];
      return entry === undefined ? null : columnStatistics(this.#file.column(number).type, entry.statistics, rows);
    });
  }

  /** Null where the addon left a page, or its sums are not exact. */
  #exactSums(grouped: GroupedPages, span: Span): CodedSums | null {
    const found = grouped.of(span);
    const isExact = ({ column, accumulator }: Gathering): boolean => {
      if (accumulator.summary !== 'sum' || column === null) return true;
      const ofColumn = found?.sums.get(column.number);
      return ofColumn !== undefined && isSummable(ofColumn.line, this.#file.column(column.number).type);
    };
    return this.#aggregation.running.every(isExact) ? found : null;
  }

  #addCoded({ entries, keys, sums }: CodedSums, { group }: Span): void {
    const [by] = this.#aggregation.by;
    if (this.#groups === null || by === undefined) return;
    const { byteOffset } = this.#file.chunk(by.number, group).entry;
    const place = this.#file.place('dictionary page', byteOffset, by.number, group);
    const groups = this.#groups.groupsOfCodes(entries, keys, place);
    for (const { column, accumulator } of this.#aggregation.running) {
      const ofColumn = column === null ? undefined : sums.get(column.number);
      if (accumulator.summary === 'sum' && column !== null && ofColumn !== undefined) {
        const { type } = this.#file.column(column.number);
        addLineSums(accumulator, ofColumn.line, type, ofColumn.sums, keys, groups);
        continue;
      }
      for (let code = 0; code < entries.count; code++) {
        const count = keys[2 * code + 1] as number;
        if (count > 0) accumulator.addSummary?.(groups[code] as number, count, 0);
      }
    }
  }

  #addSpan(fetched: FetchedPages, span: Span, left: readonly Gathering[]): void {
    const aggregation = this.#aggregation;
    const pages = aggregation.by.map(({ number }) => fetched.open(number, span));
    const groups = this.#groups?.groupsOf(pages, span) ?? null;
    const known = new Map<number, ColumnValues>();
    for (const running of left) {
      const { column, accumulator } = running;
      if (column === null) {
        aggregation.addTo(running, null, spanCount(span), groups?.groups ?? null);
        continue;
      }
      const page = fetched.open(column.number, span);
      const isPresent = page.validity === null && page.valueCount > 0;
      if (accumulator.summary === 'count' && isPresent) {
        aggregation.addTo(running, null, spanCount(span), groups?.groups ?? null);
        continue;
      }
      const isPacked = isPresent && span.picks === null && page.type.domain !== 'strings';
      const isSummed = isPacked && accumulator.summary !== null;
      if (isSummed && addPacked(accumulator, page.vector(span.start, span.end), page.type, groups)) continue;
      let values = known.get(column.number);
      if (values === undefined) known.set(column.number, (values = this.#valuesOf(column.number).read(page, span)));
      aggregation.addTo(running, values, spanCount(span), groups?.groups ?? null);
    }
  }

  #valuesOf(column: number): PageValues {
    let values = this.#values.get(column);
    if (values === undefined) this.#values.set(column, (values = new PageValues(this.#session)));
    return values;
  }
}
