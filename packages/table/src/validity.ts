// Validity bitmaps: one bit a row, least significant first, 1 = not null. Null instead of a bitmap means that no row is
// null.

/** Of four bytes that are 0 or 1, times the second: the bits of all of them, in their order, in the highest four. */
const NOT_BITS = 0xfefe_fefe;
const GATHER_BITS = 0x1020_4080;

/** Whether row `row` is not null. */
export function isValid(validity: Uint8Array | null, row: number): boolean {
  return validity === null || (((validity[row >>> 3] ?? 0) >> (row & 7)) & 1) === 1;
}

/** A bitmap of `rowCount` rows, none of which is null; bits beyond the last row are 0. */
export function allValid(rowCount: number): Uint8Array {
  const bitmap = new Uint8Array((rowCount + 7) >>> 3).fill(0xff);
  const rest = rowCount & 7;
  if (rest !== 0) bitmap[bitmap.length - 1] = (1 << rest) - 1;
  return bitmap;
}

/** How many of the first `rowCount` rows are not null. */
export function countValid(validity: Uint8Array | null, rowCount: number): number {
  if (validity === null) return rowCount;
  let count = 0;
  const whole = rowCount >>> 3;
  for (let index = 0; index < whole; index += 1) count += bitCount(validity[index] ?? 0);
  const rest = rowCount & 7;
  return rest === 0 ? count : count + bitCount((validity[whole] ?? 0) & ((1 << rest) - 1));
}

/** Rows [start, end) of a bitmap, from bit 0 of a new one on. Copies. */
export function sliceValidity(validity: Uint8Array, start: number, end: number): Uint8Array {
  const out = new Uint8Array((end - start + 7) >>> 3);
  const [first, shift, rest] = [start >>> 3, start & 7, (end - start) & 7];
  for (let index = 0; index < out.length; index += 1)
    out[index] = ((validity[first + index] ?? 0) >> shift) | ((validity[first + index + 1] ?? 0) << (8 - shift));
  if (rest !== 0) out[out.length - 1] = (out[out.length - 1] as number) & ((1 << rest) - 1);
  return out;
}

/**
 * Bytes [start, end), of which any but 0 is true, as the bits of a zeroed bitmap.
 * @param start a multiple of 8.
 */
export function packBits(bytes: Uint8Array, start: number, end: number, bitmap: Uint8Array): void {
  let row = start;
  if (bytes.byteOffset % 4 === 0) {
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
    for (; row + 8 <= end; row += 8) {
      const [low, high] = [words[row >>> 2] as number, words[(row >>> 2) + 1] as number];
      if (((low | high) & NOT_BITS) !== 0) break;
      bitmap[row >>> 3] = (Math.imul(low, GATHER_BITS) >>> 28) | ((Math.imul(high, GATHER_BITS) >>> 28) << 4);
    }
  }
  for (; row < end; row += 1) if (bytes[row] !== 0) setValid(bitmap, row);
}

/** Bits [start, start + count) as bytes of 0 and 1, from `at` on. */
export function unpackBits(bitmap: Uint8Array, start: number, count: number, bytes: Uint8Array, at: number): void {
  let done = 0;
  if ((start & 7) === 0)
    for (; done + 8 <= count; done += 8) {
      const bits = bitmap[(start + done) >>> 3] as number;
      for (let bit = 0; bit < 8; bit += 1) bytes[at + done + bit] = (bits >> bit) & 1;
    }
  for (; done < count; done += 1) bytes[at + done] = isValid(bitmap, start + done) ? 1 : 0;
}

/** The first byte that is neither 0 nor 1; -1 where there is none. */
export function findNoBit(bytes: Uint8Array): number {
  let all = 0;
  for (let row = 0; row < bytes.length; row += 1) all |= bytes[row] as number;
  return all <= 1 ? -1 : bytes.findIndex((byte) => byte > 1);
}

/** Marks a row of a zeroed bitmap as not null. */
export function setValid(bitmap: Uint8Array, row: number): void {
  bitmap[row >>> 3] = (bitmap[row >>> 3] ?? 0) | (1 << (row & 7));
}

/** Marks a row as null. */
export function setNull(bitmap: Uint8Array, row: number): void {
  bitmap[row >>> 3] = (bitmap[row >>> 3] as number) & ~(1 << (row & 7));
}

function bitCount(byte: number): number {
  let bits = byte - ((byte >> 1) & 0x55);
  bits = (bits & 0x33) + ((bits >> 2) & 0x33);
  return (bits + (bits >> 4)) & 0x0f;
}
