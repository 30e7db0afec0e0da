// Columns of several files gathered by one call: every kind of rows against a plain array, files that shrink, arguments
// that reach outside of a file, and what is left open.
import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MappedSource, MemorySource, backendInfo, gatherFiles } from '../src/index.ts';
import type { FilesGatherer, FilesSegments, RowSelection } from '../src/index.ts';

const isNative = backendInfo().backend === 'native';
let folder = '';
let made = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gather-files-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Files of `counts` rows of an int32 and a float64 column, behind a header of odd length. */
function filesOf(counts: readonly number[]): { paths: string[]; segments: FilesSegments; rows: number } {
  const paths: string[] = [];
  const rowStarts = new Float64Array(counts.length + 1);
  const bases = new Float64Array(2 * counts.length);
  let row = 0;
  for (const [file, count] of counts.entries()) {
    const bytes = Buffer.alloc(7 + file + 12 * count, 0xee);
    for (let own = 0; own < count; own += 1) {
      bytes.writeInt32LE(row + own, 7 + file + 4 * own);
      bytes.writeDoubleLE((row + own) * 1.5 + 0.1, 7 + file + 4 * count + 8 * own);
    }
    bases[file] = 7 + file - row * 4;
    bases[counts.length + file] = 7 + file + 4 * count - row * 8;
    row += count;
    rowStarts[file + 1] = row;
    const path = join(folder, String(made++));
    writeFileSync(path, bytes);
    paths.push(path);
  }
  const files = Int32Array.from(counts.keys());
  return { paths, segments: { rowStarts, itemBytes: Int32Array.of(4, 8), bases, files }, rows: row };
}

function opened(paths: readonly string[], segments: FilesSegments): FilesGatherer {
  const sources = paths.map((path) => MappedSource.openSync(path));
  const gatherer = gatherFiles('files', sources, segments)!;
  expect(sources.every(({ closed }) => closed)).toBe(true);
  return gatherer;
}

function numbersOf(rows: RowSelection, count: number): number[] {
  switch (rows.kind) {
    case 'range':
      return Array.from({ length: rows.count }, (_, index) => rows.start + index * rows.step);
    case 'indices':
      return Array.from(rows.indices, Number).map((row) => (row < 0 ? row + count : row));
    case 'mask':
      return [...rows.mask.keys()].filter((row) => rows.mask[row] !== 0);
  }
}

async function check(gatherer: FilesGatherer, rows: RowSelection, count: number): Promise<void> {
  const expected = numbersOf(rows, count);
  for (const form of ['sync', 'async']) {
    const [k, x] = [new Int32Array(expected.length), new Float64Array(expected.length)];
    const outputs = [k, x].map(({ buffer, BYTES_PER_ELEMENT }) => ({
      bytes: new Uint8Array(buffer),
      byteOffset: 0,
      byteStride: BYTES_PER_ELEMENT,
    }));
    const request = { columns: Int32Array.of(0, 1), rows, outputs };
    if (form === 'sync') gatherer.gatherSync(request);
    else await gatherer.gather(request);
    expect(Array.from(k)).toEqual(expected);
    expect(Array.from(x)).toEqual(expected.map((row) => row * 1.5 + 0.1));
  }
}

describe.skipIf(!isNative)('by the addon', () => {
  test.each([
    ['equal files', Array.from({ length: 40 }, () => 100)],
    ['unequal ones', [1, 999, 3, 500, 1, 1, 70_000, 2]],
    ['one', [50]],
  ])('every kind of rows: %s', async (_, counts) => {
    const { paths, segments, rows } = filesOf(counts);
    const gatherer = opened(paths, segments);
    expect(gatherer.rowCount).toBe(rows);
    await check(gatherer, { kind: 'range', start: 0, step: 1, count: rows }, rows);
    await check(gatherer, { kind: 'range', start: rows - 1, step: -7, count: Math.floor((rows - 1) / 7) + 1 }, rows);
    const mixed = Int32Array.from({ length: rows + 5 }, (_row, index) => (index * 7919) % rows);
    for (const indices of [mixed, Float64Array.from(mixed), BigInt64Array.from(mixed, BigInt), mixed.slice().sort()])
      await check(gatherer, { kind: 'indices', indices }, rows);
    await check(gatherer, { kind: 'indices', indices: Int32Array.of(-1, 0, rows - 1, -rows) }, rows);
    const mask = Uint8Array.from({ length: rows }, (_row, index) => Number(index % 3 === 1));
    await check(gatherer, { kind: 'mask', mask, count: mask.reduce((sum, kept) => sum + kept, 0) }, rows);
    const outputs = [{ bytes: new Uint8Array(4), byteOffset: 0, byteStride: 4 }];
    const outside = {
      columns: Int32Array.of(0),
      rows: { kind: 'indices', indices: Int32Array.of(rows) } as const,
      outputs,
    };
    expect(() => gatherer.gatherSync(outside)).toThrow(
      expect.objectContaining({ code: 'ERR_INDEX_OUT_OF_RANGE', index: rows, length: rows, position: 0 }),
    );
    gatherer.close();
    gatherer.close();
    expect(() => gatherer.gatherSync({ ...outside, rows: { kind: 'range', start: 0, step: 1, count: 1 } })).toThrow(
      expect.objectContaining({ code: 'ERR_CLOSED' }),
    );
  });

  // Enough of both that rows are put in the order of the files.
  test.each([
    ['small files', Array.from({ length: 30 }, (_, file) => 73_000 + 250 * file)],
    ['large ones', [1_200_000, 1, 1_300_000]],
  ])('many rows in any order: %s', async (_, counts) => {
    const { paths, segments, rows } = filesOf(counts);
    const gatherer = opened(paths, segments);
    const indices = Int32Array.from(
      { length: 40_000 },
      (_row, index) => ((index * 7919 * 1009) % rows) - (index % 2) * rows,
    );
    await check(gatherer, { kind: 'indices', indices }, rows);
    await check(gatherer, { kind: 'indices', indices: Float64Array.from(indices) }, rows);
    indices[39_999] = rows;
    await expect(check(gatherer, { kind: 'indices', indices }, rows)).rejects.toMatchObject({
      code: 'ERR_INDEX_OUT_OF_RANGE',
      position: 39_999,
    });
    gatherer.close();
  });

  test('no descriptor stays open', () => {
    if (process.platform !== 'linux') return;
    const { paths, segments } = filesOf(Array.from({ length: 60 }, () => 10));
    const before = readdirSync('/proc/self/fd').length;
    const gatherer = opened(paths, segments);
    expect(readdirSync('/proc/self/fd').length).toBe(before);
    gatherer.close();
  });

  test.each([2, 40])('a file among %i that shrinks is told of, and only to who reads it', async (count) => {
    const { paths, segments, rows } = filesOf(Array.from({ length: count }, () => 5000));
    const gatherer = opened(paths, segments);
    await check(gatherer, { kind: 'range', start: 0, step: 1, count: rows }, rows);
    truncateSync(paths[1]!, 100);
    const read = (indices: Int32Array): Promise<void> => check(gatherer, { kind: 'indices', indices }, rows);
    await read(Int32Array.of(0));
    await expect(read(Int32Array.of(5001))).rejects.toMatchObject({ code: 'ERR_FILE_CHANGED' });
    await expect(read(Int32Array.from({ length: rows }, (_, row) => row))).rejects.toMatchObject({
      code: 'ERR_FILE_CHANGED',
    });
    await expect(check(gatherer, { kind: 'range', start: 5000, step: 1, count: 10 }, rows)).rejects.toMatchObject({
      code: 'ERR_FILE_CHANGED',
    });
    gatherer.close();
  });

  test('a file that ends in zeros, cut by its path; one that was removed stays as it was', async () => {
    const zeros = join(folder, 'zeros');
    writeFileSync(zeros, Buffer.alloc(40_000));
    const plain = filesOf([5]);
    const segments: FilesSegments = {
      rowStarts: Float64Array.of(0, 10_000, 10_005),
      itemBytes: Int32Array.of(4),
      bases: Float64Array.of(0, 7 - 40_000),
      files: Int32Array.of(0, 1),
    };
    const gatherer = opened([zeros, plain.paths[0]!], segments);
    const out = new Uint8Array(8);
    const request = {
      columns: Int32Array.of(0),
      rows: { kind: 'range', start: 9999, step: 1, count: 2 } as const,
      outputs: [{ bytes: out, byteOffset: 0, byteStride: 4 }],
    };
    gatherer.gatherSync(request);
    rmSync(plain.paths[0]!);
    gatherer.gatherSync(request);
    truncateSync(zeros, 39_999);
    expect(() => gatherer.gatherSync(request)).toThrow(expect.objectContaining({ code: 'ERR_FILE_CHANGED' }));
    await Promise.resolve();
    gatherer.close();
  });

  test('segments that reach outside of their file, or of none, are refused', () => {
    const outside: readonly [string, (segments: FilesSegments) => void][] = [
      ['into the next file', ({ bases }) => (bases[0] = 8 + 4)],
      ['before the first byte', ({ bases }) => (bases[1] = -1 - 10 * 4)],
      ['no such file', ({ files }) => (files[1] = 2)],
      ['a negative one', ({ files }) => (files[0] = -1)],
    ];
    for (const [what, change] of outside) {
      const { paths, segments } = filesOf([10, 10]);
      const wide = { ...segments, itemBytes: Int32Array.of(12), bases: segments.bases.slice(0, 2) };
      wide.bases[1] = 8 - 10 * 12;
      change(wide);
      const sources = paths.map((path) => MappedSource.openSync(path));
      expect(() => gatherFiles('files', sources, wide), what).toThrow(
        expect.objectContaining({ code: 'ERR_ARGUMENT' }),
      );
    }
    const { paths, segments } = filesOf([10, 10]);
    const source = MappedSource.openSync(paths[0]!);
    expect(() => gatherFiles('files', [source, source], segments)).toThrow(/ERR_ARGUMENT|mappings/u);
    source.close();
  });
});

test('what is not mapped by the addon is left as it is', () => {
  const { segments } = filesOf([1]);
  const source = new MemorySource(new Uint8Array(100));
  expect(gatherFiles('files', [source], segments)).toBeNull();
  expect(gatherFiles('files', [], segments)).toBeNull();
  expect(source.closed).toBe(false);
});
