// The remainder with the sign of the divisor, as in Python: -7 mod 3 is 2. Integers modulo 0 have no answer (null);
// doubles modulo 0 are NaN.

export function floatModulo(left: number, right: number): number {
  const rest = left % right;
  if (rest === 0) return right < 0 || Object.is(right, -0) ? -0 : 0;
  return rest < 0 !== right < 0 ? rest + right : rest;
}

export function wideModulo(left: bigint, right: bigint): bigint | null {
  if (right === 0n) return null;
  const rest = left % right;
  return rest !== 0n && rest < 0n !== right < 0n ? rest + right : rest;
}
