// Pages that the addon looks at on its threads: decoded as items where they are wanted or as the numbers that they are
// made of, narrowed to the rows that pass a test, or summed by code. One job a page, and what became of it. Pages that
// it leaves are decoded here as ever.
import { PAGE_JOB_NUMBERS, PAGE_RESULT_NUMBERS, pageDecoder } from '@colkit/io';
import type { PageDecoder } from '@colkit/io';
import type { Begun, Operation, WorkContext } from '@colkit/io/effects';
import type { Decimal, Narrow, Wide } from '../../columns/vector.ts';
import { needsDictionary } from '../../layout/column-block.ts';
import type { ColumnType } from '../../layout/column-type.ts';
import { Encoding } from '../../layout/constants.ts';
import { rowsOfPage } from '../../layout/footer.ts';
import type { Span } from '../file/spans.ts';
import type { StoredFile } from '../file/stored-file.ts';

/** In one call: few enough that an abort is noticed soon and other reads get their turn, enough for both cores. */
const JOBS_PER_CALL = 256;
const [FORM_ITEMS, FORM_NUMBERS, FORM_SELECT, FORM_KEYS, FORM_SUMS] = [0, 1, 2, 3, 4];
/** So many jobs may follow each other; and what they write for a window should take no more than this. */
export const MOST_IN_CHAIN = 64;
export const CHAIN_BYTES = 1 << 23;
/** What became of a page. */
const [LEFT, DECODED] = [0, 1];
/** What the numbers of a page are, where they are no decimals. */
const [INTEGERS, CODES] = [-1, -2];
/** Places of numbers in a job. */
const [ROW_COUNT_AT, OUTPUT_AT, OFFSET_AT, BITMAP_AT, FOLLOWS_AT] = [4, 8, 9, 11, 13];

/** Where the values of a page go. */
export interface OutputPlace {
  /** Number of the output, and the byte in it. */
  readonly output: number;
  readonly byteOffset: number;
}

/** Where a test lies. */
export interface TestPlace extends OutputPlace {
  readonly byteLength: number;
}

/** What is known of a page that was decoded. */
export interface DecodedPage {
  readonly rowCount: number;
  readonly valueCount: number;
  /** Null where no row is null, and where all are. */
  readonly validity: Uint8Array | null;
}

/**
 * The numbers of a page as what they mean: value = (base + step * number) / 10^exponent, all numbers below `below`;
 * exponent null: integers.
 */
export interface NumberLine {
  readonly count: number;
  readonly base: bigint;
  readonly step: bigint;
  readonly below: number;
  readonly exponent: number | null;
}

/** What a job is about beside its page and its output. */
interface JobDetails {
  readonly form: number;
  readonly follows?: boolean;
  readonly test?: OutputPlace;
  /** Bytes of the test, or how many codes there are, or how many items there is room for. */
  readonly testLength?: number;
}

/** Jobs that were begun, the memory that they write to, and which are whose: by `pageKey`. */
export interface BegunJobs<T> {
  readonly jobs: PageJobs;
  readonly begun: Begun<void>;
  readonly buffer: ArrayBuffer;
  readonly byPage: ReadonlyMap<number, T>;
}

/** Values in the forms in which the addon gives them. */
export type NumberVector = Narrow | Wide | (Decimal & { readonly integers: Narrow });

/**
 * The values of a page that are not null; or for every row the code of its value, all below `below`, and -1 for a null.
 */
export type DecodedNumbers = DecodedPage &
  ({ readonly vector: NumberVector } | { readonly rowCodes: Int32Array; readonly below: number });

/** Room for a value as a number: of 64-bit types it may be its pattern. */
export function numberBytes({ itemBytes }: ColumnType): number {
  return itemBytes === 8 ? 8 : 4;
}

export class PageJobs {
  readonly #file: StoredFile;
  readonly #decoder: PageDecoder;
  readonly #outs: Uint8Array[] = [];
  readonly #jobs: number[] = [];
  /** Jobs for pages of joint codes. */
  readonly #joint = new Set<number>();
  /** Pages of which the bytes are counted, by where they start in the file. */
  readonly #counted: Set<number>;
  #bitmapBytes = 0;
  #bitmaps = new Uint8Array(0);
  #results = new Float64Array(0);

  private constructor(file: StoredFile, decoder: PageDecoder, counted: Set<number>) {
    this.#file = file;
    this.#decoder = decoder;
    this.#counted = counted;
  }

  /**
   * Null where the addon is not there or cannot reach the file's bytes.
   * @param counted pages of which the bytes are counted, by where they start: it grows.
   */
  static of(file: StoredFile, counted = new Set<number>()): PageJobs | null {
    const decoder = pageDecoder(file.source);
    return decoder === null ? null : new PageJobs(file, decoder, counted);
  }

  get count(): number {
    return this.#jobs.length / PAGE_JOB_NUMBERS;
  }

  /** Memory for values: its number. Output 0 is for bitmaps. */
  addOutput(bytes: Uint8Array): number {
    return this.#outs.push(bytes);
  }

  /**
   * A job for rows [start, end) of a page as items; null where it would be left anyway. The column's block is loaded.
   */
  addItems(column: number, span: Span, place: OutputPlace): number | null {
    return needsDictionary(this.#file.chunk(column, span.group).entry)
      ? null
      : this.#add(column, span, place, { form: FORM_ITEMS });
  }

  /**
   * A job for the items of the rows that the selection before it left, for as many as `room` says; pages with nulls are
   * left. Null where it would be left anyway.
   */
  addSelected(column: number, span: Span, place: OutputPlace, room: number): number | null {
    return needsDictionary(this.#file.chunk(column, span.group).entry)
      ? null
      : this.#add(column, span, place, { form: FORM_ITEMS, follows: true, testLength: room });
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
   * A job for all values of a page, or its joint codes, at a multiple of 8 with `numberBytes` of the column that it
   * belongs to for every row.
   */
  addNumbers(column: number, span: Span, place: OutputPlace): number {
    const { joint, codesColumn } = this.#file.chunk(column, span.group).entry;
    const job = this.#add(codesColumn, span, place, { form: FORM_NUMBERS });
    if (joint) this.#joint.add(job);
    return job;
  }

  /**
   * A job for the rows of a span that pass a test: an interval (`intervalTest`), or a byte for each code where the
   * chunk has a dictionary. One that follows looks at the rows that the job before it left, of a page of the same rows,
   * and both write to the first one's place: 4 bytes a row of the span.
   */
  addSelect(column: number, span: Span, place: OutputPlace, test: TestPlace, follows: boolean): number {
    return this.#add(this.#file.chunk(column, span.group).entry.codesColumn, span, place, {
      form: FORM_SELECT,
      follows,
      test,
      testLength: test.byteLength,
    });
  }

  /** A job for the first row of each code and how many rows have it: 8 bytes a code. Pages with nulls are left. */
  addKeys(column: number, span: Span, place: OutputPlace, codeCount: number): number {
    return this.#add(this.#file.chunk(column, span.group).entry.codesColumn, span, place, {
      form: FORM_KEYS,
      testLength: codeCount,
    });
  }

  /** A job for the sums of the rows of each code of the keys before it: 8 bytes a code. Pages with nulls are left. */
  addSums(column: number, span: Span, place: OutputPlace, codeCount: number): number {
    return this.#add(column, span, place, { form: FORM_SUMS, follows: true, testLength: codeCount });
  }

  #add(
    column: number,
    { group, page, start, end }: Span,
    { output, byteOffset }: OutputPlace,
    details: JobDetails,
  ): number {
    const { form, follows = false, test = { output: 0, byteOffset: 0 }, testLength = 0 } = details;
    const { entry, pageOffsets } = this.#file.chunk(column, group);
    const { type, nullable } = this.#file.column(column);
    const rowCount = rowsOfPage(this.#file.group(group), page);
    const from = pageOffsets[page] as number;
    const bytes = (pageOffsets[page + 1] as number) - from;
    const job = this.count;
    // A page of joint codes has a code for every row, whatever the columns may hold.
    const withNulls = nullable && !entry.joint;
    const dictionary = Number((form === FORM_NUMBERS || form === FORM_SELECT) && needsDictionary(entry));
    this.#jobs.push(
      from,
      bytes,
      type.id,
      column & 0xffff,
      rowCount,
      start,
      end,
      form,
      output,
      byteOffset,
      withNulls ? 0 : -1,
      this.#bitmapBytes,
      dictionary,
    );
    this.#jobs.push(Number(follows), test.output, test.byteOffset, testLength);
    if (withNulls && form <= FORM_NUMBERS && !follows) this.#bitmapBytes += Math.ceil(rowCount / 8);
    return job;
  }

  /** All jobs, on the addon's threads. */
  operation(): Operation<void> {
    this.#bitmaps = new Uint8Array(this.#bitmapBytes);
    this.#results = new Float64Array(this.count * PAGE_RESULT_NUMBERS);
    const calls = this.#calls();
    return {
      run: async (context) => {
        for (const call of calls) {
          context.signal?.throwIfAborted();
          await this.#decoder.decode({ ...call, workers: context.workers });
          this.#count(call, context);
        }
      },
      runSync: (context) => {
        for (const call of calls) {
          this.#decoder.decodeSync({ ...call, workers: context.workers });
          this.#count(call, context);
        }
      },
    };
  }

  /** Null where the page was left. */
  resultOf(job: number): DecodedPage | null {
    const at = job * PAGE_RESULT_NUMBERS;
    if (this.#results[at] !== DECODED) return null;
    const valueCount = this.#results[at + 1] as number;
    const rowCount = this.#jobOf(job, ROW_COUNT_AT);
    const bitmapAt = this.#jobOf(job, BITMAP_AT);
    return {
      valueCount,
      rowCount,
      validity:
        valueCount > 0 && valueCount < rowCount
          ? this.#bitmaps.subarray(bitmapAt, bitmapAt + Math.ceil(rowCount / 8))
          : null,
    };
  }

  /**
   * The same of a job for numbers, which lie in the output that was given for them. Null also for what is no joint
   * codes where it should be.
   */
  numbersOf(job: number): DecodedNumbers | null {
    const page = this.resultOf(job);
    if (page === null) return null;
    if (
      this.#joint.has(job) &&
      (page.valueCount !== page.rowCount || this.#results[(job + 1) * PAGE_RESULT_NUMBERS - 1] !== CODES)
    )
      return null;
    const [base = 0, step = 0, below = 0, kind = 0] = this.#results.subarray(
      job * PAGE_RESULT_NUMBERS + 2,
      (job + 1) * PAGE_RESULT_NUMBERS,
    );
    const out = this.#outs[this.#jobOf(job, OUTPUT_AT) - 1] as Uint8Array;
    const at = out.byteOffset + this.#jobOf(job, OFFSET_AT);
    const count = page.valueCount;
    if (kind < CODES)
      return { ...page, vector: { kind: 'wide', count, words: new Uint32Array(out.buffer, at, 2 * count) } };
    if (kind === CODES) return { ...page, rowCodes: new Int32Array(out.buffer, at, page.rowCount), below };
    const values = new Uint32Array(out.buffer, at, count);
    const narrow = { kind: 'narrow', count, base: BigInt(base), step: BigInt(step), values, below } as const;
    return {
      ...page,
      vector: kind === INTEGERS ? narrow : { kind: 'decimal', count, exponent: kind, integers: narrow },
    };
  }

  /**
   * How many rows a selection left, or items follow it; null where the page was left: then the rows are those of the
   * job before.
   */
  selectedOf(job: number): number | null {
    return this.isDone(job) ? (this.#results[job * PAGE_RESULT_NUMBERS + 1] as number) : null;
  }

  isDone(job: number): boolean {
    return this.#results[job * PAGE_RESULT_NUMBERS] !== LEFT;
  }

  /** The line through the numbers of a page that was summed; null where it was left. */
  summedOf(job: number): NumberLine | null {
    const at = job * PAGE_RESULT_NUMBERS;
    const [, count = 0, base = 0, step = 0, below = 0, kind = 0] = this.#results.subarray(at, at + PAGE_RESULT_NUMBERS);
    return !this.isDone(job)
      ? null
      : { count, base: BigInt(base), step: BigInt(step), below, exponent: kind === INTEGERS ? null : kind };
  }

  #jobOf(job: number, at: number): number {
    return this.#jobs[job * PAGE_JOB_NUMBERS + at] as number;
  }

  #calls() {
    const calls = [];
    const jobs = Float64Array.from(this.#jobs);
    const outs = [this.#bitmaps, ...this.#outs];
    let first = 0;
    while (first < this.count) {
      let last = Math.min(this.count, first + JOBS_PER_CALL);
      // Jobs that follow each other stay together.
      while (last < this.count && this.#jobOf(last, FOLLOWS_AT) === 1) last++;
      calls.push({
        jobs: jobs.subarray(first * PAGE_JOB_NUMBERS, last * PAGE_JOB_NUMBERS),
        results: this.#results.subarray(first * PAGE_RESULT_NUMBERS, last * PAGE_RESULT_NUMBERS),
        outs,
        verifyCrc: this.#file.options.verifyCrc,
      });
      first = last;
    }
    return calls;
  }

  /** Bytes of pages that were left are counted when they are fetched. */
  #count(
    { jobs, results }: { readonly jobs: Float64Array; readonly results: Float64Array },
    context: WorkContext,
  ): void {
    for (let job = 0; job < results.length / PAGE_RESULT_NUMBERS; job++) {
      const at = job * PAGE_JOB_NUMBERS;
      const byteOffset = jobs[at] as number;
      if (results[job * PAGE_RESULT_NUMBERS] !== DECODED || this.#counted.has(byteOffset)) continue;
      this.#counted.add(byteOffset);
      context.bytesRead += jobs[at + 1] as number;
    }
  }
}
