// Pages that the addon decodes on its threads, as items where they are wanted or as the numbers that they are made of: one job a page, and what became of it. Pages that it leaves are decoded
// here as ever.
import { PAGE_JOB_NUMBERS, PAGE_RESULT_NUMBERS, pageDecoder } from '@colkit/io';
import type { PageDecoder } from '@colkit/io';
import type { Decimal, Narrow, Wide } from '../columns/vector.ts';
import { needsDictionary } from '../layout/column-block.ts';
import type { ColumnType } from '../layout/column-type.ts';
import { Encoding } from '../layout/constants.ts';
import { rowsOfPage } from '../layout/footer.ts';
import type { Span } from './spans.ts';
import { Ahead } from './steps.ts';
import type { StepContext } from './steps.ts';
import type { StoredFile } from './stored-file.ts';

/** In one call: few enough that an abort is noticed soon and other reads get their turn, enough for both cores. */
const JOBS_PER_CALL = 256;
const [FORM_ITEMS, FORM_NUMBERS] = [0, 1];
/** What the numbers of a page are, where they are no decimals. */
const [INTEGERS, CODES] = [-1, -2];
/** Places of numbers in a job. */
const [ROW_COUNT_AT, OUTPUT_AT, OFFSET_AT, BITMAP_AT] = [4, 8, 9, 11];

/** Where the values of a page go. */
export interface OutputPlace {
  /** Number of the output, and the byte in it. */
  readonly output: number;
  readonly byteOffset: number;
}

/** What is known of a page that was decoded. */
export interface DecodedPage {
  readonly rowCount: number;
  readonly valueCount: number;
  /** Null where no row is null, and where all are. */
  readonly validity: Uint8Array | null;
}

/** Values in the forms in which the addon gives them. */
export type NumberVector = Narrow | Wide | (Decimal & { readonly integers: Narrow });

/** The values of a page that are not null; or for every row the code of its value, all below `below`, and -1 for a null. */
export type DecodedNumbers = DecodedPage & ({ readonly vector: NumberVector } | { readonly rowCodes: Int32Array; readonly below: number });

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
  #bitmapBytes = 0;
  #bitmaps = new Uint8Array(0);
  #results = new Float64Array(0);

  private constructor(file: StoredFile, decoder: PageDecoder) {
    this.#file = file;
    this.#decoder = decoder;
  }

  /** Null where the addon is not there or cannot reach the file's bytes. */
  static of(file: StoredFile): PageJobs | null {
    const decoder = pageDecoder(file.source);
    return decoder === null ? null : new PageJobs(file, decoder);
  }

  get count(): number {
    return this.#jobs.length / PAGE_JOB_NUMBERS;
  }

  /** Memory for values: its number. Output 0 is for bitmaps. */
  addOutput(bytes: Uint8Array): number {
    return this.#outs.push(bytes);
  }

  /** A job for rows [start, end) of a page as items; null where it would be left anyway. The column's block is loaded. */
  addItems(column: number, span: Span, place: OutputPlace): number | null {
    return needsDictionary(this.#file.chunk(column, span.group).entry) ? null : this.#add(column, span, place, FORM_ITEMS);
  }

  /** Whether the numbers of a column's pages in a row group may come from the addon: texts that are not in a dictionary do not. */
  mayHelp(column: number, group: number): boolean {
    const { joint, encodings } = this.#file.chunk(column, group).entry;
    const isString = this.#file.column(column).type.domain === 'strings';
    return joint || !isString || (encodings & (1 << Encoding.CODES)) !== 0;
  }

  /** A job for all values of a page, or its joint codes, at a multiple of 8 with `numberBytes` of the column that it belongs to for every row. */
  addNumbers(column: number, span: Span, place: OutputPlace): number {
    const { joint, codesColumn } = this.#file.chunk(column, span.group).entry;
    const job = this.#add(codesColumn, span, place, FORM_NUMBERS);
    if (joint) this.#joint.add(job);
    return job;
  }

  #add(column: number, { group, page, start, end }: Span, { output, byteOffset }: OutputPlace, form: number): number {
    const { entry, pageOffsets } = this.#file.chunk(column, group);
    const { type, nullable } = this.#file.column(column);
    const rowCount = rowsOfPage(this.#file.group(group), page);
    const from = pageOffsets[page] as number;
    const bytes = (pageOffsets[page + 1] as number) - from;
    const job = this.count;
    const dictionary = Number(form === FORM_NUMBERS && needsDictionary(entry));
    this.#jobs.push(from, bytes, type.id, column & 0xffff, rowCount, start, end, form, output, byteOffset, nullable ? 0 : -1, this.#bitmapBytes, dictionary);
    if (nullable) this.#bitmapBytes += Math.ceil(rowCount / 8);
    return job;
  }

  /** All jobs, on the addon's threads. */
  ahead(): Ahead {
    this.#bitmaps = new Uint8Array(this.#bitmapBytes);
    this.#results = new Float64Array(this.count * PAGE_RESULT_NUMBERS);
    const calls = this.#calls();
    return new Ahead({
      begin: async (context) => {
        for (const call of calls) {
          context.signal?.throwIfAborted();
          await this.#decoder.decode({ ...call, workers: context.workers ?? 0 });
          this.#count(call, context);
        }
      },
      perform: (context) => {
        for (const call of calls) {
          this.#decoder.decodeSync({ ...call, workers: context.workers ?? 0 });
          this.#count(call, context);
        }
      },
    });
  }

  /** Null where the page was left. */
  resultOf(job: number): DecodedPage | null {
    const at = job * PAGE_RESULT_NUMBERS;
    if (this.#results[at] !== 1) return null;
    const valueCount = this.#results[at + 1] as number;
    const rowCount = this.#jobOf(job, ROW_COUNT_AT);
    const bitmapAt = this.#jobOf(job, BITMAP_AT);
    return { valueCount, rowCount, validity: valueCount > 0 && valueCount < rowCount ? this.#bitmaps.subarray(bitmapAt, bitmapAt + Math.ceil(rowCount / 8)) : null };
  }

  /** The same of a job for numbers, which lie in the output that was given for them. Null also for what is no joint codes where it should be. */
  numbersOf(job: number): DecodedNumbers | null {
    const page = this.resultOf(job);
    if (page === null) return null;
    if (this.#joint.has(job) && (page.valueCount !== page.rowCount || this.#results[(job + 1) * PAGE_RESULT_NUMBERS - 1] !== CODES)) return null;
    const [base = 0, step = 0, below = 0, kind = 0] = this.#results.subarray(job * PAGE_RESULT_NUMBERS + 2, (job + 1) * PAGE_RESULT_NUMBERS);
    const out = this.#outs[this.#jobOf(job, OUTPUT_AT) - 1] as Uint8Array;
    const at = out.byteOffset + this.#jobOf(job, OFFSET_AT);
    const count = page.valueCount;
    if (kind < CODES) return { ...page, vector: { kind: 'wide', count, words: new Uint32Array(out.buffer, at, 2 * count) } };
    if (kind === CODES) return { ...page, rowCodes: new Int32Array(out.buffer, at, page.rowCount), below };
    const values = new Uint32Array(out.buffer, at, count);
    const narrow = { kind: 'narrow', count, base: BigInt(base), step: BigInt(step), values, below } as const;
    return { ...page, vector: kind === INTEGERS ? narrow : { kind: 'decimal', count, exponent: kind, integers: narrow } };
  }

  #jobOf(job: number, at: number): number {
    return this.#jobs[job * PAGE_JOB_NUMBERS + at] as number;
  }

  #calls() {
    const calls = [];
    const jobs = Float64Array.from(this.#jobs);
    const outs = [this.#bitmaps, ...this.#outs];
    for (let first = 0; first < this.count; first += JOBS_PER_CALL) {
      const last = Math.min(this.count, first + JOBS_PER_CALL);
      calls.push({
        jobs: jobs.subarray(first * PAGE_JOB_NUMBERS, last * PAGE_JOB_NUMBERS),
        results: this.#results.subarray(first * PAGE_RESULT_NUMBERS, last * PAGE_RESULT_NUMBERS),
        outs,
        verifyCrc: this.#file.options.verifyCrc,
      });
    }
    return calls;
  }

  /** Bytes of pages that were left are counted when they are fetched. */
  #count({ jobs, results }: { readonly jobs: Float64Array; readonly results: Float64Array }, context: StepContext): void {
    for (let job = 0; job < results.length / PAGE_RESULT_NUMBERS; job++) {
      if (results[job * PAGE_RESULT_NUMBERS] === 1) context.bytesRead += jobs[job * PAGE_JOB_NUMBERS + 1] as number;
    }
  }
}
