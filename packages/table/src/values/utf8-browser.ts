// The same names as utf8.ts for browsers.
const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function isAscii(bytes: Uint8Array): boolean {
  for (let position = 0; position < bytes.length; position += 1) if ((bytes[position] as number) > 0x7f) return false;
  return true;
}

/** Whether they are well-formed. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    DECODER.decode(bytes);
    return true;
  } catch {
    return false;
  }
}
