// What a gather by byte ranges reads: straight into the output, in few reads where rows are near, no more than needed
// where they are far, never much at a time.
import { describe, expect, test } from 'vitest';
import { createGatherer } from '@colkit/io';
import type { ColumnSegments, GatherRequest, RowSelection } from '@colkit/io';
import { CountingSource, LOCAL, REMOTE } from '../support/counting-source.ts';
import { patternBytes, sameBytes } from '../support/folder.ts';
import { naiveGather, naiveRows } from '../support/naive-gather.ts';
import { rejectedBy } from '../support/thrown.ts';

const ROWS = 1_000_000;
const SEGMENTS: ColumnSegments = {
  rowStarts: Float64Array.of(0, ROWS),
  itemBytes: Int32Array.of(8),
  bases: Float64Array.of(0),
};
const FILE = patternBytes(8 * ROWS);
const MOST_AT_A_TIME = 256 * 1024;

function requestFor(rows: RowSelection, count: number, signal?: AbortSignal): GatherRequest {
  const outputs = [{ bytes: new Uint8Array(8 * count), byteOffset: 0, byteStride: 8 }];
  return { columns: Int32Array.of(0), rows, outputs, ...(signal === undefined ? {} : { signal }) };
}

function gathered(source: CountingSource, rows: RowSelection, count: number): Uint8Array {
  const request = requestFor(rows, count);
  createGatherer(source, SEGMENTS).gatherSync(request);
  return request.outputs[0]!.bytes;
}

describe('reads', () => {
  test('a contiguous range straight into the output, in one read', () => {
    const source = new CountingSource(FILE);
    const bytes = gathered(source, { kind: 'range', start: 10, step: 1, count: 100_000 }, 100_000);
    expect(source.reads).toHaveLength(1);
    expect(source.reads[0]!.out.buffer).toBe(bytes.buffer);
    expect(source.reads[0]!.byteOffset).toBe(80);
    expect(sameBytes(bytes, FILE.subarray(80, 800_080))).toBe(true);
  });

  test('a dense selection as one pass over the column, in pieces of bounded size', () => {
    const source = new CountingSource(FILE);
    const indices = Int32Array.from({ length: 300_000 }, (_, i) => (i * 7919) % ROWS);
    const bytes = gathered(source, { kind: 'indices', indices }, indices.length);
    expect(sameBytes(bytes, naiveGather(FILE, SEGMENTS, 0, [...indices]))).toBe(true);
    expect(Math.max(...source.reads.map(({ out }) => out.byteLength))).toBeLessThanOrEqual(MOST_AT_A_TIME);
    expect(source.bytesRead).toBeLessThanOrEqual(FILE.byteLength);
    expect(source.reads.length).toBeLessThan(50);
    expect(new Set(source.reads.map(({ out }) => out.buffer)).size).toBeLessThanOrEqual(2);
  });

  test('of a sparse selection only what was asked for', () => {
    const source = new CountingSource(FILE);
    const indices = Int32Array.from({ length: 100 }, (_, i) => (99 - i) * 10_000);
    const bytes = gathered(source, { kind: 'indices', indices }, 100);
    expect(sameBytes(bytes, naiveGather(FILE, SEGMENTS, 0, [...indices]))).toBe(true);
    expect(source.bytesRead).toBe(800);
    // In the order of the file, whatever the order of the indices.
    expect(source.reads.map(({ byteOffset }) => byteOffset)).toEqual([...indices].reverse().map((row) => row * 8));
  });

  test('near rows together, across small gaps only', () => {
    const source = new CountingSource(FILE);
    gathered(source, { kind: 'indices', indices: Int32Array.of(0, 5, 2000, 4000, 8000) }, 5);
    expect(source.reads.map(({ byteOffset, out }) => [byteOffset, out.byteLength])).toEqual([
      [0, 32_008],
      [64_000, 8],
    ]);
  });

  test('a mask and a stepped range in the order of the file', () => {
    for (const rows of [
      { kind: 'mask', mask: new Uint8Array(ROWS).fill(1), count: ROWS },
      { kind: 'range', start: ROWS - 1, step: -1, count: ROWS },
    ] as const) {
      const source = new CountingSource(FILE);
      const bytes = gathered(source, rows, ROWS);
      expect(source.bytesRead).toBe(FILE.byteLength);
      const last = naiveRows(rows, ROWS).at(-1)!;
      expect(sameBytes(bytes.subarray(-8), FILE.subarray(last * 8, last * 8 + 8))).toBe(true);
    }
  });
});

describe('the asynchronous form', () => {
  const indices = Int32Array.from({ length: 200 }, (_, i) => i * 4000);

  test.each([
    ['file', LOCAL],
    ['URL', REMOTE],
  ] as const)('has a bounded number of reads of a %s under way', async (_, cost) => {
    const source = new CountingSource(FILE, cost);
    // Far enough apart for a read each, also where a request is dear.
    const far = Int32Array.from({ length: 50 }, (_, i) => i * 20_000);
    const request = requestFor({ kind: 'indices', indices: far }, far.length);
    await createGatherer(source, SEGMENTS).gather(request);
    expect(sameBytes(request.outputs[0]!.bytes, naiveGather(FILE, SEGMENTS, 0, [...far]))).toBe(true);
    expect(source.mostUnderWay).toBe(cost.concurrency);
    expect(source.reads).toHaveLength(50);
  });

  test('stops soon after an abort, and not before all its reads have ended', async () => {
    const source = new CountingSource(FILE);
    const controller = new AbortController();
    const reason = new Error('enough');
    source.onRead = (number) => {
      if (number === 20) controller.abort(reason);
    };
    expect(
      await rejectedBy(
        createGatherer(source, SEGMENTS).gather(
          requestFor({ kind: 'indices', indices }, indices.length, controller.signal),
        ),
      ),
    ).toBe(reason);
    expect(source.underWay).toBe(0);
    expect(source.reads.length).toBeLessThan(30);
  });

  test('rejects with the first failure, and not before all its reads have ended', async () => {
    const source = new CountingSource(FILE);
    source.onRead = (number) => {
      if (number >= 10) throw new Error(`read ${String(number)} fails`);
    };
    expect(
      await rejectedBy(
        createGatherer(source, SEGMENTS).gather(requestFor({ kind: 'indices', indices }, indices.length)),
      ),
    ).toMatchObject({ message: 'read 10 fails' });
    expect(source.underWay).toBe(0);
    expect(source.reads.length).toBe(10);
  });
});
