// Rows by group: counts, sums and extremes as plain loops have them, and arguments that are refused.
import { describe, expect, test } from 'vitest';
import { errorOf, hasNative, native } from '../support.ts';

const ROWS = 5000;
const GROUPS = 700;
const NAT = -(2n ** 63n);

/** Numbers that look random and are the same in each run. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 8;
  };
}

const next = sequence(7);
const pick = <T>(pool: readonly T[]): T => pool[next() % pool.length] as T;
const groups = Uint32Array.from({ length: ROWS }, () => next() % GROUPS);
const validity = Uint8Array.from({ length: Math.ceil(ROWS / 8) }, () => next());
const integers = Float64Array.from({ length: ROWS }, () => (next() % 100_000) - 50_000);
const doubles = Float64Array.from({ length: ROWS }, () => pick([0, -0, 1.5, -2.25, 1e10, NaN, 3, Infinity]));
const wide = BigInt64Array.from({ length: ROWS }, () => pick([NAT, NAT + 1n, -1n, 0n, 2n ** 32n, 2n ** 63n - 1n]));
const words = new Uint32Array(wide.buffer);

type Fold = (state: number[], row: number) => void;

/** What three doubles a group are after all rows that are there. */
function folded(fold: Fold, valid: Uint8Array | null, before: readonly number[]): number[][] {
  const states = Array.from({ length: GROUPS }, () => [...before]);
  for (const [row, group] of groups.entries())
    if (valid === null || ((valid[row >> 3]! >> (row & 7)) & 1) === 1) fold(states[group]!, row);
  return states;
}

function wordExtreme(isMost: boolean, isUnsigned: boolean, hasNaT: boolean): Fold {
  const of = (low: number, high: number): bigint => BigInt(high) * 2n ** 32n + BigInt(low);
  return (state, row) => {
    const value = isUnsigned ? BigInt.asUintN(64, wide[row]!) : wide[row]!;
    if (hasNaT && value === NAT) state[2] = Math.max(state[2]!, 1);
    else if (state[2] !== 2 || (isMost ? value > of(state[1]!, state[0]!) : value < of(state[1]!, state[0]!)))
      state.splice(0, 3, Number(value >> 32n), Number(value & 0xffffffffn), 2);
  };
}

const FOLDS: readonly [string, number, number, Float64Array | Uint32Array | null, readonly number[], Fold][] = [
  ['rows', 0, 0, null, [0, 5, 5], (state) => (state[0]! += 1)],
  [
    'whole numbers',
    1,
    0,
    integers,
    [0, 0, 5],
    (state, row) => state.splice(0, 2, state[0]! + 1, state[1]! + integers[row]!),
  ],
  ...[0, 2].map((flags): (typeof FOLDS)[number] => [
    flags === 0 ? 'signed words' : 'unsigned words',
    3,
    flags,
    words,
    [0, 0, 0],
    (state, row) => {
      const high = words[2 * row + 1]!;
      state.splice(0, 3, state[0]! + 1, state[1]! + words[2 * row]!, state[2]! + (flags === 0 ? high | 0 : high));
    },
  ]),
  ...[0, 1].map((flags): (typeof FOLDS)[number] => [
    flags === 0 ? 'the least number' : 'the largest number',
    4,
    flags,
    doubles,
    [NaN, 0, 5],
    (state, row) => {
      const value = doubles[row]!;
      const best = state[0]!;
      state[1] = 1;
      if (Number.isNaN(best) || (flags === 0 ? value < best : value > best)) state[0] = value;
    },
  ]),
  ...[0, 1, 2, 3, 4, 5].map((flags): (typeof FOLDS)[number] => [
    `words with flags ${String(flags)}`,
    5,
    flags,
    words,
    [0, 0, 0],
    wordExtreme((flags & 1) !== 0, (flags & 2) !== 0, (flags & 4) !== 0),
  ]),
];

describe.skipIf(!hasNative)('rows by group', () => {
  test.each(FOLDS)('%s', (_, fold, flags, values, before, plain) => {
    for (const valid of [null, validity])
      for (const first of [0, 1, 4999]) {
        const states = before.map((value) => new Float64Array(GROUPS).fill(value)) as [
          Float64Array,
          Float64Array,
          Float64Array,
        ];
        // In two calls, as blocks come.
        if (first > 0) native().foldByGroup(fold, flags, groups.subarray(0, first), values, valid, 0, ...states);
        expect(native().foldByGroup(fold, flags, groups, values, valid, first, ...states)).toBe(ROWS);
        const found = Array.from({ length: GROUPS }, (_each, group) => states.map((state) => state[group]!));
        expect(found).toEqual(folded(plain, valid, before));
      }
  });

  test('exact sums end at a row that two doubles do not hold, and leave it', () => {
    const states = [new Float64Array(2), new Float64Array(2), new Float64Array(2)] as const;
    const values = Float64Array.of(0.1, 0.2, 1e300, 1, 0.3, 5);
    const call = (first: number): number =>
      native().foldByGroup(2, 0, Uint32Array.of(0, 0, 0, 1, 0, 1), values, null, first, ...states);
    // Behind 1e300 nothing smaller is left over of 0.3.
    expect(call(0)).toBe(2);
    expect(states.map((state) => [...state])).toEqual([
      [2, 0],
      [0.1 + 0.2, 0],
      [-2.7755575615628914e-17, 0],
    ]);
    expect(call(3)).toBe(6);
    expect([...states[0]]).toEqual([3, 2]);
    for (const special of [NaN, Infinity, -Infinity, Number.MAX_VALUE])
      expect(
        native().foldByGroup(
          2,
          0,
          new Uint32Array(2),
          Float64Array.of(Number.MAX_VALUE, special),
          null,
          0,
          new Float64Array(1),
          new Float64Array(1),
          new Float64Array(1),
        ),
      ).toBe(1);
  });

  test('a group that there is no room for ends it', () => {
    const counts = new Float64Array(3);
    expect(native().foldByGroup(0, 0, Uint32Array.of(0, 2, 3, 1), null, null, 0, counts, counts, counts)).toBe(2);
    expect([...counts]).toEqual([1, 0, 1]);
    expect(native().foldByGroup(0, 0, new Uint32Array(0), null, null, 0, counts, counts, counts)).toBe(0);
  });

  test('refuses what does not fit', () => {
    const state = new Float64Array(GROUPS);
    const whole = (): unknown[] => [1, 0, groups, integers, validity, 0, state, state, state];
    for (const [at, value, argument] of [
      [0, 6, 'fold'],
      [0, -1, 'fold'],
      [1, 8, 'flags'],
      [2, new Int32Array(ROWS), 'groups'],
      [3, null, 'values'],
      [3, new Float64Array(ROWS - 1), 'values'],
      [3, words, 'values'],
      [4, new Uint8Array(Math.ceil(ROWS / 8) - 1), 'validity'],
      [4, new Int8Array(ROWS), 'validity'],
      [5, -1, 'first'],
      [5, 0.5, 'first'],
      [7, new Float32Array(GROUPS), 'states'],
    ] as const) {
      const given = whole().with(at, value);
      const error = errorOf(() => (native().foldByGroup as (...args: unknown[]) => number)(...given));
      expect([argument, error]).toMatchObject([argument, { argument }]);
    }
  });
});
