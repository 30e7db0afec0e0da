// A file's layout -> where the items of each column lie, in the form that gathers work on: one segment per record that
// has rows, one base address per column and segment.
import type { ColumnSegments, Stretch } from '@colkit/io';
import type { FileLayout } from '../layout/read-layout.ts';

/**
 * The segment table of all columns. Records without rows are left out, so that its size is bounded by the file's: at
 * most 8 bytes for every byte of data. Cost: columns times records.
 */
export function segmentsOf(layout: FileLayout): ColumnSegments {
  const filled = filledRecords(layout);
  const segmentCount = Math.max(1, filled.length);
  const itemBytes = Int32Array.from(layout.columns, ({ dtype }) => dtype.itemBytes);
  const rowStarts = new Float64Array(segmentCount + 1);
  const bases = new Float64Array(itemBytes.length * segmentCount);
  filled.forEach((record, segment) => {
    const start = layout.rowStarts[record] ?? 0;
    const rows = (layout.rowStarts[record + 1] ?? 0) - start;
    rowStarts[segment + 1] = start + rows;
    let columnOffset = layout.bodyOffsets[record] ?? 0;
    itemBytes.forEach((bytes, column) => {
      bases[column * segmentCount + segment] = columnOffset - start * bytes;
      columnOffset += rows * bytes;
    });
  });
  return { rowStarts, itemBytes, bases };
}

/** Bytes of a column, and the column's bytes in the record that holds them. */
interface ColumnRange extends Stretch {
  readonly record: Stretch;
}

/**
 * The byte range of rows [start, start + count) of a column, or null where they are not in one piece. The rows are
 * within the table.
 */
export function contiguousRange(
  segments: ColumnSegments,
  column: number,
  start: number,
  count: number,
): ColumnRange | null {
  const segment = findSegment(segments.rowStarts, start);
  const [first, end] = [segments.rowStarts[segment] ?? 0, segments.rowStarts[segment + 1] ?? 0];
  if (start + count > end) return null;
  const bytes = segments.itemBytes[column] ?? 0;
  const base = segments.bases[column * (segments.rowStarts.length - 1) + segment] ?? 0;
  return {
    byteOffset: base + start * bytes,
    byteLength: count * bytes,
    record: { byteOffset: base + first * bytes, byteLength: (end - first) * bytes },
  };
}

function filledRecords(layout: FileLayout): readonly number[] {
  const filled: number[] = [];
  for (let record = 0; record < layout.bodyOffsets.length; record += 1) {
    if (layout.rowStarts[record] !== layout.rowStarts[record + 1]) filled.push(record);
  }
  return filled;
}

/** The last segment that starts at or before `row`. */
function findSegment(rowStarts: Float64Array, row: number): number {
  let low = 0;
  let high = rowStarts.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((rowStarts[middle] ?? 0) <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}
