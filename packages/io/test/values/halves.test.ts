// Halves and floats: every half there is, and what lies between two of them, beside the runtime's (or ponyfill's) own.
import { expect, test } from 'vitest';
import {
  floatsOfHalves,
  numbersOfHalves,
  parseDType,
  roundToHalf,
  typedArrayOver,
  writeHalves,
} from '../../src/index.ts';
import type { Float16ArrayLike } from '../../src/index.ts';

const halvesOver = (bytes: Uint8Array): Float16ArrayLike =>
  typedArrayOver(parseDType('float16'), bytes) as Float16ArrayLike;
const bytesOf = (values: ArrayLike<number>): Uint8Array => {
  const bytes = new Uint8Array(2 * values.length);
  writeHalves(values, halvesOver(bytes));
  return bytes;
};
const ALL = Uint16Array.from({ length: 65_536 }, (_, bits) => bits);
const floats = floatsOfHalves(new Uint8Array(ALL.buffer));
const isNumber = (value: number): boolean => !Number.isNaN(value);

test('every half is the float that the runtime takes it for, and comes back', () => {
  const expected = Float64Array.from(halvesOver(new Uint8Array(ALL.buffer)));
  expect(Float64Array.from(floats)).toEqual(expected);
  expect(Float64Array.from(numbersOfHalves(halvesOver(new Uint8Array(ALL.buffer))))).toEqual(expected);
  const back = new Uint16Array(bytesOf(floats).buffer);
  expect(ALL.filter((bits) => isNumber(floats[bits] as number) && back[bits] !== bits)).toEqual(new Uint16Array(0));
  expect(floatsOfHalves(bytesOf([Number.NaN, -Number.NaN]))).toEqual(Float32Array.of(Number.NaN, Number.NaN));
});

test('what lies between two becomes the nearer one, in the middle the even one, beyond all of them infinity', () => {
  const given = [0, -0, 65_519.999, 65_520, 1e300, -1e300, 5e-324, 2 ** -25, 2 ** -25 + 2 ** -60, -(2 ** -26)];
  for (let bits = 0; bits < 0x7c00; bits += 1) {
    const [low, high] = [floats[bits] as number, bits === 0x7bff ? 65_536 : (floats[bits + 1] as number)];
    const middle = (low + high) / 2;
    given.push(middle, middle * (1 - 2 ** -52), middle * (1 + 2 ** -52), -middle, low * (1 + 2 ** -52));
  }
  const bytes = new Uint8Array(2 * given.length);
  const expected = halvesOver(bytes);
  expected.set(given);
  expect(bytesOf(given)).toEqual(bytes);
  expect(Float64Array.from(given, roundToHalf)).toEqual(Float64Array.from(expected));
});
