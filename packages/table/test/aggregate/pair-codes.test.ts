// Pairs that are numbered one by one and many at a time, by the addon and without it, in the same tables: the numbers
// are those of a Map, whatever the tables have room for.
import { createRandom } from '@colkit/testkit';
import { expect, test } from 'vitest';
import { NO_PAIR, PairCodes } from '../../src/aggregate/codes/pair-codes.ts';

test.each([1, 2, 3, 4, 5, 6])('as a Map numbers them (%i)', (seed) => {
  const random = createRandom(seed);
  const pairs = new PairCodes('pairs', 1e6);
  const known = new Map<string, number>();
  const numberOf = (left: number, right: number): number => {
    const id = `${String(left >>> 0)}/${String(right >>> 0)}`;
    if (!known.has(id)) known.set(id, known.size);
    return known.get(id) as number;
  };
  const word = (): number => random.pick([0, 1, 2 ** 31, 2 ** 32 - 1, random.integer(50), random.uint32()]);
  for (let turn = 0; turn < 60; turn++) {
    // As many new ones as fill the tables exactly, too.
    const room = 2 ** Math.ceil(Math.log2(2 * known.size + 64)) / 2 - known.size;
    const count = random.pick([1, 3, 64, 65, 200, Math.min(3000, Math.max(64, room))]);
    const left = Uint32Array.from({ length: count }, word);
    const right = Uint32Array.from({ length: count }, word);
    const validity = random.pick([null, Uint8Array.from({ length: (count + 7) >> 3 }, () => random.integer(256))]);
    const both = Uint32Array.from({ length: 2 * count }, (_, i) => (i % 2 === 0 ? left : right)[i >> 1] as number);
    const out = new Int32Array(count);
    if (random.integer(2) === 0) pairs.encode(both, null, validity, out);
    else pairs.encode(left, right, validity, out);
    expect([...out]).toEqual(
      Array.from(left, (a, i) =>
        validity !== null && (((validity[i >> 3] as number) >> (i & 7)) & 1) === 0
          ? NO_PAIR
          : numberOf(a, right[i] as number),
      ),
    );
    const [one, other] = [word() | 0, word()];
    expect(pairs.codeOf(one, other)).toBe(numberOf(one, other));
    expect(pairs.count).toBe(known.size);
  }
  expect(
    Array.from({ length: pairs.count }, (_, i) => `${String(pairs.leftOf(i))}/${String(pairs.rightOf(i))}`),
  ).toEqual([...known.keys()]);
});

test('are full tables, and the next pair', () => {
  for (const size of [32, 64, 128, 256, 512]) {
    const pairs = new PairCodes('pairs', 1e6);
    const out = new Int32Array(size + 64);
    // Distinct ones, as many as half of the slots, among others that repeat the first.
    const left = Uint32Array.from({ length: size + 64 }, (_, i) => (i < size ? i : 0));
    pairs.encode(left, new Uint32Array(size + 64), null, out);
    for (let next = size; next < size + 5; next++) expect(pairs.codeOf(next, 0)).toBe(next);
    for (let next = 0; next < size + 5; next++)
      expect([pairs.codeOf(next, 0), pairs.leftOf(next)]).toEqual([next, next]);
    expect(pairs.count).toBe(size + 5);
  }
});
