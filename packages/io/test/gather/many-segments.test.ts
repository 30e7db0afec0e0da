// Tables of many small records: a column lies in as many pieces, which are read together where they are near.
import { expect, test } from 'vitest';
import { createGatherer } from '@colkit/io';
import type { ColumnSegments, GatherOutput, RowSelection } from '@colkit/io';
import { CountingSource, LOCAL, REMOTE } from '../support/counting-source.ts';
import { patternBytes, sameBytes } from '../support/folder.ts';
import { naiveGather, naiveRows } from '../support/naive-gather.ts';

const WIDTHS = [8, 1, 3];
const HEADER_BYTES = 41;

/** Records of 0 to 6 rows; every 400th lies far behind the one before, and the last two have changed places. */
function records(count: number): { file: Uint8Array; segments: ColumnSegments; rowCount: number } {
  const rowStarts = new Float64Array(count + 1);
  const bases = new Float64Array(WIDTHS.length * count);
  const rowsOf = (record: number): number => (record * 5) % 7;
  let byteOffset = 0;
  const place = (record: number): void => {
    byteOffset += HEADER_BYTES + (record % 400 === 399 ? 100_000 : 0);
    for (const [column, width] of WIDTHS.entries()) {
      bases[column * count + record] = byteOffset - rowStarts[record]! * width;
      byteOffset += rowsOf(record) * width;
    }
  };
  for (let record = 0; record < count; record += 1) rowStarts[record + 1] = rowStarts[record]! + rowsOf(record);
  for (let record = 0; record < count - 2; record += 1) place(record);
  place(count - 1);
  place(count - 2);
  const segments = { rowStarts, itemBytes: Int32Array.from(WIDTHS), bases };
  return { file: patternBytes(byteOffset), segments, rowCount: rowStarts[count]! };
}

const outputsOf = (count: number): GatherOutput[] =>
  WIDTHS.map((width) => ({ bytes: new Uint8Array(width * count), byteOffset: 0, byteStride: width }));

test.each([
  ['file', LOCAL],
  ['URL', REMOTE],
] as const)('of a %s: the same bytes in few reads, whatever rows are asked for', async (_, cost) => {
  const { file, segments, rowCount } = records(2000);
  const selections: RowSelection[] = [
    { kind: 'range', start: 0, step: 1, count: rowCount },
    { kind: 'range', start: 17, step: 1, count: 1200 },
    { kind: 'range', start: rowCount - 1, step: -1, count: rowCount },
    { kind: 'range', start: 3, step: 5, count: 700 },
    { kind: 'indices', indices: Int32Array.from({ length: 3000 }, (_, i) => (i * 7919) % rowCount) },
    { kind: 'indices', indices: Int32Array.from({ length: 900 }, (_, i) => Math.floor(i / 3) * 2 + 800) },
  ];
  for (const rows of selections) {
    const numbers = naiveRows(rows, rowCount);
    for (const form of ['sync', 'async']) {
      const source = new CountingSource(file, cost);
      const gatherer = createGatherer(source, segments, { backend: 'js' });
      const outputs = outputsOf(numbers.length);
      const request = { columns: Int32Array.of(0, 1, 2), rows, outputs };
      if (form === 'sync') gatherer.gatherSync(request);
      else await gatherer.gather(request);
      for (const [column, { bytes }] of outputs.entries())
        expect(sameBytes(bytes, naiveGather(file, segments, column, numbers)), `${form} ${rows.kind}`).toBe(true);
      // Five gaps that cost more than a read, and two records out of order, for each of three columns.
      expect(source.reads.length, `${form} ${rows.kind}`).toBeLessThanOrEqual(3 * 8 + 3);
    }
  }
});

test('long pieces go straight into the output, as those of one segment do', () => {
  const rows = 5000;
  const segments: ColumnSegments = {
    rowStarts: Float64Array.of(0, rows, 2 * rows),
    itemBytes: Int32Array.of(8),
    bases: Float64Array.of(0, 1000),
  };
  const file = patternBytes(2 * rows * 8 + 1000);
  const source = new CountingSource(file);
  const [output] = [{ bytes: new Uint8Array(16 * rows), byteOffset: 0, byteStride: 8 }];
  createGatherer(source, segments, { backend: 'js' }).gatherSync({
    columns: Int32Array.of(0),
    rows: { kind: 'range', start: 0, step: 1, count: 2 * rows },
    outputs: [output],
  });
  expect(source.reads.map(({ out }) => out.buffer === output.bytes.buffer)).toEqual([true, true]);
});
