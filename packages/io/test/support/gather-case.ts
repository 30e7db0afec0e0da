// Random gathers for the property tests: a file with segmented columns of all widths in it, a selection of its rows,
// and outputs dense or strided.
import fc from 'fast-check';
import type { ColumnSegments, RowSelection } from '@colkit/io';
import { patternBytes } from './folder.ts';

export interface GatherCase {
  readonly file: Uint8Array;
  readonly segments: ColumnSegments;
  readonly rowCount: number;
  readonly columns: Int32Array;
  readonly rows: RowSelection;
  /** Per output: bytes before the first item, and between the end of an item and the next. */
  readonly layout: readonly { readonly lead: number; readonly gap: number }[];
}

const WIDTHS = [1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 100];

/**
 * Lays the columns of each segment out one after the other, with random bytes between them, so that alignments vary.
 */
function layOut(
  segmentRows: readonly number[],
  widths: readonly number[],
  pads: readonly number[],
): { segments: ColumnSegments; byteLength: number } {
  const rowStarts = Float64Array.of(0, ...segmentRows);
  for (let s = 1; s < rowStarts.length; s++) rowStarts[s]! += rowStarts[s - 1]!;
  const bases = new Float64Array(widths.length * segmentRows.length);
  let at = 0;
  segmentRows.forEach((rows, s) => {
    widths.forEach((width, c) => {
      at += pads[(s * widths.length + c) % pads.length]!;
      bases[c * segmentRows.length + s] = at - rowStarts[s]! * width;
      at += rows * width;
    });
  });
  return { segments: { rowStarts, itemBytes: Int32Array.from(widths), bases }, byteLength: at + pads[0]! };
}

function selections(rowCount: number): fc.Arbitrary<RowSelection> {
  const count0 = { kind: 'range' as const, start: 0, step: 1, count: 0 };
  if (rowCount === 0)
    return fc.constantFrom<RowSelection>(
      count0,
      { kind: 'indices', indices: new Int32Array(0) },
      { kind: 'mask', mask: new Uint8Array(0), count: 0 },
    );
  const row = fc.integer({ min: 0, max: rowCount - 1 });
  const index = fc.integer({ min: -rowCount, max: rowCount - 1 });
  const range = fc
    .record({
      start: row,
      step: fc.oneof(fc.constant(1), fc.constant(-1), fc.integer({ min: 2, max: 9 }), fc.integer({ min: -9, max: -2 })),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    .map(({ start, step, part }): RowSelection => {
      const most = step > 0 ? Math.floor((rowCount - 1 - start) / step) + 1 : Math.floor(start / -step) + 1;
      return { kind: 'range', start, step, count: Math.round(most * part) };
    });
  const picked = fc.array(index, { maxLength: 200 });
  const indices = fc
    .tuple(picked, fc.constantFrom('int32', 'float64', 'bigint'), fc.constantFrom('any', 'ascending', 'descending'))
    .map(([list, type, order]): RowSelection => {
      const rows =
        order === 'any'
          ? list
          : list.map((i) => (i < 0 ? i + rowCount : i)).sort((a, b) => (order === 'ascending' ? a - b : b - a));
      return {
        kind: 'indices',
        indices:
          type === 'int32'
            ? Int32Array.from(rows)
            : type === 'float64'
              ? Float64Array.from(rows)
              : BigInt64Array.from(rows, BigInt),
      };
    });
  const unsigned = fc
    .array(row, { maxLength: 100 })
    .map((rows): RowSelection => ({ kind: 'indices', indices: Uint32Array.from(rows) }));
  const mask = fc
    .tuple(fc.integer({ min: 1, max: 255 }), fc.array(fc.boolean(), { minLength: rowCount, maxLength: rowCount }))
    .map(([one, bits]): RowSelection => {
      const bytes = Uint8Array.from(bits, (bit) => (bit ? one : 0));
      return { kind: 'mask', mask: bytes, count: bits.filter(Boolean).length };
    });
  return fc.oneof(range, indices, unsigned, mask);
}

export const gatherCases: fc.Arbitrary<GatherCase> = fc
  .record({
    segmentRows: fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 5 }), fc.integer({ min: 50, max: 400 })), {
      minLength: 1,
      maxLength: 6,
    }),
    widths: fc.array(fc.constantFrom(...WIDTHS), { minLength: 1, maxLength: 4 }),
    pads: fc.array(fc.oneof(fc.constant(0), fc.constant(8), fc.integer({ min: 0, max: 70 })), {
      minLength: 1,
      maxLength: 5,
    }),
    seed: fc.integer({ min: 1, max: 1e6 }),
  })
  .chain(({ segmentRows, widths, pads, seed }) => {
    const { segments, byteLength } = layOut(segmentRows, widths, pads);
    const rowCount = segmentRows.reduce((sum, rows) => sum + rows, 0);
    return fc.record({
      file: fc.constant(patternBytes(byteLength, seed)),
      segments: fc.constant(segments),
      rowCount: fc.constant(rowCount),
      columns: fc
        .array(fc.integer({ min: 0, max: widths.length - 1 }), { maxLength: 5 })
        .map((list) => Int32Array.from(list)),
      rows: selections(rowCount),
      layout: fc.array(
        fc.record({
          lead: fc.integer({ min: 0, max: 9 }),
          gap: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 13 })),
        }),
        { minLength: 5, maxLength: 5 },
      ),
    });
  });
