// Arguments that nobody should pass: each gets an error with a code and says what was expected, and nothing is written.
import { describe, expect, test } from 'vitest';
import type { NativeRows } from '../index.js';
import { as, detached, errorOf, hasNative, makeTable, mapBytes, native } from './support.ts';

describe.skipIf(!hasNative)('mapping', () => {
  test('mapFile refuses what is not a file', () => {
    expect(errorOf(() => native().mapFile(as(1), 0))).toMatchObject({
      code: 'ERR_ARGUMENT',
      argument: 'path',
      expected: 'a string',
      found: '1',
    });
    expect(errorOf(() => native().mapFile('x', -1))).toMatchObject({ code: 'ERR_ARGUMENT', argument: 'fd' });
    expect(errorOf(() => native().mapFile('x', 1e6)).code).toBe('ERR_READ');
    expect(errorOf(() => native().mapFile('x', 2 ** 32)).code).toBe('ERR_ARGUMENT');
  });

  test('handles of another kind are refused', () => {
    const { mapping, segments } = makeTable([10], [4]);
    for (const wrong of [undefined, null, 7, 'mapping', {}, new Uint8Array(8), segments, () => 1]) {
      expect(errorOf(() => native().mappingByteLength(as(wrong)))).toMatchObject({
        code: 'ERR_ARGUMENT',
        argument: 'mapping',
        expected: 'a handle from mapFile',
      });
      expect(errorOf(() => native().closeMapping(as(wrong))).code).toBe('ERR_ARGUMENT');
    }
    const rows: NativeRows = { kind: 'range', start: 0, step: 1, count: 1 };
    for (const wrong of [undefined, 7, {}, mapping]) {
      expect(
        errorOf(() => native().gatherSync(as(wrong), Int32Array.of(0), rows, [new Int32Array(1)], null, 0)),
      ).toMatchObject({
        code: 'ERR_ARGUMENT',
        argument: 'segments',
        expected: 'a handle from createSegments',
      });
    }
  });

  test('ranges outside the mapping are refused', () => {
    const { mapping } = mapBytes(new Uint8Array(100));
    for (const [offset, length] of [
      [-1, 1],
      [0, 101],
      [101, 0],
      [100, 1],
      [0.5, 1],
      [NaN, 1],
      [2 ** 53, 1],
      [0, 2 ** 40],
      [1, Infinity],
    ] as const) {
      expect(errorOf(() => native().window(mapping, offset, length)).code).toBe('ERR_ARGUMENT');
      expect(errorOf(() => native().advise(mapping, 'willneed', offset, length)).code).toBe('ERR_ARGUMENT');
    }
    expect(errorOf(() => native().advise(mapping, as('whenever'), 0, 1)).message).toContain("found 'whenever'");
    const out = new Uint8Array(4).fill(7);
    expect(errorOf(() => native().readSync(mapping, 97, out))).toMatchObject({ code: 'ERR_ARGUMENT' });
    expect(errorOf(() => native().readSync(mapping, -1, out)).code).toBe('ERR_ARGUMENT');
    expect(errorOf(() => native().readSync(mapping, 0, as([1, 2]))).code).toBe('ERR_ARGUMENT');
    expect(out).toEqual(new Uint8Array(4).fill(7));
    expect(native().window(mapping, 100, 0).byteLength).toBe(0);
    expect(native().advise(mapping, 'normal', 100, 0)).toBe(true);
  });

  test('after closing every use throws ERR_CLOSED, and closing again does nothing', async () => {
    const { mapping, segments } = makeTable([10], [4]);
    native().closeMapping(mapping);
    native().closeMapping(mapping);
    const rows: NativeRows = { kind: 'range', start: 0, step: 1, count: 1 };
    const one = Float64Array.of(0);
    for (const use of [
      () => native().mappingByteLength(mapping),
      () => native().currentFileSize(mapping),
      () => native().advise(mapping, 'normal', 0, 0),
      () => native().window(mapping, 0, 1),
      () => native().readSync(mapping, 0, new Uint8Array(1)),
      () => native().createSegments(mapping, Float64Array.of(0), new Int32Array(0), new Float64Array(0)),
      () => native().gatherSync(segments, Int32Array.of(0), rows, [new Int32Array(1)], null, 0),
      () => native().copyRangesSync(mapping, one, one, new Uint8Array(1), one, 0),
    ]) {
      expect(errorOf(use).code).toBe('ERR_CLOSED');
    }
    await expect(native().gather(segments, Int32Array.of(0), rows, [new Int32Array(1)], null, 0)).rejects.toMatchObject(
      { code: 'ERR_CLOSED' },
    );
    await expect(native().copyRanges(mapping, one, one, new Uint8Array(1), one, 0)).rejects.toMatchObject({
      code: 'ERR_CLOSED',
    });
  });
});

describe.skipIf(!hasNative)('segments', () => {
  test('addresses outside the mapping and rows out of order are refused', () => {
    const { mapping } = mapBytes(new Uint8Array(80));
    const make = (rowStarts: number[], itemBytes: number[], bases: number[]) =>
      native().createSegments(
        mapping,
        Float64Array.from(rowStarts),
        Int32Array.from(itemBytes),
        Float64Array.from(bases),
      );
    make([0, 10], [8], [0]);
    make([0], [], []);
    make([0, 10], [], []);
    for (const [rowStarts, itemBytes, bases] of [
      [[0, 10], [8], [1]],
      [[0, 10], [8], [-1]],
      [[0, 11], [8], [0]],
      [[0, 10], [8], [0.5]],
      [[0, 10], [8], [NaN]],
      [[0, 10], [8], [2 ** 60]],
      [[0, 2 ** 52], [2147483647], [0]],
      [[0, 10], [0], [0]],
      [[0, 10], [-8], [0]],
      [[1, 10], [8], [0]],
      [[0, 10, 5], [8], [0, 0]],
      [[0, NaN], [8], [0]],
      [[0, 10], [8], []],
      [[0, 10], [8, 8], [0]],
      [[0], [8], [0]],
      [[], [8], [0]],
    ] as const) {
      expect(errorOf(() => make([...rowStarts], [...itemBytes], [...bases])).code).toBe('ERR_ARGUMENT');
    }
    expect(
      errorOf(() => native().createSegments(mapping, as([0, 10]), Int32Array.of(8), Float64Array.of(0))).message,
    ).toContain('rowStarts: expected a Float64Array but found an object');
    expect(
      errorOf(() =>
        native().createSegments(mapping, detached(Float64Array.of(0, 10)), Int32Array.of(8), Float64Array.of(0)),
      ).message,
    ).toContain('detached');
  });
});

describe.skipIf(!hasNative)('copyRanges and the settings', () => {
  test('ranges outside the mapping or the output are refused before one byte is written', async () => {
    const { mapping } = mapBytes(new Uint8Array(100).fill(1));
    const out = new Uint8Array(50).fill(7);
    const f = (...values: number[]) => Float64Array.from(values);
    for (const [offsets, lengths, outOffsets] of [
      [f(0, 99), f(10, 2), f(0, 20)],
      [f(0, -1), f(10, 1), f(0, 20)],
      [f(0, 0), f(10, 41), f(0, 10)],
      [f(0, 0), f(10, 1), f(0, 50)],
      [f(0, 0), f(1, -1), f(0, 0)],
      [f(0, 0.5), f(1, 1), f(0, 0)],
      [f(0, NaN), f(1, 1), f(0, 0)],
      [f(0, 0), f(1, 2 ** 53), f(0, 0)],
      [f(0, 0), f(1, 1), f(0, 2 ** 60)],
    ] as const) {
      expect(errorOf(() => native().copyRangesSync(mapping, offsets, lengths, out, outOffsets, 0))).toMatchObject({
        code: 'ERR_ARGUMENT',
      });
      await expect(native().copyRanges(mapping, offsets, lengths, out, outOffsets, 0)).rejects.toMatchObject({
        code: 'ERR_ARGUMENT',
      });
    }
    expect(errorOf(() => native().copyRangesSync(mapping, f(0), f(1, 1), out, f(0), 0)).code).toBe('ERR_ARGUMENT');
    expect(errorOf(() => native().copyRangesSync(mapping, f(0), f(1), out, f(0, 1), 0)).code).toBe('ERR_ARGUMENT');
    expect(errorOf(() => native().copyRangesSync(mapping, as([0]), f(1), out, f(0), 0)).code).toBe('ERR_ARGUMENT');
    expect(out).toEqual(new Uint8Array(50).fill(7));
  });

  test('settings outside their bounds are refused', () => {
    for (const count of [0, -1, 0.5, 1e6, NaN, '4', undefined])
      expect(errorOf(() => native().setMaxWorkers(as(count))).code).toBe('ERR_ARGUMENT');
    for (const bytes of [-1, 0.5, NaN, 2 ** 53, '4', undefined]) {
      expect(errorOf(() => native().setPoolLimit(as(bytes))).code).toBe('ERR_ARGUMENT');
      expect(errorOf(() => native().allocatePooled(as(bytes))).code).toBe('ERR_ARGUMENT');
      expect(errorOf(() => native().tellOrdinary(as(bytes))).code).toBe('ERR_ARGUMENT');
    }
    expect(errorOf(() => native().allocatePooled(2 ** 50))).toMatchObject({ name: 'RangeError' });
    const before = native().maxWorkers();
    native().setMaxWorkers(3);
    expect(native().maxWorkers()).toBe(3);
    native().setMaxWorkers(before);
    const features = native().cpuFeatures();
    expect(['baseline', 'avx2', 'avx512', 'neon']).toContain(features.kernels);
    expect(features.pageBytes).toBeGreaterThanOrEqual(4096);
    expect(features.physicalCores).toBeGreaterThanOrEqual(1);
    expect(native().version).toMatch(/^\d+\.\d+\.\d+/);
  });
});
