// Numbers that a double does not hold exactly -> float32 and float16, rounded once: rounding to a double first may land
// half-way between two narrow floats, and the second rounding then goes to the wrong one.
import { nextDown, nextUp } from './next-double.ts';

const DECIMAL = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/u;
/** Longer texts are taken for the double that is nearest to them: their exact values take too long. */
const LONGEST = 1000;

/** A double that rounds to the same narrow float as the integer does. */
export function doubleOfWide(exact: bigint): number {
  const nearest = Number(exact);
  if (!Number.isFinite(nearest)) return nearest;
  return exact > nearest ? towardsOdd(nearest, 1) : exact < nearest ? towardsOdd(nearest, -1) : nearest;
}

/** Whether a double lies half-way between the float that it was rounded to and another one. */
export function isHalfWay(double: number, rounded: number, round: (value: number) => number): boolean {
  const other = 2 * double - rounded;
  return rounded !== double && Number.isFinite(other) && round(other) === other;
}

/**
 * The float that is nearest to a decimal number.
 * @param text of the number, or a word such as inf.
 * @param nearest the double that is nearest to it.
 */
export function floatOfText(text: string, nearest: number, round: (value: number) => number): number {
  const rounded = round(nearest);
  return isHalfWay(nearest, rounded, round) ? round(towardsOdd(nearest, sideOf(text, nearest))) : rounded;
}

/**
 * Of a number that lies beside `nearest`, on the side of the sign: the one of the two doubles around it whose last bit
 * is set. It is no half-way of narrower floats, and is on the same side of all of these as the number.
 */
function towardsOdd(nearest: number, side: number): number {
  if (side === 0 || (partsOf(nearest).mantissa & 1n) === 1n) return nearest;
  return side > 0 ? nextUp(nearest) : nextDown(nearest);
}

/** The sign of the decimal number less the double. */
function sideOf(text: string, double: number): number {
  if (Number.isSafeInteger(double) && /^[+-]?\d+$/u.test(text)) return 0;
  const match = text.length > LONGEST ? null : DECIMAL.exec(text);
  if (match === null) return 0;
  const [, , whole = '', fraction = '', power = '0'] = match;
  const tens = BigInt(power) - BigInt(fraction.length);
  const { mantissa, twos } = partsOf(double);
  const decimal = BigInt(whole + fraction) * (tens > 0n ? 10n ** tens : 1n) * (twos < 0 ? 1n << BigInt(-twos) : 1n);
  const binary = mantissa * (twos > 0 ? 1n << BigInt(twos) : 1n) * (tens < 0n ? 10n ** -tens : 1n);
  const size = decimal > binary ? 1 : decimal < binary ? -1 : 0;
  return double < 0 ? -size : size;
}

/** A finite double without its sign: the mantissa times a power of two. */
function partsOf(value: number): { readonly mantissa: bigint; readonly twos: number } {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const exponent = (bits.getUint16(0) >> 4) & 0x7ff;
  const fraction = bits.getBigUint64(0) & (2n ** 52n - 1n);
  return { mantissa: exponent === 0 ? fraction : fraction | (2n ** 52n), twos: Math.max(exponent, 1) - 1075 };
}
