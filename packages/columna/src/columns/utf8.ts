// Whether bytes are UTF-8, in the fastest way that the runtime has.
import { isAscii as isAsciiBytes, isUtf8 as isUtf8Bytes } from 'node:buffer';

export function isAscii(bytes: Uint8Array): boolean {
  return isAsciiBytes(bytes);
}

/** Whether they are well-formed. */
export function isUtf8(bytes: Uint8Array): boolean {
  return isUtf8Bytes(bytes);
}
