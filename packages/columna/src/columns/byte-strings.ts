// Byte strings by position.
import { writeKernels } from './kernels/write-kernels.ts';
import type { LazyBytes } from './lazy-bytes.ts';
import { compareBytes } from '../layout/statistics.ts';
import type { Decoder, Node } from './node.ts';
import { numbersFrom } from './vector.ts';
import type { ByteStrings, Fingerprints, Strings } from './vector.ts';

/** Strings whose bytes are decompressed when they are needed: looking at `bytes` loads those of all of them. */
export function lazyStrings(
  lazy: LazyBytes,
  start: number,
  ends: Uint32Array,
  fingerprints: Fingerprints | undefined,
  isShared = false,
): ByteStrings {
  const count = ends.length;
  return {
    kind: 'strings',
    count,
    start,
    ends,
    lazy,
    fingerprints,
    isShared,
    get bytes() {
      return lazy.load(start, ends[count - 1] ?? start);
    },
  };
}

/** Of entries that are shared, those with all bytes. */
const LOADED = new WeakMap<ByteStrings, ByteStrings>();

/** The same strings with the bytes that they need, or of the entries those that have a code, and no others. */
export function loadedStrings(strings: Strings): Strings {
  if (strings.kind === 'strings') return strings.lazy === undefined ? strings : plainStrings(strings, strings.bytes);
  const { entries, codes } = strings;
  const { lazy, start, ends } = entries;
  if (lazy === undefined) return strings;
  if (entries.isShared === true) {
    let all = LOADED.get(entries);
    if (all === undefined) LOADED.set(entries, (all = plainStrings(entries, entries.bytes)));
    return { ...strings, entries: all };
  }
  let last = -1;
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] as number;
    if (code === last) continue;
    last = code;
    lazy.load(code === 0 ? start : (ends[code - 1] as number), ends[code] as number);
  }
  return { ...strings, entries: plainStrings(entries, lazy.load(0, 0)) };
}

function plainStrings({ count, start, ends }: ByteStrings, bytes: Uint8Array): ByteStrings {
  return { kind: 'strings', count, bytes, start, ends };
}

/** Where each string ends, were the first one to start at 0. */
export function endsAt({ ends, start }: ByteStrings, positions: Uint32Array): Uint32Array {
  const picked = new Uint32Array(positions.length);
  let end = 0;
  for (let i = 0; i < positions.length; i++) {
    const at = positions[i] as number;
    end += (ends[at] as number) - (at === 0 ? start : (ends[at - 1] as number));
    picked[i] = end;
  }
  return picked;
}

/** Of all strings together, of which there is one and more. */
export function byteLengthOf({ start, ends, count }: ByteStrings): number {
  return (ends[count - 1] as number) - start;
}

/** One string, not copied. */
export function stringAt(strings: ByteStrings, index: number): Uint8Array {
  const { lazy, start, ends } = strings;
  const first = index === 0 ? start : (ends[index - 1] as number);
  const end = ends[index] as number;
  return (lazy === undefined ? strings.bytes : lazy.load(first, end)).subarray(first, end);
}

/** Bytes that a key has: as many as a double tells apart. */
const KEY_BYTES = 6;

/** The indexes of all strings in the order of their bytes. */
export function byteOrder(strings: ByteStrings): Uint32Array {
  const { bytes, start, ends, count } = strings;
  // Most pairs differ in their first bytes, which are compared as numbers.
  const keys = new Float64Array(count);
  for (let i = 0, from = start; i < count; i++) {
    const end = ends[i] as number;
    let key = 0;
    for (let at = from; at < from + KEY_BYTES; at++) key = 256 * key + (at < end ? (bytes[at] as number) : 0);
    keys[i] = key;
    from = end;
  }
  // Bound: a callback of its own would be compiled again for each sort.
  return numbersFrom(0, count).sort(comparedAt.bind(null, keys, strings));
}

function comparedAt(keys: Float64Array, strings: ByteStrings, a: number, b: number): number {
  return (keys[a] as number) - (keys[b] as number) || compareBytes(stringAt(strings, a), stringAt(strings, b));
}

/** Strings [start, end), not copied. */
export function sliceStrings(from: ByteStrings, start: number, end: number): ByteStrings {
  const first = start === 0 ? from.start : (from.ends[start - 1] as number);
  const ends = from.ends.subarray(start, end);
  if (from.lazy === undefined) return { ...from, count: end - start, start: first, ends };
  const { lazy, fingerprints } = from;
  return lazyStrings(
    lazy,
    first,
    ends,
    fingerprints === undefined ? undefined : { ...fingerprints, values: fingerprints.values.subarray(start, end) },
  );
}

/** Fewer rows than one for so many entries of a dictionary have their texts made alone. */
const ENTRIES_PER_PICK = 16;

/** Whether so many rows make it worth while to have all entries of a dictionary as texts. */
export function wantAllEntries(entries: ByteStrings, rowCount: number): boolean {
  return rowCount * ENTRIES_PER_PICK >= entries.count;
}

/** Strings by position, as a copy. */
export function pickStrings(from: ByteStrings, positions: Uint32Array): ByteStrings {
  return copyStrings(from, positions, endsAt(from, positions));
}

/** Where more than a part of this size is asked for, all strings are made texts of as cheaply. */
const SPARSE = 2;

/**
 * The strings at `positions`: a few of them alone, as a copy; many of them, or one asked for many times, by code, so
 * that each becomes one text.
 */
export function pickedStrings(from: ByteStrings, positions: Uint32Array): Strings {
  const { count } = from;
  if (positions.length * SPARSE < count) {
    const ends = endsAt(from, positions);
    const byteLength = (from.ends[count - 1] as number) - from.start;
    if ((ends.at(-1) ?? 0) * SPARSE <= byteLength) return copyStrings(from, positions, ends);
  }
  return { kind: 'coded', count: positions.length, codes: positions, entries: from };
}

/** The strings at some rows of a node alone, in any order, by what decodes all of them lazily. */
export function pickedBy(
  decodeStrings: (node: Node, start: number, end: number, decoder: Decoder) => ByteStrings,
): (node: Node, rows: Uint32Array, decoder: Decoder) => Strings {
  return (node, rows, decoder) => pickedStrings(decodeStrings(node, 0, node.count, decoder), rows);
}

function copyStrings(from: ByteStrings, positions: Uint32Array, ends: Uint32Array): ByteStrings {
  const bytes = new Uint8Array(ends.at(-1) ?? 0);
  const kernels = from.lazy === undefined ? writeKernels(positions.length) : null;
  if (kernels !== null) kernels.spreadTexts(from.bytes, from.start, from.ends, positions, bytes, 0, ends);
  else
    for (let i = 0; i < positions.length; i++)
      bytes.set(stringAt(from, positions[i] as number), i === 0 ? 0 : ends[i - 1]);
  return { kind: 'strings', count: positions.length, bytes, start: 0, ends, isAscii: from.isAscii };
}

/** The order of two strings by their bytes: below 0 where the first comes first, 0 where they are the same. */
export function compareAt({ bytes, start, ends }: ByteStrings, first: number, other: number): number {
  let a = first === 0 ? start : (ends[first - 1] as number);
  let b = other === 0 ? start : (ends[other - 1] as number);
  const [lengthOfA, lengthOfB] = [(ends[first] as number) - a, (ends[other] as number) - b];
  for (const end = a + Math.min(lengthOfA, lengthOfB); a < end; a++, b++) {
    const difference = (bytes[a] as number) - (bytes[b] as number);
    if (difference !== 0) return difference;
  }
  return lengthOfA - lengthOfB;
}

/** The first of ascending numbers that is above `least`; there is one. */
export function firstAbove(ascending: Uint32Array, least: number): number {
  let [low, high] = [0, ascending.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) > least) high = middle;
    else low = middle + 1;
  }
  return low;
}
