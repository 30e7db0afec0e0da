// The memory of one operation on a file, reused by the next: fetched pages, scratch for decoding, items on their way to
// where they belong.
import { Scratch } from '../../columns/scratch.ts';
import type { Strings, Vector } from '../../columns/vector.ts';
import type { KeptPages } from './kept-pages.ts';

const LARGEST_KEPT = 1 << 26;

/** A dictionary page, decoded. */
export interface OpenDictionary {
  readonly entryCount: number;
  /** The entries that are not null; of a joint chunk each text once. */
  readonly entries: Vector | Strings;
  /** For every code its index in `entries`, -1 for null; null where that is the code. */
  readonly indexes: Int32Array | null;
  /** Whether some code stands for null. */
  readonly hasNulls: boolean;
  /** Of its page's body, decompressed: what it holds as long as it is kept. */
  readonly byteLength: number;
}

export class Session {
  /** For one page at a time. */
  readonly scratch = new Scratch();
  /** Where dictionary pages are held for what comes after this operation. */
  kept: KeptPages | null = null;
  /** Dictionaries by row group, then by column. */
  readonly #dictionaries = new Map<number, Map<number, OpenDictionary>>();
  #dictionaryBytes = 0;
  #items = new ArrayBuffer(0);

  /** What the dictionaries that are kept hold together. */
  get dictionaryBytes(): number {
    return this.#dictionaryBytes;
  }

  dictionary(column: number, group: number): OpenDictionary | undefined {
    return this.#dictionaries.get(group)?.get(column);
  }

  keepDictionary(column: number, group: number, dictionary: OpenDictionary): void {
    this.#dictionaryBytes += dictionary.byteLength;
    const ofGroup = this.#dictionaries.get(group);
    if (ofGroup === undefined) this.#dictionaries.set(group, new Map([[column, dictionary]]));
    else ofGroup.set(column, dictionary);
  }

  /** Rows are read in ascending order: dictionaries of earlier row groups are forgotten. */
  enterGroup(group: number): void {
    for (const [earlier, dictionaries] of this.#dictionaries) {
      if (earlier >= group) continue;
      for (const { byteLength } of dictionaries.values()) this.#dictionaryBytes -= byteLength;
      this.#dictionaries.delete(earlier);
    }
  }

  /** Room for decoded items, valid until the next call. */
  items(byteLength: number): ArrayBuffer {
    if (this.#items.byteLength < byteLength)
      this.#items = new ArrayBuffer(Math.max(1 << 16, 2 ** Math.ceil(Math.log2(byteLength))));
    return this.#items;
  }

  release(): void {
    this.#dictionaries.clear();
    this.#dictionaryBytes = 0;
    this.kept = null;
    this.scratch.reset();
    if (this.#items.byteLength > LARGEST_KEPT) this.#items = new ArrayBuffer(0);
  }
}
