// Dictionaries as the addon looks them up, 64 bits for each code: the pattern of a number, or which of the different
// texts it is.
import { needsDictionary } from '../../layout/column-block.ts';
import { toPatterns } from '../../columns/pick.ts';
import { Scratch } from '../../columns/scratch.ts';
import { writeWords } from '../../columns/vector.ts';
import type { Vector } from '../../columns/vector.ts';
import type { ColumnType } from '../../layout/column-type.ts';
import type { OpenDictionary } from '../file/session.ts';
import type { StoredFile } from '../file/stored-file.ts';
import type { FetchedPages } from './fetched-pages.ts';
import type { JobEntries, NullableEntries } from './jobs/grouping-job.ts';
import type { PageJobs } from './jobs/page-jobs.ts';

/** Texts or byte strings that codes stand for, each once. */
export interface EntryKeys {
  readonly entries: JobEntries;
  /** By what the addon is given for a code; null has the number behind all others, where there are nulls. */
  readonly distinct: OpenDictionary;
}

/** A dictionary's 64 bits for each code, and bits that say which codes stand for a value, where some do not. */
interface SpelledEntries {
  readonly words: Uint32Array;
  readonly entryCount: number;
  readonly hasNulls: boolean;
}

/** A dictionary stays for later reads, and this with it: of a slice it would take most of the time. */
const SPELLED = new WeakMap<OpenDictionary, SpelledEntries>();

/** Each dictionary of a fetch once. */
export class FetchedEntries {
  readonly #file: StoredFile;
  readonly #fetched: FetchedPages;
  readonly #jobs: PageJobs;
  readonly #known = new Map<OpenDictionary, NullableEntries | undefined>();
  readonly #keys = new Map<OpenDictionary, EntryKeys | null>();

  constructor(file: StoredFile, fetched: FetchedPages, jobs: PageJobs) {
    this.#file = file;
    this.#fetched = fetched;
    this.#jobs = jobs;
  }

  /** The same of dictionaries without nulls; undefined for one with them, too. */
  of(column: number, group: number): JobEntries | null | undefined {
    const found = this.nullableOf(column, group);
    return found?.hasNulls === true ? undefined : found;
  }

  /**
   * Null where the chunk has no dictionary; undefined where it is none of numbers, or damaged. The column's block is
   * loaded, and its dictionary fetched.
   */
  nullableOf(column: number, group: number): NullableEntries | null | undefined {
    if (!needsDictionary(this.#file.chunk(column, group).entry)) return null;
    const dictionary = this.#fetched.soundDictionary(column, group);
    if (dictionary === null) return undefined;
    if (!this.#known.has(dictionary)) this.#known.set(dictionary, this.#add(dictionary, column));
    return this.#known.get(dictionary);
  }

  /**
   * Of texts and byte strings: null where their codes are the keys already, each entry being another one.
   */
  keysOf(dictionary: OpenDictionary): EntryKeys | null {
    let keys = this.#keys.get(dictionary);
    if (keys === undefined) this.#keys.set(dictionary, (keys = this.#addKeys(dictionary)));
    return keys;
  }

  #addKeys({ entries, entryCount, indexes, byteLength }: OpenDictionary): EntryKeys | null {
    if (entries.kind !== 'coded' && (entries.kind !== 'strings' || indexes === null)) return null;
    const strings = entries.kind === 'coded' ? entries.entries : entries;
    const words = new Uint32Array(2 * entryCount);
    for (let code = 0; code < entryCount; code++) {
      const at = indexes === null ? code : (indexes[code] as number);
      if (at === -1) words[2 * code] = strings.count;
      else words[2 * code] = entries.kind === 'coded' ? (entries.codes[at] as number) : at;
    }
    return {
      entries: this.#output(words),
      distinct: { entryCount: strings.count + 1, entries: strings, indexes: null, hasNulls: false, byteLength },
    };
  }

  #output(words: Uint32Array, count = words.length / 2): JobEntries {
    return { output: this.#jobs.addOutput(new Uint8Array(words.buffer)), byteOffset: 0, count };
  }

  #add(dictionary: OpenDictionary, column: number): NullableEntries | undefined {
    const { entries } = dictionary;
    if (entries.kind === 'strings' || entries.kind === 'coded') return undefined;
    let spelled = SPELLED.get(dictionary);
    if (spelled === undefined)
      SPELLED.set(dictionary, (spelled = spell(dictionary, entries, this.#file.column(column).type)));
    return { ...this.#output(spelled.words, spelled.entryCount), hasNulls: spelled.hasNulls };
  }
}

function spell({ entryCount, indexes }: OpenDictionary, entries: Vector, { domain }: ColumnType): SpelledEntries {
  const patterns = new Uint32Array(2 * entries.count);
  writeWords(toPatterns(entries, domain, new Scratch(0)), patterns, 0);
  if (indexes === null) return { words: patterns, entryCount: entries.count, hasNulls: false };
  const words = new Uint32Array(2 * entryCount + Math.ceil(entryCount / 32));
  const bits = new Uint8Array(words.buffer, 8 * entryCount);
  for (let code = 0; code < entryCount; code++) {
    const index = indexes[code] as number;
    if (index === -1) continue;
    words[2 * code] = patterns[2 * index] as number;
    words[2 * code + 1] = patterns[2 * index + 1] as number;
    bits[code >>> 3] = (bits[code >>> 3] as number) | (1 << (code & 7));
  }
  return { words, entryCount, hasNulls: true };
}
