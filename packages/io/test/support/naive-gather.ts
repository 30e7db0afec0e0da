// The same gather on plain arrays, written naively on purpose: the oracle.
import type { ColumnSegments, RowSelection } from '@colkit/io';

/** The rows of a selection in order, by its definition. */
export function naiveRows(rows: RowSelection, rowCount: number): number[] {
  if (rows.kind === 'range') return Array.from({ length: rows.count }, (_, k) => rows.start + k * rows.step);
  if (rows.kind === 'mask') return [...rows.mask.keys()].filter((row) => rows.mask[row] !== 0);
  return [...(rows.indices as Iterable<number | bigint>)]
    .map(Number)
    .map((index) => (index < 0 ? index + rowCount : index + 0)); // + 0: -0 is a good index
}

/** The packed bytes of a column's rows. */
export function naiveGather(
  file: Uint8Array,
  segments: ColumnSegments,
  column: number,
  rows: readonly number[],
): Uint8Array {
  const { rowStarts, itemBytes, bases } = segments;
  const segmentCount = rowStarts.length - 1;
  const width = itemBytes[column]!;
  const out: number[] = [];
  for (const row of rows) {
    let segment = 0;
    for (let s = 0; s < segmentCount; s++) if (rowStarts[s]! <= row) segment = s;
    const at = bases[column * segmentCount + segment]! + row * width;
    for (let b = 0; b < width; b++) out.push(file[at + b]!);
  }
  return Uint8Array.from(out);
}
