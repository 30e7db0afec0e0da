// Rows of a segmented column: in which segment they are and at which byte.
import type { Offsets } from './copy-items.ts';
import type { ColumnSegments } from './gather.ts';

/** The last segment that starts at or before `row`: for a row of the table, the one that holds it. */
export function segmentOf(rowStarts: Float64Array, row: number): number {
  let low = 0;
  let high = rowStarts.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((rowStarts[middle] as number) <= row) low = middle;
    else high = middle;
  }
  return low;
}

/** The segment of each of the first `count` rows. Neighbours are often in the same one, which is tried first. */
export function segmentsOfRows(segments: ColumnSegments, rows: Float64Array, count: number, out: Int32Array): void {
  const { rowStarts } = segments;
  if (rowStarts.length <= 2) return;
  let current = 0;
  let start = 0;
  let end = rowStarts[1] as number;
  for (let i = 0; i < count; i++) {
    const row = rows[i] as number;
    if (row < start || row >= end) {
      current = segmentOf(rowStarts, row);
      start = rowStarts[current] as number;
      end = rowStarts[current + 1] as number;
    }
    out[i] = current;
  }
}

/**
 * Where each of the first `count` rows of a column starts: in words of `word` bytes, from `origin` bytes before byte 0
 * of the source. `ofRows` is what `segmentsOfRows` found.
 */
export function fillOffsets(
  segments: ColumnSegments,
  column: number,
  rows: Float64Array,
  ofRows: Int32Array,
  count: number,
  word: number,
  origin: number,
  out: Offsets,
): void {
  const { rowStarts, bases } = segments;
  const step = (segments.itemBytes[column] as number) / word;
  const segmentCount = rowStarts.length - 1;
  if (segmentCount === 1) {
    fillLinear(rows, count, ((bases[column] as number) + origin) / word, step, out);
    return;
  }
  const first = column * segmentCount;
  for (let i = 0; i < count; i++)
    out[i] = ((bases[first + (ofRows[i] as number)] as number) + origin) / word + (rows[i] as number) * step;
}

/** out[i] = start + values[i] * step. */
export function fillLinear(values: Float64Array, count: number, start: number, step: number, out: Offsets): void {
  for (let i = 0; i < count; i++) out[i] = start + (values[i] as number) * step;
}

/** The bits below 4 that some address of a column has set: 0 where all are multiples of 4. */
export function lowBits(segments: ColumnSegments, column: number): number {
  const { rowStarts, bases } = segments;
  const segmentCount = rowStarts.length - 1;
  let bits = segments.itemBytes[column] as number;
  // Empty segments have no address, and bases that mean nothing.
  for (let s = 0; s < segmentCount; s++)
    if (rowStarts[s] !== rowStarts[s + 1]) bits |= lowBitsOf(bases[column * segmentCount + s] as number);
  return bits & 3;
}

/** The same of one number of any size and sign. */
export function lowBitsOf(value: number): number {
  return ((value % 4) + 4) % 4;
}
