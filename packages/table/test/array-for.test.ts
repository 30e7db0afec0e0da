// Arrays for as many elements as a table may have rows stay arrays in V8, however many these are.
import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { expect, test } from 'vitest';
import { arrayFor } from '../src/array-for.ts';

setFlagsFromString('--allow-natives-syntax');
const isHashTable = runInThisContext('(array) => %HasDictionaryElements(array)') as (array: unknown[]) => boolean;
// It is compiled when it is first called.
isHashTable([]);
setFlagsFromString('--no-allow-natives-syntax');

test('no hash table, at the beginning and behind it', () => {
  expect(isHashTable(new Array(2 ** 25 + 1))).toBe(true);
  expect(arrayFor(3)).toHaveLength(3);
  const many = arrayFor<number>(2 ** 26);
  expect(isHashTable(many)).toBe(false);
  const { length } = many.fill(0);
  for (let index = length; index < length + 5; index += 1) many[index] = index;
  expect([isHashTable(many), many.length]).toEqual([false, length + 5]);
});
