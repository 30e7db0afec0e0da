// Bytes -> whether they are ASCII, other well-formed UTF-8, or neither.

export function isUtf8(bytes: Uint8Array): 'ascii' | 'utf8' | 'neither' {
  if (isAscii(bytes)) return 'ascii';
  try {
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return 'utf8';
  } catch {
    return 'neither';
  }
}

function isAscii(bytes: Uint8Array): boolean {
  let position = 0;
  if (bytes.byteOffset % 4 === 0) {
    const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
    let seen = 0;
    for (let word = 0; word < words.length; word += 1) seen |= words[word] as number;
    if ((seen & 0x80808080) !== 0) return false;
    position = 4 * words.length;
  }
  for (; position < bytes.length; position += 1) if ((bytes[position] as number) > 0x7f) return false;
  return true;
}
