// Bytes that a caller has, of any realm.
import { tagOf } from '../values/tags.ts';

/** A Uint8Array or an ArrayBuffer as a Uint8Array of this realm over the same memory; null for anything else. */
export function ownBytes(given: unknown): Uint8Array | null {
  if (given instanceof Uint8Array) return given;
  const tag = tagOf(given);
  if (tag === 'ArrayBuffer') return new Uint8Array(given as ArrayBuffer);
  if (tag !== 'Uint8Array') return null;
  const { buffer, byteOffset, byteLength } = given as Uint8Array;
  return new Uint8Array(buffer, byteOffset, byteLength);
}
