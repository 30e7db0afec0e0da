// Bytes -> the offsets of all that can end a plain cell: separators and LF. Four bytes are looked at in one go.

const LF = 10;
const ZERO = 48;
const ONES = 0x01010101;
const HIGHS = 0x80808080 | 0;

export interface Marks {
  readonly marks: Int32Array<ArrayBuffer>;
  readonly count: number;
  /** How many of them are LF. */
  readonly lineFeeds: number;
  readonly ascii: boolean;
}

/** For `stops`: 1 for the separator, 3 for LF, 0 for all others. */
export function stopTable(separator: number): Uint8Array {
  const stops = new Uint8Array(256);
  stops[separator] = 1;
  stops[LF] = 3;
  return stops;
}

/**
 * The offsets in bytes [0, end), ascending.
 * @param stops of `stopTable`.
 * @param memory memory for them, which is given back, larger where it was too small.
 */
export function markStops(
  bytes: Uint8Array,
  end: number,
  separator: number,
  stops: Uint8Array,
  memory: Int32Array<ArrayBuffer>,
): Marks {
  // Where the separator is below the digits, as commas and tabs are, one comparison finds it and LF.
  const isLow = separator < ZERO;
  const limits = Math.imul(isLow ? Math.max(separator, LF) + 1 : LF + 1, ONES);
  const separators = isLow ? 0 : Math.imul(separator, ONES);
  let marks = memory;
  let count = 0;
  let lineFeeds = 0;
  let position = 0;
  let seen = 0;
  if (bytes.byteOffset % 4 === 0) {
    const words = new Int32Array(bytes.buffer, bytes.byteOffset, end >>> 2);
    for (let word = 0; word < words.length; word += 1) {
      const four = words[word] as number;
      seen |= four;
      // The high bit of each byte that is below the limit, and of some that are not: borrows go up.
      let found = (four - limits) & ~four & HIGHS;
      if (separators !== 0) {
        const other = four ^ separators;
        found |= (other - ONES) & ~other & HIGHS;
      }
      if (found === 0) continue;
      if (count + 4 > marks.length) marks = grown(marks);
      const first = 4 * word;
      do {
        const offset = first + ((31 - Math.clz32(found & -found)) >>> 3);
        marks[count] = offset;
        const stop = stops[bytes[offset] as number] as number;
        count += stop & 1;
        lineFeeds += stop >> 1;
        found &= found - 1;
      } while (found !== 0);
    }
    position = 4 * words.length;
  }
  for (; position < end; position += 1) {
    const byte = bytes[position] as number;
    const stop = stops[byte] as number;
    if (byte > 0x7f) seen = HIGHS;
    if (stop === 0) continue;
    if (count === marks.length) marks = grown(marks);
    marks[count] = position;
    count += 1;
    lineFeeds += stop >> 1;
  }
  return { marks, count, lineFeeds, ascii: (seen & HIGHS) === 0 };
}

function grown(marks: Int32Array): Int32Array<ArrayBuffer> {
  const more = new Int32Array(2 * marks.length);
  more.set(marks);
  return more;
}
