// What the addon may be asked of pages of a .cna file, as typed jobs, and what it answers: the one place where they
// become the numbers that the addon takes (native/page-program.d.cts says what each means), and where its numbers are
// read.
import { FORM, JOB, JOB_NUMBERS, NUMBERS, OUTCOME, RESULT, RESULT_NUMBERS } from './page-constants.ts';

export { PAGE_LIMITS, RECORD_BYTES, TEXT_TEST, TEXT_TEST_FLAG } from './page-constants.ts';

/** Memory of the caller: which of a program's outputs, and the byte in it. */
export interface PageDestination {
  readonly output: number;
  readonly byteOffset: number;
}

/** A page as the footer tells of it, and which of its rows a job is about. */
export interface JobPage {
  /** Of the page in the file, and with its padding. */
  readonly byteOffset: number;
  readonly byteLength: number;
  /** That the page's header must have: type id, column number (the lowest 16 bits count), rows. */
  readonly typeId: number;
  readonly column: number;
  readonly rowCount: number;
  /** Whether a page of anything but codes is left, as one of a joint dictionary is. */
  readonly codesOnly: boolean;
  /** Rows [start, end) of the page. */
  readonly start: number;
  readonly end: number;
}

/** Where a validity bitmap goes if some rows of the page are null; null: a page with nulls is left. */
type Validity = PageDestination | null;

/**
 * What is made of a page. `follows`: the job goes on with what the job before it found, on a page of the same rows; at
 * most `PAGE_LIMITS.chainedJobs` go on in a row.
 */
export type PageJob = {
  readonly page: JobPage;
  readonly to: PageDestination;
} /** Items of [start, end), or one for each of `rows`, in any order; the validity is a bit for each. */ & (
  | {
      readonly form: 'items';
      readonly follows: false;
      readonly validity: Validity;
      readonly rows: Listed;
      readonly entries: NullableEntries;
    }
  /** Items of the rows that selections left, as many as there is room for; the validity is a bit for each. */
  | { readonly form: 'items'; readonly follows: true; readonly validity: Validity; readonly room: number }
  /**
   * All values of the page that are not null, at a multiple of 8 bytes; or those of `rows`, in any order, of which the
   * validity is a bit for each.
   */
  | {
      readonly form: 'numbers';
      readonly hasDictionary: boolean;
      readonly validity: Validity;
      readonly rows: Listed;
    }
  | {
      readonly form: 'select';
      readonly follows: boolean;
      readonly hasDictionary: boolean;
      /** Whether some rows may be null; else a page with nulls is left. */
      readonly withNulls: boolean;
      /** A byte for each code of the chunk's dictionary, words, or for texts a test: see native/index.d.ts. */
      readonly test: PageDestination & { readonly byteLength: number };
      /** Whether rows pass by being null (or not), whatever the test; null: by their values. */
      readonly areNull: boolean | null;
    }
  /**
   * Byte strings that are in no dictionary page, at a multiple of 8 bytes: `room` bytes. Of all rows, or one for each
   * of `rows` that is not null.
   */
  | { readonly form: 'texts'; readonly validity: Validity; readonly room: number; readonly rows: Listed }
  /** A number a row by its value, and behind another such job by what that one gave too: a record a number. */
  | (Grouping & {
      readonly form: 'groups';
      readonly hasDictionary: boolean;
      readonly entries: Entries;
      readonly ranges: Ranges;
    })
  /** Behind groups a record for each, else one for all rows: counts, sums and extremes, or moments. */
  | (Grouping & {
      readonly form: 'folds';
      readonly hasDictionary: boolean;
      readonly sums: boolean;
      readonly extremes: boolean;
      /** Moments are asked for alone. */
      readonly moments: boolean;
      readonly entries: Entries;
    })
);

interface Grouping {
  readonly follows: boolean;
  /** Whether some rows may be null; else a page with nulls is left. */
  readonly withNulls: boolean;
  /** How many groups there is room for. */
  readonly room: number;
  /** The rows that a job, and those that follow it, are about: ascending, as u32; null: all of [start, end). */
  readonly rows: Listed;
}

/** What the codes of a chunk with a dictionary stand for: patterns of 64 bits of a type; null: no codes. */
type Entries = (PageDestination & { readonly count: number; readonly typeId: number }) | null;

/**
 * Where a number for each of `count` ranges of integers lies, behind the first integer of the first one and how many
 * each has; null: rows are numbered by their values.
 */
type Ranges = (PageDestination & { readonly count: number }) | null;

/** `hasNulls`: behind the patterns comes a bit for each, 0 where it is a null. */
type NullableEntries = (NonNullable<Entries> & { readonly hasNulls: boolean }) | null;

/** Rows of a page, as u32: ascending, but for items and numbers. */
type Listed = (PageDestination & { readonly count: number }) | null;

/** What became of a page. */
export interface PageResult {
  readonly outcome: keyof typeof OUTCOME;
  /**
   * Rows of the page that are not null, of listed items and numbers and of items with nulls among the entries those
   * that are asked for; of a selection, and of items that follow one, rows that are left.
   */
  readonly count: number;
  /**
   * Of numbers and folds: value = (base + step * number) / 10^exponent, or what else the numbers are. Of texts, their
   * bytes and how many there are; of those without enough room, the bytes that are. Of items that follow a selection,
   * rows that are not null.
   */
  readonly base: number;
  readonly step: number;
  /** Every number is below this; of texts every byte: 128 where all are ASCII, else 256. */
  readonly below: number;
  readonly numbers: keyof typeof NUMBERS | 'decimals';
  readonly exponent: number;
}

/** The numbers of jobs, as the addon's `decodePages` takes them. */
export function packJobs(jobs: readonly PageJob[]): Float64Array {
  const packed = new Float64Array(jobs.length * JOB_NUMBERS);
  for (const [index, job] of jobs.entries()) packJob(job, packed, index * JOB_NUMBERS);
  return packed;
}

function packJob(job: PageJob, packed: Float64Array, at: number): void {
  const { page, to } = job;
  packed[at + JOB.byteOffset] = page.byteOffset;
  packed[at + JOB.byteLength] = page.byteLength;
  packed[at + JOB.typeId] = page.typeId;
  packed[at + JOB.column] = page.column & 0xffff;
  packed[at + JOB.codesOnly] = Number(page.codesOnly);
  packed[at + JOB.rowCount] = page.rowCount;
  packed[at + JOB.start] = page.start;
  packed[at + JOB.end] = page.end;
  packed[at + JOB.form] = FORM[job.form];
  packed[at + JOB.output] = to.output;
  packed[at + JOB.outputOffset] = to.byteOffset;
  packed[at + JOB.validityOutput] = -1;
  switch (job.form) {
    case 'items':
      packValidity(job.validity, packed, at);
      if (job.follows) {
        packed[at + JOB.testLength] = job.room;
      } else {
        packListed(job.rows, packed, at);
        packEntries(job.entries, packed, at);
        packed[at + JOB.hasDictionary] = Number(job.entries !== null);
        packed[at + JOB.entryNulls] = Number(job.entries?.hasNulls === true);
      }
      packed[at + JOB.follows] = Number(job.follows);
      return;
    case 'numbers':
      packValidity(job.validity, packed, at);
      packed[at + JOB.hasDictionary] = Number(job.hasDictionary);
      packListed(job.rows, packed, at);
      return;
    case 'texts':
      packValidity(job.validity, packed, at);
      packed[at + JOB.testLength] = job.room;
      packListed(job.rows, packed, at);
      return;
    case 'select':
      packed[at + JOB.validityOutput] = job.withNulls ? 0 : -1;
      packed[at + JOB.hasDictionary] = Number(job.hasDictionary);
      packed[at + JOB.follows] = Number(job.follows);
      packed[at + JOB.testOutput] = job.test.output;
      packed[at + JOB.testOffset] = job.test.byteOffset;
      packed[at + JOB.testLength] = job.test.byteLength;
      packed[at + JOB.wanted] = job.areNull === null ? 0 : job.areNull ? 1 : 2;
      return;
    default:
      packed[at + JOB.validityOutput] = job.withNulls ? 0 : -1;
      packed[at + JOB.follows] = Number(job.follows);
      packed[at + JOB.testLength] = job.room;
      packed[at + JOB.hasDictionary] = Number(job.hasDictionary);
      if (job.form === 'folds')
        packed[at + JOB.wanted] = Number(job.sums) + 2 * Number(job.extremes) + 4 * Number(job.moments);
      else packRanges(job.ranges, packed, at);
      packEntries(job.entries, packed, at);
      packListed(job.rows, packed, at);
  }
}

function packListed(rows: Listed, packed: Float64Array, at: number): void {
  if (rows === null) return;
  packed[at + JOB.testOutput] = rows.output;
  packed[at + JOB.testOffset] = rows.byteOffset;
  packed[at + JOB.listed] = rows.count;
}

function packEntries(entries: Entries, packed: Float64Array, at: number): void {
  if (entries === null) return;
  packed[at + JOB.entryCount] = entries.count;
  packed[at + JOB.entriesOutput] = entries.output;
  packed[at + JOB.entriesOffset] = entries.byteOffset;
  packed[at + JOB.entryTypeId] = entries.typeId;
}

function packRanges(ranges: Ranges, packed: Float64Array, at: number): void {
  if (ranges === null) return;
  packed[at + JOB.rangeCount] = ranges.count;
  packed[at + JOB.rangesOutput] = ranges.output;
  packed[at + JOB.rangesOffset] = ranges.byteOffset;
}

function packValidity(validity: Validity, packed: Float64Array, at: number): void {
  if (validity === null) return;
  packed[at + JOB.validityOutput] = validity.output;
  packed[at + JOB.validityOffset] = validity.byteOffset;
}

/** Room for the answers to so many jobs. */
export function newResults(jobs: number): Float64Array {
  return new Float64Array(jobs * RESULT_NUMBERS);
}

/** What the addon wrote of each job. */
export function unpackResults(packed: Float64Array): PageResult[] {
  return Array.from({ length: packed.length / RESULT_NUMBERS }, (_, index) => unpackResult(packed, index));
}

function unpackResult(packed: Float64Array, index: number): PageResult {
  const at = index * RESULT_NUMBERS;
  const exponent = packed[at + RESULT.exponent] as number;
  return {
    outcome: OUTCOMES[packed[at + RESULT.outcome] as number] ?? 'left',
    count: packed[at + RESULT.count] as number,
    base: packed[at + RESULT.base] as number,
    step: packed[at + RESULT.step] as number,
    below: packed[at + RESULT.below] as number,
    numbers: KINDS.get(exponent) ?? 'decimals',
    exponent,
  };
}

const OUTCOMES = Object.keys(OUTCOME) as readonly PageResult['outcome'][];
const KINDS: ReadonlyMap<number, keyof typeof NUMBERS> = new Map(
  Object.entries(NUMBERS).map(([kind, exponent]) => [exponent, kind as keyof typeof NUMBERS]),
);

export interface DecodePagesRequest {
  readonly jobs: readonly PageJob[];
  /** The memory that jobs write to and read tests from, by number. */
  readonly outs: readonly Uint8Array[];
  /** Whether pages are checked against their CRC. */
  readonly verifyCrc: boolean;
  /** Most threads; absent or 0: the process-wide setting. */
  readonly workers?: number;
  /** Whether the caller has nothing to do meanwhile. */
  readonly isOnly?: boolean;
}

export interface PageDecoder {
  /**
   * Decodes what it can on the addon's threads, straight into `outs`; gives what became of each job. Outputs must not
   * change until it settles.
   * @throws ArgumentError ERR_ARGUMENT for a job outside of the file or its output; IoError ERR_FILE_CHANGED, ERR_READ;
   * ClosedError.
   */
  decode(request: DecodePagesRequest): Promise<readonly PageResult[]>;
  /** The same on the calling thread (and the kernels' own). */
  decodeSync(request: DecodePagesRequest): readonly PageResult[];
}
