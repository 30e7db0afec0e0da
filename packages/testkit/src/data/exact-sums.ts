// Sums of doubles as rationals: worked out on integers alone, to judge those that are worked out on doubles.

const view = new DataView(new ArrayBuffer(8));

/** A finite double in units of 2^-1074. */
function units(value: number): bigint {
  view.setFloat64(0, value);
  const high = view.getUint32(0);
  const exponent = (high >>> 20) & 0x7ff;
  const fraction = (BigInt(high & 0xfffff) << 32n) | BigInt(view.getUint32(4));
  const size = exponent === 0 ? fraction : (fraction + 2n ** 52n) * 2n ** BigInt(exponent - 1);
  return high >>> 31 === 1 ? -size : size;
}

function neighbour(value: number, direction: 1n | -1n): number {
  view.setFloat64(0, value);
  const bits = view.getBigInt64(0);
  view.setBigInt64(0, bits + (bits < 0n ? -direction : direction));
  return value === 0 ? Number(direction) * Number.MIN_VALUE : view.getFloat64(0);
}

const distance = (left: bigint, right: bigint): bigint => (left > right ? left - right : right - left);

/** What is wrong with a sum; null: it is the nearest double to the exact one, or what is not finite decides. */
export function sumFault(values: readonly number[], found: number): string | null {
  const infinite = values.filter((value) => !Number.isFinite(value));
  if (infinite.length > 0) {
    const wanted = infinite.reduce((sum, value) => sum + value, 0);
    return Object.is(found, wanted) ? null : `${String(found)} for ${String(wanted)}`;
  }
  const exact = values.reduce((sum, value) => sum + units(value), 0n);
  if (exact === 0n) return Object.is(found, 0) ? null : `${String(found)} for 0`;
  if (!Number.isFinite(found))
    return distance(exact, 0n) >= units(Number.MAX_VALUE) ? null : `${String(found)} for a finite sum`;
  const away = distance(units(found), exact);
  for (const direction of [1n, -1n] as const) {
    const other = neighbour(found, direction);
    if (Number.isFinite(other) && distance(units(other), exact) < away)
      return `${String(found)}, but ${String(other)} is nearer`;
  }
  return null;
}
