// The spans of a window -> what of them matches: the terms of the outermost `and` one after another, each only where rows are left, so that later columns are not even fetched elsewhere.
import { conjuncts, provesAllMatch } from '@colkit/table';
import type { BoundPredicate } from '@colkit/table';
import { rowsOfPage } from '../layout/footer.ts';
import type { ColumnPage } from './column-page.ts';
import { PageFilter } from './page-filter.ts';
import { pageStatistics } from './prune.ts';
import type { PruneRecord } from './prune.ts';
import type { Session } from './session.ts';
import { spanCount } from './spans.ts';
import type { Span } from './spans.ts';
import type { Steps } from './steps.ts';
import type { StoredFile } from './stored-file.ts';
import type { Window } from './window.ts';

export class WindowFilter {
  readonly #file: StoredFile;
  readonly #session: Session;
  readonly #terms: readonly { readonly predicate: BoundPredicate; readonly filter: PageFilter }[];

  constructor(file: StoredFile, session: Session, predicate: BoundPredicate) {
    this.#file = file;
    this.#session = session;
    this.#terms = conjuncts(predicate).map((term) => ({ predicate: term, filter: new PageFilter(term, session) }));
  }

  /** The columns that every span needs: of the first term. The others are fetched where it leaves rows. */
  get firstColumns(): readonly number[] {
    return this.#terms[0]?.predicate.columns ?? [];
  }

  /** Starts to fetch what the first term needs. */
  *start(window: Window, record: PruneRecord): Steps<void> {
    const [first] = this.#terms;
    if (first !== undefined) yield* window.start(first.predicate.columns, window.spans.filter((span) => !record.sure.has(span) && !this.#isSure(first.predicate, span)));
  }

  /** Spans with picks for the rows that match, in order; spans without a match are left out. `to` counts the matches of the window. */
  *filter(window: Window, record: PruneRecord): Steps<readonly Span[]> {
    let alive: readonly Span[] = window.spans;
    for (const { predicate, filter } of this.#terms) {
      const open = new Set(alive.filter((span) => !record.sure.has(span) && !this.#isSure(predicate, span)));
      yield* window.fetch(predicate.columns, open);
      const left: Span[] = [];
      for (const span of alive) {
        const narrowed = open.has(span) ? this.#narrow(filter, window, span) : span;
        if (narrowed !== null) left.push(narrowed);
        this.#session.scratch.reset();
        yield null;
      }
      alive = left;
    }
    let to = 0;
    return alive.map((span) => {
      const placed = { ...span, to };
      to += spanCount(span);
      return placed;
    });
  }

  #isSure(predicate: BoundPredicate, { group, page }: Span): boolean {
    const statistics = pageStatistics(this.#file, predicate, group, page, rowsOfPage(this.#file.group(group), page));
    return provesAllMatch(predicate, (column) => statistics.get(column) ?? null);
  }

  #narrow(filter: PageFilter, window: Window, span: Span): Span | null {
    const pages = new Map<number, ColumnPage>();
    const pageOf = (column: number): ColumnPage => {
      let page = pages.get(column);
      if (page === undefined) pages.set(column, (page = window.open(column, span)));
      return page;
    };
    return filter.narrow(span, pageOf, rowsOfPage(this.#file.group(span.group), span.page));
  }
}
