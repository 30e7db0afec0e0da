// A few bytes at hand -> what they say: as text for an error, as a count, as the same bytes or not.
import type { Cursor } from '@colkit/io';

/** Bytes as text for an error: hexadecimal pairs. */
export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');

/**
 * The next signed 64-bit integer, which counts something.
 * @throws CorruptFileError ERR_LAYOUT where it is negative or beyond 2^53.
 */
export function readCount(cursor: Cursor, what: string): number {
  const at = cursor.position;
  const value = cursor.bigI64();
  if (value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER))
    throw cursor.fail(`${what} in [0, 2^53)`, String(value), 'ERR_LAYOUT', at);
  return Number(value);
}

export const bytesEqual = (bytes: Uint8Array, expected: Uint8Array): boolean =>
  expected.every((byte, index) => bytes[index] === byte);

export const dataViewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
