// The rows of a read, some pages at a time, in order: while some are used, what is needed of the next is on its way.
import type { Work } from '@colkit/io/effects';
import { rowsOfPage } from '../../layout/footer.ts';
import type { Session } from '../file/session.ts';
import type { Span } from '../file/spans.ts';
import type { StoredFile } from '../file/stored-file.ts';
import { areFew } from './jobs/decoding.ts';
import { FetchedPages } from './fetched-pages.ts';
import { PageJobs } from './jobs/page-jobs.ts';
import { rangesOf } from './page-ranges.ts';

/** Fetched at once, about: enough for a request to be worth it, little enough for the caches. */
const FETCHED_BYTES = 1 << 22;
/** Texts grow when they are decoded, mostly so many times. */
const TEXT_WEIGHT = 4;
const FETCHED_SPANS = 256;
/** Rows of all columns together. */
const FETCHED_ROWS = 1 << 20;
/** Of a page of which the addon decodes some rows alone, little comes into memory; if it leaves the page, all. */
const LISTED_SHARE = 1 / 8;
/** So many times as much where a fetch is requests, and all that is fetched is needed: larger ones are fewer. */
const REMOTE_FACTOR = 8;
/** A page is decoded by one thread, and a fetch may have a single large one: so many are on their way at least. */
const PAGES_AHEAD = 3;

interface ReadPace {
  /** How much more of the columns' texts there will be in memory than of their pages. */
  readonly textWeight?: number | undefined;
  /** At least so many pages of a column are on their way, in one fetch or in several. */
  readonly pagesAhead?: number;
  /** Whether a few pages may be enough: the first fetch is one of each column, each of the others twice the last. */
  readonly growing?: boolean;
  /** Whether nothing is asked of a span but the values of its rows. */
  readonly alone?: boolean;
}

/**
 * Runs `use` for some spans after the others; `columns` decide how large the fetches are. Memory is one fetch, or two
 * and more where `start` is given: it is run for the next ones before one is used.
 */
export function* readPages(
  file: StoredFile,
  session: Session,
  columns: readonly number[],
  spans: Iterable<Span>,
  use: (pages: FetchedPages) => Work<void>,
  start: ((pages: FetchedPages) => Work<void>) | null = null,
  { pagesAhead = 0, ...pace }: ReadPace = {},
): Work<void> {
  const isRemote = file.source.coalesces === true && start !== null;
  const fetches = fetchesOf(file, session, columns, spans, isRemote ? REMOTE_FACTOR : 1, pace);
  const least = isRemote ? 0 : pagesAhead;
  const started: FetchedPages[] = [];
  let ahead = 0;
  for (;;) {
    while (started.length === 0 || (start !== null && (started.length === 1 || ahead < least))) {
      const step = fetches.next();
      if (step.done === true) break;
      if (started.length > 0) ahead += step.value.spans.length;
      started.push(step.value);
      if (start !== null) yield* start(step.value);
    }
    const pages = started.shift();
    if (pages === undefined) return;
    session.enterGroup(pages.spans[0]?.group ?? 0);
    yield* use(pages);
    pages.release();
    ahead -= started[0]?.spans.length ?? 0;
  }
}

/**
 * The same where every span of every column is needed: the next fetches are on their way while one is used.
 * @param started runs whenever something was sent on its way.
 */
export function readAhead(
  file: StoredFile,
  session: Session,
  columns: readonly number[],
  spans: Iterable<Span>,
  use: (pages: FetchedPages) => Work<void>,
  started?: () => Work<unknown>,
): Work<void> {
  return readPages(
    file,
    session,
    columns,
    spans,
    (pages) => useFetched(pages, columns, use),
    (pages) => startBoth(pages, columns, started),
    { pagesAhead: PAGES_AHEAD, alone: true },
  );
}

function* startBoth(
  pages: FetchedPages,
  columns: readonly number[],
  started: (() => Work<unknown>) | undefined,
): Work<void> {
  yield* pages.start(columns, pages.spans, true);
  if (started !== undefined) yield* started();
}

function* useFetched(
  pages: FetchedPages,
  columns: readonly number[],
  use: (pages: FetchedPages) => Work<void>,
): Work<void> {
  yield* pages.fetch(columns, pages.spans);
  yield* use(pages);
}

function* fetchesOf(
  file: StoredFile,
  session: Session,
  columns: readonly number[],
  spans: Iterable<Span>,
  factor: number,
  { textWeight = TEXT_WEIGHT, growing = false, alone = false }: ReadPace,
): Generator<FetchedPages, void, undefined> {
  const listsRows = alone && session.kept === null && PageJobs.of(file) !== null;
  let isFirst = true;
  let mostSpans = growing ? 1 : factor * FETCHED_SPANS;
  let pending: Span[] = [];
  let bytes = 0;
  let rows = 0;
  for (const span of spans) {
    const rowCount = rowsOfPage(file.group(span.group), span.page);
    const share = listsRows && areFew(span, rowCount) ? LISTED_SHARE : 1;
    const moreRows = share * columns.length * rowCount;
    let more = 0;
    for (const column of columns) {
      for (const range of rangesOf(file, column, span.group, span.page))
        more += share * (file.column(column).type.domain === 'strings' ? textWeight : 1) * range.byteLength;
    }
    if (
      pending.length > 0 &&
      (bytes + more > factor * FETCHED_BYTES || rows + moreRows > factor * FETCHED_ROWS || pending.length >= mostSpans)
    ) {
      yield new FetchedPages(file, session, pending);
      isFirst = false;
      mostSpans = Math.min(2 * mostSpans, factor * FETCHED_SPANS);
      pending = [];
      bytes = 0;
      rows = 0;
    }
    pending.push(span);
    bytes += more;
    rows += moreRows;
  }
  if (pending.length > 0) yield new FetchedPages(file, session, pending, isFirst);
}
