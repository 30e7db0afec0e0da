// Arguments of gathers that nobody should pass: each gets an error with a code and says what was expected, and nothing
// is written.
import { describe, expect, test } from 'vitest';
import type { NativeRows } from '../index.js';
import { as, detached, errorOf, hasNative, makeTable, native } from './support.ts';

describe.skipIf(!hasNative)('gather', () => {
  const setUp = () => {
    const table = makeTable([100], [8, 4]);
    const gather = (
      rows: unknown,
      options: { columns?: unknown; outs?: unknown; layout?: unknown; workers?: unknown } = {},
    ) =>
      native().gatherSync(
        table.segments,
        as(options.columns ?? Int32Array.of(0)),
        as(rows),
        as(options.outs ?? [new Float64Array(3)]),
        as(options.layout ?? null),
        as(options.workers ?? 0),
      );
    return { table, gather };
  };
  const indices = (...values: number[]): NativeRows => ({ kind: 'indices', indices: Float64Array.from(values) });

  test('indices out of range name index, length and position, and nothing is written', () => {
    const { gather, table } = setUp();
    for (const [array, index, position] of [
      [Int32Array.of(0, 1, 100), 100, 2],
      [Int32Array.of(-101, 1, 1), -101, 0],
      [Uint32Array.of(0, 4294967295, 1), 4294967295, 1],
      [Float64Array.of(0, 1e300, 1), 1e300, 1],
      [Float64Array.of(0, -(2 ** 53), 1), -(2 ** 53), 1],
      [BigInt64Array.of(0n, 1n, 100n), 100, 2],
      [BigInt64Array.of(0n, -(2n ** 63n), 100n), -(2 ** 63), 1],
    ] as const) {
      const out = new Float64Array(3).fill(7);
      const error = errorOf(() => gather({ kind: 'indices', indices: array }, { outs: [out] }));
      expect(error).toMatchObject({ name: 'RangeError', code: 'ERR_INDEX_OUT_OF_RANGE', index, length: 100, position });
      expect(error.message).toMatch(
        new RegExp(`^rows: expected integers in \\[-100, 100\\) but found -?[\\de+]+ at position ${position}$`),
      );
      expect(out).toEqual(new Float64Array(3).fill(7));
    }
    const large = new Int32Array(300_000);
    large[123_456] = 100;
    large[250_000] = 100;
    const out = new Float64Array(300_000).fill(7);
    for (const workers of [1, 2, 4]) {
      expect(errorOf(() => gather({ kind: 'indices', indices: large }, { outs: [out], workers }))).toMatchObject({
        index: 100,
        position: 123_456,
      });
    }
    expect(out.every((value) => value === 7)).toBe(true);
    expect(table.rowCount).toBe(100);
  });

  test('numbers that are no integers are refused', () => {
    const { gather } = setUp();
    for (const value of [0.5, -0.5, NaN, Infinity, -Infinity, 1e-300, 99.99999]) {
      expect(errorOf(() => gather(indices(1, value, 2)))).toMatchObject({
        code: 'ERR_ARGUMENT',
        message: `rows: expected integers but found ${String(value)} at position 1`,
      });
    }
  });

  test('rows of the wrong shape are refused', () => {
    const { gather } = setUp();
    for (const rows of [
      undefined,
      null,
      5,
      'all',
      {},
      { kind: 'every' },
      { kind: 'indices' },
      { kind: 'indices', indices: [1, 2, 3] },
      { kind: 'indices', indices: new Uint8Array(3) },
      { kind: 'mask' },
      { kind: 'mask', mask: new Uint8Array(99), count: 0 },
      { kind: 'mask', mask: new Int8Array(100), count: 0 },
      { kind: 'mask', mask: new Uint8Array(100), count: -1 },
      { kind: 'mask', mask: new Uint8Array(100), count: 101 },
      { kind: 'range', start: 0, step: 0, count: 1 },
      { kind: 'range', start: 0, step: 0.5, count: 1 },
      { kind: 'range', start: 0.5, step: 1, count: 1 },
      { kind: 'range', start: 0, step: 1, count: 0.5 },
      { kind: 'range', start: 0, step: 1, count: -1 },
      { kind: 'range', start: 0, step: NaN, count: 1 },
      { kind: 'range', start: 0, step: 1 },
      new Uint8Array(3),
    ]) {
      expect(errorOf(() => gather(rows)).code).toBe('ERR_ARGUMENT');
    }
    for (const [start, step, count] of [
      [0, 1, 101],
      [-1, 1, 1],
      [100, 1, 1],
      [99, 1, 2],
      [0, -1, 2],
      [0, 2 ** 53 - 1, 3],
      [2 ** 53, 1, 1],
      [0, 34, 4],
    ] as const) {
      expect(
        errorOf(() => gather({ kind: 'range', start, step, count }, { outs: [new Float64Array(200)] })),
      ).toMatchObject({ code: 'ERR_INDEX_OUT_OF_RANGE', length: 100 });
    }
    gather({ kind: 'range', start: 1000, step: 5, count: 0 });
  });

  test('a mask whose set bytes are not as many as announced is refused before anything is written', () => {
    const { gather } = setUp();
    const out = new Float64Array(3).fill(7);
    const mask = new Uint8Array(100).fill(1, 10, 12);
    expect(errorOf(() => gather({ kind: 'mask', mask, count: 3 }, { outs: [out] }))).toMatchObject({
      code: 'ERR_ARGUMENT',
      message: 'rows.count: expected the number of mask bytes that are not 0, 2, but found 3',
    });
    expect(errorOf(() => gather({ kind: 'mask', mask, count: 1 }, { outs: [out] })).code).toBe('ERR_ARGUMENT');
    expect(out).toEqual(new Float64Array(3).fill(7));
  });

  test('columns, outputs, layout and workers are checked', () => {
    const { gather } = setUp();
    const rows = indices(1, 2, 3);
    for (const columns of [
      Int32Array.of(2),
      Int32Array.of(-1),
      Int32Array.of(0, 1),
      new Int32Array(0),
      Float64Array.of(0),
      [0],
    ])
      expect(errorOf(() => gather(rows, { columns })).code).toBe('ERR_ARGUMENT');
    for (const outs of [new Float64Array(2), [[1, 2, 3]], [null], [], 5, [new ArrayBuffer(24)]])
      expect(errorOf(() => gather(rows, { outs })).code).toBe('ERR_ARGUMENT');
    for (const outs of [
      [new Float64Array(2)],
      [new Uint8Array(23)],
      [new Uint8Array(0)],
      [new DataView(new ArrayBuffer(23))],
    ])
      expect(errorOf(() => gather(rows, { outs }))).toMatchObject({ code: 'ERR_OUT_BUFFER', argument: 'outs' });
    const outs = [new Uint8Array(100)];
    for (const layout of [
      [77, 8],
      [0, 47],
      [60, 17],
      [2 ** 52, 8],
      [0, 2 ** 52],
    ])
      expect(errorOf(() => gather(rows, { outs, layout: Float64Array.from(layout) })).code).toBe('ERR_OUT_BUFFER');
    for (const layout of [[-1, 8], [0, 7], [0, -8], [0.5, 8], [0, 8.5], [NaN, 8], [0], [0, 8, 0, 8]])
      expect(errorOf(() => gather(rows, { outs, layout: Float64Array.from(layout) })).code).toBe('ERR_ARGUMENT');
    expect(errorOf(() => gather(rows, { layout: [0, 8] })).code).toBe('ERR_ARGUMENT');
    for (const workers of [-1, 0.5, '2', 1e9, NaN])
      expect(errorOf(() => gather(rows, { workers })).code).toBe('ERR_ARGUMENT');
    gather(rows, { outs, layout: Float64Array.of(76, 8).fill(46, 1).fill(0, 0, 1) });
    gather(indices(), { outs: [new Uint8Array(0)], layout: Float64Array.of(5, 8) });
  });

  test('detached arrays are refused', async () => {
    const { gather, table } = setUp();
    expect(errorOf(() => gather({ kind: 'indices', indices: detached(Int32Array.of(1)) })).message).toContain(
      'detached',
    );
    expect(errorOf(() => gather({ kind: 'mask', mask: detached(new Uint8Array(100)), count: 0 })).message).toContain(
      'detached',
    );
    expect(errorOf(() => gather(indices(), { outs: [detached(new Float64Array(3))] })).message).toContain('detached');
    expect(errorOf(() => gather(indices(), { outs: [detached(new DataView(new ArrayBuffer(8)))] })).code).toBe(
      'ERR_ARGUMENT',
    );
    await expect(
      native().gather(table.segments, Int32Array.of(0), indices(1), [detached(new Float64Array(1))], null, 0),
    ).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
  });

  test('the asynchronous forms refuse buffers that could shrink while they run', async () => {
    const { table, gather } = setUp();
    const ResizableBuffer = ArrayBuffer as unknown as new (
      byteLength: number,
      options: { maxByteLength: number },
    ) => ArrayBuffer;
    const resizable = new Uint8Array(new ResizableBuffer(24, { maxByteLength: 4096 }));
    gather(indices(1, 2, 3), { outs: [resizable] });
    await expect(
      native().gather(table.segments, Int32Array.of(0), indices(1, 2, 3), [resizable], null, 0),
    ).rejects.toMatchObject({ code: 'ERR_ARGUMENT', argument: 'outs', found: 'a resizable one' });
    const rows = new Int32Array(new ResizableBuffer(24, { maxByteLength: 4096 }));
    await expect(
      native().gather(table.segments, Int32Array.of(0), rows, [new Float64Array(6)], null, 0),
    ).rejects.toMatchObject({ code: 'ERR_ARGUMENT', argument: 'rows' });
    const none = new Float64Array(0);
    await expect(native().copyRanges(table.mapping, none, none, resizable, none, 0)).rejects.toMatchObject({
      code: 'ERR_ARGUMENT',
    });
    const shared = new Float64Array(new SharedArrayBuffer(24));
    await native().gather(table.segments, Int32Array.of(0), indices(1, 2, 3), [shared], null, 0);
    expect(new Uint8Array(shared.buffer, 0, 8)).toEqual(table.item(0, 1));
  });

  test('the asynchronous form rejects with the same errors and never throws', async () => {
    const { table } = setUp();
    const call = (rows: unknown, outs: unknown) =>
      native().gather(table.segments, Int32Array.of(0), as(rows), as(outs), null, 0);
    await expect(call(indices(1, 100), [new Float64Array(2)])).rejects.toMatchObject({
      name: 'RangeError',
      code: 'ERR_INDEX_OUT_OF_RANGE',
      index: 100,
      length: 100,
      position: 1,
    });
    await expect(call(indices(1, 0.5), [new Float64Array(2)])).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
    await expect(call(indices(1, 2), [new Float64Array(1)])).rejects.toMatchObject({ code: 'ERR_OUT_BUFFER' });
    await expect(call('rows', [new Float64Array(1)])).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
    await expect(
      call({ kind: 'mask', mask: new Uint8Array(100).fill(1), count: 7 }, [new Float64Array(7)]),
    ).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
    await expect(
      native().gather(as(null), Int32Array.of(0), indices(1), [new Float64Array(1)], null, 0),
    ).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
  });
});
