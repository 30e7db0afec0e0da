// Dictionaries of numbers as the addon looks them up: a pattern of 64 bits for each code.
import { needsDictionary } from '../../layout/column-block.ts';
import { toPatterns } from '../../columns/pick.ts';
import { Scratch } from '../../columns/scratch.ts';
import { writeWords } from '../../columns/vector.ts';
import type { OpenDictionary } from '../file/session.ts';
import type { StoredFile } from '../file/stored-file.ts';
import type { FetchedPages } from './fetched-pages.ts';
import type { FoldingJob } from './grouping-job.ts';
import type { PageJobs } from './page-jobs.ts';

type Entries = NonNullable<FoldingJob['entries']>;

/** Each dictionary of a fetch once. */
export class FetchedEntries {
  readonly #file: StoredFile;
  readonly #fetched: FetchedPages;
  readonly #jobs: PageJobs;
  readonly #known = new Map<OpenDictionary, Entries | undefined>();

  constructor(file: StoredFile, fetched: FetchedPages, jobs: PageJobs) {
    this.#file = file;
    this.#fetched = fetched;
    this.#jobs = jobs;
  }

  /**
   * Null where the chunk has no dictionary; undefined where it is none of numbers, one with nulls, or damaged. The
   * column's block is loaded, and its dictionary fetched.
   */
  of(column: number, group: number): Entries | null | undefined {
    if (!needsDictionary(this.#file.chunk(column, group).entry)) return null;
    const dictionary = this.#fetched.soundDictionary(column, group);
    if (dictionary === null) return undefined;
    if (!this.#known.has(dictionary)) this.#known.set(dictionary, this.#add(dictionary, column));
    return this.#known.get(dictionary);
  }

  #add({ entries, entryCount, indexes }: OpenDictionary, column: number): Entries | undefined {
    if (entries.kind === 'strings' || entries.kind === 'coded' || indexes !== null) return undefined;
    const { domain } = this.#file.column(column).type;
    const words = new Uint32Array(2 * entryCount);
    writeWords(toPatterns(entries, domain, new Scratch(0)), words, 0);
    return { output: this.#jobs.addOutput(new Uint8Array(words.buffer)), byteOffset: 0, count: entryCount };
  }
}
