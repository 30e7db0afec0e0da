// Dictionaries of open files that an earlier read decoded: a slice, a few rows or a filter needs little else of a row
// group, and decoding them takes longer than all the rest. A bound on the bytes of all files together; those that were
// asked for longest ago make room.
import type { OpenDictionary, Session } from './session.ts';

/** Of all open files. */
const MOST_BYTES = 1 << 26;
/** What an entry takes beside its bytes: where it ends, its code, its index, what the addon looks up for it. */
const ENTRY_BYTES = 24;

interface Place {
  /** Not held: of a table that nobody has any more what was kept is collected with it. */
  readonly owner: WeakRef<KeptDictionaries>;
  readonly key: number;
  readonly byteLength: number;
}

/** What may be kept, by those that have it. */
export class DictionaryBudget {
  readonly mostBytes: number;
  /** Those that were asked for last at the end. */
  readonly #places = new Set<Place>();
  #byteLength = 0;

  constructor(mostBytes: number) {
    this.mostBytes = mostBytes;
  }

  add(place: Place): void {
    this.#places.add(place);
    this.#byteLength += place.byteLength;
    for (const oldest of this.#places) {
      if (this.#byteLength <= this.mostBytes) break;
      this.remove(oldest);
      oldest.owner.deref()?.drop(oldest.key);
    }
  }

  use(place: Place): void {
    this.#places.delete(place);
    this.#places.add(place);
  }

  remove(place: Place): void {
    if (this.#places.delete(place)) this.#byteLength -= place.byteLength;
  }
}

const ofAllFiles = new DictionaryBudget(MOST_BYTES);

export class KeptDictionaries {
  readonly #budget: DictionaryBudget;
  readonly #self = new WeakRef<KeptDictionaries>(this);
  /** By row group and column. */
  readonly #dictionaries = new Map<number, { readonly dictionary: OpenDictionary; readonly place: Place }>();

  constructor(budget = ofAllFiles) {
    this.#budget = budget;
  }

  get(column: number, group: number): OpenDictionary | undefined {
    const kept = this.#dictionaries.get(keyOf(column, group));
    if (kept === undefined) return undefined;
    this.#budget.use(kept.place);
    return kept.dictionary;
  }

  add(column: number, group: number, dictionary: OpenDictionary): void {
    const key = keyOf(column, group);
    const byteLength = dictionary.byteLength + ENTRY_BYTES * dictionary.entryCount;
    if (byteLength > this.#budget.mostBytes || this.#dictionaries.has(key)) return;
    const place = { owner: this.#self, key, byteLength };
    this.#dictionaries.set(key, { dictionary, place });
    this.#budget.add(place);
  }

  /** Lets go of what the budget has no room for any more. */
  drop(key: number): void {
    this.#dictionaries.delete(key);
  }

  clear(): void {
    for (const { place } of this.#dictionaries.values()) this.#budget.remove(place);
    this.#dictionaries.clear();
  }
}

/** What a file has for that. */
interface DictionaryFile {
  readonly kept: { dictionaries: KeptDictionaries | null };
  readonly options: { readonly limits: { readonly maxDecodedBytes: number } };
}

/**
 * A dictionary that a read has, or that was kept since another one, as far as the read may hold it beside the others:
 * what it may not is opened, and refused.
 */
export function knownDictionary(
  { kept: { dictionaries }, options }: DictionaryFile,
  session: Session,
  column: number,
  group: number,
): OpenDictionary | undefined {
  const known = session.dictionary(column, group);
  if (known !== undefined) return known;
  const kept = dictionaries?.get(column, group);
  if (kept === undefined || session.dictionaryBytes + kept.byteLength > options.limits.maxDecodedBytes)
    return undefined;
  session.keepDictionary(column, group, kept);
  return kept;
}

/** For reads to come. */
export function keepDictionary(
  { kept }: DictionaryFile,
  column: number,
  group: number,
  dictionary: OpenDictionary,
): void {
  kept.dictionaries ??= new KeptDictionaries();
  kept.dictionaries.add(column, group, dictionary);
}

/** Row groups are fewer than 2^32. */
const keyOf = (column: number, group: number): number => column * 2 ** 32 + group;
