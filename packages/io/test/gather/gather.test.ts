// Every gatherer against the naive oracle: all sources, both forms, random segments, widths, selections and output
// layouts.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BlobSource, MemorySource, createGatherer, openSourceSync } from '@colkit/io';
import type { GatherOutput, GatherRequest, RandomAccessSource } from '@colkit/io';
import { IS_NATIVE } from '../support/backend.ts';
import { patternBytes, sameBytes, testFolder } from '../support/folder.ts';
import { gatherCases } from '../support/gather-case.ts';
import type { GatherCase } from '../support/gather-case.ts';
import { naiveGather, naiveRows } from '../support/naive-gather.ts';

const folder = testFolder();
const UNTOUCHED = 0xa5;

interface Way {
  readonly name: string;
  readonly sync: boolean;
  open(file: Uint8Array): RandomAccessSource;
  readonly backend?: 'native' | 'js';
}

/** A source at an odd offset of a larger buffer: what an unaligned caller gives. */
function unalignedMemory(file: Uint8Array): MemorySource {
  const around = new Uint8Array(file.byteLength + 11);
  around.set(file, 3);
  return new MemorySource(around.subarray(3, 3 + file.byteLength));
}

const WAYS: Way[] = [
  { name: 'memory', sync: true, open: (file) => new MemorySource(file) },
  { name: 'unaligned memory', sync: true, open: unalignedMemory },
  {
    name: 'positional file',
    sync: true,
    open: (file) => openSourceSync(folder.file('case.bin', file), { io: 'pread' }),
  },
  { name: 'blob', sync: false, open: (file) => new BlobSource(new Blob([file])) },
  ...(IS_NATIVE
    ? ([
        {
          name: 'mapping by kernels',
          sync: true,
          open: (file: Uint8Array) => openSourceSync(folder.file('case.bin', file), { io: 'mmap' }),
          backend: 'native',
        },
        {
          name: 'mapping by TypeScript',
          sync: true,
          open: (file: Uint8Array) => openSourceSync(folder.file('case.bin', file), { io: 'mmap' }),
          backend: 'js',
        },
      ] satisfies Way[])
    : []),
];

/** Outputs around each other's bytes, so that a write outside of an item shows. */
function newOutputs({ columns, segments, layout }: GatherCase, count: number): GatherOutput[] {
  return [...columns].map((column, k) => {
    const { lead, gap } = layout[k]!;
    const width = segments.itemBytes[column]!;
    const bytes = new Uint8Array(lead + count * (width + gap) + 7).fill(UNTOUCHED);
    return { bytes: bytes.subarray(1), byteOffset: lead, byteStride: width + gap };
  });
}

function expectOutputs(given: GatherCase, rows: readonly number[], outputs: readonly GatherOutput[]): void {
  outputs.forEach((output, k) => {
    const column = given.columns[k]!;
    const width = given.segments.itemBytes[column]!;
    const items = naiveGather(given.file, given.segments, column, rows);
    const expected = new Uint8Array(output.bytes.byteLength).fill(UNTOUCHED);
    for (let i = 0; i < rows.length; i++)
      expected.set(items.subarray(i * width, (i + 1) * width), output.byteOffset + i * output.byteStride);
    if (!sameBytes(output.bytes, expected)) expect([...output.bytes]).toEqual([...expected]);
  });
}

const MANY_ROWS = 200_000;
const MANY_SEGMENTS = {
  rowStarts: Float64Array.of(0, 70_001, 70_001, MANY_ROWS),
  itemBytes: Int32Array.of(8, 3),
  bases: Float64Array.of(16, 0, 24, 1_600_101, 0, 1_600_105),
};
const MANY_FILE = patternBytes(2_300_000);
const newManyOutputs = (count: number): GatherOutput[] =>
  [...MANY_SEGMENTS.itemBytes].map((width) => ({
    bytes: new Uint8Array(count * width + 7).fill(UNTOUCHED),
    byteOffset: 0,
    byteStride: width,
  }));

/** What the oracle gives of these rows, for all ways. */
const expectedOfMany = new Map<ArrayLike<number>, readonly Uint8Array[]>();
function naiveOutputs(indices: Int32Array | Uint32Array | Float64Array): readonly Uint8Array[] {
  const rows = naiveRows({ kind: 'indices', indices }, MANY_ROWS);
  return newManyOutputs(rows.length).map(({ bytes }, column) => {
    bytes.set(naiveGather(MANY_FILE, MANY_SEGMENTS, column, rows));
    return bytes;
  });
}

describe.each(WAYS)('gathers from $name', (way) => {
  test('equal the oracle', async () => {
    await fc.assert(
      fc.asyncProperty(gatherCases, async (given) => {
        const rows = naiveRows(given.rows, given.rowCount);
        const source = way.open(given.file);
        try {
          const gatherer = createGatherer(
            source,
            given.segments,
            way.backend === undefined ? {} : { backend: way.backend },
          );
          expect(gatherer.rowCount).toBe(given.rowCount);
          const request = (): GatherRequest => ({
            columns: given.columns,
            rows: given.rows,
            outputs: newOutputs(given, rows.length),
          });
          const awaited = request();
          await gatherer.gather(awaited);
          expectOutputs(given, rows, awaited.outputs);
          if (!way.sync) return;
          const direct = request();
          gatherer.gatherSync(direct);
          expectOutputs(given, rows, direct.outputs);
        } finally {
          source.close();
        }
      }),
      { numRuns: 120 },
    );
  });

  // Enough rows for several chunks and batches, buckets of unsorted rows, and blocks that are read straight into the
  // output.
  test.each([
    ['random rows', Float64Array.from({ length: 150_000 }, (_, i) => ((i * 48_271) % 200_000) - (i % 2) * 200_000)],
    ['rows from one corner', Int32Array.from({ length: 140_000 }, (_, i) => (i * 7919) % 90)],
    ['ascending rows with repeats', Uint32Array.from({ length: 150_000 }, (_, i) => Math.floor(i / 3) * 4)],
    ['descending rows', Int32Array.from({ length: 130_000 }, (_, i) => 199_999 - i)],
  ])('of many rows equal the oracle: %s', async (_, indices) => {
    const source = way.open(MANY_FILE);
    const outputs = newManyOutputs(indices.length);
    const gatherer = createGatherer(source, MANY_SEGMENTS, way.backend === undefined ? {} : { backend: way.backend });
    await gatherer.gather({ columns: Int32Array.of(0, 1), rows: { kind: 'indices', indices }, outputs });
    const expected = expectedOfMany.get(indices) ?? naiveOutputs(indices);
    expectedOfMany.set(indices, expected);
    for (const [column, { bytes }] of outputs.entries()) expect(sameBytes(bytes, expected[column]!)).toBe(true);
    source.close();
  });

  test('of a long range and of an item wider than a buffer', async () => {
    const wide = 3 * 1024 * 1024 + 5;
    const file = patternBytes(4 * wide + 1);
    const segments = { rowStarts: Float64Array.of(0, 4), itemBytes: Int32Array.of(wide), bases: Float64Array.of(1) };
    const source = way.open(file);
    const gatherer = createGatherer(source, segments, way.backend === undefined ? {} : { backend: way.backend });
    for (const rows of [
      { kind: 'range', start: 1, step: 1, count: 3 },
      { kind: 'indices', indices: Int32Array.of(3, 0, 3) },
    ] as const) {
      const bytes = new Uint8Array(3 * wide);
      await gatherer.gather({ columns: Int32Array.of(0), rows, outputs: [{ bytes, byteOffset: 0, byteStride: wide }] });
      naiveRows(rows, 4).forEach((row, i) => {
        expect(
          sameBytes(bytes.subarray(i * wide, (i + 1) * wide), file.subarray(1 + row * wide, 1 + (row + 1) * wide)),
        ).toBe(true);
      });
    }
    source.close();
  });
});
