import { crc32 as zlibCrc32 } from 'node:zlib';

export function crc32(bytes: Uint8Array, previous = 0): number {
  return zlibCrc32(bytes, previous);
}
export function assertNever(value: never): never {
  throw new Error(`unexpected ${String(value)}`);
}
