import { expect, test } from 'vitest';
import { MemorySource } from '@colkit/io';
import { rejectedBy, thrownBy } from '../support/thrown.ts';

const BYTES = Uint8Array.of(10, 11, 12, 13, 14);

test('reads copy out of the bytes, which are referenced', async () => {
  const source = new MemorySource(BYTES.subarray(1), 'part');
  expect([source.isSync, source.path, source.byteLength, source.closed]).toEqual([true, 'part', 4, false]);
  expect(source.bytes.buffer).toBe(BYTES.buffer);
  const out = new Uint8Array(2);
  source.readSync(2, out);
  expect([...out]).toEqual([13, 14]);
  await source.read(0, out);
  expect([...out]).toEqual([11, 12]);
  expect([...BYTES]).toEqual([10, 11, 12, 13, 14]);
  expect(new MemorySource(new ArrayBuffer(3)).byteLength).toBe(3);
});

test.each([
  [-1, 1],
  [4, 2],
  [6, 0],
  [0.5, 1],
  [NaN, 0],
  [2 ** 53, 1],
])('a read at %d of %d bytes is refused', async (byteOffset, byteLength) => {
  const source = new MemorySource(BYTES);
  const expected = { name: 'ArgumentError', code: 'ERR_ARGUMENT', argument: 'byteOffset' };
  expect(thrownBy(() => source.readSync(byteOffset, new Uint8Array(byteLength)))).toMatchObject(expected);
  expect(await rejectedBy(source.read(byteOffset, new Uint8Array(byteLength)))).toMatchObject(expected);
  expect(thrownBy(() => source.view(byteOffset, byteLength))).toMatchObject(expected);
});

test('has no views, because a write into one would reach the caller', () => {
  expect(thrownBy(() => new MemorySource(BYTES).view(0, 2))).toMatchObject({
    name: 'CannotViewError',
    code: 'ERR_NOT_MAPPED',
  });
});

test('is closed once and for all', async () => {
  const source = new MemorySource(BYTES);
  source.close();
  source[Symbol.dispose]();
  expect(source.closed).toBe(true);
  for (const action of [() => source.readSync(0, new Uint8Array(1)), () => source.bytes, () => source.view(0, 1)])
    expect(thrownBy(action)).toMatchObject({ name: 'ClosedError', code: 'ERR_CLOSED' });
  expect(await rejectedBy(source.read(0, new Uint8Array(1)))).toMatchObject({ code: 'ERR_CLOSED' });
});

test('stops at an aborted signal, and at bytes that were transferred away', async () => {
  const bytes = Uint8Array.of(1, 2, 3);
  const source = new MemorySource(bytes);
  const reason = new Error('enough');
  expect(await rejectedBy(source.read(0, new Uint8Array(1), AbortSignal.abort(reason)))).toBe(reason);
  structuredClone(bytes, { transfer: [bytes.buffer] });
  expect(thrownBy(() => source.readSync(0, new Uint8Array(1)))).toMatchObject({
    name: 'ClosedError',
    code: 'ERR_DETACHED',
  });
});

test('other things are refused', () => {
  for (const bytes of [null, undefined, [1, 2], 'text', new Int16Array(2)])
    expect(thrownBy(() => new MemorySource(bytes as unknown as Uint8Array))).toMatchObject({ name: 'ArgumentError' });
});
