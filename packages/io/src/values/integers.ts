// 64-bit integers and JavaScript numbers: every crossing is checked, none rounds silently.
import { ArgumentError } from '../errors/errors.ts';

const TWO_32 = 0x1_0000_0000;
/** Upper halves of 64-bit words below this give a safe integer with any lower half. */
const SAFE_HIGH = 0x20_0000;

/** 2^53: every integer up to it, either way, is an exact double. The next one is not. */
export const MOST_EXACT = 2 ** 53;
const MOST_EXACT_BIGINT = 2n ** 53n;

/**
 * Whether the sum, difference or product of exact integers, computed in doubles, is exact: strictly below 2^53 either
 * way. A result beyond 2^53 may be rounded to 2^53 (2^53 + 1 is), but never below it, so that this decides what the
 * true result is without computing it again; 2^53 itself tells nothing.
 */
export function isExactResult(computed: number): boolean {
  return computed < MOST_EXACT && computed > -MOST_EXACT;
}

/** Whether a bigint is an integer within +-2^53, and so loses nothing as a number. Decided before it becomes one. */
export function isExactBigInt(value: bigint): boolean {
  return value <= MOST_EXACT_BIGINT && value >= -MOST_EXACT_BIGINT;
}

/** Whether a value is an integer in [0, 2^53 - 1]. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Passes an integer in [0, most]. @throws ArgumentError ERR_ARGUMENT. */
export function checkCount(argument: string, value: number, most: number = Number.MAX_SAFE_INTEGER): void {
  if (!isCount(value) || value > most)
    throw new ArgumentError('ERR_ARGUMENT', argument, `an integer in [0, ${String(most)}]`, String(value));
}

/** A bigint as a number. @throws ArgumentError ERR_UNSAFE_INTEGER beyond +-2^53. */
export function numberFromBigInt(value: bigint, argument = 'value'): number {
  if (!isExactBigInt(value)) throw unsafe(argument, value);
  return Number(value);
}

/**
 * The unsigned 64-bit little-endian integer at `byteOffset`, as a number. The caller has checked the offset.
 * @throws ArgumentError ERR_UNSAFE_INTEGER beyond 2^53 - 1.
 */
export function readU64(view: DataView, byteOffset: number, argument = 'value'): number {
  const high = view.getUint32(byteOffset + 4, true);
  if (high >= SAFE_HIGH) throw unsafe(argument, view.getBigUint64(byteOffset, true));
  return high * TWO_32 + view.getUint32(byteOffset, true);
}

/**
 * The signed 64-bit little-endian integer at `byteOffset`, as a number.
 * @throws ArgumentError ERR_UNSAFE_INTEGER beyond +-(2^53 - 1).
 */
export function readI64(view: DataView, byteOffset: number, argument = 'value'): number {
  const high = view.getInt32(byteOffset + 4, true);
  const low = view.getUint32(byteOffset, true);
  const number = high * TWO_32 + low;
  // -2^53 itself is exact as a double, and not safe.
  if (!Number.isSafeInteger(number)) throw unsafe(argument, view.getBigInt64(byteOffset, true));
  return number;
}

/**
 * Writes an integer in [0, 2^53 - 1] as 64 little-endian bits.
 * @throws ArgumentError ERR_UNSAFE_INTEGER for any other number.
 */
export function writeU64(view: DataView, byteOffset: number, value: number, argument = 'value'): void {
  if (!isCount(value)) throw unsafe(argument, value);
  view.setUint32(byteOffset, value % TWO_32, true);
  view.setUint32(byteOffset + 4, Math.floor(value / TWO_32), true);
}

/**
 * Whether [byteOffset, byteOffset + byteLength) lies in [0, total]; false for anything that is not a non-negative safe
 * integer. Cannot overflow.
 */
export function fitsWithin(byteOffset: number, byteLength: number, total: number): boolean {
  return isCount(byteOffset) && isCount(byteLength) && byteLength <= total - byteOffset;
}

function unsafe(argument: string, value: bigint | number): ArgumentError {
  return new ArgumentError(
    'ERR_UNSAFE_INTEGER',
    argument,
    'an integer that a JavaScript number holds exactly',
    String(value),
  );
}
