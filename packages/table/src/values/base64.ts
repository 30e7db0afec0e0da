// Bytes -> base64, in Node and in browsers.
import { textOfUnits } from './fixed-strings.ts';

/** With `+`, `/` and padding (RFC 4648, section 4). */
export function toBase64(bytes: Uint8Array): string {
  return btoa(textOfUnits(bytes));
}
