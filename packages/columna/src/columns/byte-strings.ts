// Byte strings by position.
import type { ByteStrings, Strings } from './vector.ts';

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

/** One string, not copied. */
export function stringAt({ bytes, start, ends }: ByteStrings, index: number): Uint8Array {
  return bytes.subarray(index === 0 ? start : ends[index - 1], ends[index]);
}

/** Strings [start, end), not copied. */
export function sliceStrings(from: ByteStrings, start: number, end: number): ByteStrings {
  const first = start === 0 ? from.start : (from.ends[start - 1] as number);
  return { ...from, count: end - start, start: first, ends: from.ends.subarray(start, end) };
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

function copyStrings(from: ByteStrings, positions: Uint32Array, ends: Uint32Array): ByteStrings {
  const bytes = new Uint8Array(ends.at(-1) ?? 0);
  for (let i = 0; i < positions.length; i++)
    bytes.set(stringAt(from, positions[i] as number), i === 0 ? 0 : ends[i - 1]);
  return { kind: 'strings', count: positions.length, bytes, start: 0, ends };
}
