// The strings of a page that some of its rows need, which of them is each row's, and where rows and their nulls go in a
// result.
import type { ValidityBuilder } from '@colkit/table';
import { loadedStrings } from '../../../columns/byte-strings.ts';
import { numbersFrom } from '../../../columns/vector.ts';
import type { Strings } from '../../../columns/vector.ts';
import { spanCount } from '../../file/spans.ts';
import type { Span } from '../../file/spans.ts';
import type { ColumnPage } from '../opened-page.ts';
import { RowRank, isPresent } from '../../file/rank.ts';

/** Stands for a null among indexes of values. */
export const NULL_INDEX = 0xffffffff;

/** The values that a span needs, and for each of its rows the index of its value among them. */
export interface RowValues {
  /** Values [first, last) of the page; none where they are equal. */
  readonly first: number;
  readonly last: number;
  /** These values of the page instead, where rows are picked. */
  readonly picked: Uint32Array | null;
  /** NULL_INDEX for a null; null: the rows are the values, one after another. */
  readonly valueIndexes: Uint32Array | null;
}

export function rowValuesOf(page: ColumnPage, { start, end, picks }: Span): RowValues {
  const { validity, valueCount } = page;
  const count = picks === null ? end - start : picks.length;
  if (valueCount === 0)
    return { first: 0, last: 0, picked: null, valueIndexes: new Uint32Array(count).fill(NULL_INDEX) };
  if (validity === null)
    return { first: start, last: end, picked: picks, valueIndexes: picks === null ? null : numbersFrom(0, count) };
  const rank = new RowRank(validity, page.rowCount);
  const first = rank.before(start);
  const last = rank.before(end);
  const valueIndexes = new Uint32Array(count);
  let next = 0;
  if (picks === null) {
    // Which row is null cannot be predicted, so it is arithmetic and not a branch: all bits set for a null.
    for (let i = 0, row = start; i < count; i++, row++) {
      const present = ((validity[row >>> 3] as number) >>> (row & 7)) & 1;
      valueIndexes[i] = next | (present - 1);
      next += present;
    }
    return { first, last, picked: null, valueIndexes };
  }
  const picked = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const row = picks[i] as number;
    const present = isPresent(validity, row);
    valueIndexes[i] = present ? next : NULL_INDEX;
    if (present) picked[next++] = rank.before(row);
  }
  return { first: 0, last: next, picked: picked.subarray(0, next), valueIndexes };
}

/** The values, or null where there are none. */
export function stringsAt(page: ColumnPage, { first, last, picked }: RowValues): Strings | null {
  if (first === last) return null;
  return loadedStrings(picked === null ? page.strings(first, last) : page.pickStrings(picked));
}

/** For each row the code of its value; NULL_INDEX for a null. */
export function codesByRow(codes: Uint32Array, valueIndexes: Uint32Array): Uint32Array {
  const byRow = new Uint32Array(valueIndexes.length);
  for (let i = 0; i < byRow.length; i++) {
    const value = valueIndexes[i] as number;
    byRow[i] = value === NULL_INDEX ? NULL_INDEX : (codes[value] as number);
  }
  return byRow;
}

/** Where the row that comes `i`th in a span goes. */
export function positionOf({ to, positions }: Span, i: number): number {
  return positions === null ? to + i : (positions[i] as number);
}

/** Copies the nulls of a span from the validity of its page. */
export function copyNulls(result: ValidityBuilder, { validity, valueCount }: ColumnPage, span: Span): void {
  const { start, end, picks, to } = span;
  if (validity !== null && picks === null) result.copy(validity, start, end, to);
  else if (validity !== null || valueCount === 0) {
    const count = picks === null ? end - start : picks.length;
    for (let i = 0; i < count; i++)
      if (validity === null || !isPresent(validity, picks === null ? start + i : (picks[i] as number)))
        result.setNull(positionOf(span, i));
  }
}

/**
 * Codes into the entries of the column, -1 for a null, one for each row of the span: those of a joint dictionary are
 * made the column's own for these rows alone. Not to be written to.
 */
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
