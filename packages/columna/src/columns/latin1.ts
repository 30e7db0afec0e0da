/** Bytes as a text that can be looked up: one character a byte. */
export function latin1(bytes: Uint8Array): string {
  if (typeof Buffer !== 'undefined')
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}
