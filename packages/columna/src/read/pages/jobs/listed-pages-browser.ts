// The same names as listed-pages.ts for browsers, where no addon decodes some rows of a page by themselves.
import type { Span } from '../../file/spans.ts';

export class ListedPages {
  add(): void {
    // Nothing is listed.
  }

  clear(): void {
    // Nor kept.
  }

  of(): null {
    return null;
  }
}

export function ownSpan(span: Span): Span {
  return span;
}
