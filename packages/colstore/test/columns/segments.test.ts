// Where items lie: segments against an address computed record by record, one row at a time.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contiguousRange, segmentsOf } from '../../src/columns/segments.ts';
import type { FileLayout } from '../../src/layout/read-layout.ts';
import { counters64, layoutOf, recordFile, recordManifest } from '../support/files.ts';

const COLUMNS = [
  { name: 'a', descr: '|i1' },
  { name: 'b', descr: '<f8' },
  { name: 'c', descr: '|S3' },
];
const ROW_BYTES = 12;

function layoutWith(recordRows: readonly number[]): FileLayout {
  const records = recordRows.map((rows) => ({ rows, body: new Uint8Array(rows * ROW_BYTES) }));
  return layoutOf(
    recordFile(
      counters64(
        records.length,
        recordRows.reduce((sum, rows) => sum + rows, 0),
      ),
      recordManifest(COLUMNS),
      records,
    ),
  );
}

/** The byte offset of an item, as the format's description has it. */
function addressOf(layout: FileLayout, recordRows: readonly number[], row: number, column: number): number {
  let start = 0;
  for (const [record, rows] of recordRows.entries()) {
    if (row < start + rows)
      return layout.bodyOffsets[record]! + [0, 1, 9][column]! * rows + (row - start) * [1, 8, 3][column]!;
    start += rows;
  }
  throw new Error('no such row');
}

describe('segments', () => {
  it('leaves out records without rows and keeps one segment for no rows at all', () => {
    expect([...segmentsOf(layoutWith([3, 0, 2, 0])).rowStarts]).toEqual([0, 3, 5]);
    expect([...segmentsOf(layoutWith([0, 0])).rowStarts]).toEqual([0, 0]);
    expect([...segmentsOf(layoutWith([])).bases]).toEqual([0, 0, 0]);
  });

  it('addresses every item of any record structure', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(6), { maxLength: 8 }), (recordRows) => {
        const layout = layoutWith(recordRows);
        const { rowStarts, itemBytes, bases } = segmentsOf(layout);
        const segmentCount = rowStarts.length - 1;
        for (let row = 0; row < layout.rowCount; row += 1) {
          const segment = rowStarts.findLastIndex((start) => start <= row);
          for (let column = 0; column < 3; column += 1) {
            const address = bases[column * segmentCount + segment]! + row * itemBytes[column]!;
            expect(address).toBe(addressOf(layout, recordRows, row, column));
            expect(contiguousRange({ rowStarts, itemBytes, bases }, column, row, 1)).toMatchObject({
              byteOffset: address,
              byteLength: itemBytes[column],
            });
          }
        }
      }),
    );
  });

  it('has a range in one piece only within a record', () => {
    const layout = layoutWith([3, 0, 2]);
    const segments = segmentsOf(layout);
    expect(contiguousRange(segments, 1, 0, 3)).toEqual({
      byteOffset: layout.bodyOffsets[0]! + 3,
      byteLength: 24,
      record: { byteOffset: layout.bodyOffsets[0]! + 3, byteLength: 24 },
    });
    expect(contiguousRange(segments, 1, 1, 1)).toEqual({
      byteOffset: layout.bodyOffsets[0]! + 11,
      byteLength: 8,
      record: { byteOffset: layout.bodyOffsets[0]! + 3, byteLength: 24 },
    });
    expect(contiguousRange(segments, 1, 3, 2)).toEqual({
      byteOffset: layout.bodyOffsets[2]! + 2,
      byteLength: 16,
      record: { byteOffset: layout.bodyOffsets[2]! + 2, byteLength: 16 },
    });
    expect(contiguousRange(segments, 1, 2, 2)).toBeNull();
    expect(contiguousRange(segments, 1, 0, 5)).toBeNull();
    expect(contiguousRange(segments, 2, 5, 0)).toMatchObject({ byteLength: 0 });
  });
});
