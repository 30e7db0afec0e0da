import { expect, test } from 'vitest';
import { roundOrder } from '../src/run/schedule.ts';

const NAMES = ['a', 'b', 'c'];

test('every round holds every candidate once', () => {
  for (let round = 0; round < 12; round++) expect(roundOrder(NAMES, round).sort()).toEqual(NAMES);
});

test('over a full turn every candidate stands as often at every position', () => {
  const rounds = 2 * NAMES.length;
  const indexes = new Map<string, number>();
  for (let round = 0; round < rounds; round++) {
    for (const [index, name] of roundOrder(NAMES, round).entries())
      indexes.set(`${name}${index}`, (indexes.get(`${name}${index}`) ?? 0) + 1);
  }
  expect([...indexes.values()]).toEqual(Array(NAMES.length ** 2).fill(rounds / NAMES.length));
});

test('neighbours change sides', () => {
  expect(roundOrder(['a', 'b'], 0)).toEqual(['a', 'b']);
  expect(roundOrder(['a', 'b'], 1)).toEqual(['b', 'a']);
  expect(roundOrder([], 3)).toEqual([]);
});
