// DEFLATE (RFC 1951, raw), the one codec, compressed: the only file that knows where that comes from.
import { deflateRawSync } from 'node:zlib';
import type { Work } from '@colkit/io/effects';

export function deflate(bytes: Uint8Array, level: number): Uint8Array {
  return deflateRawSync(bytes, { level, memLevel: 9 });
}

/** The same with bytes that distances may reach back into, as if they stood before; null: none. */
export function deflateBlock(bytes: Uint8Array, level: number, history: Uint8Array | null): Uint8Array {
  return deflateRawSync(bytes, { level, ...(history !== null && { dictionary: history }) });
}

/** Before pages are encoded. */
export function* loadDeflating(): Work<void> {
  // It is here.
}
