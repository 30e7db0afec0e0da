// The spans of a window -> what of them matches: the terms of the outermost `and` one after another, each only where rows are left, so that later columns are not even fetched elsewhere.
import { conjuncts, provesAllMatch } from '@colkit/table';
import type { BoundPredicate } from '@colkit/table';
import { rowsOfPage } from '../layout/footer.ts';
import type { ColumnPage } from './column-page.ts';
import { PageFilter } from './page-filter.ts';
import { pageStatistics } from './prune.ts';
import type { PruneRecord } from './prune.ts';
import type { Session } from './session.ts';
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

  /** Spans with picks for the rows that match, in order; spans without a match are left out. `to` counts the matches of the window. */
  *filter(window: Window, record: PruneRecord): Steps<readonly Span[]> {
    /** Null: all rows of the span so far. */
    let alive: { readonly span: Span; readonly mask: Uint8Array | null }[] = window.spans.map((span) => ({ span, mask: null }));
    for (const { predicate, filter } of this.#terms) {
      const open = new Set(alive.filter(({ span }) => !record.sure.has(span) && !this.#isSure(predicate, span)));
      yield* window.fetch(predicate.columns, [...open].map(({ span }) => span));
      const left: typeof alive = [];
      for (const each of alive) {
        const mask = open.has(each) ? intersect(each, this.#mask(filter, window, each.span)) : each.mask;
        if (mask === null || mask.includes(1)) left.push({ span: each.span, mask });
        this.#session.scratch.reset();
        yield null;
      }
      alive = left;
    }
    let to = 0;
    const matching: Span[] = [];
    for (const { span, mask } of alive) {
      const narrowed = mask === null ? { ...span, to } : pickedSpan(span, mask, to);
      if (narrowed === null) continue;
      matching.push(narrowed);
      to += narrowed.picks === null ? narrowed.end - narrowed.start : narrowed.picks.length;
    }
    return matching;
  }

  #isSure(predicate: BoundPredicate, { group, page }: Span): boolean {
    const statistics = pageStatistics(this.#file, predicate, group, page, rowsOfPage(this.#file.group(group), page));
    return provesAllMatch(predicate, (column) => statistics.get(column) ?? null);
  }

  #mask(filter: PageFilter, window: Window, span: Span): Uint8Array {
    const pages = new Map<number, ColumnPage>();
    const pageOf = (column: number): ColumnPage => {
      let page = pages.get(column);
      if (page === undefined) pages.set(column, (page = window.open(column, span)));
      return page;
    };
    return filter.mask(pageOf, rowsOfPage(this.#file.group(span.group), span.page));
  }
}

/** Rows of the page outside of the span do not count. */
function intersect({ span, mask }: { readonly span: Span; readonly mask: Uint8Array | null }, other: Uint8Array): Uint8Array {
  if (mask === null) {
    other.fill(0, 0, span.start);
    other.fill(0, span.end);
    return other;
  }
  for (let row = span.start; row < span.end; row++) mask[row] = (mask[row] as number) & (other[row] as number);
  return mask;
}

/** The rows of a mask as picks, or as a plain span where they follow each other. */
function pickedSpan(span: Span, mask: Uint8Array, to: number): Span | null {
  let count = 0;
  for (let row = span.start; row < span.end; row++) count += mask[row] as number;
  if (count === 0) return null;
  const [start, end] = [mask.indexOf(1), mask.lastIndexOf(1) + 1];
  if (end - start === count) return { ...span, start, end, to };
  const picks = new Uint32Array(count);
  for (let row = start, at = 0; row < end; row++) if (mask[row] === 1) picks[at++] = row;
  return { ...span, start, end, picks, to };
}
