// The spans of a fetch -> what of them matches: the terms of the outermost `and` one after another, each only where
// rows are left, so that later columns are not even fetched elsewhere. The first terms are tested by the addon where it
// can.
import { TURN } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { conjuncts, provesAllMatch, provesNoMatch } from '@colkit/table';
import type { BoundPredicate } from '@colkit/table';
import { rowsOfPage } from '../../layout/footer.ts';
import type { ColumnPage } from '../pages/opened-page.ts';
import { FilterJobs } from './filter-jobs.ts';
import type { Narrowed, Selection } from './filter-jobs.ts';
import { likelyColumns } from './likely-columns.ts';
import { PageFilter } from './page-filter.ts';
import { groupStatistics, pageStatistics } from './prune.ts';
import type { PruneRecord } from './prune-record.ts';
import type { Session } from '../file/session.ts';
import { spanCount } from '../file/spans.ts';
import type { Span } from '../file/spans.ts';
import type { StoredFile } from '../file/stored-file.ts';
import type { FetchedPages } from '../pages/fetched-pages.ts';

export class PagesFilter {
  readonly #file: StoredFile;
  readonly #session: Session;
  readonly #terms: readonly { readonly predicate: BoundPredicate; readonly filter: PageFilter }[];
  readonly #jobs: FilterJobs;
  /** Of fetches that were started. */
  readonly #selections = new Map<FetchedPages, Selection | null>();

  readonly #columns: readonly number[];
  /** What `start` fetches: of the first term at least. */
  readonly firstColumns: readonly number[];

  /** @param columns of which whoever uses the rows takes items from the fetch (`itemsOf`). */
  constructor(file: StoredFile, session: Session, predicate: BoundPredicate, columns: readonly number[]) {
    this.#file = file;
    this.#session = session;
    this.#columns = columns;
    const predicates = conjuncts(predicate);
    this.firstColumns = likelyColumns(file, predicate, predicates);
    this.#terms = predicates.map((term) => ({ predicate: term, filter: new PageFilter(term, session) }));
    this.#jobs = new FilterJobs(file, predicates, (group) => {
      const statistics = groupStatistics(file, predicate, group);
      return provesNoMatch(predicate, (column) => statistics.get(column) ?? null) === null;
    });
  }

  /** Starts to test what the addon can, and to fetch what the first terms need of the rest. */
  *start(fetched: FetchedPages, record: PruneRecord): Work<void> {
    const open = fetched.spans.filter((span) => !record.sure.has(span));
    const selection = yield* this.#jobs.start(fetched, open, this.#columns, (term, span) =>
      this.#isSure((this.#terms[term] as { readonly predicate: BoundPredicate }).predicate, span),
    );
    this.#selections.set(fetched, selection);
    const [first] = this.#terms;
    const isAlone = this.firstColumns.length === first?.predicate.columns.length;
    const rest =
      first === undefined
        ? []
        : open.filter((span) => selection?.has(span) !== true && !(isAlone && this.#isSure(first.predicate, span)));
    if (rest.length > 0) yield* fetched.start(this.firstColumns, rest);
  }

  /**
   * Spans with picks for the rows that match, in order; spans without a match are left out. `to` counts the matches of
   * the fetch. The picks may be the fetch's memory.
   */
  *filter(fetched: FetchedPages, record: PruneRecord): Work<readonly Span[]> {
    if (!this.#selections.has(fetched)) yield* this.start(fetched, record);
    const selection = this.#selections.get(fetched) ?? null;
    this.#selections.delete(fetched);
    if (selection !== null) yield* selection.wait();
    let alive: readonly Narrowed[] = fetched.spans.map((span) =>
      record.sure.has(span) ? { span, terms: this.#terms.length } : (selection?.of(span) ?? { span, terms: 0 }),
    );
    for (const [term, { predicate, filter }] of this.#terms.entries()) {
      const open = new Set<Span>();
      for (const { span, terms } of alive)
        if (span !== null && terms <= term && !this.#isSure(predicate, span)) open.add(span);
      if (open.size === 0) continue;
      yield* fetched.fetch(predicate.columns, open);
      const left: Narrowed[] = [];
      for (const { span, terms } of alive) {
        left.push(
          span !== null && open.has(span) ? { span: this.#narrow(filter, fetched, span), terms } : { span, terms },
        );
        this.#session.scratch.reset();
        yield TURN;
      }
      alive = left;
    }
    const matching: Span[] = [];
    let to = 0;
    for (const { span } of alive) {
      if (span === null) continue;
      matching.push({ ...span, to });
      to += spanCount(span);
    }
    return matching;
  }

  #isSure(predicate: BoundPredicate, { group, page }: Span): boolean {
    const statistics = pageStatistics(this.#file, predicate, group, page, rowsOfPage(this.#file.group(group), page));
    return provesAllMatch(predicate, (column) => statistics.get(column) ?? null);
  }

  #narrow(filter: PageFilter, fetched: FetchedPages, span: Span): Span | null {
    const pages = new Map<number, ColumnPage>();
    const pageOf = (column: number): ColumnPage => {
      let page = pages.get(column);
      if (page === undefined) pages.set(column, (page = fetched.open(column, span)));
      return page;
    };
    return filter.narrow(span, pageOf, rowsOfPage(this.#file.group(span.group), span.page));
  }
}
