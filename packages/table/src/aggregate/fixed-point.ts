// Doubles <-> whole numbers of 2^-1074, the smallest double: every finite one is such a number, so that sums of them
// are exact, and are rounded once.

const FRACTION_BITS = 52n;
const LEAST_EXPONENT = 1074;
/** So many bits become a double by themselves, and more would be too large for one. */
const SAFE_BITS = 1000;

const double = new Float64Array(1);
const bits = new BigUint64Array(double.buffer);

/** @param value a finite one. */
export function fixedOf(value: number): bigint {
  double[0] = value;
  const pattern = bits[0] as bigint;
  const exponent = (pattern >> FRACTION_BITS) & 0x7ffn;
  const fraction = pattern & ((1n << FRACTION_BITS) - 1n);
  const size = exponent === 0n ? fraction : (fraction | (1n << FRACTION_BITS)) << (exponent - 1n);
  return value < 0 ? -size : size;
}

/** The nearest double, of two the even one; infinite where it is too large for any. 0 is never negative. */
export function doubleOf(fixed: bigint): number {
  if (fixed < 0n) return -doubleOf(-fixed);
  const length = fixed.toString(16).length * 4;
  // The conversion rounds; what is left is a product with a power of two, exact unless it is too large.
  if (length <= SAFE_BITS) return Number(fixed) * 2 ** -LEAST_EXPONENT;
  const dropped = length - SAFE_BITS;
  // Bits that are cut off still decide between two doubles.
  const kept = fixed >> BigInt(dropped);
  const rest = kept << BigInt(dropped) === fixed ? 0n : 1n;
  // In two products, since one of the powers may be too small or too large by itself.
  const scale = dropped - LEAST_EXPONENT;
  return Number(kept | rest) * 2 ** Math.trunc(scale / 2) * 2 ** (scale - Math.trunc(scale / 2));
}
