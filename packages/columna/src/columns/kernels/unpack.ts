// One plane of a bit-packed block -> u32 values: whole groups of 32 by kernels, a plain loop for what is left at both
// ends.
import { unpackGroups } from './unpack-groups.ts';

/**
 * Values [first, first + count) of a bit stream of `width` (1 to 32) bits a value, which starts at word `at` of
 * `words`, to out[to …], each plus `more` modulo 2^32. Relies on the caller: the stream, padded to whole words, lies in
 * `words`; the values fit in `out`.
 */
export function unpackUnchecked(
  words: Uint32Array,
  at: number,
  width: number,
  first: number,
  count: number,
  out: Uint32Array,
  to: number,
  more: number,
): void {
  const end = first + count;
  const head = Math.min(end, Math.ceil(first / 32) * 32);
  if (head > first) unpackSlowly(words, at, width, first, head, out, to, more);
  const groups = (end - head) >>> 5;
  if (groups > 0) unpackGroups(words, at + (head >>> 5) * width, width, groups, out, to + head - first, more | 0);
  const tail = head + groups * 32;
  if (tail < end) unpackSlowly(words, at, width, tail, end, out, to + tail - first, more);
}

function unpackSlowly(
  words: Uint32Array,
  at: number,
  width: number,
  start: number,
  end: number,
  out: Uint32Array,
  to: number,
  more: number,
): void {
  const mask = width === 32 ? 0xffffffff : 2 ** width - 1;
  for (let i = start, bit = start * width; i < end; i++, bit += width) {
    const word = at + (bit >>> 5);
    const shift = bit & 31;
    let value = (words[word] as number) >>> shift;
    if (shift + width > 32) value |= (words[word + 1] as number) << (32 - shift);
    out[to++] = ((value & mask) + more) | 0;
  }
}

/**
 * Value `index` of a bit stream of `width` (1 to 32) bits a value that starts at word `at`: at least 0. Relies on its
 * lying in `words`.
 */
export function bitsAt(words: Uint32Array, at: number, width: number, index: number): number {
  const bit = index * width;
  const word = at + (bit >>> 5);
  const shift = bit & 31;
  let value = (words[word] as number) >>> shift;
  if (shift + width > 32) value |= (words[word + 1] as number) << (32 - shift);
  return width === 32 ? value >>> 0 : value & (2 ** width - 1);
}

/** Words that a bit stream takes, padded. */
export function streamWords(count: number, width: number): number {
  return Math.ceil((count * width) / 32);
}

/**
 * Packs the lowest `width` bits (0 to 32) of every value minus `less` into words from `at` on; the words are zero
 * before.
 */
export function pack(
  values: Uint32Array,
  start: number,
  end: number,
  width: number,
  words: Uint32Array,
  at: number,
  less = 0,
): void {
  if (width === 0) return;
  const mask = width === 32 ? -1 : (1 << width) - 1;
  let word = at;
  let filled = 0;
  let pending = 0;
  for (let i = start; i < end; i++) {
    const value = ((values[i] as number) - less) & mask;
    pending |= value << filled;
    filled += width;
    if (filled >= 32) {
      words[word++] = pending;
      filled -= 32;
      // What did not fit: the top `filled` bits of the value.
      pending = filled === 0 ? 0 : value >>> (width - filled);
    }
  }
  if (filled > 0) words[word] = pending;
}
