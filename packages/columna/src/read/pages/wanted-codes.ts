// The codes of a page's rows -> those of the rows that are wanted: codes of a joint dictionary are made the column's own
// for these rows alone.
import { spanCount } from '../file/spans.ts';
import type { Span } from '../file/spans.ts';
import type { ColumnPage } from './column-page.ts';

/** Codes into the entries of the column, -1 for a null, one for each row of the span. Not to be written to. */
export function wantedCodes({ byRow, rowCount }: CodedPage, span: Span): Int32Array {
  const { start, end, picks } = span;
  const { joint } = byRow;
  // What others have made of all rows, or will need of them.
  if (joint === null || (picks === null && end - start === rowCount)) {
    const { codes } = byRow;
    return picks === null ? codes.subarray(start, end) : pickCodes(codes, picks);
  }
  const { codes, indexes } = joint;
  const out = new Int32Array(spanCount(span));
  if (picks === null) for (let i = 0; i < out.length; i++) out[i] = indexes[codes[start + i] as number] as number;
  else for (let i = 0; i < out.length; i++) out[i] = indexes[codes[picks[i] as number] as number] as number;
  return out;
}

type CodedPage = Pick<ColumnPage, 'rowCount'> & { readonly byRow: NonNullable<ColumnPage['byRow']> };

export function pickCodes(codes: Int32Array, picks: Uint32Array): Int32Array {
  const out = new Int32Array(picks.length);
  for (let i = 0; i < out.length; i++) out[i] = codes[picks[i] as number] as number;
  return out;
}
