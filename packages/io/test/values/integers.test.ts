import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkCount, isCount, isExactBigInt, isExactResult, numberFromBigInt } from '@colkit/io';
import { fitsWithin, readI64, readU64, writeU64 } from '../../src/values/integers.ts';
import { thrownBy } from '../support/thrown.ts';

const UNSAFE = { name: 'ArgumentError', code: 'ERR_UNSAFE_INTEGER' };
const SAFE = Number.MAX_SAFE_INTEGER;

function viewOf(value: bigint): DataView {
  const view = new DataView(new ArrayBuffer(11), 3);
  view.setBigInt64(0, BigInt.asIntN(64, value), true);
  return view;
}

/** Where doubles stop to tell integers apart, and where words are full. */
const EDGES = [2n ** 31n, 2n ** 32n, 2n ** 53n, 2n ** 63n]
  .flatMap((edge) => [-2n, -1n, 0n, 1n, 2n].flatMap((offset) => [edge + offset, -edge - offset]))
  .filter((value) => value >= -(2n ** 63n));

test('64-bit words read as numbers within 2^53, and are refused beyond', () => {
  fc.assert(
    fc.property(fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }), fc.constantFrom(...EDGES)), (value) => {
      const view = viewOf(value);
      const [unsigned, signed] = [BigInt.asUintN(64, value), BigInt.asIntN(64, value)];
      if (unsigned <= BigInt(SAFE)) expect(readU64(view, 0)).toBe(Number(unsigned));
      else
        expect(thrownBy(() => readU64(view, 0, 'rows'))).toMatchObject({
          ...UNSAFE,
          argument: 'rows',
          found: String(unsigned),
        });
      if (signed >= -BigInt(SAFE) && signed <= BigInt(SAFE)) expect(readI64(view, 0)).toBe(Number(signed));
      else expect(thrownBy(() => readI64(view, 0))).toMatchObject({ ...UNSAFE, found: String(signed) });
    }),
  );
});

test.each([0n, 1n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 53n - 1n])('%d is written as it is read', (value) => {
  const view = viewOf(-1n);
  writeU64(view, 0, Number(value));
  expect(view.getBigUint64(0, true)).toBe(value);
  expect(readU64(view, 0)).toBe(Number(value));
});

test.each([2n ** 53n, -(2n ** 53n), 2n ** 63n - 1n])('the border %d is refused', (value) => {
  expect(thrownBy(() => readI64(viewOf(value), 0))).toMatchObject(UNSAFE);
});

test.each([2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 53n + 2n, 2n ** 63n - 1n, 2n ** 64n])(
  '%d loses something as a number',
  (value) => {
    expect(isExactBigInt(value)).toBe(false);
    expect(thrownBy(() => numberFromBigInt(value))).toMatchObject(UNSAFE);
  },
);

test.each([2n ** 53n, -(2n ** 53n), 2n ** 53n - 1n, 0n])('%d loses nothing', (value) => {
  expect(isExactBigInt(value)).toBe(true);
  expect(BigInt(numberFromBigInt(value))).toBe(value);
});

test('what is computed in doubles is exact where it comes out below 2^53', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...EDGES, 3_002_399_751_580_331n, 3n, 1n, 0n),
      fc.constantFrom(...EDGES, 3n, 2n, 1n, 0n),
      (a, b) => {
        if (!isExactBigInt(a) || !isExactBigInt(b)) return;
        const [x, y] = [Number(a), Number(b)];
        for (const [computed, exact] of [
          [x + y, a + b],
          [x - y, a - b],
          [x * y, a * b],
        ] as const) {
          expect(isExactResult(computed)).toBe(exact < 2n ** 53n && exact > -(2n ** 53n));
          if (isExactResult(computed)) expect(BigInt(computed)).toBe(exact);
        }
      },
    ),
    { numRuns: 2000 },
  );
});

test('what is not a count is not written', () => {
  for (const value of [-1, 0.5, NaN, Infinity, 2 ** 53]) {
    expect(isCount(value)).toBe(false);
    expect(thrownBy(() => writeU64(viewOf(0n), 0, value))).toMatchObject(UNSAFE);
    expect(thrownBy(() => checkCount('rows', value))).toMatchObject({ code: 'ERR_ARGUMENT', argument: 'rows' });
  }
  expect(thrownBy(() => checkCount('rows', 4, 3))).toMatchObject({ expected: 'an integer in [0, 3]', found: '4' });
  expect(numberFromBigInt(-(2n ** 53n) + 1n)).toBe(-SAFE);
});

test('a count passes up to its limit, that one included', () => {
  for (const [value, most] of [
    [0, 0],
    [3, 3],
    [2, 3],
    [SAFE, undefined],
  ] as const)
    checkCount('rows', value, most);
});

test('what is not exact is told of the argument that the caller names, or of "value"', () => {
  const calls = (...name: [] | [string]): (() => unknown)[] => [
    () => numberFromBigInt(2n ** 60n, ...name),
    () => readU64(viewOf(2n ** 60n), 0, ...name),
    () => readI64(viewOf(2n ** 60n), 0, ...name),
    () => {
      writeU64(viewOf(0n), 0, 0.5, ...name);
    },
  ];
  for (const call of calls()) expect(thrownBy(call)).toMatchObject({ ...UNSAFE, argument: 'value' });
  for (const call of calls('offset')) expect(thrownBy(call)).toMatchObject({ ...UNSAFE, argument: 'offset' });
});

test('a range fits or does not, without overflow', () => {
  expect([fitsWithin(0, 0, 0), fitsWithin(3, 7, 10), fitsWithin(10, 0, 10)]).toEqual([true, true, true]);
  expect([
    fitsWithin(4, 7, 10),
    fitsWithin(11, 0, 10),
    fitsWithin(-1, 1, 10),
    fitsWithin(SAFE, SAFE, 10),
    fitsWithin(0.5, 1, 10),
    fitsWithin(NaN, 0, 10),
    fitsWithin(0, Infinity, Infinity),
  ]).toEqual([false, false, false, false, false, false, false]);
});
