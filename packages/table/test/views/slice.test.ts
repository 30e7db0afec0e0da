// numpy's slice rules: every combination of signs for small tables, against a walk of Python's range, and Python's own
// answers for some.
import { isColkitError } from '@colkit/io';
import { pythonSlice } from '@colkit/testkit';
import { expect, test } from 'vitest';
import { normaliseSlice } from '../../src/views/slice.ts';

function rows(length: number, start?: number, end?: number, step?: number): number[] {
  const range = normaliseSlice(length, start, end, step);
  return Array.from({ length: range.count }, (_, index) => range.start + index * range.step);
}

test('all starts, ends and steps of tables of up to five rows', () => {
  const bounds = [undefined, ...Array.from({ length: 17 }, (_, index) => index - 8)];
  for (let length = 0; length <= 5; length += 1) {
    for (const start of bounds) {
      for (const end of bounds) {
        for (const step of [undefined, 1, 2, 3, 7, -1, -2, -3, -7])
          expect([length, start, end, step, rows(length, start, end, step)]).toEqual([
            length,
            start,
            end,
            step,
            pythonSlice(length, start, end, step),
          ]);
      }
    }
  }
});

// list(range(10))[…] in Python.
test.each([
  [
    [10, undefined, undefined, -1],
    [9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
  ],
  [
    [10, -3, undefined, undefined],
    [7, 8, 9],
  ],
  [
    [10, undefined, -7, undefined],
    [0, 1, 2],
  ],
  [
    [10, 8, 2, -2],
    [8, 6, 4],
  ],
  [
    [10, -100, 100, 4],
    [0, 4, 8],
  ],
  [
    [10, 100, -100, -4],
    [9, 5, 1],
  ],
  [[10, 5, 5, 1], []],
  [[10, 2, 8, -1], []],
  [
    [10, undefined, 0, -3],
    [9, 6, 3],
  ],
  [
    [10, -1, -11, -9],
    [9, 0],
  ],
] as const)('slice %j', ([length, start, end, step], expected) => {
  expect(rows(length, start, end, step)).toEqual(expected);
});

test('canonical: empty ranges start at 0, single rows have step 1, and no row is -0', () => {
  expect(normaliseSlice(10, 9, 2, 1)).toEqual({ start: 0, step: 1, count: 0 });
  expect(normaliseSlice(10, 9, 2, -7)).toEqual({ start: 9, step: 1, count: 1 });
  expect(normaliseSlice(10, -0, 3, 1).start).toBe(0);
});

test.each([
  [0, 1, 0],
  [1.5, 3, 1],
  [0, Number.NaN, 1],
  [0, 3, Infinity],
  ['1', 2, 1],
  [null, 2, 1],
])('slice(%j, %j, %j) is refused', (start, end, step) => {
  let thrown: unknown;
  try {
    normaliseSlice(10, start as number, end, step);
  } catch (error) {
    thrown = error;
  }
  expect(isColkitError(thrown) && thrown.code).toBe('ERR_ARGUMENT');
});
