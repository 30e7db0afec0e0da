// The one walk over a file that scans, filters and aggregations share: candidates by statistics, matches by window, then whatever wants the matching rows.
import type { BoundPredicate, RowSpan } from '@colkit/table';
import { WindowFilter } from './filter-window.ts';
import { candidateSpans } from './prune.ts';
import type { PruneRecord } from './prune.ts';
import type { Session } from './session.ts';
import type { Span } from './spans.ts';
import type { Steps } from './steps.ts';
import type { StoredFile } from './stored-file.ts';
import { eachWindow } from './window.ts';
import type { Window } from './window.ts';

export interface ScanPlan {
  readonly predicate: BoundPredicate | null;
  readonly rows: RowSpan;
  /** What `use` will fetch of the spans with matches: loaded, not fetched. */
  readonly columns: readonly number[];
  /** Says that enough was found. */
  readonly done?: () => boolean;
}

/** Hands every window's spans with matches to `use`, ascending; `to` counts from 0 in each window. */
export function* scanPages(file: StoredFile, session: Session, plan: ScanPlan, record: PruneRecord, use: (window: Window, spans: readonly Span[]) => Steps<void>): Steps<void> {
  const { predicate, rows, columns } = plan;
  const isDone = () => plan.done?.() === true;
  yield* file.loadBlocks([...(predicate?.columns ?? []), ...columns]);
  const filter = predicate === null ? null : new WindowFilter(file, session, predicate);
  const spans = until(candidateSpans(file, predicate, rows, record), isDone);
  yield* eachWindow(file, session, filter?.firstColumns ?? columns, spans, function* (window) {
    if (isDone()) return;
    const matching = filter === null ? placed(window.spans) : yield* filter.filter(window, record);
    if (matching.length > 0) yield* use(window, matching);
    for (const span of window.spans) record.sure.delete(span);
  });
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
