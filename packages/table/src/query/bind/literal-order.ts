// The one order of constants, statistics and values: numbers and bigints by their exact value (JavaScript compares the
// two without rounding; -0 is 0), text by code point, bytes as unsigned bytes, false before true. Text may stand
// against its UTF-8 bytes, the two orders are the same.
import { compareText } from '../../values/text-order.ts';
import { isWellFormed } from '../../values/well-formed.ts';
import type { Literal } from '../bound-predicate.ts';

/** Negative, 0 or positive; null where the two have no order: NaN, or values of different types. */
export function compareLiterals(left: Literal, right: Literal): number | null {
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right);
  const [a, b] = [bytesOf(left), bytesOf(right)];
  if (a !== null && b !== null)
    return left instanceof Uint8Array || right instanceof Uint8Array ? compareBytes(a, b) : null;
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  if (!isNumeric(left) || !isNumeric(right)) return null;
  if (left < right) return -1;
  if (left > right) return 1;
  return left >= right ? 0 : null;
}

export function compareBytes(left: Uint8Array, right: Uint8Array): number {
  const shared = Math.min(left.length, right.length);
  for (let index = 0; index < shared; index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

export function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

const encoder = new TextEncoder();

function bytesOf(value: Literal): Uint8Array | null {
  if (value instanceof Uint8Array) return value;
  return typeof value === 'string' ? utf8Of(value) : null;
}

/** Null for a text that has no UTF-8: half a surrogate pair has a rank in the order of text, but no bytes. */
export function utf8Of(text: string): Uint8Array | null {
  return isWellFormed(text) ? encoder.encode(text) : null;
}
