// Bytes of text cells -> strings, each of which is made once as long as it comes back soon: columns of few distinct values cost a comparison a row and no string.

const SLOTS = 8192;
/** Longer texts are seldom met again. */
const LONGEST = 48;

export class TextCache {
  readonly #texts: (string | null)[] = new Array<string | null>(SLOTS).fill(null);
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  /** The text of bytes [start, end), which are well-formed UTF-8. */
  text(bytes: Uint8Array, start: number, end: number): string {
    const length = end - start;
    if (length === 0) return '';
    if (length > LONGEST) return this.#decoder.decode(bytes.subarray(start, end));
    let hash = length;
    let high = 0;
    for (let position = start; position < end; position += 1) {
      const byte = bytes[position] as number;
      high |= byte;
      hash = Math.imul(hash ^ byte, 0x01000193);
    }
    if (high > 0x7f) return this.#decoder.decode(bytes.subarray(start, end));
    const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    const known = this.#texts[slot] ?? null;
    if (known !== null && isText(known, bytes, start, length)) return known;
    const text = asciiString(bytes, start, end);
    this.#texts[slot] = text;
    return text;
  }
}

function isText(text: string, bytes: Uint8Array, start: number, length: number): boolean {
  if (text.length !== length) return false;
  for (let index = 0; index < length; index += 1) if (text.charCodeAt(index) !== bytes[start + index]) return false;
  return true;
}

function asciiString(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode.apply(null, bytes.subarray(start, end) as unknown as number[]);
}
