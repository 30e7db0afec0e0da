// Which rows of which pages: a selection of rows cut along the pages, in the order in which the file is read, each
// piece with where its rows go in the result.
import { ArgumentError, OutOfRangeError, assertNever } from '@colkit/io';
import type { RowSelection } from '@colkit/io';
import { stretchOfRow } from '@colkit/table';
import { rowsOfPage } from '../../layout/footer.ts';
import type { RowGroup } from '../../layout/footer.ts';

/** Rows of one page. */
export interface Span {
  readonly group: number;
  readonly page: number;
  /** Rows [start, end) of the page: all of them, or those among which the picks are. */
  readonly start: number;
  readonly end: number;
  /** Rows of the page in the order in which they are wanted; null: [start, end). */
  readonly picks: Uint32Array | null;
  /** Position of the first row in the result; the others follow it, unless `positions` says otherwise. */
  readonly to: number;
  readonly positions: Uint32Array | Float64Array | null;
}

/** The same number for all spans of a page, another for every other page: row groups have fewer than 2^26 pages. */
export function pageKey({ group, page }: Span): number {
  return group * 2 ** 26 + page;
}

export function spanCount({ picks, start, end }: Span): number {
  return picks === null ? end - start : picks.length;
}

/** Checked rows: none negative, none beyond the end. */
export type CheckedRows =
  | { readonly kind: 'range'; readonly start: number; readonly count: number }
  | { readonly kind: 'rows'; readonly rows: Uint32Array | Float64Array; readonly ascending: boolean };

/** @throws OutOfRangeError with the index and its position; ArgumentError for what is no selection of so many rows. */
export function checkRows(selection: RowSelection, rowCount: number): CheckedRows {
  switch (selection.kind) {
    case 'range':
      return checkRange(selection, rowCount);
    case 'indices':
      return checkIndices(selection.indices, rowCount);
    case 'mask': {
      const { mask, count } = selection;
      if (mask.length !== rowCount)
        throw new ArgumentError(
          'ERR_ARGUMENT',
          'rows.mask',
          `one byte for each of the ${rowCount} rows`,
          `${mask.length} bytes`,
        );
      const rows = rowNumbers(count, rowCount);
      let found = 0;
      for (let row = 0; row < rowCount; row++) if (mask[row] !== 0) rows[found++] = row;
      if (found !== count)
        throw new ArgumentError(
          'ERR_ARGUMENT',
          'rows.count',
          `the number of mask bytes that are not 0, ${found},`,
          String(count),
        );
      return { kind: 'rows', rows, ascending: true };
    }
    default:
      return assertNever(selection);
  }
}

function rowNumbers(count: number, rowCount: number): Uint32Array | Float64Array {
  return rowCount <= 2 ** 32 ? new Uint32Array(count) : new Float64Array(count);
}

function checkRange({ start, step, count }: Extract<RowSelection, { kind: 'range' }>, rowCount: number): CheckedRows {
  if (!Number.isSafeInteger(count) || count < 0)
    throw new ArgumentError('ERR_ARGUMENT', 'rows.count', 'a count', String(count));
  if (!Number.isSafeInteger(step) || step === 0)
    throw new ArgumentError('ERR_ARGUMENT', 'rows.step', 'an integer other than 0', String(step));
  if (count === 0) return { kind: 'range', start: 0, count: 0 };
  const last = start + step * (count - 1);
  if (!Number.isInteger(start) || start < 0 || start >= rowCount) throw new OutOfRangeError('rows', start, rowCount, 0);
  if (last < 0 || last >= rowCount) throw new OutOfRangeError('rows', last, rowCount, count - 1);
  if (step === 1 || count === 1) return { kind: 'range', start, count };
  const rows = rowNumbers(count, rowCount);
  for (let i = 0; i < count; i++) rows[i] = start + i * step;
  return { kind: 'rows', rows, ascending: step > 0 };
}

function checkIndices(indices: Extract<RowSelection, { kind: 'indices' }>['indices'], rowCount: number): CheckedRows {
  const rows = rowNumbers(indices.length, rowCount);
  let ascending = true;
  let before = 0;
  for (let i = 0; i < indices.length; i++) {
    // What a number cannot hold exactly is far out of range, and stays so when it is rounded.
    const index = Number(indices[i]);
    if (!Number.isInteger(index))
      throw new ArgumentError('ERR_ARGUMENT', 'rows', 'integers', `${index} at position ${i}`);
    if (index < -rowCount || index >= rowCount) throw new OutOfRangeError('rows', indices[i], rowCount, i);
    const row = index < 0 ? index + rowCount : index;
    if (row < before) ascending = false;
    before = row;
    rows[i] = row;
  }
  return { kind: 'rows', rows, ascending };
}

/** The spans of checked rows, in the order of the file. */
export function spansOf(rows: CheckedRows, groups: readonly RowGroup[]): Iterable<Span> {
  if (rows.kind === 'range') return rangeSpans(rows.start, rows.count, groups);
  return rows.ascending ? ascendingSpans(rows.rows, groups) : sortedSpans(rows.rows, groups);
}

function* rangeSpans(start: number, count: number, groups: readonly RowGroup[]): Generator<Span, void, undefined> {
  const end = start + count;
  for (let group = stretchOfRow(start, groups), row = start; row < end; group++) {
    const { firstRow, rowCount, pageRows } = groups[group] as RowGroup;
    while (row < Math.min(end, firstRow + rowCount)) {
      const page = Math.floor((row - firstRow) / pageRows);
      const pageStart = firstRow + page * pageRows;
      const pageEnd = Math.min(firstRow + rowCount, pageStart + pageRows);
      const stop = Math.min(end, pageEnd);
      yield {
        group,
        page,
        start: row - pageStart,
        end: stop - pageStart,
        picks: null,
        to: row - start,
        positions: null,
      };
      row = stop;
    }
  }
}

function* ascendingSpans(
  rows: Uint32Array | Float64Array,
  groups: readonly RowGroup[],
): Generator<Span, void, undefined> {
  let group = -1;
  for (let at = 0; at < rows.length; ) {
    const row = rows[at] as number;
    if (group === -1 || row >= endOf(groups[group] as RowGroup)) group = stretchOfRow(row, groups);
    const { firstRow, pageRows } = groups[group] as RowGroup;
    const page = Math.floor((row - firstRow) / pageRows);
    const pageStart = firstRow + page * pageRows;
    const pageEnd = pageStart + rowsOfPage(groups[group] as RowGroup, page);
    let stop = at + 1;
    while (stop < rows.length && (rows[stop] as number) < pageEnd) stop++;
    const start = row - pageStart;
    const end = (rows[stop - 1] as number) - pageStart + 1;
    const isRun = end - start === stop - at && isConsecutive(rows, at, stop);
    const picks = isRun ? null : rowsOfStretch(rows, at, stop, pageStart);
    yield { group, page, start, end, picks, to: at, positions: null };
    at = stop;
  }
}

/** A loop: `Uint32Array.from` with a function takes twenty times as long. */
function rowsOfStretch(rows: Uint32Array | Float64Array, from: number, to: number, firstRow: number): Uint32Array {
  const found = new Uint32Array(to - from);
  for (let i = 0; i < found.length; i++) found[i] = (rows[from + i] as number) - firstRow;
  return found;
}

function endOf({ firstRow, rowCount }: RowGroup): number {
  return firstRow + rowCount;
}

/** As many rows as the range is long may still have repeats and gaps. */
function isConsecutive(rows: Uint32Array | Float64Array, from: number, to: number): boolean {
  for (let i = from + 1; i < to; i++) if ((rows[i] as number) !== (rows[i - 1] as number) + 1) return false;
  return true;
}

/** Rows in any order: counted by page, so that each page is read once. */
function* sortedSpans(rows: Uint32Array | Float64Array, groups: readonly RowGroup[]): Generator<Span, void, undefined> {
  const firstPages = new Float64Array(groups.length + 1);
  for (const [number, { rowCount, pageRows }] of groups.entries())
    firstPages[number + 1] = (firstPages[number] as number) + Math.ceil(rowCount / pageRows);
  const pages = new Uint32Array(rows.length);
  const inPages = new Uint32Array(rows.length);
  const ends = new Uint32Array((firstPages[groups.length] as number) + 1);
  for (let i = 0, group = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    const current = groups[group] as RowGroup;
    if (row < current.firstRow || row >= endOf(current)) group = stretchOfRow(row, groups);
    const { firstRow, pageRows } = groups[group] as RowGroup;
    const inGroup = Math.floor((row - firstRow) / pageRows);
    const page = (firstPages[group] as number) + inGroup;
    pages[i] = page;
    inPages[i] = row - firstRow - inGroup * pageRows;
    ends[page + 1] = (ends[page + 1] as number) + 1;
  }
  for (let page = 1; page < ends.length; page++) ends[page] = (ends[page] as number) + (ends[page - 1] as number);
  const order = new Uint32Array(rows.length);
  const ordered = new Uint32Array(rows.length);
  const next = ends.slice();
  for (let i = 0; i < rows.length; i++) {
    const page = pages[i] as number;
    const index = next[page] as number;
    order[index] = i;
    ordered[index] = inPages[i] as number;
    next[page] = index + 1;
  }
  for (let group = 0, page = 0; page < ends.length - 1; page++) {
    const positions = order.subarray(ends[page], ends[page + 1]);
    if (positions.length === 0) continue;
    while (page >= (firstPages[group + 1] as number)) group++;
    const inGroup = page - (firstPages[group] as number);
    const picks = ordered.subarray(ends[page], ends[page + 1]);
    let start = Infinity;
    let end = 0;
    for (let i = 0; i < picks.length; i++) {
      const row = picks[i] as number;
      if (row < start) start = row;
      if (row >= end) end = row + 1;
    }
    yield { group, page: inGroup, start, end, picks, to: 0, positions };
  }
}
