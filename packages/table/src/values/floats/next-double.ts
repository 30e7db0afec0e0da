// The neighbours of a double: what makes "greater than" a closed range. NaN beyond the infinities, so that nothing
// compares with it.

export function nextUp(value: number): number {
  if (Number.isNaN(value) || value === Infinity) return Number.NaN;
  if (value === 0) return Number.MIN_VALUE;
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  bits.setBigInt64(0, bits.getBigInt64(0) + (value > 0 ? 1n : -1n));
  return bits.getFloat64(0);
}

export function nextDown(value: number): number {
  return -nextUp(-value);
}
