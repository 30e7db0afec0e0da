// DEFLATE (RFC 1951, raw), the one codec, decompressed: the only file that knows where that comes from.
import { inflateRawSync } from 'node:zlib';

/** What came out, and how many bytes of the input that took. */
export interface Inflated {
  readonly bytes: Uint8Array;
  readonly consumed: number;
}

/**
 * Inflates to at most `byteLength` bytes; null for a broken stream or one that gives more. Never takes more memory than
 * that.
 */
export function inflate(stored: Uint8Array, byteLength: number): Inflated | null {
  try {
    // With `info` the result also tells how far the stream reached; the types of Node do not know the option's result.
    const result = inflateRawSync(stored, { maxOutputLength: Math.max(1, byteLength), info: true }) as unknown as {
      buffer: Uint8Array;
      engine: { bytesWritten: number };
    };
    const { buffer, engine } = result;
    // A Buffer's `slice` would share its memory with whoever gets a part of it.
    return {
      bytes: new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength),
      consumed: engine.bytesWritten,
    };
  } catch {
    return null;
  }
}
