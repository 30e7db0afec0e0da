// Dictionaries of an open file that an earlier read decoded: a slice, a few rows or a filter needs little else of a
// row group, and decoding them takes longer than all the rest. A bound on their bytes; those that were asked for
// longest ago make room.
import type { OpenDictionary, Session } from './session.ts';

/** Of one file, at most. */
const MOST_BYTES = 1 << 23;
/** What an entry takes beside its bytes: where it ends, its code, its index, what the addon looks up for it. */
const ENTRY_BYTES = 24;

export class KeptDictionaries {
  /** By row group and column, those that were asked for last at the end. */
  readonly #dictionaries = new Map<number, OpenDictionary>();
  #byteLength = 0;

  get(column: number, group: number): OpenDictionary | undefined {
    const key = keyOf(column, group);
    const dictionary = this.#dictionaries.get(key);
    if (dictionary === undefined) return undefined;
    this.#dictionaries.delete(key);
    this.#dictionaries.set(key, dictionary);
    return dictionary;
  }

  add(column: number, group: number, dictionary: OpenDictionary): void {
    const byteLength = sizeOf(dictionary);
    const key = keyOf(column, group);
    if (byteLength > MOST_BYTES || this.#dictionaries.has(key)) return;
    this.#byteLength += byteLength;
    for (const [oldest, other] of this.#dictionaries) {
      if (this.#byteLength <= MOST_BYTES) break;
      this.#dictionaries.delete(oldest);
      this.#byteLength -= sizeOf(other);
    }
    this.#dictionaries.set(key, dictionary);
  }

  clear(): void {
    this.#dictionaries.clear();
    this.#byteLength = 0;
  }
}

/** What a file has for that. */
interface DictionaryFile {
  readonly keptDictionaries: KeptDictionaries;
  readonly options: { readonly limits: { readonly maxDecodedBytes: number } };
}

/**
 * A dictionary that a read has, or that was kept since another one, as far as the read may hold it beside the others:
 * what it may not is opened, and refused.
 */
export function knownDictionary(
  { keptDictionaries, options }: DictionaryFile,
  session: Session,
  column: number,
  group: number,
): OpenDictionary | undefined {
  const known = session.dictionary(column, group);
  if (known !== undefined) return known;
  const kept = keptDictionaries.get(column, group);
  if (kept === undefined || session.dictionaryBytes + kept.byteLength > options.limits.maxDecodedBytes)
    return undefined;
  session.keepDictionary(column, group, kept);
  return kept;
}

/** Row groups are fewer than 2^32. */
const keyOf = (column: number, group: number): number => column * 2 ** 32 + group;

function sizeOf({ entryCount, byteLength }: OpenDictionary): number {
  return byteLength + ENTRY_BYTES * entryCount;
}
