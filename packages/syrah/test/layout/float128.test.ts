// x86 extended precision by hand, and against a slow exact oracle.
import { float64Arbitrary, integerArbitrary } from '@colkit/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { float128ToFloat64, float64ToFloat128 } from '../../src/layout/float128.ts';

function extended(significand: bigint, signAndExponent: number): Uint8Array {
  const bytes = new Uint8Array(16).fill(0xab);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, significand, true);
  view.setUint16(8, signAndExponent, true);
  return bytes;
}

function read(bytes: Uint8Array): number {
  const out = new Float64Array(1);
  float128ToFloat64(bytes, out);
  return out[0]!;
}

const UNITS = 1n << 63n;
const BIAS = 16383;

describe('float128ToFloat64', () => {
  test.each([
    ['1.5', 0xc000000000000000n, BIAS, 1.5],
    ['-0', 0n, 0x8000, -0],
    ['0', 0n, 0, 0],
    ['infinity', UNITS, 0x7fff, Infinity],
    ['-infinity', UNITS, 0xffff, -Infinity],
    ['NaN', 0xc000000000000000n, 0x7fff, NaN],
    ['a signalling NaN', UNITS | 1n, 0x7fff, NaN],
    ['1 + 2^-53 rounds to even, down', UNITS | (1n << 10n), BIAS, 1],
    ['1 + 3 * 2^-53 rounds to even, up', UNITS | (3n << 10n), BIAS, 1 + 2 ** -51],
    ['1 + 2^-53 + 2^-63 rounds up', UNITS | (1n << 10n) | 1n, BIAS, 1 + 2 ** -52],
    ['all bits set round up into the next power', (1n << 64n) - 1n, BIAS, 2],
    ['the largest float64', 0xfffffffffffff800n, BIAS + 1023, Number.MAX_VALUE],
    ['what rounds beyond it', 0xfffffffffffffc00n, BIAS + 1023, Infinity],
    ['a larger exponent', UNITS, BIAS + 1024, Infinity],
    ['the smallest float64', UNITS, BIAS - 1074, 2 ** -1074],
    ['half of it rounds to even: 0', UNITS, BIAS - 1075, 0],
    ['a little more than half of it', UNITS | 1n, BIAS - 1075, 2 ** -1074],
    ['a subnormal', 0xc000000000000000n, BIAS - 1074, 2 ** -1073],
    ['far below', UNITS, 1, 0],
    ['negative, far below', UNITS, 0x8001, -0],
    ['an extended subnormal', 1n, 0, 0],
  ])('%s', (_, significand, exponent, expected) => {
    expect(read(extended(significand, exponent))).toBe(expected);
  });

  test('rounds as exact arithmetic does', () => {
    fc.assert(
      fc.property(
        integerArbitrary(UNITS, (1n << 64n) - 1n),
        fc.integer({ min: BIAS - 1090, max: BIAS + 1030 }),
        fc.boolean(),
        (significand, exponent, negative) => {
          const value = read(extended(significand, exponent + (negative ? 0x8000 : 0)));
          expect(value).toBe((negative ? -1 : 1) * nearest(significand, exponent - BIAS - 63));
        },
      ),
    );
  });
});

/** The float64 nearest to significand * 2^power, ties to even: by comparing the two neighbours exactly. */
function nearest(significand: bigint, power: number): number {
  // Number(bigint) rounds to nearest even, so that scaling within the normal range is exact; below it, count in steps
  // of 2^-1074.
  if (power + 64 > -1021) {
    const rounded = Number(significand);
    const scaled =
      power >= 0
        ? rounded * 2 ** Math.min(power, 1023)
        : rounded * 2 ** Math.floor(power / 2) * 2 ** Math.ceil(power / 2);
    return power > 960 ? Infinity : scaled;
  }
  const shift = BigInt(-1074 - power);
  const steps = significand >> shift;
  const rest = significand - (steps << shift);
  const half = 1n << (shift - 1n);
  const up = rest > half || (rest === half && (steps & 1n) === 1n);
  return Number(up ? steps + 1n : steps) * 2 ** -1074;
}

test('float64ToFloat128 is exact: back again it is the same number', () => {
  fc.assert(
    fc.property(fc.array(float64Arbitrary), (values) => {
      const out = new Float64Array(values.length);
      const bytes = float64ToFloat128(values);
      float128ToFloat64(bytes, out);
      expect(Array.from(out)).toEqual(values);
      for (let k = 0; k < values.length; k += 1)
        expect(Array.from(bytes.subarray(16 * k + 10, 16 * k + 16))).toEqual([0, 0, 0, 0, 0, 0]);
    }),
  );
  expect(Array.from(float64ToFloat128([1.5, -2]))).toEqual([
    ...[0, 0, 0, 0, 0, 0, 0, 0xc0, 0xff, 0x3f],
    0,
    0,
    0,
    0,
    0,
    0,
    ...[0, 0, 0, 0, 0, 0, 0, 0x80, 0x00, 0xc0],
    0,
    0,
    0,
    0,
    0,
    0,
  ]);
});
