// The one walk over a file that scans, filters and aggregations share: candidates by statistics, matches by window,
// then whatever wants the matching rows.
import type { Work } from '@colkit/io/effects';
import type { BoundPredicate, RowRange } from '@colkit/table';
import { WindowFilter } from './filter-window.ts';
import { candidateSpans } from './prune.ts';
import type { PruneRecord } from './prune.ts';
import type { Session } from '../file/session.ts';
import type { Span } from '../file/spans.ts';
import type { StoredFile } from '../file/stored-file.ts';
import { eachWindow } from '../pages/window.ts';
import type { Window } from '../pages/window.ts';

export interface ScanPlan {
  readonly predicate: BoundPredicate | null;
  readonly rows: RowRange;
  /** What `use` will fetch of the spans with matches: loaded, not fetched. */
  readonly columns: readonly number[];
  /** Starts what `use` will need of a window where there is no predicate: not where statistics may answer. */
  readonly start?: (window: Window) => Work<void>;
  /** Whether `use` takes items from the window where it has them (`itemsOf`), before it opens a page. */
  readonly takesItems?: boolean;
  /** Says that enough was found. */
  readonly done?: () => boolean;
}

/** Hands every window's spans with matches to `use`, ascending; `to` counts from 0 in each window. */
export function* scanPages(
  file: StoredFile,
  session: Session,
  plan: ScanPlan,
  record: PruneRecord,
  useMatching: (window: Window, spans: readonly Span[]) => Work<void>,
): Work<void> {
  const { predicate, rows, columns } = plan;
  const isDone = () => plan.done?.() === true;
  yield* file.loadBlocks([...(predicate?.columns ?? []), ...columns]);
  const filter =
    predicate === null ? null : new WindowFilter(file, session, predicate, plan.takesItems === true ? columns : []);
  const spans = until(
    withEntries(file, [...(predicate?.columns ?? []), ...columns], candidateSpans(file, predicate, rows, record)),
    isDone,
  );
  // What is sure to be needed of the next window is on its way while one is used; where enough may be found before,
  // nothing is.
  let start: ((window: Window) => Work<void>) | null = null;
  if (filter !== null && plan.done === undefined) start = (window) => filter.start(window, record);
  else if (filter === null && plan.start !== undefined) ({ start } = plan);
  yield* eachWindow(
    file,
    session,
    filter?.firstColumns ?? columns,
    spans,
    (window) => useWindow(window, filter, record, isDone, useMatching),
    start,
  );
}

function* useWindow(
  window: Window,
  filter: WindowFilter | null,
  record: PruneRecord,
  isDone: () => boolean,
  useMatching: (window: Window, spans: readonly Span[]) => Work<void>,
): Work<void> {
  if (isDone()) return;
  const matching = filter === null ? placed(window.spans) : yield* filter.filter(window, record);
  if (matching.length > 0) yield* useMatching(window, matching);
  for (const span of window.spans) record.sure.delete(span);
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
