// A few bits of a hash of each byte string: those that differ from a constant's are not equal to it.
import type { ByteStrings } from '../../vector.ts';

/** FNV-1a of 32 bits over bytes [start, end). */
export function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  return hash >>> 0;
}

/** The highest bits of a hash; 1 to 8 of them. */
export function fingerprintOf(hash: number, bits: number): number {
  return hash >>> (32 - bits);
}

/** Which of the strings may be one of the constants, by their lengths and fingerprints: a byte each. */
export function possiblyEqual(strings: ByteStrings, constants: readonly Uint8Array[]): Uint8Array {
  const { count, start, ends, fingerprints } = strings;
  const mask = new Uint8Array(count);
  const lengths = new Set(constants.map(({ length }) => length));
  const bits = fingerprints?.bits ?? 0;
  const wanted = new Set(
    constants.map(
      (bytes) => bytes.length * 256 + (bits === 0 ? 0 : fingerprintOf(hashOf(bytes, 0, bytes.length), bits)),
    ),
  );
  for (let i = 0, from = start; i < count; i++) {
    const length = (ends[i] as number) - from;
    from += length;
    if (lengths.has(length) && wanted.has(length * 256 + (fingerprints?.values[i] ?? 0))) mask[i] = 1;
  }
  return mask;
}
