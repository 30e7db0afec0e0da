// Sums for each text of a column -> jobs for the pages of a fetch: the addon counts the rows of each code of the
// column's dictionary and adds up their numbers; nothing is decoded for that here.
import { PAGE_LIMITS, takeWorkingMemory } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import { begin, wait } from '@colkit/io/effects';
import type { ByteStrings, Strings, Vector } from '../../columns/vector.ts';
import { needsDictionary } from '../../layout/column-block.ts';
import { CHAIN_BYTES, MOST_IN_CHAIN } from '../pages/page-jobs.ts';
import type { BegunJobs, NumberLine } from '../pages/page-jobs.ts';
import { pageKey } from '../file/spans.ts';
import type { Span } from '../file/spans.ts';
import type { StoredFile } from '../file/stored-file.ts';
import type { FetchedPages } from '../pages/fetched-pages.ts';

/** What is known of a page of rows by the codes of the column that is grouped by. */
export interface CodedSums {
  readonly entries: ByteStrings;
  /** For each code its first row and how many rows have it. */
  readonly keys: Uint32Array;
  /** By column: for each code the sum of the numbers of its rows, and what the numbers mean. */
  readonly sums: ReadonlyMap<number, { readonly sums: Float64Array; readonly line: NumberLine }>;
}

interface SpanJobs {
  readonly entries: ByteStrings;
  readonly keys: { readonly job: number; readonly place: number };
  readonly sums: readonly { readonly column: number; readonly job: number; readonly place: number }[];
}

export class GroupJobs {
  readonly #file: StoredFile;
  readonly #by: number;
  readonly #columns: readonly number[];

  /** @param by a column of texts. @param columns fixed-width columns whose sums are wanted. */
  constructor(file: StoredFile, by: number, columns: Iterable<number>) {
    this.#file = file;
    this.#by = by;
    this.#columns = [...new Set(columns)];
  }

  /** Begins with the whole spans of a fetch; null where there is nothing for the addon. */
  *start(fetched: FetchedPages): Work<GroupedPages | null> {
    const jobs = this.#columns.length < MOST_IN_CHAIN ? fetched.jobs() : null;
    if (jobs === null) return null;
    yield* fetched.fetchDictionaries([this.#by], new Set(fetched.spans.map(({ group }) => group)), () => true);
    const entriesOf = new Map(
      Array.from(new Set(fetched.spans.map(({ group }) => group)), (group) => [group, this.#entries(fetched, group)]),
    );
    const room = fetched.spans.reduce(
      (sum, { group }) => sum + 8 * (entriesOf.get(group)?.count ?? 0) * (1 + this.#columns.length),
      0,
    );
    if (room === 0 || room > CHAIN_BYTES) return null;
    const buffer = takeWorkingMemory(room);
    fetched.hold(buffer);
    const output = jobs.addOutput(new Uint8Array(buffer));
    const byPage = new Map<number, SpanJobs>();
    let end = 0;
    for (const span of fetched.spans) {
      const entries = entriesOf.get(span.group) ?? null;
      if (entries === null) continue;
      const next = (): number => (end += 8 * entries.count) - 8 * entries.count;
      const keysAt = next();
      const keys = { job: jobs.addKeys(this.#by, span, { output, byteOffset: keysAt }, entries.count), place: keysAt };
      const sums = this.#columns.map((column) => {
        const place = next();
        return { column, job: jobs.addSums(column, span, { output, byteOffset: place }, entries.count), place };
      });
      byPage.set(pageKey(span), { entries, keys, sums });
    }
    const begun = yield* begin(jobs.operation());
    return new GroupedPages({ jobs, begun, buffer, byPage });
  }

  /** The dictionary's entries by code; null where the addon cannot group by it, or cannot add. */
  #entries(fetched: FetchedPages, group: number): ByteStrings | null {
    if (this.#columns.some((column) => needsDictionary(this.#file.chunk(column, group).entry))) return null;
    const dictionary = fetched.soundDictionary(this.#by, group);
    if (dictionary === null || dictionary.places !== null || dictionary.entryCount > PAGE_LIMITS.sumCodes) return null;
    return isTexts(dictionary.entries) ? dictionary.entries : null;
  }
}

function isTexts(entries: Vector | Strings): entries is ByteStrings {
  return entries.kind === 'strings';
}

/** What the addon found in a fetch, whose memory it is. */
export class GroupedPages {
  readonly #begun: BegunJobs<SpanJobs>;

  constructor(begun: BegunJobs<SpanJobs>) {
    this.#begun = begun;
  }

  wait(): Work<void> {
    return wait(this.#begun.begun);
  }

  /** Whether the addon has something to do with a span. */
  has(span: Span): boolean {
    return this.#begun.byPage.has(pageKey(span));
  }

  /** Null where a page was left. */
  of(span: Span): CodedSums | null {
    const { jobs, buffer, byPage } = this.#begun;
    const known = byPage.get(pageKey(span));
    if (known === undefined || !jobs.isDone(known.keys.job)) return null;
    const { entries, keys } = known;
    const sums = new Map<number, { readonly sums: Float64Array; readonly line: NumberLine }>();
    for (const { column, job, place } of known.sums) {
      const line = jobs.summedOf(job);
      if (line === null) return null;
      sums.set(column, { sums: new Float64Array(buffer, place, entries.count), line });
    }
    return { entries, keys: new Uint32Array(buffer, keys.place, 2 * entries.count), sums };
  }
}
