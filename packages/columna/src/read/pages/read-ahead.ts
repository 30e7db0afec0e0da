// The rows of a read, some pages at a time, in order: while some are used, what is needed of the next is on its way.
import type { Work } from '@colkit/io/effects';
import { rowsOfPage } from '../../layout/footer.ts';
import type { Session } from '../file/session.ts';
import type { Span } from '../file/spans.ts';
import type { StoredFile } from '../file/stored-file.ts';
import { FetchedPages } from './fetched-pages.ts';
import { rangesOf } from './page-ranges.ts';

/** Fetched at once, about: enough for a request to be worth it, little enough for the caches. */
const FETCHED_BYTES = 1 << 22;
/** Texts grow when they are decoded, mostly so many times. */
const TEXT_WEIGHT = 4;
const FETCHED_SPANS = 256;
/** Rows of all columns together. */
const FETCHED_ROWS = 1 << 20;
/** So many times as much where a fetch is requests, and all that is fetched is needed: larger ones are fewer. */
const REMOTE_FACTOR = 8;

/**
 * Runs `use` for some spans after the others; `columns` decide how large the fetches are. Memory is one fetch,
 * or two where `start` is given: it is run for the next pages before one is used.
 * @param textWeight how much more of the columns' texts there will be in memory than of their pages.
 */
export function* readPages(
  file: StoredFile,
  session: Session,
  columns: readonly number[],
  spans: Iterable<Span>,
  use: (pages: FetchedPages) => Work<void>,
  start: ((pages: FetchedPages) => Work<void>) | null = null,
  textWeight = TEXT_WEIGHT,
): Work<void> {
  const factor = file.source.coalesces === true && start !== null ? REMOTE_FACTOR : 1;
  const fetches = fetchesOf(file, session, columns, spans, factor, textWeight);
  let step = fetches.next();
  if (start !== null && step.done !== true) yield* start(step.value);
  while (step.done !== true) {
    const pages = step.value;
    const next = start === null ? null : fetches.next();
    if (start !== null && next !== null && next.done !== true) yield* start(next.value);
    session.enterGroup(pages.spans[0]?.group ?? 0);
    yield* use(pages);
    pages.release();
    step = next ?? fetches.next();
  }
}

/**
 * The same where every span of every column is needed: the next pages is on its way while one is used.
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
  textWeight: number,
): Generator<FetchedPages, void, undefined> {
  let isFirst = true;
  let pending: Span[] = [];
  let bytes = 0;
  let rows = 0;
  for (const span of spans) {
    const moreRows = columns.length * rowsOfPage(file.group(span.group), span.page);
    let more = 0;
    for (const column of columns) {
      for (const range of rangesOf(file, column, span.group, span.page))
        more += file.column(column).type.domain === 'strings' ? textWeight * range.byteLength : range.byteLength;
    }
    if (
      pending.length > 0 &&
      (bytes + more > factor * FETCHED_BYTES ||
        rows + moreRows > factor * FETCHED_ROWS ||
        pending.length === factor * FETCHED_SPANS)
    ) {
      yield new FetchedPages(file, session, pending);
      isFirst = false;
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
