// Validity bitmaps: one bit a row, least significant first, 1 = not null. Null instead of a bitmap means that no row is
// null.

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
  for (let row = start; row < end; row += 1) if (isValid(validity, row)) setValid(out, row - start);
  return out;
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
