// Base-3 and base-5 digits in small groups: five digits of base 3 in 8 bits, three of base 5 in 7 bits. Look-up tables
// turn a group into its digits. Group sizes are those of ASTC textures; larger groups gain under half a per cent and
// decode more slowly.
import { streamWords, unpackUnchecked } from './unpack.ts';

const INVALID = 0x8000;
/** Byte -> five digits of two bits each; INVALID where no five digits give it. */
const THREES = groupTable(256, 3, 5, 2);
/** Seven bits -> three digits of three bits each. */
const FIVES = groupTable(128, 5, 3, 3);
function groupTable(size: number, radix: number, digits: number, bits: number): Uint16Array {
  return Uint16Array.from({ length: size }, (_, group) => {
    if (group >= radix ** digits) return INVALID;
    let packed = 0;
    for (let digit = 0; digit < digits; digit++)
      packed |= (Math.floor(group / radix ** digit) % radix) << (digit * bits);
    return packed;
  });
}

export function threesWords(count: number): number {
  return Math.ceil(Math.ceil(count / 5) / 4);
}

export function fivesWords(count: number): number {
  return streamWords(Math.ceil(count / 3), 7);
}

/**
 * Adds `scale` times the base-3 digits [first, first + count) of a plane that starts at byte `at` to out[to …], modulo
 * 2^32. Returns whether all groups were legal. Relies on the caller for all bounds.
 */
export function addThreesUnchecked(
  bytes: Uint8Array,
  at: number,
  first: number,
  count: number,
  scale: number,
  out: Uint32Array,
  to: number,
): boolean {
  let group = Math.floor(first / 5);
  const end = first + count;
  let seen = 0;
  let o = to;
  // A group of which only a part is wanted, at either end; whole ones between.
  if (first > group * 5 && count > 0) {
    seen = THREES[bytes[at + group] as number] as number;
    for (let i = first; i < Math.min(end, group * 5 + 5); i++) addDigit(out, o++, (seen >>> (2 * (i % 5))) & 3, scale);
    group++;
  }
  const lastWhole = Math.floor(end / 5);
  if (lastWhole > group) {
    seen |= addWholeThrees(bytes, at + group, lastWhole - group, scale, out, o);
    o += 5 * (lastWhole - group);
    group = lastWhole;
  }
  if (group * 5 < end) {
    const last = THREES[bytes[at + group] as number] as number;
    seen |= last;
    for (let digit = 0; digit < end - group * 5; digit++) addDigit(out, o++, (last >>> (2 * digit)) & 3, scale);
  }
  return (seen & INVALID) === 0;
}

function addDigit(out: Uint32Array, at: number, digit: number, scale: number): void {
  out[at] = ((out[at] as number) + Math.imul(digit, scale)) | 0;
}

/** Returns the packed digits of all groups, one over the other. */
function addWholeThrees(
  bytes: Uint8Array,
  at: number,
  groups: number,
  scale: number,
  out: Uint32Array,
  to: number,
): number {
  let seen = 0;
  let o = to;
  for (const end = at + groups; at < end; at++, o += 5) {
    const group = THREES[bytes[at] as number] as number;
    seen |= group;
    out[o] = ((out[o] as number) + Math.imul(group & 3, scale)) | 0;
    out[o + 1] = ((out[o + 1] as number) + Math.imul((group >>> 2) & 3, scale)) | 0;
    out[o + 2] = ((out[o + 2] as number) + Math.imul((group >>> 4) & 3, scale)) | 0;
    out[o + 3] = ((out[o + 3] as number) + Math.imul((group >>> 6) & 3, scale)) | 0;
    out[o + 4] = ((out[o + 4] as number) + Math.imul((group >>> 8) & 3, scale)) | 0;
  }
  return seen;
}

/**
 * The same for base 5, from a bit stream of groups of seven bits that starts at word `at`; `groups` is room for
 * ceil(count / 3) + 1 numbers.
 */
export function addFivesUnchecked(
  words: Uint32Array,
  at: number,
  first: number,
  count: number,
  scale: number,
  out: Uint32Array,
  to: number,
  groups: Uint32Array,
): boolean {
  const firstGroup = Math.floor(first / 3);
  const end = first + count;
  const groupCount = Math.ceil(end / 3) - firstGroup;
  unpackUnchecked(words, at, 7, firstGroup, groupCount, groups, 0, 0);
  let g = 0;
  let seen = 0;
  let o = to;
  let i = first;
  if (first > firstGroup * 3 && count > 0) {
    seen = FIVES[groups[g++] as number] as number;
    for (; i < Math.min(end, firstGroup * 3 + 3); i++) addDigit(out, o++, (seen >>> (3 * (i % 3))) & 7, scale);
  }
  const whole = Math.floor((end - i) / 3);
  seen |= addWholeFives(groups, g, whole, scale, out, o);
  o += 3 * whole;
  i += 3 * whole;
  if (i < end) {
    const last = FIVES[groups[g + whole] as number] as number;
    seen |= last;
    for (let digit = 0; digit < end - i; digit++) addDigit(out, o++, (last >>> (3 * digit)) & 7, scale);
  }
  return (seen & INVALID) === 0;
}

function addWholeFives(
  groups: Uint32Array,
  from: number,
  count: number,
  scale: number,
  out: Uint32Array,
  to: number,
): number {
  let seen = 0;
  let o = to;
  for (let g = from; g < from + count; g++, o += 3) {
    const group = FIVES[groups[g] as number] as number;
    seen |= group;
    out[o] = ((out[o] as number) + Math.imul(group & 7, scale)) | 0;
    out[o + 1] = ((out[o + 1] as number) + Math.imul((group >>> 3) & 7, scale)) | 0;
    out[o + 2] = ((out[o + 2] as number) + Math.imul((group >>> 6) & 7, scale)) | 0;
  }
  return seen;
}

/** Digit `digit` (0 to 4) of a group of base-3 digits; -1 where no five digits give it. */
export function threeAt(group: number, digit: number): number {
  const digits = THREES[group] as number;
  return digits === INVALID ? -1 : (digits >>> (2 * digit)) & 3;
}

/** Digit `digit` (0 to 2) of a group of base-5 digits; -1 where no three digits give it. */
export function fiveAt(group: number, digit: number): number {
  const digits = FIVES[group] as number;
  return digits === INVALID ? -1 : (digits >>> (3 * digit)) & 7;
}

/** Packs a plane of base-3 digits: digit k of value i is floor(values[i] / scale) mod 3. */
export function packThrees(
  values: Uint32Array,
  start: number,
  end: number,
  scale: number,
  bytes: Uint8Array,
  at: number,
): void {
  let i = start;
  for (; i + 5 <= end; i += 5) {
    const a = (((values[i] as number) / scale) >>> 0) % 3;
    const b = (((values[i + 1] as number) / scale) >>> 0) % 3;
    const c = (((values[i + 2] as number) / scale) >>> 0) % 3;
    const d = (((values[i + 3] as number) / scale) >>> 0) % 3;
    const e = (((values[i + 4] as number) / scale) >>> 0) % 3;
    bytes[at++] = a + 3 * b + 9 * c + 27 * d + 81 * e;
  }
  let group = 0;
  for (let digit = end - 1; digit >= i; digit--) group = group * 3 + ((((values[digit] as number) / scale) >>> 0) % 3);
  if (i < end) bytes[at] = group;
}

/** Groups of three base-5 digits as numbers below 125, to be packed in seven bits each. */
export function groupFives(values: Uint32Array, start: number, end: number, scale: number): Uint32Array {
  const groups = new Uint32Array(Math.ceil((end - start) / 3));
  let i = start;
  let g = 0;
  for (; i + 3 <= end; i += 3, g++) {
    const a = (((values[i] as number) / scale) >>> 0) % 5;
    const b = (((values[i + 1] as number) / scale) >>> 0) % 5;
    const c = (((values[i + 2] as number) / scale) >>> 0) % 5;
    groups[g] = a + 5 * b + 25 * c;
  }
  for (let digit = end - 1; digit >= i; digit--)
    groups[g] = (groups[g] as number) * 5 + ((((values[digit] as number) / scale) >>> 0) % 5);
  return groups;
}
