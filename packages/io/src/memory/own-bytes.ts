// Bytes that a caller has, of any realm.
import { tagOf } from '../errors/tags.ts';

/** A Uint8Array or an ArrayBuffer as a Uint8Array of this realm over the same memory; null for anything else. */
export function ownBytes(given: unknown): Uint8Array | null {
  if (given instanceof Uint8Array) return given;
  if (!/^(?:Uint8Array|ArrayBuffer)$/.test(tagOf(given))) return null;
  // An ArrayBuffer is its own buffer, and begins at its start.
  const { buffer = given, byteOffset, byteLength } = given as Partial<Uint8Array<ArrayBuffer>>;
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}
