// Whether there is a byte among others. Buffers are searched by the C library: that takes a twentieth of the time that
// typed arrays take.
import { Buffer } from 'node:buffer';

export function hasByte({ buffer, byteOffset, length }: Uint8Array, byte: number): boolean {
  return Buffer.from(buffer, byteOffset, length).includes(byte);
}
