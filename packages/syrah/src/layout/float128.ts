// float128 as files have it (x86 80-bit extended precision in 16 bytes: 8 of significand, 2 of sign and exponent, 6 of
// padding) <-> float64. Reading rounds to nearest, ties to even: about 11 bits of precision and most of the exponent's
// range are lost. Writing is exact.

const ITEM_BYTES = 16;
const EXPONENT_BIAS = 16383;
const EXPONENT_MASK = 0x7fff;
/** The significand is an integer of 64 bits, its highest bit the units. */
const FRACTION_BITS = 63;
const FLOAT64_PRECISION = 53;
/** The smallest step between float64 numbers is 2^-1074, the largest binary exponent 1023. */
const FLOAT64_SMALLEST_EXPONENT = -1074;
const FLOAT64_LARGEST_EXPONENT = 1023;
const UNITS = 0x8000000000000000n;
const QUIET = 0xc000000000000000n;

/** Copies; `bytes.length` is a multiple of 16. NaN stays NaN, without its payload. */
export function float128ToFloat64(bytes: Uint8Array, out: Float64Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let i = 0; i < out.length; i += 1) {
    const significand = view.getBigUint64(ITEM_BYTES * i, true);
    const top = view.getUint16(ITEM_BYTES * i + 8, true);
    out[i] = toFloat64(significand, top & EXPONENT_MASK, top > EXPONENT_MASK);
  }
}

/** The raw bytes of float64 values as float128. Copies. */
export function float64ToFloat128(values: ArrayLike<number>): Uint8Array {
  const bytes = new Uint8Array(ITEM_BYTES * values.length);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < values.length; i += 1) {
    const { significand, top } = fromFloat64(values[i] ?? 0);
    view.setBigUint64(ITEM_BYTES * i, significand, true);
    view.setUint16(ITEM_BYTES * i + 8, top, true);
  }
  return bytes;
}

function toFloat64(significand: bigint, exponent: number, negative: boolean): number {
  const sign = negative ? -1 : 1;
  if (exponent === EXPONENT_MASK) return significand << 1n === UNITS << 1n ? sign * Infinity : NaN;
  if (significand === 0n) return sign * 0;
  // The value is significand * 2^scale. Keep 53 bits of it, or fewer where float64 has no smaller steps.
  const scale = Math.max(exponent, 1) - EXPONENT_BIAS - FRACTION_BITS;
  const bits = significand.toString(2).length;
  const dropped = Math.max(bits - FLOAT64_PRECISION, FLOAT64_SMALLEST_EXPONENT - scale, 0);
  if (dropped > bits + 1) return sign * 0;
  const kept = roundHalfEven(significand, BigInt(dropped));
  if (scale + bits - 1 > FLOAT64_LARGEST_EXPONENT) return sign * Infinity;
  return sign * scaleByPowerOfTwo(Number(kept), scale + dropped);
}

function roundHalfEven(value: bigint, dropped: bigint): bigint {
  const kept = value >> dropped;
  const rest = value - (kept << dropped);
  const half = dropped === 0n ? 1n : 1n << (dropped - 1n);
  return rest > half || (rest === half && (kept & 1n) === 1n) ? kept + 1n : kept;
}

/** Exact where the result is a float64; in two steps, because 2^power alone may not be one. */
function scaleByPowerOfTwo(value: number, power: number): number {
  const first = Math.trunc(power / 2);
  return value * 2 ** first * 2 ** (power - first);
}

function fromFloat64(value: number): { significand: bigint; top: number } {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  if (Number.isNaN(value)) return { significand: QUIET, top: EXPONENT_MASK };
  if (!Number.isFinite(value)) return { significand: UNITS, top: sign | EXPONENT_MASK };
  if (value === 0) return { significand: 0n, top: sign };
  let exponent = Math.max(-1074, Math.floor(Math.log2(Math.abs(value))));
  let fraction = scaleByPowerOfTwo(Math.abs(value), -exponent);
  // log2 may be off by one near powers of two, and subnormal numbers have smaller fractions.
  for (; fraction >= 2; exponent += 1) fraction /= 2;
  for (; fraction < 1; exponent -= 1) fraction *= 2;
  return { significand: BigInt(fraction * 2 ** 52) << 11n, top: sign | (exponent + EXPONENT_BIAS) };
}
