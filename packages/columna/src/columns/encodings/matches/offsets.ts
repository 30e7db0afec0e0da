// How far back a match reaches, as a code and the bits that it leaves open: small offsets each have a code of their
// own, larger ones share one with those of the same three leading bits.

/** The offset of the match before. */
export const SAME_OFFSET = 0;
/** Offsets of so many bytes have a code each, without bits. */
const SINGLE = 8;
export const MOST_OFFSET_CODE = 104;
/** The first offset that has no code. */
export const OFFSET_LIMIT = 2 ** 27 + 1;

/** The code of an offset of 1 and more. */
export function codeOfOffset(offset: number): number {
  const value = offset - 1;
  if (value < SINGLE) return offset;
  const width = 29 - Math.clz32(value);
  return SINGLE + 1 + 4 * (width - 1) + ((value >>> width) & 3);
}

/** How many bits a code leaves open. */
export function offsetBits(code: number): number {
  return code <= SINGLE ? 0 : 1 + ((code - SINGLE - 1) >>> 2);
}

/** The least offset of a code of 1 and more. */
export function leastOffset(code: number): number {
  if (code <= SINGLE) return code;
  const rest = code - SINGLE - 1;
  return 1 + ((4 + (rest & 3)) << (1 + (rest >>> 2)));
}
