// The same name as has-byte.ts for browsers.

export function hasByte(bytes: Uint8Array, byte: number): boolean {
  return bytes.includes(byte);
}
