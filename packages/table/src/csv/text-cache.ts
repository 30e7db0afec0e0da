// Bytes of text cells -> strings, each of which is made once as long as it comes back soon: columns of few distinct values cost a comparison a row and no string.

const SLOTS = 8192;
/** Longer texts are seldom met again. */
const LONGEST = 48;
/** Up to here a text is two numbers: compared without looking at its characters. */
const SHORT = 8;

export class TextCache {
  readonly #texts: (string | null)[] = new Array<string | null>(SLOTS).fill(null);
  readonly #shortTexts: string[] = new Array<string>(SLOTS).fill('');
  /** Of each short text its bytes, packed. */
  readonly #lows = new Int32Array(SLOTS);
  readonly #highs = new Int32Array(SLOTS);
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  /** The text of bytes [start, end), which are well-formed UTF-8. */
  text(bytes: Uint8Array, start: number, end: number): string {
    const length = end - start;
    if (length === 0) return '';
    if (length <= SHORT) return this.#short(bytes, start, end);
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

  #short(bytes: Uint8Array, start: number, end: number): string {
    let low = 0;
    let high = 0;
    const middle = Math.min(end, start + 4);
    for (let position = start, shift = 0; position < middle; position += 1, shift += 8) low |= (bytes[position] as number) << shift;
    for (let position = middle, shift = 0; position < end; position += 1, shift += 8) high |= (bytes[position] as number) << shift;
    if (((low | high) & 0x80808080) !== 0) return this.#decoder.decode(bytes.subarray(start, end));
    const hash = Math.imul(low ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1);
    const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    const known = this.#shortTexts[slot] as string;
    // A NUL at the end packs like no character: the length tells.
    if (this.#lows[slot] === low && this.#highs[slot] === high && known.length === end - start) return known;
    const text = asciiString(bytes, start, end);
    this.#shortTexts[slot] = text;
    this.#lows[slot] = low;
    this.#highs[slot] = high;
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
