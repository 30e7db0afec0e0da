// The memory of one operation on a file, reused by the next: fetched pages, scratch for decoding, items on their way to where they belong.
import { Scratch } from '../columns/scratch.ts';
import type { Strings, Vector } from '../columns/vector.ts';
import type { KeptPages } from './kept-pages.ts';

const LARGEST_KEPT = 1 << 26;

/** A dictionary page, decoded. */
export interface OpenDictionary {
  readonly entryCount: number;
  /** The entries that are not null. */
  readonly entries: Vector | Strings;
  /** For every code its place in `entries`, -1 for null; null where no entry is null. */
  readonly places: Int32Array | null;
}

export class Session {
  /** For one page at a time. */
  readonly scratch = new Scratch();
  /** Dictionaries of the row group that is being read, by column. */
  readonly dictionaries = new Map<number, OpenDictionary>();
  /** Where dictionary pages are held for what comes after this operation. */
  kept: KeptPages | null = null;
  #group = -1;
  #items = new ArrayBuffer(0);

  /** Dictionaries of another row group are forgotten: rows are read in ascending order. */
  enterGroup(group: number): void {
    if (group === this.#group) return;
    this.#group = group;
    this.dictionaries.clear();
  }

  hasDictionary(column: number, group: number): boolean {
    return this.#group === group && this.dictionaries.has(column);
  }

  /** Room for decoded items, valid until the next call. */
  items(byteLength: number): ArrayBuffer {
    if (this.#items.byteLength < byteLength) this.#items = new ArrayBuffer(Math.max(1 << 16, 2 ** Math.ceil(Math.log2(byteLength))));
    return this.#items;
  }

  release(): void {
    this.enterGroup(-1);
    this.kept = null;
    this.scratch.reset();
    if (this.#items.byteLength > LARGEST_KEPT) this.#items = new ArrayBuffer(0);
  }
}
