// Pages of which only some rows were decoded, those that a span wants: by where they start in the file.
import { numbersFrom } from '../../../columns/vector.ts';
import type { DecodedNumbers, DecodedTexts } from '../decoded-page.ts';
import type { Span } from '../../file/spans.ts';
import type { StoredFile } from '../../file/stored-file.ts';

interface ListedPage {
  readonly byteOffset: number;
  readonly span: Span;
  /** The rows of the page: those of the span as it asks for them, or each once and ascending. */
  readonly rows: Uint32Array;
  /** That of a page that has these rows alone. */
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

/** A span where `rows`, which are all that it asks for, are all of a page. */
export function ownSpan(span: Span, rows: Uint32Array): Span {
  const { picks, positions } = span;
  // In the order of the result they are a run.
  const isRun = picks === null || (picks === rows && positions === null);
  const own = isRun ? null : picks === rows ? numbersFrom(0, rows.length) : placesAmong(rows, picks);
  return { ...span, start: 0, end: rows.length, picks: own };
}

/** Where rows are among ascending ones that have them all. */
function placesAmong(ascending: Uint32Array, rows: Uint32Array): Uint32Array {
  const places = new Uint32Array(rows.length);
  // Most come in the order of the others, each behind the one before it.
  for (let i = 0, next = 0; i < places.length; i++, next++) {
    const row = rows[i] as number;
    if (ascending[next] !== row) next = placeAmong(ascending, row);
    places[i] = next;
  }
  return places;
}

function placeAmong(ascending: Uint32Array, row: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) < row) low = middle + 1;
    else high = middle;
  }
  return low;
}
