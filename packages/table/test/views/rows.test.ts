// What reaches the source: ranges stay ranges, and a caller's arrays are handed on rather than copied.
import { ArgumentError, OutOfRangeError } from '@colkit/io';
import { describe, expect, test } from 'vitest';
import { toIndexArray } from '../../src/views/indices.ts';
import { Mask } from '../../src/views/mask.ts';
import { checkRows, resolveRow, resolveRows, resolveRange } from '../../src/views/resolve.ts';
import { allRows, countRows, sliceRows } from '../../src/views/rows.ts';
import type { Rows } from '../../src/views/rows.ts';
import { normaliseSlice } from '../../src/views/slice.ts';

const slice = (rows: Rows, start?: number, end?: number, step?: number): Rows =>
  sliceRows(rows, normaliseSlice(countRows(rows), start, end, step));
const take = (base: Rows, indices: Parameters<typeof toIndexArray>[0]): Rows => ({
  kind: 'take',
  base,
  indices: toIndexArray(indices),
});
const filter = (base: Rows, mask: Uint8Array): Rows => ({
  kind: 'filter',
  base,
  mask: new Mask(mask, countRows(base)),
});

function indicesOf(rows: Rows): number[] {
  const selection = resolveRows(rows);
  if (selection.kind !== 'indices') throw new Error(`a ${selection.kind}`);
  return Array.from(selection.indices as ArrayLike<number | bigint>, Number);
}

describe('composition', () => {
  test('a range of a range is a range', () => {
    expect(resolveRows(slice(slice(allRows(100), 10, 50), undefined, undefined, -3))).toEqual({
      kind: 'range',
      start: 49,
      step: -3,
      count: 14,
    });
    expect(resolveRows(slice(slice(slice(allRows(100), undefined, undefined, -2), 5, 20, 3), -2))).toEqual({
      kind: 'range',
      start: 71,
      step: -6,
      count: 2,
    });
  });

  test('all rows of a view are the view', () => {
    const taken = take(allRows(5), [1, 2]);
    expect(slice(taken)).toBe(taken);
    expect(slice(allRows(5), 0, 99)).toEqual(allRows(5));
  });

  test.each([
    Int32Array.of(4, 0, -1),
    Uint32Array.of(4, 0, 2),
    Float64Array.of(4, 0, -1),
    BigInt64Array.of(4n, 0n, -1n),
  ])('indices over a whole source are handed on: %s', (indices) => {
    const selection = resolveRows(take(allRows(5), indices));
    expect(selection.kind === 'indices' && selection.indices).toBe(indices);
  });

  test('so are those that need no folding over its first rows', () => {
    const indices = Int32Array.of(4, 0, 2);
    const selection = resolveRows(take(slice(allRows(50), 0, 10), indices));
    expect(selection.kind === 'indices' && selection.indices).toBe(indices);
  });

  test('a part of them is a view of the same memory', () => {
    const indices = Int32Array.of(4, 0, 2, 3);
    const selection = resolveRows(slice(take(allRows(5), indices), 1, 3));
    expect(selection.kind === 'indices' && selection.indices.buffer).toBe(indices.buffer);
    expect(indicesOf(slice(take(allRows(5), indices), 1, 3))).toEqual([0, 2]);
  });

  test('a mask over a whole source is handed on', () => {
    const mask = Uint8Array.of(1, 0, 1);
    expect(resolveRows(filter(allRows(3), mask))).toEqual({ kind: 'mask', mask, count: 2 });
    const selection = resolveRows(filter(allRows(3), mask));
    expect(selection.kind === 'mask' && selection.mask).toBe(mask);
  });

  test('other chains become indices of the source', () => {
    const base = slice(allRows(100), 90, 10, -10); // 90, 80, …, 20
    expect(indicesOf(take(base, [0, -1, 2, 2]))).toEqual([90, 20, 70, 70]);
    expect(indicesOf(filter(base, Uint8Array.of(0, 1, 0, 0, 0, 0, 0, 1)))).toEqual([80, 20]);
    expect(indicesOf(slice(filter(allRows(6), Uint8Array.of(1, 0, 1, 1, 0, 1)), undefined, undefined, -2))).toEqual([
      5, 2,
    ]);
    expect(indicesOf(take(filter(take(base, [7, 6, 5, 4]), Uint8Array.of(1, 0, 1, 1)), [-1, 0]))).toEqual([50, 20]);
    expect(
      indicesOf(slice(slice(take(allRows(9), [8, 7, 6, 5, 4]), undefined, undefined, 2), undefined, undefined, -1)),
    ).toEqual([4, 6, 8]);
  });

  test('a chain of thousands of steps resolves without a deep stack', () => {
    let rows: Rows = allRows(10);
    for (let step = 0; step < 20_000; step += 1) rows = take(rows, [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    expect(indicesOf(rows)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(resolveRow(rows, -1)).toBe(9);
  });

  test('sources of more rows than an Int32Array can number', () => {
    const rowCount = 2 ** 33;
    const rows = take(slice(allRows(rowCount), 5), [-1, 0]);
    expect(indicesOf(rows)).toEqual([rowCount - 1, 5]);
    expect(resolveRow(rows, 0)).toBe(rowCount - 1);
  });
});

describe('windows', () => {
  test('cost as much as their rows: a filter of a long view', () => {
    const mask = new Uint8Array(1_000_000).fill(1);
    const selection = resolveRange(filter(allRows(1_000_000), mask), 500_000, 500_003);
    expect(selection).toEqual({ kind: 'indices', indices: Int32Array.of(500_000, 500_001, 500_002) });
  });

  test('put together they are the view', () => {
    const rows = take(
      filter(
        slice(allRows(50), undefined, undefined, -1),
        Uint8Array.from({ length: 50 }, (_, row) => Math.min(1, row % 3)),
      ),
      Float64Array.from({ length: 40 }, (_, index) => (index * 7) % 33),
    );
    const parts = [0, 7, 14, 21, 28, 35].flatMap((start) => {
      const selection = resolveRange(rows, start, Math.min(40, start + 7));
      return selection.kind === 'indices' ? [...selection.indices].map(Number) : [];
    });
    expect(parts).toEqual(indicesOf(rows));
  });
});

describe('indices that are not there', () => {
  const outside = (rows: Rows): OutOfRangeError => {
    try {
      checkRows(rows);
    } catch (error) {
      if (error instanceof OutOfRangeError) return error;
      throw error;
    }
    throw new Error('nothing was thrown');
  };

  test('tell index, length and position', () => {
    expect(outside(take(allRows(5), [0, 1, 5]))).toMatchObject({
      code: 'ERR_INDEX_OUT_OF_RANGE',
      index: 5,
      length: 5,
      position: 2,
    });
    expect(outside(take(slice(allRows(50), 10, 20), [3, -11]))).toMatchObject({ index: -11, length: 10, position: 1 });
    expect(outside(take(allRows(5), BigInt64Array.of(2n ** 62n)))).toMatchObject({ index: 2 ** 62, position: 0 });
    expect(outside(take(allRows(0), [0]))).toMatchObject({ index: 0, length: 0 });
  });

  test('far behind in a long view as well', () => {
    const indices = new Int32Array(200_000);
    indices[150_000] = 7;
    expect(outside(take(allRows(7), indices))).toMatchObject({ index: 7, position: 150_000 });
  });

  test('are not looked at where a later step leaves them out', () => {
    expect(indicesOf(slice(take(allRows(5), [3, 99]), 0, 1))).toEqual([3]);
    expect(() => resolveRow(take(allRows(5), [3, 99]), 1)).toThrow(OutOfRangeError);
    expect(resolveRow(take(allRows(5), [3, 99]), 0)).toBe(3);
  });

  test('fractions and NaN are no indices', () => {
    for (const bad of [0.5, Number.NaN, Infinity])
      expect(() => checkRows(take(allRows(5), Float64Array.of(1, bad)))).toThrow(ArgumentError);
    expect(() => checkRows(take(allRows(5), [1, 2.5]))).toThrow(/2\.5 at position 1/);
    expect(() => resolveRow(allRows(5), 0.5)).toThrow(ArgumentError);
  });
});

describe('what take accepts', () => {
  test('small kinds and lists are converted once', () => {
    for (const list of [[2, 0, -1], Int8Array.of(2, 0, -1), Int16Array.of(2, 0, -1), [2n, 0n, -1n]])
      expect(toIndexArray(list)).toEqual(Int32Array.of(2, 0, -1));
    expect(toIndexArray(Uint8Array.of(200))).toEqual(Int32Array.of(200));
    expect(toIndexArray(BigUint64Array.of(2n ** 40n))).toEqual(Float64Array.of(2 ** 40));
    expect(toIndexArray([0, 2 ** 31])).toEqual(Float64Array.of(0, 2 ** 31));
    expect(toIndexArray([])).toEqual(new Int32Array(0));
  });

  test.each([
    [['1']],
    [[true]],
    [[undefined]],
    [[null]],
    [
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ['12'],
    [{ length: 1 }],
    [null],
    [3],
  ])('%j is refused', (indices) => {
    expect(() => toIndexArray(indices as number[])).toThrow(ArgumentError);
  });
});
