// Where a block of rows can end, seen from its end: what comes behind can then be looked at before this block is. A
// good guess is all that is asked for: whoever parses the block tells whether it holds.
import { hasByte } from './has-byte.ts';

const LF = 10;
const ONES = 0x01010101;
const LOW_BITS = 0x7f7f7f7f;

/**
 * The offset behind the last line break that an even number of quotes precedes; 0: there is none. `quote` -1: there are
 * none.
 */
export function lastRowEnd(bytes: Uint8Array, quote: number): number {
  let isQuoted = quote !== -1 && hasByte(bytes, quote) && isOdd(bytes, quote);
  // A byte at a time: a text that was cut may have a line break behind each other byte.
  for (let position = bytes.length - 1; position >= 0; position -= 1) {
    const byte = bytes[position];
    if (byte === quote) isQuoted = !isQuoted;
    else if (byte === LF && !isQuoted) return position + 1;
  }
  return 0;
}

/** Whether the number of such bytes is odd: four at a time where they are aligned. */
function isOdd(bytes: Uint8Array, byte: number): boolean {
  const { buffer, byteOffset, length } = bytes;
  const words = byteOffset % 4 === 0 ? new Int32Array(buffer, byteOffset, length >> 2) : new Int32Array(0);
  const same = (byte * ONES) | 0;
  // The high bit of each byte changes with each byte that is another one. Their number is odd or even as that of the
  // others is, since a word has four.
  let bits = 0;
  for (let index = 0; index < words.length; index += 1) {
    const difference = (words[index] as number) ^ same;
    bits ^= ((difference & LOW_BITS) + LOW_BITS) | difference;
  }
  let count = bits >>> 7;
  count ^= count >>> 16;
  count ^= count >>> 8;
  for (let position = 4 * words.length; position < length; position += 1) if (bytes[position] === byte) count += 1;
  return (count & 1) === 1;
}
