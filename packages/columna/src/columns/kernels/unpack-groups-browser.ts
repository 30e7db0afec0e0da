// The same name as in unpack-groups.ts, for browsers: one loop for all widths, since unrolled ones are 36 kB.
/** 32 * `groups` values of `width` (1 to 32) bits from word `at` on, to out[to …], each plus `more` modulo 2^32. */
export function unpackGroups(
  words: Uint32Array,
  at: number,
  width: number,
  groups: number,
  out: Uint32Array,
  to: number,
  more: number,
): void {
  const mask = width === 32 ? -1 : (1 << width) - 1;
  const end = to + 32 * groups;
  let word = at;
  let shift = 0;
  let bits = words[word] as number;
  for (let o = to; o < end; o++) {
    let value = bits >>> shift;
    shift += width;
    if (shift >= 32) {
      shift -= 32;
      bits = words[++word] as number;
      // What a value has in the next word. Behind the last value of a group there is none.
      if (shift > 0) value |= bits << (width - shift);
    }
    out[o] = ((value & mask) + more) | 0;
  }
}
