// JSON as it is written -> text, in place: escapes of a text resolved, none of which is shorter than what it stands
// for; a list or an object without the space in it.

const [SPACE, QUOTE, BACKSLASH, LETTER_U] = [0x20, 0x22, 0x5c, 0x75];
const [ZERO, NINE, LETTER_A, LETTER_F, LOWER] = [0x30, 0x39, 0x61, 0x66, 0x20];
const LETTERS: ReadonlyMap<number, number> = new Map(
  Object.entries({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(([letter, unit]) => [
    letter.charCodeAt(0),
    unit.charCodeAt(0),
  ]),
);

/** Of text whose escapes are all well-formed. @returns where it ends now. */
export function unescapeText(bytes: Uint8Array, start: number, end: number): number {
  let to = bytes.indexOf(BACKSLASH, start);
  for (let at = to; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte !== BACKSLASH) {
      bytes[to] = byte;
      to += 1;
      continue;
    }
    at += 1;
    const letter = bytes[at] as number;
    if (letter !== LETTER_U) {
      bytes[to] = LETTERS.get(letter) ?? letter;
      to += 1;
      continue;
    }
    let code = unitAt(bytes, at, end);
    at += 4;
    if (code >= 0xd800 && code < 0xdc00) {
      code = 0x10000 + ((code - 0xd800) << 10) + unitAt(bytes, at + 2, end) - 0xdc00;
      at += 6;
    }
    to = putCode(bytes, to, code);
  }
  return to;
}

/** Without the white space that stands outside strings. @returns where it ends now. */
export function compactText(bytes: Uint8Array, start: number, end: number): number {
  let to = start;
  let inQuotes = false;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (!inQuotes && byte <= SPACE) continue;
    bytes[to] = byte;
    to += 1;
    if (byte === QUOTE) inQuotes = !inQuotes;
    else if (byte === BACKSLASH) {
      at += 1;
      bytes[to] = bytes[at] as number;
      to += 1;
    }
  }
  return to;
}

/** Of uXXXX; -1: it is something else. */
export function unitAt(bytes: Uint8Array, at: number, end: number): number {
  if (at + 5 > end || bytes[at] !== LETTER_U) return -1;
  let unit = 0;
  for (let digit = at + 1; digit < at + 5; digit += 1) {
    const value = hexDigit(bytes[digit] as number);
    if (value === -1) return -1;
    unit = 16 * unit + value;
  }
  return unit;
}

function hexDigit(byte: number): number {
  if (byte >= ZERO && byte <= NINE) return byte - ZERO;
  const letter = byte | LOWER;
  return letter >= LETTER_A && letter <= LETTER_F ? letter - LETTER_A + 10 : -1;
}

function putCode(bytes: Uint8Array, start: number, code: number): number {
  if (code < 0x80) {
    bytes[start] = code;
    return start + 1;
  }
  const length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  let rest = code;
  for (let at = start + length - 1; at > start; at -= 1) {
    bytes[at] = 0x80 | (rest & 0x3f);
    rest >>>= 6;
  }
  // As many ones as there are bytes, and a zero.
  bytes[start] = ((0xf00 >> length) & 0xff) | rest;
  return start + length;
}
