// Pages that the addon looks at on its threads: decoded as items where they are wanted or as the numbers that they are
// made of, narrowed to the rows that pass a test, or grouped and folded. One job a page, and what became of it. Pages
// that it leaves are decoded here as ever.
import { PAGE_LIMITS, pageDecoder } from '@colkit/io';
import type { JobPage, PageDecoder, PageDestination, PageJob, PageResult } from '@colkit/io';
import type { Begun, Operation, WorkContext } from '@colkit/io/effects';
import { needsDictionary } from '../../../layout/column-block.ts';
import { Encoding } from '../../../layout/constants.ts';
import { rowsOfPage } from '../../../layout/footer.ts';
import type { DecodedNumbers, DecodedPage, DecodedTexts } from '../decoded-page.ts';
import type { Span } from '../../file/spans.ts';
import type { FoldedNumbers, FoldingJob, GroupingJob, ItemsJob, KeysJob } from './grouping-job.ts';
import type { StoredFile } from '../../file/stored-file.ts';

/** In one call: few enough that an abort is noticed soon and other reads get their turn, enough for both cores. */
const JOBS_PER_CALL = 256;
/** So many jobs may follow each other; and what they write for a fetch should take no more than this. */
export const MOST_IN_CHAIN = PAGE_LIMITS.chainedJobs;
export const CHAIN_BYTES = 1 << 23;
/** The output of validity bitmaps. */
const BITMAPS = 0;
/** Every byte of ASCII is below this. */
const ASCII_BELOW = 128;

/** Where a test lies, or whether it asks for rows that are null (or for the others). */
export interface TestDestination extends PageDestination {
  readonly byteLength: number;
  readonly areNull: boolean | null;
}

/** Jobs that were begun, the memory that they write to, and which are whose: by `pageKey`. */
export interface BegunJobs<T> {
  readonly jobs: PageJobs;
  readonly begun: Begun<void>;
  readonly buffer: ArrayBuffer;
  readonly byPage: ReadonlyMap<number, T>;
}

export class PageJobs {
  readonly #file: StoredFile;
  readonly #decoder: PageDecoder;
  readonly #outs: Uint8Array[] = [];
  readonly #jobs: PageJob[] = [];
  /** Pages of which the bytes are counted, by where they start in the file. */
  readonly #counted: Set<number>;
  #bitmapBytes = 0;
  #bitmaps = new Uint8Array(0);
  readonly #results: PageResult[] = [];
  readonly #isOnly: boolean;

  private constructor(file: StoredFile, decoder: PageDecoder, counted: Set<number>, isOnly: boolean) {
    this.#file = file;
    this.#decoder = decoder;
    this.#counted = counted;
    this.#isOnly = isOnly;
  }

  /**
   * Null where the addon is not there or cannot reach the file's bytes.
   * @param counted pages of which the bytes are counted, by where they start: it grows.
   * @param isOnly whether nobody does anything else while they are performed.
   */
  static of(file: StoredFile, counted = new Set<number>(), isOnly = false): PageJobs | null {
    // What is larger than the caller allows is refused where it is inflated in TypeScript.
    if (file.options.limits.maxPageBytes < PAGE_LIMITS.bodyBytes) return null;
    const decoder = pageDecoder(file.source);
    return decoder === null ? null : new PageJobs(file, decoder, counted, isOnly);
  }

  get count(): number {
    return this.#jobs.length;
  }

  /** Memory for values: its number. Output 0 is for bitmaps. */
  addOutput(bytes: Uint8Array): number {
    return this.#outs.push(bytes);
  }

  /**
   * A job for rows [start, end) of a page as items, or for the listed ones. `entries` are those of the chunk's
   * dictionary, null where it has none. The column's block is loaded.
   */
  addItems(column: number, span: Span, to: PageDestination, { rows, entries }: ItemsJob): number {
    const { codesColumn } = this.#file.chunk(column, span.group).entry;
    const mayBeNull = entries?.hasNulls === true || this.#mayBeNull(codesColumn, span);
    return this.#add({
      form: 'items',
      page: this.#pageOf(codesColumn, span),
      to,
      follows: false,
      validity: mayBeNull ? this.#newBitmap(rows?.count ?? this.#rowsOf(span)) : null,
      rows,
      entries: entries === null ? null : { ...entries, typeId: this.#file.column(column).type.id },
    });
  }

  /**
   * A job for the items of the rows that the selection before it left, for as many as `room` says. Null where it
   * would be left anyway.
   */
  addSelected(column: number, span: Span, to: PageDestination, room: number): number | null {
    return needsDictionary(this.#file.chunk(column, span.group).entry)
      ? null
      : this.#add({
          form: 'items',
          page: this.#pageOf(column, span),
          to,
          follows: true,
          validity: this.#mayBeNull(column, span) ? this.#newBitmap(room) : null,
          room,
        });
  }

  /**
   * Whether the numbers of a column's pages in a row group may come from the addon: texts that are not in a dictionary
   * do not.
   */
  mayHelp(column: number, group: number): boolean {
    const { joint, encodings } = this.#file.chunk(column, group).entry;
    const isString = this.#file.column(column).type.domain === 'strings';
    return joint || !isString || (encodings & (1 << Encoding.CODES)) !== 0;
  }

  /**
   * A job for the values of a page, or its joint codes, of all rows or of the listed ones in any order: at a multiple
   * of 8 with `numberBytes` of the column that it belongs to for each of these rows.
   */
  addNumbers(column: number, span: Span, to: PageDestination, rows: GroupingJob['rows']): number {
    const { codesColumn } = this.#file.chunk(column, span.group).entry;
    return this.#add({
      form: 'numbers',
      page: this.#pageOf(codesColumn, span),
      to,
      hasDictionary: this.#hasDictionary(codesColumn, span),
      validity: this.#mayBeNull(codesColumn, span) ? this.#newBitmap(rows?.count ?? this.#rowsOf(span)) : null,
      rows,
    });
  }

  /** Whether the byte strings of a column's pages in a row group are in the pages, for `addTexts`. */
  haveTexts(column: number, group: number): boolean {
    return (
      this.#file.column(column).type.domain === 'strings' && !needsDictionary(this.#file.chunk(column, group).entry)
    );
  }

  /** A job for all byte strings of a page, or of the listed rows, ascending, at a multiple of 8: `room` bytes. */
  addTexts(column: number, span: Span, to: PageDestination, room: number, rows: GroupingJob['rows']): number {
    const page = this.#pageOf(column, span);
    const validity = this.#mayBeNull(column, span) ? this.#newBitmap(rows?.count ?? this.#rowsOf(span)) : null;
    return this.#add({ form: 'texts', page, to, room, validity, rows });
  }

  /**
   * A job for the rows of a span that pass a test: of values (`termOf`), or a byte for each code where the chunk has a
   * dictionary. One that follows looks at the rows that the job before it left, of a page of the same rows,
   * and both write where the first one does: 4 bytes a row of the span.
   */
  addSelect(column: number, span: Span, to: PageDestination, test: TestDestination, follows: boolean): number {
    const { codesColumn } = this.#file.chunk(column, span.group).entry;
    return this.#add({
      form: 'select',
      page: this.#pageOf(codesColumn, span),
      to,
      follows,
      hasDictionary: this.#hasDictionary(codesColumn, span),
      withNulls: this.#mayBeNull(codesColumn, span),
      test,
      areNull: test.areNull,
    });
  }

  /**
   * A job that numbers the rows by the values of a page, and by what the one before it gave: `RECORD_BYTES.group` for
   * each of `room` numbers.
   */
  addGroups(column: number, span: Span, to: PageDestination, how: KeysJob): number {
    const { codesColumn } = this.#file.chunk(column, span.group).entry;
    return this.#add({
      form: 'groups',
      page: this.#pageOf(codesColumn, span),
      to,
      hasDictionary: this.#hasDictionary(codesColumn, span),
      withNulls: this.#mayBeNull(codesColumn, span),
      ...how,
    });
  }

  /** A job for counts, sums and extremes of the groups before it: `RECORD_BYTES.fold` for each. */
  addFolds(column: number, span: Span, to: PageDestination, { entries, ...how }: FoldingJob): number {
    const { codesColumn } = this.#file.chunk(column, span.group).entry;
    return this.#add({
      form: 'folds',
      page: this.#pageOf(codesColumn, span),
      to,
      hasDictionary: this.#hasDictionary(codesColumn, span),
      withNulls: this.#mayBeNull(codesColumn, span),
      entries: entries === null ? null : { ...entries, typeId: this.#file.column(column).type.id },
      ...how,
    });
  }

  #add(job: PageJob): number {
    return this.#jobs.push(job) - 1;
  }

  #pageOf(column: number, span: Span): JobPage {
    const { group, page, start, end } = span;
    const { entry, pageOffsets } = this.#file.chunk(column, group);
    const byteOffset = pageOffsets[page] as number;
    return {
      byteOffset,
      byteLength: (pageOffsets[page + 1] as number) - byteOffset,
      typeId: this.#file.column(column).type.id,
      column,
      codesOnly: entry.joint,
      rowCount: this.#rowsOf(span),
      start,
      end,
    };
  }

  #hasDictionary(column: number, { group }: Span): boolean {
    return needsDictionary(this.#file.chunk(column, group).entry);
  }

  /** A page of joint codes has a code for every row, whatever the columns may hold. */
  #mayBeNull(column: number, { group }: Span): boolean {
    return this.#file.column(column).nullable && !this.#file.chunk(column, group).entry.joint;
  }

  #rowsOf({ group, page }: Span): number {
    return rowsOfPage(this.#file.group(group), page);
  }

  #newBitmap(rows: number): PageDestination {
    const byteOffset = this.#bitmapBytes;
    this.#bitmapBytes += Math.ceil(rows / 8);
    return { output: BITMAPS, byteOffset };
  }

  /** All jobs, on the addon's threads. */
  operation(): Operation<void> {
    this.#bitmaps = new Uint8Array(this.#bitmapBytes);
    const outs = [this.#bitmaps, ...this.#outs];
    const { verifyCrc } = this.#file.options;
    const calls = this.#calls().map((jobs) => ({ jobs, outs, verifyCrc }));
    return {
      run: async (context) => {
        for (const call of calls) {
          context.signal?.throwIfAborted();
          this.#keep(
            call.jobs,
            await this.#decoder.decode({
              ...call,
              workers: context.workers,
              isOnly: this.#isOnly && calls.length === 1,
            }),
            context,
          );
        }
      },
      runSync: (context) => {
        for (const call of calls)
          this.#keep(call.jobs, this.#decoder.decodeSync({ ...call, workers: context.workers }), context);
      },
    };
  }

  /** Null where the page was left. Of listed rows it is as though these were all of the page. */
  resultOf(job: number): DecodedPage | null {
    const { outcome, count: valueCount } = this.#resultOf(job);
    if (outcome !== 'decoded') return null;
    const asked = this.#jobs[job] as PageJob;
    const tells = asked.form === 'numbers' || asked.form === 'texts' || (asked.form === 'items' && !asked.follows);
    return this.#decodedOf(asked, (tells ? asked.rows?.count : null) ?? asked.page.rowCount, valueCount);
  }

  #decodedOf(asked: PageJob, rowCount: number, valueCount: number): DecodedPage {
    const bitmap = 'validity' in asked ? asked.validity : null;
    return {
      valueCount,
      rowCount,
      validity:
        bitmap !== null && valueCount > 0 && valueCount < rowCount
          ? this.#bitmaps.subarray(bitmap.byteOffset, bitmap.byteOffset + Math.ceil(rowCount / 8))
          : null,
    };
  }

  /** The same of a job for numbers, which lie in the output that was given for them. */
  numbersOf(job: number): DecodedNumbers | null {
    const page = this.resultOf(job);
    if (page === null) return null;
    const { base, step, below, numbers, exponent } = this.#resultOf(job);
    const { to } = this.#jobs[job] as PageJob;
    const out = this.#outs[to.output - 1] as Uint8Array;
    const at = out.byteOffset + to.byteOffset;
    const count = page.valueCount;
    if (numbers === 'patterns')
      return { ...page, vector: { kind: 'wide', count, words: new Uint32Array(out.buffer, at, 2 * count) } };
    if (numbers === 'codes') return { ...page, rowCodes: new Int32Array(out.buffer, at, page.rowCount), below };
    const values = new Uint32Array(out.buffer, at, count);
    const narrow = { kind: 'narrow', count, base: BigInt(base), step: BigInt(step), values, below } as const;
    return {
      ...page,
      vector: numbers === 'integers' ? narrow : { kind: 'decimal', count, exponent, integers: narrow },
    };
  }

  /** The same of a job for texts, which lie in the output that was given for them. */
  textsOf(job: number): DecodedTexts | null {
    const page = this.resultOf(job);
    if (page === null) return null;
    const { base: byteLength, step: textCount, below, numbers } = this.#resultOf(job);
    const { to } = this.#jobs[job] as PageJob;
    const out = this.#outs[to.output - 1] as Uint8Array;
    const at = out.byteOffset + to.byteOffset;
    const ends = new Uint32Array(out.buffer, at, textCount);
    const codes = new Uint32Array(out.buffer, at + ends.byteLength, numbers === 'codedTexts' ? page.valueCount : 0);
    const bytes = new Uint8Array(out.buffer, at + ends.byteLength + codes.byteLength, byteLength);
    const texts = { kind: 'strings', count: textCount, bytes, start: 0, ends, isAscii: below <= ASCII_BELOW } as const;
    return {
      ...page,
      strings: numbers === 'codedTexts' ? { kind: 'coded', count: codes.length, codes, entries: texts } : texts,
    };
  }

  /** How much room a job for texts needs, where it had not enough; else null. */
  roomFor(job: number): number | null {
    const { outcome, base } = this.#resultOf(job);
    return outcome === 'small' ? base : null;
  }

  /** Of items that follow a selection, as though its rows were all of the page; null where there are none. */
  selectedItemsOf(job: number): DecodedPage | null {
    const { outcome, count, base } = this.#resultOf(job);
    return outcome === 'decoded' ? this.#decodedOf(this.#jobs[job] as PageJob, count, base) : null;
  }

  /** How many rows a selection left; null where the page was left: then the rows are those of the job before. */
  selectedOf(job: number): number | null {
    return this.isDone(job) ? this.#resultOf(job).count : null;
  }

  isDone(job: number): boolean {
    const { outcome } = this.#resultOf(job);
    return outcome === 'decoded' || outcome === 'unneeded';
  }

  /** How many numbers a job for groups gave; null where the page was left. */
  groupsOf(job: number): number | null {
    return this.isDone(job) ? this.#resultOf(job).count : null;
  }

  /** What sums and extremes of folds are of; null where the page was left. */
  foldedOf(job: number): FoldedNumbers | null {
    const { base, step, numbers, exponent } = this.#resultOf(job);
    if (!this.isDone(job)) return null;
    return numbers === 'patterns' ? 'values' : { base, step, exponent: numbers === 'integers' ? 0 : exponent };
  }

  #resultOf(job: number): PageResult {
    return this.#results[job] as PageResult;
  }

  /** Jobs in calls; those that follow each other stay together. */
  #calls(): PageJob[][] {
    const calls: PageJob[][] = [];
    let first = 0;
    while (first < this.count) {
      let last = Math.min(this.count, first + JOBS_PER_CALL);
      while (last < this.count && goesOn(this.#jobs[last] as PageJob)) last++;
      calls.push(this.#jobs.slice(first, last));
      first = last;
    }
    return calls;
  }

  /** Bytes of pages that were left are counted when they are fetched. */
  #keep(jobs: readonly PageJob[], results: readonly PageResult[], context: WorkContext): void {
    for (const [index, { page }] of jobs.entries()) {
      const result = results[index] as PageResult;
      this.#results.push(result);
      if (result.outcome !== 'decoded' || this.#counted.has(page.byteOffset)) continue;
      this.#counted.add(page.byteOffset);
      context.bytesRead += page.byteLength;
    }
  }
}

function goesOn(job: PageJob): boolean {
  return 'follows' in job && job.follows;
}
