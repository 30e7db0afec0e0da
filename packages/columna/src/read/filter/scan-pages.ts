// The one walk over a file that scans, filters and aggregations share: candidates by statistics, matches by fetch,
// then whatever wants the matching rows.
import type { Work } from '@colkit/io/effects';
import type { BoundPredicate, RowRange } from '@colkit/table';
import { isForAddon } from './filter-jobs.ts';
import { PagesFilter } from './filter-pages.ts';
import { candidateSpans } from './prune.ts';
import type { PruneRecord } from './prune-record.ts';
import type { Session } from '../file/session.ts';
import type { Span } from '../file/spans.ts';
import type { StoredFile } from '../file/stored-file.ts';
import { readPages } from '../pages/read-ahead.ts';
import type { FetchedPages } from '../pages/fetched-pages.ts';

interface ScanPlan {
  readonly predicate: BoundPredicate | null;
  readonly rows: RowRange;
  /** What `use` will fetch of the spans with matches: loaded, not fetched. */
  readonly columns: readonly number[];
  /** Starts what `use` will need of a fetch where there is no predicate: not where statistics may answer. */
  readonly start?: (fetched: FetchedPages) => Work<void>;
  /** Whether `use` takes items from the fetch where it has them (`itemsOf`), before it opens a page. */
  readonly takesItems?: boolean;
  /** Says that enough was found. */
  readonly done?: () => boolean;
}

/** Hands every fetch's spans with matches to `use`, ascending; `to` counts from 0 in each fetch. */
export function* scanPages(
  file: StoredFile,
  session: Session,
  plan: ScanPlan,
  record: PruneRecord,
  useMatching: (fetched: FetchedPages, spans: readonly Span[]) => Work<void>,
): Work<void> {
  const { predicate, rows, columns } = plan;
  const isDone = () => plan.done?.() === true;
  yield* file.loadBlocks([...(predicate?.columns ?? []), ...columns]);
  const filter =
    predicate === null ? null : new PagesFilter(file, session, predicate, plan.takesItems === true ? columns : []);
  const spans = until(
    withEntries(file, [...(predicate?.columns ?? []), ...columns], candidateSpans(file, predicate, rows, record)),
    isDone,
  );
  // What is sure to be needed of the next fetch is on its way while one is used; where enough may be found before,
  // nothing is.
  let start: ((fetched: FetchedPages) => Work<void>) | null = null;
  if (filter !== null && plan.done === undefined) start = (fetched) => filter.start(fetched, record);
  else if (filter === null && plan.start !== undefined) ({ start } = plan);
  yield* readPages(
    file,
    session,
    filter?.firstColumns ?? columns,
    spans,
    (fetched) => useFetched(fetched, filter, record, isDone, useMatching),
    start,
    // The addon tests texts where they lie: more pages at once keep all of its threads at work.
    {
      textWeight: filter !== null && isForAddon(file, predicate) ? 1 : undefined,
      growing: plan.done !== undefined,
    },
  );
}

function* useFetched(
  fetched: FetchedPages,
  filter: PagesFilter | null,
  record: PruneRecord,
  isDone: () => boolean,
  useMatching: (fetched: FetchedPages, spans: readonly Span[]) => Work<void>,
): Work<void> {
  if (isDone()) return;
  const matching = filter === null ? placed(fetched.spans) : yield* filter.filter(fetched, record);
  if (matching.length > 0) yield* useMatching(fetched, matching);
  for (const span of fetched.spans) record.sure.delete(span);
}

/**
 * What the footer says of a row group that is looked at is checked for every column asked for, whether a row matches or
 * not: so an answer does not depend on who looks at which column first.
 */
function* withEntries(
  file: StoredFile,
  columns: readonly number[],
  spans: Iterable<Span>,
): Generator<Span, void, undefined> {
  let last = -1;
  for (const span of spans) {
    if (span.group !== last) for (const column of columns) file.chunk(column, span.group);
    last = span.group;
    yield span;
  }
}

function* until(spans: Iterable<Span>, isDone: () => boolean): Generator<Span, void, undefined> {
  for (const span of spans) {
    if (isDone()) return;
    yield span;
  }
}

/** Whole spans, one after another. */
function placed(spans: readonly Span[]): readonly Span[] {
  let to = 0;
  return spans.map((span) => {
    const at = to;
    to += span.end - span.start;
    return { ...span, to: at };
  });
}
