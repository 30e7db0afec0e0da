import { expect, test } from 'vitest';
import { alignUp, alignedBuffer, allocateOutputs, copyAs, viewAs } from '@colkit/io';
import { isAligned } from '../../src/memory/align.ts';
import { thrownBy } from '../support/thrown.ts';

test('offsets are rounded up', () => {
  expect([
    alignUp(0, 8),
    alignUp(1, 8),
    alignUp(8, 8),
    alignUp(9, 8),
    alignUp(5, 3),
    alignUp(2 ** 52 + 1, 4096),
  ]).toEqual([0, 8, 8, 16, 6, 2 ** 52 + 4096]);
  for (const [value, alignment] of [
    [-1, 8],
    [1.5, 8],
    [1, 0],
    [1, -8],
    [NaN, 8],
    [Number.MAX_SAFE_INTEGER, 4096],
  ] as const) {
    expect(thrownBy(() => alignUp(value, alignment))).toMatchObject({ name: 'ArgumentError' });
  }
  expect([isAligned(16, 8), isAligned(12, 8), isAligned(13, 1)]).toEqual([true, false, true]);
});

test.each([4095, 4096, 65_535, 65_536, 1_048_575, 1_048_576])(
  "an output of %i bytes is exactly so long, aligned, writable, and nobody else's",
  (byteLength) => {
    for (const transferable of [false, true]) {
      const [first, second] = allocateOutputs([byteLength, byteLength], { transferable }) as [Uint8Array, Uint8Array];
      second.fill(2);
      first.fill(1);
      expect([first.length, second.length, first.byteOffset % 8, second.byteOffset % 8]).toEqual([
        byteLength,
        byteLength,
        0,
        0,
      ]);
      expect(second.every((byte) => byte === 2)).toBe(true);
      if (!transferable) continue;
      expect([
        first.buffer.byteLength,
        structuredClone(first, { transfer: [first.buffer as ArrayBuffer] }).length,
        first.length,
      ]).toEqual([byteLength, byteLength, 0]);
    }
  },
);

test('an aligned buffer starts its own memory and is padded to whole words', () => {
  const bytes = alignedBuffer(13, 64);
  expect([bytes.byteLength, bytes.byteOffset, bytes.buffer.byteLength]).toEqual([13, 0, 64]);
  expect(bytes.every((byte) => byte === 0)).toBe(true);
  expect(alignedBuffer(0, 8).byteLength).toBe(0);
  expect(thrownBy(() => alignedBuffer(8, 12))).toMatchObject({ name: 'ArgumentError', argument: 'alignment' });
  expect(thrownBy(() => alignedBuffer(-8, 8))).toMatchObject({ name: 'ArgumentError' });
  expect(thrownBy(() => alignedBuffer(2 ** 52, 8))).toMatchObject({
    name: 'LimitError',
    code: 'ERR_LIMIT',
    value: 2 ** 52,
    message: expect.stringContaining('memory is short') as unknown,
  });
});

test('viewAs shares the bytes or throws; copyAs never shares', () => {
  const bytes = Uint8Array.of(9, 9, 9, 9, 1, 0, 0, 0, 2, 0, 0, 0, 9);
  const view = viewAs(Int32Array, bytes.subarray(4, 12));
  expect([view.buffer === bytes.buffer, ...view]).toEqual([true, 1, 2]);
  const unaligned = bytes.subarray(3, 11);
  expect(thrownBy(() => viewAs(Int32Array, unaligned))).toMatchObject({
    name: 'CannotViewError',
    code: 'ERR_MISALIGNED',
    remedy: expect.stringContaining('copyAs') as unknown,
  });
  const copy = copyAs(Int32Array, unaligned);
  expect([copy.buffer === bytes.buffer, ...copy]).toEqual([false, 0x109, 0x200]);
  for (const convert of [viewAs, copyAs])
    expect(thrownBy(() => convert(Float64Array, bytes))).toMatchObject({ name: 'ArgumentError', found: '13' });
});

test('small outputs share a slab, each at a multiple of 8; large ones have a buffer of their own', () => {
  const outputs = allocateOutputs([3, 0, 16, 100_000, 9]);
  expect(outputs.map((output) => output.byteLength)).toEqual([3, 0, 16, 100_000, 9]);
  const [a, b, c, large, d] = outputs as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  expect(new Set([a, b, c, d].map((output) => output.buffer)).size).toBe(1);
  expect([a, b, c, d].map((output) => output.byteOffset)).toEqual([0, 8, 8, 24]);
  expect([large.buffer === a.buffer, large.byteOffset]).toEqual([false, 0]);
  outputs.forEach((output, k) => output.fill(k + 1));
  expect(outputs.every((output, k) => output.every((byte) => byte === k + 1))).toBe(true);
});

test('transferable outputs can be transferred, one without the other', () => {
  const outputs = allocateOutputs([3, 5, 100_000], { transferable: true });
  const [first] = outputs as [Uint8Array];
  structuredClone(first, { transfer: [first.buffer as ArrayBuffer] });
  expect(outputs.map((output) => output.byteLength)).toEqual([0, 5, 100_000]);
});

test('what cannot be allocated is a typed error', () => {
  expect(thrownBy(() => allocateOutputs([1, -1]))).toMatchObject({ name: 'ArgumentError', argument: 'byteLengths' });
  expect(thrownBy(() => allocateOutputs([0.5]))).toMatchObject({ name: 'ArgumentError' });
  expect(thrownBy(() => allocateOutputs([2 ** 50]))).toMatchObject({ name: 'LimitError', code: 'ERR_LIMIT' });
  expect(allocateOutputs([])).toEqual([]);
});
