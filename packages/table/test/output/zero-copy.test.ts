import { CannotViewError } from '@colkit/io';
import { describe, expect, test } from 'vitest';
import { Table } from '../../src/index.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { oracleOf } from '../support/tables.ts';

const columns = oracleOf({
  x: ['float64', [1, 2, 3, 4]],
  n: ['int16', [5, 6, 7, 8]],
  h: ['float16', [0.5, 1, 2, 4]],
  s: ['S2', ['a', 'b', 'c', 'd']],
  ok: ['bool', [true, false, true, true]],
  maybe: ['int8?', [1, 2, 3, 4]],
  t: ['string', ['a', 'b', 'c', 'd']],
});
const fixed = ['x', 'n', 'h', 's', 'ok'] as const;

function refusal(run: () => unknown): { code: string; reason: string; remedy: string } {
  try {
    run();
  } catch (error) {
    if (error instanceof CannotViewError) return { code: error.code, reason: error.reason, remedy: error.remedy };
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('views', () => {
  const table = new Table(new MemoryTable(columns, { mapped: true }));

  test('are arrays over what the source shows, for any contiguous rows', () => {
    const views = table
      .select(...fixed)
      .slice(1, 3)
      .viewColumns();
    expect(Object.getPrototypeOf(views)).toBeNull();
    expect([views.x, views.n, [...(views.h as Iterable<number>)], views.s, views.ok]).toEqual([
      Float64Array.of(2, 3),
      Int16Array.of(6, 7),
      [1, 2],
      Uint8Array.of(98, 0, 99, 0),
      Uint8Array.of(0, 1),
    ]);
    expect(table.column('n').slice(2).slice(1).viewArray()).toEqual(Int16Array.of(8));
    expect(table.column('x').slice(3, 1, -1).slice(0, 1).viewArray()).toEqual(Float64Array.of(4));
  });

  test('share no memory with copies', () => {
    const view = table.column('n').viewArray() as Int16Array;
    view.fill(0);
    expect(table.column('n').toArraySync()).toEqual(Int16Array.of(5, 6, 7, 8));
    expect(table.column('n').viewArray()).toEqual(Int16Array.of(5, 6, 7, 8));
  });

  test('of no rows are empty', () => {
    expect(table.column('x').slice(2, 2).viewArray()).toEqual(new Float64Array(0));
  });

  test.each([
    ['a step', () => table.column('x').slice(0, 4, 2).viewArray(), 'ERR_NOT_CONTIGUOUS', /step of 2/, /toArray\(\)/],
    [
      'backwards',
      () => table.column('x').slice(undefined, undefined, -1).viewArray(),
      'ERR_NOT_CONTIGUOUS',
      /step of -1/,
      /toArray\(\)/,
    ],
    [
      'indices',
      () => table.select('x').take([0, 1]).viewColumns(),
      'ERR_NOT_CONTIGUOUS',
      /index or mask/,
      /toColumns\(\)/,
    ],
    [
      'a mask',
      () => table.column('x').filter([true, true, false, false]).viewArray(),
      'ERR_NOT_CONTIGUOUS',
      /index or mask/,
      /toArray\(\)/,
    ],
    ['nulls', () => table.column('maybe').viewArray(), 'ERR_HAS_NULLS', /"maybe" may hold nulls/, /bitmap/],
    ['variable width', () => table.viewColumns(), 'ERR_HAS_NULLS', /maybe/, /toColumns/],
    ['text', () => table.column('t').viewArray(), 'ERR_NOT_VIEWABLE', /"t" is string/, /toArray/],
  ])('of %s are refused with reason and remedy', (_what, run, code, reason, remedy) => {
    const found = refusal(run);
    expect(found.code).toBe(code);
    expect(found.reason).toMatch(reason);
    expect(found.remedy).toMatch(remedy);
  });

  test('what the source refuses is passed on', () => {
    expect(refusal(() => new Table(new MemoryTable(columns)).column('x').viewArray()).code).toBe('ERR_NOT_MAPPED');
    expect(
      refusal(() =>
        new Table(new MemoryTable(columns, { mapped: true, splits: [2] })).column('x').slice(1, 3).viewArray(),
      ).code,
    ).toBe('ERR_NOT_CONTIGUOUS');
    expect(
      new Table(new MemoryTable(columns, { mapped: true, splits: [2] })).column('x').slice(2, 4).viewArray(),
    ).toEqual(Float64Array.of(3, 4));
  });
});
