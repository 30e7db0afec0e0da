// The terms of a filter that the addon tests -> jobs for the pages of a fetch: for each page of rows one term after
// the other, each only for the rows that the one before it left. An `or` behind them is a chain of its own for each of
// its terms, of which the rows are united here. Dictionaries are looked through here; what the addon gets of them is
// which codes pass. Where all terms are the addon's, it picks the items of the rows that match on the same way.
import { takeWorkingMemory } from '@colkit/io';
import type { PageDestination } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import { begin, wait } from '@colkit/io/effects';
import { conjuncts } from '@colkit/table';
import type { BoundPredicate } from '@colkit/table';
import { needsDictionary } from '../../layout/column-block.ts';
import { EntryMasks, maskOfCodes } from './entry-masks.ts';
import { termOf } from './terms/term.ts';
import type { Term } from './terms/term.ts';
import { narrowedSpan } from './narrow.ts';
import { CHAIN_BYTES, MOST_IN_CHAIN, PageJobs } from '../pages/jobs/page-jobs.ts';
import type { BegunJobs, TestDestination } from '../pages/jobs/page-jobs.ts';
import { pageKey } from '../file/spans.ts';
import type { Span } from '../file/spans.ts';
import type { StoredFile } from '../file/stored-file.ts';
import type { FetchedPages } from '../pages/fetched-pages.ts';

/**
 * What is known of a span: what is left of it, null where nothing is, and how many of the filter's terms have seen to
 * that.
 */
export interface Narrowed {
  readonly span: Span | null;
  readonly terms: number;
}

/** Jobs for one span, and after each how many terms are done. */
interface SpanJobs {
  readonly jobs: readonly { readonly job: number; readonly done: number }[];
  readonly byteOffset: number;
  /** Terms that need no job, before the first one. */
  readonly before: number;
  /** Where an `or` is tested, in place of all else. */
  readonly united: United | null;
  readonly picks: readonly { readonly job: number; readonly column: number; readonly byteOffset: number }[];
}

/** The chains of an `or`: the last job of each, with rows of its own. */
interface United {
  readonly chains: readonly { readonly job: number; readonly byteOffset: number }[];
  /** How many of the filter's terms are done then. */
  readonly terms: number;
}

/**
 * Room for the items of one in so many rows of a span, but of a few in any case: a filter that leaves more is not what
 * this is for.
 */
const ROWS_PER_PICK = 8;
const FEW = 64;
/** Terms beyond are left to the filter in TypeScript. */
const MOST_TERMS = MOST_IN_CHAIN / 2;
/** Each is a chain with the terms before it, which decodes its pages: still a fraction of what it takes here. */
const MOST_ALTERNATIVES = 64;
/** Of the rows that they find in a fetch. */
const ALTERNATIVES_BYTES = 1 << 26;

export class FilterJobs {
  readonly #file: StoredFile;
  /** The filter's terms as far as the addon may test them. */
  readonly #terms: readonly Term[];
  /** What the `or` behind them is of, each with the terms of its `and`; none where there is no such. */
  readonly #alternatives: readonly (readonly Term[])[];
  /** How many the filter has. */
  readonly #termCount: number;
  readonly #masks = new EntryMasks();
  readonly #mayMatch: (group: number) => boolean;

  /**
   * @param predicates the filter's terms.
   * @param mayMatch whether a row group will be looked at, as its statistics say.
   */
  constructor(file: StoredFile, predicates: readonly BoundPredicate[], mayMatch: (group: number) => boolean) {
    this.#file = file;
    this.#mayMatch = mayMatch;
    this.#termCount = predicates.length;
    const terms = predicates.map((predicate) => termOf(file, predicate));
    const end = terms.indexOf(null);
    this.#terms = terms.slice(0, Math.min(MOST_TERMS, end === -1 ? terms.length : end)) as readonly Term[];
    this.#alternatives = alternativesOf(file, predicates[this.#terms.length]) ?? [];
  }

  /**
   * Begins with the spans of a fetch; null where there is nothing for the addon. Dictionaries of the fetch's row
   * groups are fetched before.
   * @param columns whose items are wanted of the rows that match. @param isSure whether all rows of a span pass a term,
   * as its statistics prove.
   */
  *start(
    fetched: FetchedPages,
    spans: readonly Span[],
    columns: readonly number[],
    isSure: (term: number, span: Span) => boolean,
  ): Work<Selection | null> {
    const bytesOfRows = spans.reduce((sum, span) => sum + rowBytes(span), 0);
    const alternatives = this.#alternatives.length * bytesOfRows > ALTERNATIVES_BYTES ? [] : this.#alternatives;
    const all = [...this.#terms, ...alternatives.flat()];
    const jobs = all.length === 0 ? null : fetched.jobs();
    if (jobs === null) return null;
    const asked = [...new Set(all.map(({ column }) => column))];
    yield* fetched.fetchDictionaries(asked, new Set(spans.map(({ group }) => group)), this.#mayMatch);
    const fixed = this.#picked(spans, columns);
    const itemBytes = fixed.map((column) => this.#file.column(column).type.itemBytes);
    const size = spans.reduce(
      (sum, span) => sum + itemBytes.reduce<number>((bytes, each) => bytes + pickBytes(span, each), 0),
      Math.max(1, alternatives.length) * bytesOfRows,
    );
    const buffer = takeWorkingMemory(size);
    fetched.hold(buffer);
    const output = jobs.addOutput(new Uint8Array(buffer));
    const tests = new FetchedTests(jobs, (term, group) => this.#testOf(all[term] as Term, group, fetched));
    const byPage = new Map<number, SpanJobs>();
    let end = 0;
    for (const span of spans) {
      const byteOffset = end;
      end += rowBytes(span);
      const united = this.#addAlternatives(alternatives, jobs, span, { output, byteOffset }, tests, isSure);
      if (united !== null) {
        end += (united.chains.length - 1) * rowBytes(span);
        byPage.set(pageKey(span), { jobs: [], byteOffset, before: 0, united, picks: [] });
        continue;
      }
      const list: { job: number; done: number }[] = [];
      let before = 0;
      for (const [number, { column }] of this.#terms.entries()) {
        const sure = isSure(number, span);
        const test = sure ? null : tests.of(number, span.group);
        if (!sure && test === null) break;
        if (test !== null)
          list.push({
            job: jobs.addSelect(column, span, { output, byteOffset }, test, list.length > 0),
            done: number + 1,
          });
        else if (list.length === 0) before = number + 1;
        else (list[list.length - 1] as { done: number }).done = number + 1;
      }
      const picks: { job: number; column: number; byteOffset: number }[] = [];
      const isComplete = list.at(-1)?.done === this.#termCount;
      for (const [index, column] of (isComplete ? fixed : []).entries()) {
        const bytes = itemBytes[index] as number;
        const job = jobs.addSelected(column, span, { output, byteOffset: end }, roomOf(span));
        if (job === null) continue;
        picks.push({ job, column, byteOffset: end });
        end += pickBytes(span, bytes);
      }
      byPage.set(pageKey(span), { jobs: list, byteOffset, before, united: null, picks });
    }
    if (jobs.count === 0) return null;
    const begun = yield* begin(jobs.operation());
    return new Selection(this.#file, fetched, { jobs, begun, buffer, byPage });
  }

  /**
   * A chain for each term of the `or`, with the terms before it. Null where there is no `or`, or
   * where the addon cannot test all of it.
   * @param to the rows of the first chain; those of the others come behind them.
   */
  #addAlternatives(
    alternatives: readonly (readonly Term[])[],
    jobs: PageJobs,
    span: Span,
    to: PageDestination,
    tests: FetchedTests,
    isSure: (term: number, span: Span) => boolean,
  ): United | null {
    const first = this.#terms.length;
    if (alternatives.length === 0 || isSure(first, span)) return null;
    const before: { column: number; test: TestDestination }[] = [];
    for (const [number, { column }] of this.#terms.entries()) {
      if (isSure(number, span)) continue;
      const test = tests.of(number, span.group);
      if (test === null) return null;
      before.push({ column, test });
    }
    const chains: { column: number; test: TestDestination }[][] = [];
    let term = first;
    for (const alternative of alternatives) {
      const chain = [...before];
      for (const { column } of alternative) {
        const test = tests.of(term++, span.group);
        if (test === null) return null;
        chain.push({ column, test });
      }
      chains.push(chain);
    }
    const last = chains.map((chain, number) => {
      const byteOffset = to.byteOffset + number * rowBytes(span);
      const rows = { output: to.output, byteOffset };
      const added = chain.map(({ column, test }, index) => jobs.addSelect(column, span, rows, test, index > 0));
      return { job: added.at(-1) as number, byteOffset };
    });
    return { chains: last, terms: first + 1 };
  }

  /**
   * The columns whose items the addon picks: where all terms are the addon's, as many as there may be jobs and memory
   * for.
   */
  #picked(spans: readonly Span[], columns: readonly number[]): readonly number[] {
    if (this.#terms.length < this.#termCount) return [];
    let bytes = 0;
    return columns
      .filter((column) => this.#file.column(column).type.itemBytes > 0)
      .slice(0, MOST_IN_CHAIN - this.#terms.length)
      .filter(
        (column) =>
          (bytes += spans.reduce((sum, span) => sum + pickBytes(span, this.#file.column(column).type.itemBytes), 0)) <=
          CHAIN_BYTES,
      );
  }

  /** Null where the values of a row group are not for the addon. */
  #testOf({ leaf, negated, column, test }: Term, group: number, fetched: FetchedPages): Test | null {
    const { entry } = this.#file.chunk(column, group);
    const ofValues = (bytes: Uint8Array): Test => ({ bytes, areNull: null });
    const asksForNulls = leaf.kind === 'isNull';
    if (asksForNulls && !entry.joint) return test === null ? null : { bytes: test, areNull: !negated };
    if (!needsDictionary(entry)) return test === null || asksForNulls ? null : ofValues(test);
    const dictionary = fetched.soundDictionary(column, group);
    if (dictionary === null) return null;
    // Codes of a joint dictionary lead to the entry's index, or to a null; without indexes none of them to a null.
    if (asksForNulls) {
      const { entryCount, indexes } = dictionary;
      const isNull = (code: number): boolean => indexes !== null && (indexes[code] as number) < 0;
      return ofValues(Uint8Array.from({ length: entryCount }, (_, code) => Number(isNull(code) !== negated)));
    }
    const matching = this.#masks.of(leaf, dictionary.entries, this.#file.column(column).type);
    const mask = negated ? matching.map((matches) => 1 - matches) : matching;
    return ofValues(dictionary.indexes === null ? mask : maskOfCodes(mask, dictionary.indexes));
  }
}

/** What the addon is given. */
interface Test {
  readonly bytes: Uint8Array;
  /** Whether rows pass by being null, or by not being; null: by their values. */
  readonly areNull: boolean | null;
}

/** The tests of a fetch's terms, each once: of a term with a dictionary, once for each row group. */
class FetchedTests {
  readonly #jobs: PageJobs;
  readonly #testOf: (term: number, group: number) => Test | null;
  readonly #byTerm: { readonly group: number; readonly destination: TestDestination | null }[] = [];

  constructor(jobs: PageJobs, testOf: (term: number, group: number) => Test | null) {
    this.#jobs = jobs;
    this.#testOf = testOf;
  }

  of(term: number, group: number): TestDestination | null {
    const last = this.#byTerm[term];
    if (last?.group === group) return last.destination;
    const test = this.#testOf(term, group);
    const destination =
      test === null
        ? null
        : {
            output: this.#jobs.addOutput(test.bytes),
            byteOffset: 0,
            byteLength: test.bytes.length,
            areNull: test.areNull,
          };
    this.#byTerm[term] = { group, destination };
    return destination;
  }
}

/** What the addon found in a fetch. Its rows are the fetch's memory. */
export class Selection {
  readonly #file: StoredFile;
  readonly #fetched: FetchedPages;
  readonly #begun: BegunJobs<SpanJobs>;

  constructor(file: StoredFile, fetched: FetchedPages, begun: BegunJobs<SpanJobs>) {
    this.#file = file;
    this.#fetched = fetched;
    this.#begun = begun;
  }

  wait(): Work<void> {
    return wait(this.#begun.begun);
  }

  /** Whether the addon has something to do with a span. */
  has(span: Span): boolean {
    const known = this.#begun.byPage.get(pageKey(span));
    return known !== undefined && (known.united !== null || known.jobs.length > 0);
  }

  /** What is left of a span; items that were picked are the fetch's then. */
  of(span: Span): Narrowed {
    const { jobs, buffer, byPage } = this.#begun;
    const known = byPage.get(pageKey(span));
    if (known === undefined) return { span, terms: 0 };
    if (known.united !== null) return this.#unitedOf(span, known.united, known.byteOffset);
    let terms = known.before;
    let count: number | null = null;
    for (const { job, done } of known.jobs) {
      const left = jobs.selectedOf(job);
      if (left === null) break;
      [count, terms] = [left, done];
    }
    for (const { job, column, byteOffset } of count === 0 ? [] : known.picks) {
      const picked = jobs.selectedItemsOf(job);
      if (picked === null) continue;
      const items = new Uint8Array(buffer, byteOffset, picked.rowCount * this.#file.column(column).type.itemBytes);
      this.#fetched.keepItems(column, span, { ...picked, items });
    }
    if (count === null || count === span.end - span.start) return { span, terms };
    return { span: narrowedSpan(span, new Uint32Array(buffer, known.byteOffset, count)), terms };
  }

  /** The rows that one of the chains found, in the memory of the first one's. */
  #unitedOf(span: Span, { chains, terms }: United, byteOffset: number): Narrowed {
    const { jobs, buffer } = this.#begun;
    const { start, end } = span;
    const marks = new Uint8Array(end - start);
    for (const { job, byteOffset: at } of chains) {
      const count = jobs.selectedOf(job);
      if (count === null) return { span, terms: 0 };
      // Of all rows the addon writes no list.
      if (count === end - start) return { span, terms };
      const rows = new Uint32Array(buffer, at, count);
      for (let i = 0; i < count; i++) marks[(rows[i] as number) - start] = 1;
    }
    const found = new Uint32Array(buffer, byteOffset, end - start);
    let count = 0;
    // What is not marked is written over.
    for (let row = 0; row < marks.length; row++) {
      found[count] = start + row;
      count += marks[row] as number;
    }
    return { span: narrowedSpan(span, found.subarray(0, count)), terms };
  }
}

/** The terms of an `or`, each as those of an `and`, where the addon may test all of them; null otherwise. */
function alternativesOf(file: StoredFile, predicate: BoundPredicate | undefined): readonly (readonly Term[])[] | null {
  if (predicate?.root.kind !== 'or' || predicate.root.terms.length > MOST_ALTERNATIVES) return null;
  const alternatives: (readonly Term[])[] = [];
  for (const root of predicate.root.terms) {
    const roots = root.kind === 'and' ? root.terms : [root];
    const terms = roots.map((each) => termOf(file, { ...predicate, root: each }));
    if (terms.includes(null) || terms.length > MOST_TERMS) return null;
    alternatives.push(terms as readonly Term[]);
  }
  return alternatives;
}

/** Room for the rows of a span, at a multiple of 8. */
function rowBytes({ start, end }: Span): number {
  return 8 * Math.ceil((end - start) / 2);
}

/** How many items of a span there is room for. */
function roomOf({ start, end }: Span): number {
  return Math.max(Math.min(FEW, end - start), Math.ceil((end - start) / ROWS_PER_PICK));
}

function pickBytes(span: Span, itemBytes: number): number {
  return 8 * Math.ceil((roomOf(span) * itemBytes) / 8);
}

/** Whether the addon reaches the file, and may test all terms of a predicate, whatever pages hold. */
export function isForAddon(file: StoredFile, predicate: BoundPredicate | null): boolean {
  if (PageJobs.of(file) === null) return false;
  const predicates = predicate === null ? [] : conjuncts(predicate);
  const isTested = (term: Term | null): boolean => (term?.test ?? null) !== null;
  return (
    predicates.length <= MOST_TERMS &&
    predicates.every(
      (predicate, number) =>
        isTested(termOf(file, predicate)) ||
        (number === predicates.length - 1 && (alternativesOf(file, predicate)?.flat().every(isTested) ?? false)),
    )
  );
}
