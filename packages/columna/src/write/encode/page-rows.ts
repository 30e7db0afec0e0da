// How many rows the pages of a row group have: wide values get fewer, so that a reader can hold many pages.
import { ArgumentError, DEFAULT_LIMITS } from '@colkit/io';
import { pageSlices } from '../values/column-values.ts';
import type { ColumnValues, StringColumn } from '../values/column-values.ts';

const PAGE_BYTES = 1 << 22;
const SMALLEST_PAGE_ROWS = 1024;
/** What no page of more rows than `FEWEST_ROWS` holds, and no dictionary page. */
export const MOST_PAGE_BYTES = 1 << 26;
const FEWEST_ROWS = 8;
/** What readers take unless told, without what a page has besides its values. */
const READABLE_BYTES = DEFAULT_LIMITS.maxPageBytes - (1 << 16);

/**
 * Rows of a page: as many as allowed, fewer where a column's values are long. A multiple of 8, so that bitmaps are cut
 * between bytes.
 * @param fields for messages.
 * @throws ArgumentError ERR_VALUE for values so long that readers would refuse a page of 8 rows.
 */
export function pageRowsFor(
  columns: readonly ColumnValues[],
  most: number,
  fields: readonly { readonly name: string }[],
): number {
  let rows = most;
  for (const [number, column] of columns.entries()) {
    if (column.kind !== 'strings') continue;
    const bytesPerRow = mostBytes(column) * rows > PAGE_BYTES ? valueBytes(column) / column.rowCount : 0;
    while (rows > SMALLEST_PAGE_ROWS && rows * bytesPerRow > PAGE_BYTES) rows = Math.ceil(rows / 16) * 8;
    if (bytesPerRow * column.rowCount <= MOST_PAGE_BYTES) continue;
    const lengths = entryLengths(column);
    let largest = largestPage(column, lengths, rows);
    while (rows > FEWEST_ROWS && largest > MOST_PAGE_BYTES) {
      rows = Math.ceil(rows / 16) * 8;
      largest = largestPage(column, lengths, rows);
    }
    if (largest > READABLE_BYTES)
      throw new ArgumentError(
        'ERR_VALUE',
        `column ${JSON.stringify(fields[number]?.name)}`,
        `at most ${READABLE_BYTES} bytes in the ${FEWEST_ROWS} rows of a page`,
        `${largest}; a smaller 'rowGroupSize' makes pages of fewer rows`,
      );
  }
  return rows;
}

/** Bytes of the page that has most: of its values, equal ones that are interned once. */
function largestPage(column: StringColumn, lengths: Uint32Array, pageRows: number): number {
  const { codes } = column;
  /** By entry, the number of the last page that has it, from 1 on. */
  const metIn = new Uint32Array(codes === null ? 0 : lengths.length);
  let largest = 0;
  for (const [number, { firstValue, valueCount }] of pageSlices(column, pageRows).entries()) {
    let byteLength = 0;
    for (let value = firstValue; value < firstValue + valueCount; value++) {
      if (codes === null) byteLength += lengths[value] as number;
      else {
        const code = codes[value] as number;
        if (metIn[code] !== number + 1) byteLength += lengths[code] as number;
        metIn[code] = number + 1;
      }
    }
    if (byteLength > largest) largest = byteLength;
  }
  return largest;
}

function entryLengths({ entries }: StringColumn): Uint32Array {
  const { ends, start } = entries;
  const lengths = new Uint32Array(ends.length);
  for (let entry = 0, from = start; entry < ends.length; entry++) {
    const end = ends[entry] as number;
    lengths[entry] = end - from;
    from = end;
  }
  return lengths;
}

/** Bytes of the longest value, or more. */
function mostBytes(column: StringColumn): number {
  if (column.codes === null) return Infinity;
  let most = 0;
  for (const length of entryLengths(column)) if (length > most) most = length;
  return most;
}

/** Bytes of the entries together. */
export function entryBytes({ entries }: Pick<StringColumn, 'entries'>): number {
  return (entries.ends.at(-1) ?? entries.start) - entries.start;
}

/** Bytes of all values, interned or not. */
function valueBytes(column: StringColumn): number {
  const { codes } = column;
  if (codes === null) return entryBytes(column);
  const lengths = entryLengths(column);
  let byteLength = 0;
  for (let i = 0; i < codes.length; i++) byteLength += lengths[codes[i] as number] as number;
  return byteLength;
}
