// Pages of which only some rows were decoded, those that a span wants: by where they start in the file.
import { numbersFrom } from '../../columns/vector.ts';
import type { DecodedNumbers, DecodedTexts } from './decoded-page.ts';
import { spanCount } from '../file/spans.ts';
import type { Span } from '../file/spans.ts';
import type { StoredFile } from '../file/stored-file.ts';

interface ListedPage {
  readonly byteOffset: number;
  readonly span: Span;
  /** The rows of the page, of texts ascending. */
  readonly rows: Uint32Array;
  /** Numbers are those of a page that has these rows alone. */
  readonly decoded: DecodedNumbers | DecodedTexts;
}

export class ListedPages {
  readonly #file: StoredFile;
  readonly #pages = new Map<number, ListedPage>();

  constructor(file: StoredFile) {
    this.#file = file;
  }

  add(page: ListedPage): void {
    this.#pages.set(page.byteOffset, page);
  }

  clear(): void {
    this.#pages.clear();
  }

  /** Null where the rows of a span are not what was decoded. */
  of(column: number, wanted: Span): ListedPage | null {
    if (this.#pages.size === 0) return null;
    const { codesColumn } = this.#file.chunk(column, wanted.group).entry;
    const found = this.#pages.get(this.#file.chunk(codesColumn, wanted.group).pageOffsets[wanted.page] as number);
    if (found === undefined) return null;
    const { picks, start, end } = found.span;
    return picks === wanted.picks && start === wanted.start && end === wanted.end ? found : null;
  }
}

/** A span where its rows, in the order in which they are wanted, are all of a page. */
export function ownSpan(span: Span): Span {
  const count = spanCount(span);
  return { ...span, start: 0, end: count, picks: span.picks === null ? null : numbersFrom(0, count) };
}
