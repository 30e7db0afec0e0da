// How many rows the pages of a row group have: wide values get fewer, so that a reader can hold many pages.
import type { ColumnValues, StringColumn } from '../values/column-values.ts';

const PAGE_BYTES = 1 << 22;
const SMALLEST_PAGE_ROWS = 1024;

/**
 * Rows of a page: as many as allowed, fewer where a column's values are long. A multiple of 8, so that bitmaps are cut
 * between bytes.
 */
export function pageRowsFor(columns: readonly ColumnValues[], most: number): number {
  let rows = most;
  for (const column of columns) {
    if (column.kind !== 'strings') continue;
    const bytesPerRow = mostBytes(column) * rows > PAGE_BYTES ? valueBytes(column) / column.rowCount : 0;
    while (rows > SMALLEST_PAGE_ROWS && rows * bytesPerRow > PAGE_BYTES) rows = Math.ceil(rows / 16) * 8;
  }
  return rows;
}

/** Bytes of the longest value, or more. */
function mostBytes({ entries, codes }: StringColumn): number {
  if (codes === null) return Infinity;
  let most = 0;
  for (let entry = 0; entry < entries.count; entry++)
    most = Math.max(
      most,
      (entries.ends[entry] as number) - (entry === 0 ? entries.start : (entries.ends[entry - 1] as number)),
    );
  return most;
}

/** Bytes of all values, interned or not. */
function valueBytes({ entries, codes }: StringColumn): number {
  if (codes === null) return (entries.ends.at(-1) ?? entries.start) - entries.start;
  const lengths = entries.ends.map(
    (end, entry) => end - (entry === 0 ? entries.start : (entries.ends[entry - 1] as number)),
  );
  let byteLength = 0;
  for (let i = 0; i < codes.length; i++) byteLength += lengths[codes[i] as number] as number;
  return byteLength;
}
