// Operators whose exact meaning JavaScript has no operator for. Remainders have the sign of the divisor, as in Python:
// -7 mod 3 is 2, and quotients are rounded down: -7 // 3 is -3. Integers by 0 have no answer (null); doubles give NaN
// or an infinity.

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

/** The quotient of what the remainder leaves, as numpy and Python have it: 1 // 0.1 is 9. */
export function floatFloorDivide(left: number, right: number): number {
  if (right === 0) return left / right;
  const rest = left % right;
  const quotient = (left - rest) / right - (rest !== 0 && rest < 0 !== right < 0 ? 1 : 0);
  if (quotient === 0) {
    const ratio = left / right;
    return ratio < 0 || Object.is(ratio, -0) ? -0 : 0;
  }
  // Rounding may have left it a bit below a whole number.
  const floor = Math.floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
}

export function wideFloorDivide(left: bigint, right: bigint): bigint | null {
  const rest = wideModulo(left, right);
  return rest === null ? null : (left - rest) / right;
}

/** As in C and numpy: 1 to any power is 1, and so is -1 to an infinite one. */
export function floatPower(base: number, exponent: number): number {
  if (base === 1 || (base === -1 && Math.abs(exponent) === Infinity)) return 1;
  return base ** exponent;
}
