// Views over the file in both layouts, and what there is without the addon.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSync, writeSync } from '../src/index.ts';
import type { ColStore, FileForm, TableInput } from '../src/index.ts';
import { errorOf } from './support/files.ts';
import { FORMS, golden } from './conformance-files.ts';

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

describe.runIf(process.env['COLKIT_BACKEND'] === 'native').each(FORMS)('zero copy (%s)', (layout) => {
  const columns = {
    f: Float64Array.from({ length: 64 }, (_, row) => row / 4),
    i: Int8Array.from({ length: 64 }, (_, row) => row),
    odd: Int16Array.from({ length: 64 }, (_, row) => -row),
  };

  it('53. whole columns, slices and single rows are views, equal to the copies', () => {
    const { store } = written(columns, layout);
    for (const [start, end] of [
      [undefined, undefined],
      [3, 40],
      [7, 8],
      [0, 0],
    ] as const) {
      const view = store.slice(start, end);
      expect(view.viewColumns()).toEqual(view.toColumnsSync());
    }
    expect(store.column('f').slice(5).viewArray()).toEqual(columns.f.slice(5));
  });

  it('54. a write into a view reaches neither the file nor a later read', () => {
    const { path, store } = written(columns, layout);
    const before = readFileSync(path);
    const view = store.column('f').viewArray() as Float64Array;
    view.fill(-1);
    expect(store.column('f').toArraySync()).toEqual(columns.f);
    expect(store.column('f').take([1, 2]).toArraySync()).toEqual(columns.f.slice(1, 3));
    expect((store.column('f').viewArray() as Float64Array)[3]).toBe(-1); // views of one table share their memory
    expect((openSync(path).column('f').viewArray() as Float64Array)[3]).toBe(0.75);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(openSync(path).column('f').toArraySync()).toEqual(columns.f);
  });

  it('55. picked rows, steps and foreign byte order have none, with reason and remedy', () => {
    const { store } = written(columns, layout);
    for (const view of [
      store.take([1]),
      store.filter(new Uint8Array(64).fill(1)),
      store.slice(0, 10, 2),
      store.slice(undefined, undefined, -1),
    ]) {
      expect(errorOf(() => view.viewColumns())).toMatchObject({ name: 'CannotViewError', code: 'ERR_NOT_CONTIGUOUS' });
    }
    expect(errorOf(() => openSync(golden('described/big_endian.cstore')).viewColumns())).toMatchObject({
      name: 'CannotViewError',
      code: 'ERR_NOT_VIEWABLE',
    });
    const many = openSync(golden('colstore-0.5.1/three_records.cstore'));
    const error = errorOf(() => many.column('a').viewArray());
    expect(error).toMatchObject({ name: 'CannotViewError', code: 'ERR_NOT_CONTIGUOUS' });
    expect((error as Error).message).toMatch(/record.*compact/);
    expect(many.column('a').slice(3, 5).viewArray()).toEqual(many.column('a').slice(3, 5).toArraySync());
    const compact = written(many, layout).store;
    expect(compact.column('a').viewArray()).toEqual(many.column('a').toArraySync());
  });

  it('56. a view outlives close; a lazy one does not', () => {
    const { store } = written(columns, layout);
    const view = store.column('f').viewArray();
    const lazy = store.slice(0, 3);
    const column = store.column('f');
    store.close();
    store.close();
    expect(view).toEqual(columns.f);
    expect(store.closed).toBe(true);
    for (const use of [
      () => lazy.toColumnsSync(),
      () => column.toArraySync(),
      () => column.viewArray(),
      () => lazy.toRecordsSync(),
      () => store.infoSync(),
      () => column.atSync(0),
    ]) {
      expect(errorOf(use)).toMatchObject({ name: 'ClosedError', code: 'ERR_CLOSED' });
    }
  });
});

describe.runIf(process.env['COLKIT_BACKEND'] === 'js')('zero copy without the addon', () => {
  it('says why, and what to do', () => {
    const { store } = written({ f: new Float64Array(4) });
    const error = errorOf(() => store.viewColumns());
    expect(error).toMatchObject({ name: 'CannotViewError', code: 'ERR_NOT_MAPPED' });
    expect((error as Error).message).toMatch(/addon/);
  });
});
