// Counts, sums, extremes and moments, of all rows or by the values of some columns -> jobs for the pages of a fetch:
// the addon numbers the rows of a page by their values and folds other columns by these numbers. No value comes here
// but one for each number of a page.
import { PAGE_LIMITS, RECORD_BYTES, takeWorkingMemory } from '@colkit/io';
import { begin, wait } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { Aggregation, ColumnRef, KeyRanges, Running } from '@colkit/table';
import { needsDictionary } from '../../layout/column-block.ts';
import { columnType } from '../../layout/column-type.ts';
import { rowsOfPage } from '../../layout/footer.ts';
import { pageKey } from '../file/spans.ts';
import type { Span } from '../file/spans.ts';
import type { StoredFile } from '../file/stored-file.ts';
import type { OpenDictionary } from '../file/session.ts';
import type { FetchedPages } from '../pages/fetched-pages.ts';
import { CHAIN_BYTES, MOST_IN_CHAIN } from '../pages/jobs/page-jobs.ts';
import type { FoldingJob, KeysJob } from '../pages/jobs/grouping-job.ts';
import type { BegunJobs, PageJobs } from '../pages/jobs/page-jobs.ts';
import { FetchedEntries } from '../pages/fetched-entries.ts';
import { FoldedPage, areEntries, foldKey } from './folded-page.ts';
import type { PageFold, PageKey } from './folded-page.ts';
import { rangesBytes, rangesOfPage, writeRanges } from './range-keys.ts';
import type { PageRanges } from './range-keys.ts';

/** Of which of the different texts a code stands for. */
const CODE_TYPE = columnType('uint32').id;
/** Groups by the codes of a joint dictionary are worth it while there are so many rows for each. */
const ROWS_PER_CODE = 8;

/** What is wanted of a column. */
interface Fold {
  readonly column: number;
  readonly sums: boolean;
  readonly extremes: boolean;
  /** A fold of its own. */
  readonly moments: boolean;
}

interface SpanJobs {
  readonly keys: readonly {
    readonly job: number;
    readonly byteOffset: number;
    readonly dictionary: OpenDictionary | null;
    readonly ranges: KeyRanges | null;
    readonly isShared: boolean;
  }[];
  readonly folds: readonly { readonly key: number; readonly job: number; readonly byteOffset: number }[];
}

export class FoldJobs {
  readonly #file: StoredFile;
  /** What rows are numbered by: columns that are grouped by, then those of which the different values are wanted. */
  readonly #keys: readonly number[];
  /** Of keys that are computed of the column's values; null: of those themselves. */
  readonly #ranges: readonly (KeyRanges | null)[];
  readonly #texts = new Map<OpenDictionary, OpenDictionary>();

  private constructor(file: StoredFile, keys: readonly number[], ranges: readonly (KeyRanges | null)[]) {
    this.#file = file;
    this.#keys = keys;
    this.#ranges = ranges;
  }

  /** Null where the addon has no way to what is wanted, of whatever page. */
  static of(file: StoredFile, { by, keys, running }: Aggregation<ColumnRef>): FoldJobs | null {
    const known = running.every(({ column, accumulator: { summary } }) =>
      isFolded(file, column, summary, by.length > 0),
    );
    if (!known || by.length + running.length >= MOST_IN_CHAIN) return null;
    const columns = [...by.map(({ number }) => number), ...distinctColumns(running)];
    const ranges = columns.map((_, index) => (index < by.length ? (keys?.rangesOf(index) ?? null) : null));
    return new FoldJobs(file, columns, ranges);
  }

  /**
   * Begins with some spans of a fetch; null where there is nothing for the addon.
   * @param runningOf who has to see the rows of a span.
   */
  *start(
    fetched: FetchedPages,
    spans: readonly Span[],
    runningOf: (span: Span) => readonly Running<ColumnRef>[],
  ): Work<FoldedPages | null> {
    const jobs = spans.length === 0 ? null : fetched.jobs();
    if (jobs === null) return null;
    const wanted = spans.map((span) => ({ span, folds: foldsOf(runningOf(span)) }));
    const columns = new Set([...this.#keys, ...wanted.flatMap(({ folds }) => folds.map(({ column }) => column))]);
    yield* fetched.fetchDictionaries([...columns], new Set(spans.map(({ group }) => group)), () => true);
    const entries = new FetchedEntries(this.#file, fetched, jobs);
    const bytes = Math.floor(CHAIN_BYTES / spans.length);
    const plans = wanted.flatMap(({ span, folds }) => this.#planOf(fetched, span, folds, entries, bytes) ?? []);
    const size = plans.reduce((sum, plan) => sum + plan.byteLength, 0);
    if (size === 0 || size > CHAIN_BYTES) return null;
    const buffer = takeWorkingMemory(size);
    fetched.hold(buffer);
    const output = jobs.addOutput(new Uint8Array(buffer));
    let byteOffset = 0;
    const byPage = new Map<number, SpanJobs>();
    for (const plan of plans) {
      byPage.set(pageKey(plan.span), addJobs(jobs, plan, buffer, output, byteOffset));
      byteOffset += plan.byteLength;
    }
    const begun = yield* begin(jobs.operation());
    return new FoldedPages({ jobs, begun, buffer, byPage });
  }

  /** Null where the addon cannot group or fold a page of the span. @param bytes that there are for it. */
  #planOf(
    fetched: FetchedPages,
    span: Span,
    wanted: readonly Fold[],
    entries: FetchedEntries,
    bytes: number,
  ): SpanPlan | null {
    if (span.picks !== null && !isAscending(span.picks)) return null;
    const folds: PlannedFold[] = [];
    for (const fold of wanted) {
      const found = entries.of(fold.column, span.group);
      if (found === undefined) return null;
      folds.push({ ...fold, entries: found });
    }
    let room = 1;
    const keys: PlannedKey[] = [];
    for (const index of this.#keys.keys()) {
      const key = this.#sharedKey(fetched, index, span) ?? this.#keyOf(fetched, index, span, entries);
      if (key === null) return null;
      if (!key.isShared) room *= valuesOf(key);
      keys.push(key);
    }
    const listed = span.picks === null ? 0 : 8 * Math.ceil(span.picks.length / 2);
    const ranges = keys.reduce((sum, key) => sum + rangesBytes(key.ranges), 0);
    const jobs = keys.filter(({ isShared }) => !isShared).length;
    const recordBytes = jobs * RECORD_BYTES.group + folds.length * RECORD_BYTES.fold;
    if (keys.length > 0) {
      const most = Math.floor((bytes - listed - ranges) / recordBytes);
      room = Math.min(room, PAGE_LIMITS.groups, rowsOfPage(this.#file.group(span.group), span.page) + 2, most);
      if (room < 1) return null;
    }
    const byteLength = room * recordBytes + listed + ranges;
    return { span, keys, folds, room, byteLength };
  }

  /**
   * Texts of a joint dictionary beside others of the same: rows are numbered by its codes, once for all of these keys.
   * Null where there is one such key alone, or where so many codes are too many for the rows.
   */
  #sharedKey(fetched: FetchedPages, index: number, span: Span): PlannedKey | null {
    const [before, own, after] = [index - 1, index, index + 1].map((at) => this.#leaderOf(this.#keys[at], span));
    if (own === null || own === undefined || (own !== before && own !== after)) return null;
    const column = this.#keys[index] as number;
    const dictionary = fetched.soundDictionary(column, span.group);
    const rowCount = rowsOfPage(this.#file.group(span.group), span.page);
    if (dictionary === null || dictionary.entryCount * ROWS_PER_CODE > rowCount) return null;
    return { column, dictionary: this.#ofTexts(dictionary), entries: null, ranges: null, isShared: own === before };
  }

  /** The column whose pages hold the codes of another one's texts; null where there is none. */
  #leaderOf(column: number | undefined, { group }: Span): number | null {
    if (column === undefined || this.#file.column(column).type.domain !== 'strings') return null;
    const { joint, codesColumn } = this.#file.chunk(column, group).entry;
    return joint ? codesColumn : null;
  }

  /** The same dictionary, each code of which stands for a text or for null by a single step. */
  #ofTexts(dictionary: OpenDictionary): OpenDictionary {
    const { entries, indexes } = dictionary;
    if (entries.kind !== 'coded') return dictionary;
    let found = this.#texts.get(dictionary);
    if (found === undefined) {
      const codes = new Int32Array(dictionary.entryCount);
      for (let code = 0; code < codes.length; code++) {
        const at = indexes === null ? code : (indexes[code] as number);
        codes[code] = at === -1 ? -1 : (entries.codes[at] as number);
      }
      this.#texts.set(dictionary, (found = { ...dictionary, entries: entries.entries, indexes: codes }));
    }
    return found;
  }

  /** Null where the addon cannot group by a page of the span. */
  #keyOf(fetched: FetchedPages, index: number, span: Span, entries: FetchedEntries): PlannedKey | null {
    const column = this.#keys[index] as number;
    const { type } = this.#file.column(column);
    const isString = type.domain === 'strings';
    const plain = { column, dictionary: null, entries: null, ranges: null, isShared: false };
    if (!needsDictionary(this.#file.chunk(column, span.group).entry)) {
      const keys = this.#ranges[index] ?? null;
      if (isString) return null;
      return keys === null ? plain : { ...plain, ranges: rangesOfPage(this.#file, column, keys, span) };
    }
    const dictionary = fetched.soundDictionary(column, span.group);
    if (dictionary === null) return null;
    if (isString) {
      const keys = entries.keysOf(dictionary);
      return keys === null
        ? { ...plain, dictionary }
        : { ...plain, dictionary: keys.distinct, entries: { ...keys.entries, typeId: CODE_TYPE } };
    }
    const found = entries.of(column, span.group) ?? null;
    return found === null ? null : { ...plain, entries: { ...found, typeId: type.id } };
  }
}

/** A column that is grouped by. */
interface PlannedKey {
  readonly column: number;
  /** Of texts or bytes; null: the addon gives the values. */
  readonly dictionary: OpenDictionary | null;
  readonly entries: KeysJob['entries'];
  /** Null: keys are values, or codes. */
  readonly ranges: PageRanges | null;
  /** Whether the job of the key before is the one of this key too. */
  readonly isShared: boolean;
}

interface SpanPlan {
  readonly span: Span;
  readonly keys: readonly PlannedKey[];
  readonly folds: readonly PlannedFold[];
  readonly room: number;
  readonly byteLength: number;
}

interface PlannedFold extends Fold {
  /** What the codes of its pages stand for; null where they hold values. */
  readonly entries: FoldingJob['entries'];
}

/** Adds the jobs of a span, whose records lie from `start` on, behind the rows that it picks. */
function addJobs(
  jobs: PageJobs,
  { span, keys, folds, room }: SpanPlan,
  buffer: ArrayBuffer,
  output: number,
  start: number,
): SpanJobs {
  let byteOffset = start;
  const rows = span.picks === null ? null : { output, byteOffset, count: span.picks.length };
  if (span.picks !== null) {
    new Uint32Array(buffer, byteOffset, span.picks.length).set(span.picks);
    byteOffset += 8 * Math.ceil(span.picks.length / 2);
  }
  let follows = false;
  const next = (bytes: number): { readonly to: { output: number; byteOffset: number }; readonly follows: boolean } => {
    const taken = { to: { output, byteOffset }, follows };
    byteOffset += room * bytes;
    follows = true;
    return taken;
  };
  const told = keys.map(({ ranges }) => {
    if (ranges === null) return null;
    const written = writeRanges(ranges, buffer, { output, byteOffset });
    byteOffset += rangesBytes(ranges);
    return written;
  });
  let last = { job: 0, byteOffset: 0 };
  return {
    keys: keys.map(({ column, dictionary, entries, ranges, isShared }, index) => {
      if (!isShared) {
        const { to, follows: goesOn } = next(RECORD_BYTES.group);
        const how = { follows: goesOn, room, rows, entries, ranges: told[index] ?? null };
        last = { job: jobs.addGroups(column, span, to, how), byteOffset: to.byteOffset };
      }
      return { ...last, dictionary, ranges: ranges?.keys ?? null, isShared };
    }),
    folds: folds.map(({ column, ...fold }) => {
      const { to, follows: goesOn } = next(RECORD_BYTES.fold);
      const job = jobs.addFolds(column, span, to, { follows: goesOn, room, rows, ...fold });
      return { key: foldKey(column, fold.moments), job, byteOffset: to.byteOffset };
    }),
  };
}

/** How many different values it may have in a page, as far as is known, null included. */
function valuesOf({ dictionary, ranges }: PlannedKey): number {
  if (ranges !== null) return ranges.keyCount + 1;
  return dictionary === null ? PAGE_LIMITS.groups : dictionary.entryCount + 2;
}

function isFolded(
  file: StoredFile,
  column: ColumnRef | null,
  summary: Running<ColumnRef>['accumulator']['summary'],
  isGrouped: boolean,
): boolean {
  if (column === null) return true;
  // Few pages have the first rows of groups.
  if (summary === 'first') return isGrouped;
  if (summary === null) return false;
  // By texts that are not in a dictionary no page is grouped, which is seen page by page.
  if (summary === 'distinct') return true;
  // Whether a text is null is in its page too, but the addon decodes no texts for that.
  return file.column(column.number).type.domain !== 'strings' || (summary === 'count' && !column.nullable);
}

/** The columns of which the different values are wanted, in the order of their keys. */
export function distinctColumns(running: readonly Running<ColumnRef>[]): readonly number[] {
  return running.flatMap(({ column, accumulator }) =>
    column !== null && accumulator.summary === 'distinct' ? [column.number] : [],
  );
}

/** Each column once, with all that is wanted of it but moments; what is known without its values is left out. */
function foldsOf(running: readonly Running<ColumnRef>[]): Fold[] {
  const folds = new Map<number, Fold>();
  for (const { column, accumulator } of running) {
    const { summary } = accumulator;
    if (column === null || summary === 'distinct' || summary === 'first' || (summary === 'count' && !column.nullable))
      continue;
    const moments = summary === 'moments';
    const key = foldKey(column.number, moments);
    const known = folds.get(key);
    folds.set(key, {
      column: column.number,
      moments,
      sums: known?.sums === true || summary === 'sum',
      extremes: known?.extremes === true || summary === 'min' || summary === 'max',
    });
  }
  return [...folds.values()];
}

function isAscending(picks: Uint32Array): boolean {
  for (let i = 1; i < picks.length; i++) if ((picks[i] as number) <= (picks[i - 1] as number)) return false;
  return true;
}

/** What the addon found in a fetch, whose memory it is. */
export class FoldedPages {
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
  of(span: Span): FoldedPage | null {
    const { jobs, buffer, byPage } = this.#begun;
    const known = byPage.get(pageKey(span));
    if (known === undefined) return null;
    const keys: PageKey[] = [];
    for (const { job, byteOffset, ...how } of known.keys) {
      const count = jobs.groupsOf(job);
      if (count === null) return null;
      const records = new Uint32Array(buffer, byteOffset, (count * RECORD_BYTES.group) / 4);
      const key = { ...how, records };
      if (!areEntries(key)) return null;
      keys.push(key);
    }
    const groupCount = known.keys.length === 0 ? 1 : (keys.at(-1)?.records.byteLength ?? 0) / RECORD_BYTES.group;
    const folds = new Map<number, PageFold>();
    for (const { key, job, byteOffset } of known.folds) {
      const of = jobs.foldedOf(job);
      if (of === null) return null;
      const length = (groupCount * RECORD_BYTES.fold) / 8;
      const records = new Float64Array(buffer, byteOffset, length);
      folds.set(key, { of, records, integers: new BigInt64Array(buffer, byteOffset, length) });
    }
    return new FoldedPage(keys, groupCount, folds);
  }
}
