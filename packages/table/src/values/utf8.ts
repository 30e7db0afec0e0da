// Whether bytes are ASCII or other well-formed UTF-8, in the fastest way that the runtime has.
import { isAscii as isAsciiBytes, isUtf8 as isUtf8Bytes } from 'node:buffer';

/** So many bytes are looked at in less time than the call of the runtime takes. */
const FEW = 32;

export function isAscii(bytes: Uint8Array): boolean {
  return bytes.length > FEW ? isAsciiBytes(bytes) : areAscii(bytes);
}

/** Whether they are well-formed. */
export function isUtf8(bytes: Uint8Array): boolean {
  return (bytes.length <= FEW && areAscii(bytes)) || isUtf8Bytes(bytes);
}

function areAscii(bytes: Uint8Array): boolean {
  for (let position = 0; position < bytes.length; position += 1) if ((bytes[position] as number) > 0x7f) return false;
  return true;
}
