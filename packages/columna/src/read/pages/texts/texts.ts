// Byte strings -> JavaScript strings: all of a run decoded in one go and cut, since a call per string costs more than
// the string. UTF-8 is checked on the way.
import { CorruptFileError, checkLimit } from '@colkit/io';
import { cutTexts } from '@colkit/table';
import { corrupt } from '../../../layout/location.ts';
import type { FileLocation } from '../../../layout/location.ts';
import type { DecodedBytes } from '../../file/decoded-bytes.ts';
import { pickStrings } from '../../../columns/byte-strings.ts';
import type { ByteStrings, CodedStrings } from '../../../columns/vector.ts';

/** Bytes that are decoded to one string, but for a longer text: whoever keeps a text that was cut from it keeps all. */
const MOST_AT_ONCE = 2 ** 16;
const MOST_UNITS = 2 ** 29 - 24;

/** Well-formed UTF-8 or an error; a byte order mark is a character like any other. */
const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The strings as texts, counted before.
 * @throws CorruptFileError ERR_LAYOUT where one of them is not well-formed UTF-8; LimitError.
 */
export function decodeTexts(
  { bytes, start, ends, count }: ByteStrings,
  location: FileLocation,
  decoded: DecodedBytes | null = null,
): string[] {
  const texts = new Array<string>(count);
  if (count === 0) return texts;
  decoded?.add((ends[count - 1] as number) - start);
  for (let first = 0, from = start; first < count; ) {
    let end = count;
    // A single text may be longer.
    while (end > first + 1 && (ends[end - 1] as number) - from > MOST_AT_ONCE) end = first + ((end - first) >> 1);
    const to = ends[end - 1] as number;
    const data = bytes.subarray(from, to);
    if (!cutTexts(decode(data, location), data, from, ends.subarray(first, end), texts, first))
      throw illFormed(location);
    [first, from] = [end, to];
  }
  return texts;
}

/** Dictionaries that have an ill-formed entry: they are not tried again. */
const ILL_FORMED = new WeakSet<ByteStrings>();
/** Those that were found to have none, whose bytes are not looked at again. */
const WELL_FORMED = new WeakSet<ByteStrings>();

/**
 * All entries of a dictionary, more than rows may ask for. Null where one of them is not well-formed UTF-8: then
 * `askedAlone` says which of them are wanted, and only these are refused.
 * @throws LimitError.
 */
export function decodeEntries(
  entries: ByteStrings,
  location: FileLocation,
  decoded: DecodedBytes | null = null,
): string[] | null {
  return areWellFormed(entries, () => decodeTexts(entries, location, decoded));
}

/** What is made of the entries of a dictionary; null where that finds one of them ill-formed, or did before. */
export function areWellFormed<T>(entries: ByteStrings, make: () => T): T | null {
  if (ILL_FORMED.has(entries)) return null;
  try {
    return make();
  } catch (error) {
    if (!(error instanceof CorruptFileError)) throw error;
    ILL_FORMED.add(entries);
    return null;
  }
}

/** Whether all entries of a dictionary are well-formed: `check` throws where one is not. */
export function isWellFormed(entries: ByteStrings, check: () => void): boolean {
  if (WELL_FORMED.has(entries)) return true;
  const isSound = areWellFormed(entries, () => {
    check();
    return true;
  });
  if (isSound === true) WELL_FORMED.add(entries);
  return isSound === true;
}

/** The same strings, the entries being no others than those of some code; -1 stands for a null. */
export function askedAlone<T extends Uint32Array | Int32Array>(
  entries: ByteStrings,
  codes: T,
): { readonly entries: ByteStrings; readonly codes: T } {
  const numbers = new Map<number, number>();
  const asked = codes.map((code) => {
    if (code === -1) return code;
    let number = numbers.get(code);
    if (number === undefined) numbers.set(code, (number = numbers.size));
    return number;
  }) as T;
  return { entries: pickStrings(entries, Uint32Array.from(numbers.keys())), codes: asked };
}

/** Texts by code, whose dictionary has ill-formed entries. */
export function askedStrings({ entries, codes, count }: CodedStrings): CodedStrings {
  return { kind: 'coded', count, ...askedAlone(entries, codes) };
}

function decode(data: Uint8Array, location: FileLocation): string {
  try {
    return DECODER.decode(data);
  } catch {
    checkLimit(`${location.path}: bytes of a text`, data.length, MOST_UNITS);
    throw illFormed(location);
  }
}

export function illFormed(location: FileLocation): Error {
  return corrupt('ERR_LAYOUT', location, 0, 'strings of well-formed UTF-8', 'other bytes');
}
