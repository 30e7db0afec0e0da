// Which rows: numbers, slices, indices and masks, as Python has them, in both layouts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadGoldenTables } from '@colkit/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSync, writeSync } from '../src/index.ts';
import type { ColStore, FileForm, TableInput } from '../src/index.ts';
import { errorOf } from './support/files.ts';
import { FORMS, plain } from './conformance-files.ts';

let folder = '';

let files = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'colstore-conformance-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const newPath = (): string => join(folder, `${String((files += 1))}.cstore`);

function written(data: TableInput, layout: FileForm = 'flat'): { path: string; store: ColStore } {
  const path = newPath();
  writeSync(path, data, { layout });
  return { path, store: openSync(path) };
}

describe.each(FORMS)('indexing (%s)', (layout) => {
  let ds: ColStore;
  const a = (rows: Parameters<ColStore['get']>[0]): number[] => [...(ds.get(rows, 'a').toArraySync() as Int32Array)];
  beforeAll(() => {
    ds = written(
      {
        a: Int32Array.from({ length: 100 }, (_, row) => row),
        b: Float32Array.from({ length: 100 }, (_, row) => row / 2),
      },
      layout,
    ).store;
  });
  afterAll(() => ds.close());

  it('37. a row number gives arrays of one', () =>
    expect(ds.get(42).toColumnsSync()).toEqual(plain({ a: Int32Array.of(42), b: Float32Array.of(21) })));
  it('38. -1 is the last', () => expect(a(-1)).toEqual([99]));

  it('39. 100 of 100 is an error when it is materialised', () => {
    const view = ds.get(100);
    expect(errorOf(() => view.toColumnsSync())).toMatchObject({ name: 'OutOfRangeError', index: 100, length: 100 });
  });

  it('40. negative indices fold, [100] and [-101] are errors with their position', () => {
    expect(a([-1, -2])).toEqual([99, 98]);
    expect(errorOf(() => a([5, 100]))).toMatchObject({ name: 'OutOfRangeError', index: 100, position: 1 });
    expect(errorOf(() => a([-101]))).toMatchObject({ name: 'OutOfRangeError', index: -101, position: 0 });
  });

  it('41. any order, with repeats', () => expect(a([7, 3, 7, 99, 0, 3])).toEqual([7, 3, 7, 99, 0, 3]));

  it('42. fractions are no indices; no index, no row', () => {
    expect(errorOf(() => a([1.5]))).toMatchObject({ name: 'ArgumentError', expected: 'integers' });
    expect(errorOf(() => a(Number.NaN))).toMatchObject({ name: 'ArgumentError' });
    expect(a([])).toEqual([]);
    expect(ds.get([]).toColumnsSync()).toEqual(plain({ a: new Int32Array(0), b: new Float32Array(0) }));
  });

  it('43. a number alone is one row', () => expect(ds.get(0, ['b']).rowCount).toBe(1));

  it('44. a mask of the wrong length', () => {
    expect(errorOf(() => ds.get(new Uint8Array(50)))).toMatchObject({
      name: 'ArgumentError',
      argument: 'mask',
      found: '50 entries',
    });
    expect(errorOf(() => ds.get([true, false]))).toMatchObject({ name: 'ArgumentError', argument: 'mask' });
  });

  it('45. slices are numpy slices', () => {
    expect(a({ start: 200, end: 100, step: -1 })).toEqual([]);
    expect(a({ start: 200, step: -1 })).toEqual(Array.from({ length: 100 }, (_, index) => 99 - index));
    const bounds = [undefined, 0, 1, 50, 99, 100, 200, -1, -50, -100, -101, -200];
    for (const start of bounds)
      for (const end of bounds)
        for (const step of [undefined, 1, 2, 7, -1, -2, -7, 1000, -1000])
          expect(a({ start, end, step })).toEqual(pythonSlice(100, start, end, step));
    expect(errorOf(() => ds.get({ step: 0 }))).toMatchObject({ name: 'ArgumentError', argument: 'step' });
  });

  it('46. unknown columns and things that are no columns, at once', () => {
    expect(errorOf(() => ds.get(0, 'zzz'))).toMatchObject({
      name: 'UnknownColumnError',
      column: 'zzz',
      available: ['a', 'b'],
    });
    expect(errorOf(() => ds.get(0, ['a', 'zzz']))).toMatchObject({ name: 'UnknownColumnError' });
    expect(errorOf(() => ds.get(0, 3 as unknown as 'a'))).toMatchObject({ name: 'ArgumentError', argument: 'columns' });
    for (const rows of [null, undefined, 'a', {}.constructor, new Map(), { rows: [1] }, true] as unknown as number[])
      expect(
        errorOf(() => ds.get(rows)),
        String(rows),
      ).toMatchObject({ name: 'ArgumentError', argument: 'rows' });
    expect(ds.get({}, []).columnNames).toEqual([]);
  });

  it('47. parts of index arrays are as good as copies', () => {
    const all = Int32Array.from({ length: 60 }, (_, index) => (index * 37) % 100);
    expect(a(all.subarray(3, 50))).toEqual([...all.slice(3, 50)]);
    expect(a(new Float64Array(Float64Array.of(9, 8, 7, 6).buffer, 8, 2))).toEqual([8, 7]);
    expect(a(BigInt64Array.of(-1n, 4n).subarray(1))).toEqual([4]);
    expect(a(Uint32Array.of(1, 2, 3).subarray(1))).toEqual([2, 3]);
  });

  it('49. views are indexed again', () => {
    expect([...(ds.column('a').slice(0, 50).slice(-3).toArraySync() as Int32Array)]).toEqual([47, 48, 49]);
    expect(ds.get([9, 8, 7, 6, 5], ['b']).slice(1, 4).take([2, 0]).toColumnsSync()).toEqual(
      plain({ b: Float32Array.of(3, 4) }),
    );
  });

  it('51. one descent between probes of a sorted-looking index', () => {
    const long = written({ v: Int32Array.from({ length: 40_000 }, (_, row) => row) }, layout).store;
    const indices = Int32Array.from({ length: 40_000 }, (_, index) => index);
    indices[20_001] = 3;
    expect(long.column('v').take(indices).toArraySync()).toEqual(indices);
  });

  it('52. masks of all kinds', () => {
    for (const keep of [
      () => 0,
      () => 1,
      (row: number) => row % 2,
      (row: number) => Number(row > 6 && row < 9),
      (row: number) => Number(row % 8 === 7),
      (row: number) => Number(row > 62),
    ]) {
      const mask = Uint8Array.from({ length: 100 }, (_, row) => keep(row));
      const expected = [...mask.keys()].filter((row) => mask[row] === 1);
      expect(a(mask)).toEqual(expected);
      expect(a(Array.from(mask, Boolean))).toEqual(expected);
    }
    expect(() => a(Uint8Array.from({ length: 100 }, (_, row) => (row === 40 ? 255 : 0)))).toThrow(
      /take.*255 at position 40/,
    );
  });
});

/** Python's range(*slice(start, end, step).indices(length)), written out. */
function pythonSlice(length: number, start?: number, end?: number, step = 1): number[] {
  const bound = (value: number | undefined, whenAbsent: number): number => {
    if (value === undefined) return whenAbsent;
    const folded = value < 0 ? value + length : value;
    return step > 0 ? Math.min(Math.max(folded, 0), length) : Math.min(Math.max(folded, -1), length - 1);
  };
  const rows: number[] = [];
  const last = bound(end, step > 0 ? length : -1);
  for (let row = bound(start, step > 0 ? 0 : length - 1); step > 0 ? row < last : row > last; row += step)
    rows.push(row);
  return rows;
}

describe('48. strings and datetimes out of many records', () => {
  it.each(['three_records', 'uniform_records', 'zero_row_record'])('%s', (name) => {
    for (const release of ['colstore-0.2.0', 'colstore-0.5.1']) {
      const table = loadGoldenTables(new URL(`./golden/${release}/`, import.meta.url), '.cstore').find(
        (candidate) => candidate.name === name,
      )!;
      const store = openSync(table.path);
      const rows = Array.from({ length: table.rowCount * 2 }, (_, index) => (index * 5 + 2) % table.rowCount);
      const hex = (store.get(rows, 's').toArraySync() as unknown as string[]).map((value) =>
        Buffer.from(value, 'latin1').toString('hex'),
      );
      expect(hex).toEqual(rows.map((row) => table.columns.find((column) => column.name === 's')!.values[row]));
      const ticks = store.get(rows, 'd').toArraySync() as BigInt64Array;
      expect(Array.from(ticks, (tick) => new Date(Number(tick) * 1000).toISOString().slice(0, 19))).toEqual(
        rows.map((row) => table.columns.find((column) => column.name === 'd')!.values[row]),
      );
    }
  });
});
