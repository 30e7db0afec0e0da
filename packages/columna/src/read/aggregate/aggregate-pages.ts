// Matching rows -> what they add up to: pages answered by their statistics where those prove it, others by what the
// addon or their packed numbers say, the rest by values, column by column, in bounded memory.
import { TURN } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type {
  Aggregation,
  BoundPredicate,
  Cell,
  ColumnRef,
  ColumnStatistics,
  ColumnValues,
  RowRange,
  Running,
} from '@colkit/table';
import type { ColumnType } from '../../layout/column-type.ts';
import { rowsOfPage } from '../../layout/footer.ts';
import type { FileLocation } from '../../layout/location.ts';
import type { OpenDictionary, Session } from '../file/session.ts';
import { spanCount } from '../file/spans.ts';
import type { Span } from '../file/spans.ts';
import type { StoredFile } from '../file/stored-file.ts';
import { columnStatistics } from '../filter/column-statistics.ts';
import { isForAddon } from '../filter/filter-jobs.ts';
import { newRecord } from '../filter/prune-record.ts';
import type { PruneRecord } from '../filter/prune-record.ts';
import { scanPages } from '../filter/scan-pages.ts';
import type { FetchedPages } from '../pages/fetched-pages.ts';
import { FoldJobs, distinctColumns } from './fold-jobs.ts';
import type { FoldedPages } from './fold-jobs.ts';
import { codesOfKey, valuesOfKey } from './folded-page.ts';
import type { FoldedPage } from './folded-page.ts';
import { PageGroups } from './page-groups.ts';
import { PageValues } from './page-values.ts';
import { addPacked } from './summaries.ts';

type Gathering = Running<ColumnRef>;

/** What remains to be done with the rows of a span. */
interface SpanWork {
  readonly span: Span;
  /** Who has to see values. */
  readonly left: readonly Gathering[];
  readonly folded: FoldedPage | null;
}

/** Adds the rows of `rows` that match to an aggregation whose columns have the file's numbers. @throws LimitError. */
export function* aggregatePages(
  file: StoredFile,
  predicate: BoundPredicate | null,
  rows: RowRange,
  aggregation: Aggregation<ColumnRef>,
  record: PruneRecord,
): Work<void> {
  const parts = isForAddon(file, predicate) ? partsOf(aggregation) : [aggregation];
  for (const [index, part] of parts.entries())
    yield* aggregatePart(file, predicate, rows, part, index === 0 ? record : newRecord());
}

/**
 * Of all rows the addon finds the different values of each column by themselves: together there are as many as pairs,
 * or triples, of them.
 */
function partsOf(aggregation: Aggregation<ColumnRef>): readonly Aggregation<ColumnRef>[] {
  const { by, running } = aggregation;
  const distinct = running.filter(({ accumulator }) => accumulator.summary === 'distinct');
  if (by.length > 0 || distinct.length < 2) return [aggregation];
  const others = running.filter((each) => !distinct.includes(each));
  return [...(others.length > 0 ? [others] : []), ...distinct.map((each) => [each])].map((part) =>
    aggregation.only(part),
  );
}

function* aggregatePart(
  file: StoredFile,
  predicate: BoundPredicate | null,
  rows: RowRange,
  aggregation: Aggregation<ColumnRef>,
  record: PruneRecord,
): Work<void> {
  const session = file.borrow();
  try {
    const pages = new AggregatedPages(file, session, aggregation, record);
    // Of one group statistics may answer, so that nothing is fetched ahead.
    const ahead = aggregation.by.length === 0 ? {} : { start: (fetched: FetchedPages) => pages.start(fetched) };
    const plan = { predicate, rows, columns: pages.columns, ...ahead };
    yield* scanPages(file, session, plan, record, (fetched, spans) => pages.add(fetched, spans));
  } finally {
    file.giveBack(session);
  }
}

class AggregatedPages {
  /** Numbers of the columns that are looked at. */
  readonly columns: readonly number[];
  readonly #file: StoredFile;
  readonly #session: Session;
  readonly #aggregation: Aggregation<ColumnRef>;
  readonly #jobs: FoldJobs | null;
  readonly #record: PruneRecord;
  /** Of fetches that were started. */
  readonly #started = new Map<FetchedPages, FoldedPages | null>();
  readonly #groups: PageGroups | null;
  /** The columns that the addon numbers rows by. */
  readonly #keys: readonly number[];
  readonly #values = new Map<number, PageValues>();

  constructor(file: StoredFile, session: Session, aggregation: Aggregation<ColumnRef>, record: PruneRecord) {
    this.columns = aggregation.columns.map(({ number }) => number);
    this.#jobs = FoldJobs.of(file, aggregation);
    this.#file = file;
    this.#session = session;
    this.#aggregation = aggregation;
    this.#record = record;
    const { keys, by, running } = aggregation;
    this.#keys = [...by.map(({ number }) => number), ...distinctColumns(running)];
    this.#groups = keys === null ? null : new PageGroups(keys, by.length, session);
  }

  /** Starts to look at all rows of a fetch. */
  *start(fetched: FetchedPages): Work<void> {
    const { running } = this.#aggregation;
    const folded = this.#jobs === null ? null : yield* this.#jobs.start(fetched, fetched.spans, () => running);
    this.#started.set(fetched, folded);
    const rest = fetched.spans.filter((span) => folded?.has(span) !== true);
    if (rest.length > 0) yield* fetched.start(this.columns, rest);
  }

  /** Adds the rows of a fetch that match. */
  *add(fetched: FetchedPages, spans: readonly Span[]): Work<void> {
    const { by, running } = this.#aggregation;
    const unknown = new Map<Span, readonly Gathering[]>();
    for (const span of spans) {
      this.#record.matched += spanCount(span);
      const left = this.#groups === null ? this.#unknown(span) : running;
      if (left.length > 0 || by.length > 0) unknown.set(span, left);
    }
    const pages = yield* this.#foldedPages(fetched, unknown);
    const work: SpanWork[] = [];
    const needed = new Map<number, Span[]>();
    const need = (column: number, span: Span): void => {
      const list = needed.get(column);
      if (list === undefined) needed.set(column, [span]);
      else if (list.at(-1) !== span) list.push(span);
    };
    for (const [span, left] of unknown) {
      const folded = pages?.of(span) ?? null;
      work.push({ span, left, folded });
      if (folded !== null) continue;
      for (const { number } of by) need(number, span);
      for (const { column } of left) if (column !== null) need(column.number, span);
    }
    for (const [column, list] of needed) yield* fetched.fetch([column], list);
    // In the order of rows, whoever looked at the pages: groups are numbered as they are met.
    for (const { span, left, folded } of work) {
      const again = folded === null ? left : this.#addFolded(folded, left, span);
      if (folded !== null && again.length > 0) {
        const columns = again.flatMap(({ column }) => (column === null ? [] : [column.number]));
        yield* fetched.fetch([...by.map(({ number }) => number), ...columns], [span]);
      }
      if (folded === null || again.length > 0) this.#addSpan(fetched, span, again, folded === null);
      this.#session.scratch.reset();
      yield TURN;
    }
  }

  /** What the addon says of some spans: begun before, where nothing was to be known about them first. */
  *#foldedPages(fetched: FetchedPages, unknown: ReadonlyMap<Span, readonly Gathering[]>): Work<FoldedPages | null> {
    let folded = this.#started.get(fetched);
    this.#started.delete(fetched);
    if (folded === undefined)
      folded =
        this.#jobs === null
          ? null
          : yield* this.#jobs.start(fetched, [...unknown.keys()], (span) => unknown.get(span) ?? []);
    if (folded !== null) yield* folded.wait();
    return folded;
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

  /** @returns who has to see values after all. */
  #addFolded(folded: FoldedPage, left: readonly Gathering[], span: Span): readonly Gathering[] {
    const typeOf = (index: number): ColumnType => this.#file.column(this.#keys[index] as number).type;
    const entryOf = (index: number, dictionary: OpenDictionary, code: number): Cell => {
      const number = this.#keys[index] as number;
      const where = this.#dictionaryOf(number, span);
      return this.#valuesOf(number).entryOf(dictionary, code, typeOf(index).isText, where);
    };
    const groups = this.#groups?.ofRecords(folded, typeOf, entryOf) ?? null;
    if (groups !== null)
      this.#aggregation.firstRows?.addGroups(spanCount(span), groups, (number) => folded.firstOf(number));
    const again: Gathering[] = [];
    for (const running of left) {
      const { column, accumulator } = running;
      if (accumulator.summary === 'first') {
        if (groups === null || accumulator.isMissing?.(groups) !== false) again.push(running);
        continue;
      }
      if (column !== null && accumulator.summary === 'distinct') {
        const index = this.#keys.indexOf(column.number, this.#aggregation.by.length);
        const { key, records, groups: own } = folded.distinct(index, groups);
        const { dictionary } = key;
        const codes = dictionary === null ? null : codesOfKey(key, records);
        const values =
          dictionary === null || codes === null
            ? valuesOfKey(key, records, typeOf(index))
            : typeOf(index).isText
              ? this.#valuesOf(column.number).ofEntries(dictionary, codes, this.#dictionaryOf(column.number, span))
              : null;
        if (values !== null) accumulator.add(values, records.length, own, this.#aggregation.groupCount);
        else
          for (const [row, code] of codes?.entries() ?? [])
            if (code !== -1)
              accumulator.addDistinct?.(own?.[row] ?? 0, entryOf(index, dictionary as OpenDictionary, code));
        continue;
      }
      if (column !== null && (accumulator.summary !== 'count' || column.nullable)) {
        const { type } = this.#file.column(column.number);
        if (folded.hasBothZeros(accumulator, column.number, type, groups)) again.push(running);
        else folded.add(accumulator, column.number, type, groups);
        continue;
      }
      if (groups === null) accumulator.addSummary?.(0, spanCount(span), 0);
      else
        for (let number = 0; number < groups.length; number++) {
          const group = groups[number] as number;
          if (group !== -1) accumulator.addSummary?.(group, folded.rowsOf(number), 0);
        }
    }
    return again;
  }

  #dictionaryOf(column: number, { group }: Span): FileLocation {
    const { byteOffset } = this.#file.chunk(column, group).entry;
    return this.#file.location('dictionary page', byteOffset, column, group);
  }

  /** @param isNew whether nobody has told of these rows before. */
  #addSpan(fetched: FetchedPages, span: Span, left: readonly Gathering[], isNew: boolean): void {
    const aggregation = this.#aggregation;
    const pages = aggregation.by.map(({ number }) => fetched.open(number, span));
    const groups = this.#groups?.groupsOf(pages, span) ?? null;
    if (groups !== null && isNew)
      aggregation.firstRows?.addRows(spanCount(span), groups.groups, aggregation.groupCount);
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
      if (values === undefined) {
        values = this.#valuesOf(column.number).read(page, span);
        known.set(column.number, values);
      }
      aggregation.addTo(running, values, spanCount(span), groups?.groups ?? null);
    }
  }

  #valuesOf(column: number): PageValues {
    let values = this.#values.get(column);
    if (values === undefined) this.#values.set(column, (values = new PageValues(this.#session)));
    return values;
  }
}
