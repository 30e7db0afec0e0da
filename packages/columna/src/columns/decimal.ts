// Integers divided by a power of ten: the one definition of DECIMAL's arithmetic, and its fast form without a division.

export const MAX_EXPONENT = 22;
/** Powers of ten that are exact doubles. */
export const POWERS_OF_TEN: readonly number[] = Array.from({ length: MAX_EXPONENT + 1 }, (_, exponent) =>
  Number(`1e${exponent}`),
);

/** What the format says: one IEEE division. */
export function decimalQuotient(integer: number, exponent: number): number {
  return integer / (POWERS_OF_TEN[exponent] as number);
}

/** 1 / 10^k as a sum of two doubles, the first of so few bits that its product with an integer below 2^26 is exact. */
export interface Reciprocal {
  readonly high: number;
  readonly low: number;
}

/**
 * Below this, integer * high + integer * low is the same double as the division: tried for every integer and exponent;
 * a test tries a sample.
 */
export const RECIPROCAL_BELOW = 2 ** 26;
const HIGH_BITS = 26;
const LARGEST_RECIPROCAL = 12;
const SCALE = 200;

/**
 * For exponents from 1 to 12, null for others: two multiplications and an addition take a third less time than a
 * division.
 */
export function reciprocalOf(exponent: number): Reciprocal | null {
  return RECIPROCALS[exponent] ?? null;
}

const RECIPROCALS: readonly (Reciprocal | null)[] = POWERS_OF_TEN.map((power, exponent) => {
  if (exponent === 0 || exponent > LARGEST_RECIPROCAL) return null;
  // In units of 2^-200.
  const exact = (1n << BigInt(SCALE)) / BigInt(power);
  const dropped = BigInt(exact.toString(2).length - HIGH_BITS);
  const high = (exact >> dropped) << dropped;
  return { high: Number(high) / 2 ** SCALE, low: Number(exact - high) / 2 ** SCALE };
});
