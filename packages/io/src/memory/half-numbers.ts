// Many numbers from and to half-precision floats, by their bits: the arrays of older runtimes are a ponyfill's, which
// are some hundred times slower to index than others.
import type { Float16ArrayLike } from '../values/dtype.ts';
import { floatsOfHalves } from '../values/halves.ts';
import { halfOfBits } from '../values/item-reader.ts';

/** This and more is rounded to infinity: it lies in the middle between the largest half and the next power of two. */
const TOO_LARGE = 65_520;
/** The least of the halves that have all their digits. */
const LEAST_NORMAL = 2 ** -14;
/** Doubles beside it are integers: added and taken away, it rounds to the nearest one, and in the middle to even. */
const ROUNDING = 2 ** 52;

/** The numbers of a half-precision array, in one that is quick to index. */
export function numbersOfHalves({ buffer, byteOffset, byteLength }: Float16ArrayLike): ArrayLike<number> {
  return floatsOfHalves(new Uint8Array(buffer, byteOffset, byteLength));
}

/** Writes the nearest halves to an array of as many. */
export function writeHalves(values: ArrayLike<number>, { buffer, byteOffset, byteLength }: Float16ArrayLike): void {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  for (let item = 0; item < values.length; item += 1) {
    const bits = bitsOf(values[item] as number);
    bytes[2 * item] = bits;
    bytes[2 * item + 1] = bits >> 8;
  }
}

/** The nearest half, as a number. */
export function roundToHalf(value: number): number {
  return halfOfBits(bitsOf(value));
}

function bitsOf(value: number): number {
  const size = Math.abs(value);
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  if (!(size < TOO_LARGE)) return Number.isNaN(size) ? 0x7e00 : sign | 0x7c00;
  if (size < LEAST_NORMAL) return sign | (size * 2 ** 24 + ROUNDING - ROUNDING);
  const exponent = 31 - Math.clz32(size * 2 ** 14);
  // What is rounded up to the next power of two carries into the exponent.
  return sign | ((exponent << 10) + (size * (2 ** 24 / (1 << exponent)) + ROUNDING - ROUNDING));
}
