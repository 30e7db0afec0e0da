// Arrays of a caller over resizable buffers: the same in both forms, with the addon and without.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { open } from '../../src/index.ts';
import type { ColStore } from '../../src/index.ts';
import { foldersOfFiles } from '../support/folder-of-files.ts';

type Buffers = new (byteLength: number, options: { maxByteLength: number }) => ArrayBuffer;

/** The values over a buffer that may become shorter. */
function resizable<A extends { set(from: A): void; readonly byteLength: number }>(
  kind: new (buffer: ArrayBuffer) => A,
  values: A,
): A {
  const buffer = new (ArrayBuffer as unknown as Buffers)(values.byteLength, { maxByteLength: 2 * values.byteLength });
  const array = new kind(buffer);
  array.set(values);
  return array;
}

const folderOf = foldersOfFiles();
let table: ColStore;
beforeAll(async () => {
  table = await open(`${folderOf({ 'a.cstore': { x: Float64Array.of(1, 2, 3) } })}/a.cstore`);
});
afterAll(() => table.close());

describe('over a resizable buffer', () => {
  test.each([
    ['Int32Array', () => resizable(Int32Array, Int32Array.of(2, 0, -1))],
    ['Uint32Array', () => resizable(Uint32Array, Uint32Array.of(2, 0, 2))],
    ['Float64Array', () => resizable(Float64Array, Float64Array.of(2, 0, -1))],
    ['BigInt64Array', () => resizable(BigInt64Array, BigInt64Array.of(2n, 0n, -1n))],
  ])('row numbers are taken: %s', async (_, make) => {
    const rows = make();
    const view = table.take(rows);
    // They were copied: what becomes of the buffer says nothing.
    (rows.buffer as unknown as { resize(byteLength: number): void }).resize(0);
    expect([...((await view.toColumns())['x'] as Float64Array)]).toEqual([3, 1, 3]);
    expect([...(view.toColumnsSync()['x'] as Float64Array)]).toEqual([3, 1, 3]);
  });

  test('a mask is taken', async () => {
    const view = table.filter(resizable(Uint8Array, Uint8Array.of(1, 0, 1)));
    expect([...((await view.toColumns())['x'] as Float64Array)]).toEqual([1, 3]);
    expect([...(view.toColumnsSync()['x'] as Float64Array)]).toEqual([1, 3]);
  });

  test('memory for a result is refused, by the name of the column', async () => {
    const out = { x: resizable(Float64Array, new Float64Array(3)) };
    const refusal = { code: 'ERR_OUT_BUFFER', argument: 'out["x"]', found: '3 of float64 in a resizable buffer' };
    await expect(table.toColumns({ out })).rejects.toMatchObject(refusal);
    await expect(table.column('x').toArray({ out: out.x })).rejects.toMatchObject(refusal);
    expect(() => table.toColumnsSync({ out })).toThrow(
      /out\["x"\]: expected 3 elements of float64 but found 3 of float64 in a resizable/u,
    );
  });
});
