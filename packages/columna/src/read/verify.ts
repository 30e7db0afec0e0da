// Every byte of a file that means something, looked at: CRCs, pages decoded to the last value, and whether the
// statistics tell the truth.
import { CorruptFileError, LimitError, UnsupportedError, checkOptions } from '@colkit/io';
import type { ColkitError, Openable } from '@colkit/io';
import { contextOf, run, runSync, TURN } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { valuesOf } from '@colkit/table';
import type { Chunk, ColumnStatistics, StatisticsValue, Utf8Chunk } from '@colkit/table';
import { arrayOfItems } from '../layout/column-type.ts';
import type { ColumnType } from '../layout/column-type.ts';
import { compareBytes, compareRange } from '../layout/statistics.ts';
import type { Statistics } from '../layout/statistics.ts';
import { rowsOfPage } from '../layout/footer.ts';
import { corrupt } from '../layout/location.ts';
import type { FileLocation } from '../layout/location.ts';
import { countOnes } from '../columns/decode-page.ts';
import { columnStatistics } from './filter/column-statistics.ts';
import { OPEN_OPTIONS, withFile } from './open-file.ts';
import type { OpenOptions } from './open-file.ts';
import type { ColumnPage } from './pages/opened-page.ts';
import { pageChunk } from './pages/page-chunk.ts';
import { Utf8Collector } from './pages/texts/utf8-collector.ts';
import { isPresent } from './file/rank.ts';
import type { Span } from './file/spans.ts';
import type { Session } from './file/session.ts';
import type { StoredFile } from './file/stored-file.ts';
import { providePageReading } from './provided-page-reading.ts';
import { FetchedPages } from './pages/fetched-pages.ts';

export interface VerifyReport {
  readonly ok: boolean;
  readonly rowCount: number;
  /** Data pages that were decoded, one count per column. */
  readonly pageCount: number;
  /** What is wrong, in the order of the file's columns; at most a hundred. */
  readonly problems: readonly ColkitError[];
}

const MOST_PROBLEMS = 100;

/**
 * Checks a whole file: reads and decodes everything, one page at a time. A damaged file is a result, not an error.
 * @throws IoError, ArgumentError.
 */
export async function verify(source: Openable, options: OpenOptions = {}): Promise<VerifyReport> {
  checkOptions('verify', OPEN_OPTIONS, options);
  return run(verifying(source, options), contextOf(options));
}

/** The Sync twin of `verify`. */
export function verifySync(source: Openable, options: OpenOptions = {}): VerifyReport {
  providePageReading();
  checkOptions('verifySync', OPEN_OPTIONS, options);
  return runSync(verifying(source, options), contextOf(options));
}

function* verifying(source: Openable, options: OpenOptions): Work<VerifyReport> {
  try {
    return yield* withFile(source, options, verifyFile);
  } catch (error) {
    return unreadable(error);
  }
}

/** A footer that cannot be read is the one problem; what is no fault of the file is thrown on. */
function unreadable(error: unknown): VerifyReport {
  if (!isProblem(error)) throw error;
  return { ok: false, rowCount: 0, pageCount: 0, problems: [error] };
}

function isProblem(error: unknown): error is ColkitError {
  // Not by their names, which minifiers make short.
  return error instanceof CorruptFileError || error instanceof UnsupportedError || error instanceof LimitError;
}

function* verifyFile(file: StoredFile): Work<VerifyReport> {
  const problems: ColkitError[] = [];
  const session = file.borrow();
  let pageCount = 0;
  try {
    for (const column of file.columns.keys()) {
      if (problems.length >= MOST_PROBLEMS) break;
      // Once for all row groups: it looks at the entry of each.
      try {
        yield* file.loadBlocks([column]);
      } catch (error) {
        if (!isProblem(error)) throw error;
        problems.push(error);
        continue;
      }
      for (let group = 0; group < file.rowGroups.length && problems.length < MOST_PROBLEMS; group++) {
        try {
          pageCount += yield* verifyChunk(file, session, column, group, problems);
        } catch (error) {
          if (!isProblem(error)) throw error;
          problems.push(error);
        } finally {
          // Nobody else needs this chunk's dictionary: those of all columns together may be far larger than the file.
          session.release();
        }
      }
    }
  } finally {
    file.giveBack(session);
  }
  return { ok: problems.length === 0, rowCount: file.footer.rowCount, pageCount, problems };
}

function* verifyChunk(
  file: StoredFile,
  session: Session,
  column: number,
  group: number,
  problems: ColkitError[],
): Work<number> {
  const { entry } = file.chunk(column, group);
  const whole = new Checked();
  let read = 0;
  for (const [page, { statistics }] of entry.pages.entries()) {
    const rowCount = rowsOfPage(file.group(group), page);
    const span = { group, page, start: 0, end: rowCount, picks: null, to: 0, positions: null };
    const location = file.location('statistics', file.footer.directory[column]?.byteOffset ?? 0, column, group, page);
    const fetched = new FetchedPages(file, session, [span]);
    try {
      yield* fetched.fetch([column], [span]);
      const { type } = file.column(column);
      const chunk = chunkOf(fetched.open(column, span), span, session);
      const checked = new Checked();
      checked.add(type, chunk, columnStatistics(type, entry.statistics, file.group(group).rowCount));
      whole.merge(checked);
      const ofPage = new Checked();
      ofPage.add(type, chunk, columnStatistics(type, statistics, rowCount));
      ofPage.report(statistics, rowCount, location, problems);
      read++;
    } catch (error) {
      if (!isProblem(error)) throw error;
      problems.push(error);
    } finally {
      session.scratch.reset();
      fetched.release();
    }
    yield TURN;
  }
  const location = file.location('statistics', file.footer.directory[column]?.byteOffset ?? 0, column, group);
  // Pages that could not be read are missing from the counts of the chunk.
  if (read === entry.pages.length) whole.report(entry.statistics, file.group(group).rowCount, location, problems);
  return read;
}

/** Rows of a dictionary keep its codes: each entry is looked at once, and takes far less than the rows would. */
function chunkOf(page: ColumnPage, span: Span, session: Session): Chunk {
  if (!page.type.isText) return pageChunk(page, span, session);
  const texts = new Utf8Collector(span.end, false, null, 0);
  texts.add(page, span);
  return texts.finish();
}

/** What statistics claim, held against values. */
class Checked {
  #nulls = 0;
  #nans = 0;
  #below = false;
  #above = false;
  #minSeen = false;
  #maxSeen = false;

  add(type: ColumnType, chunk: Chunk, { min, max }: ColumnStatistics): void {
    const { rowCount, validity } = chunk;
    this.#nulls += validity === null ? 0 : rowCount - countOnes(validity, rowCount);
    if (chunk.kind === 'utf8') {
      this.#addTexts(chunk, min as Uint8Array | null, max as Uint8Array | null);
      return;
    }
    const values = chunk.kind === 'fixed' ? arrayOfItems(type, chunk.bytes) : valuesOf(chunk);
    // Rows of one entry share its value, which may be long: it is compared once.
    const met = chunk.kind === 'fixed' ? null : new Set<Uint8Array>();
    for (let i = 0; i < rowCount; i++) {
      if (validity !== null && !isPresent(validity, i)) continue;
      const value = values[i] as number | bigint | Uint8Array;
      if (met !== null) {
        if (met.has(value as Uint8Array)) continue;
        met.add(value as Uint8Array);
      }
      if (value !== value) this.#nans++;
      else this.#compared(min === null ? 1 : order(value, min), max === null ? -1 : order(value, max));
    }
  }

  /** As bytes, which order as their code points do. */
  #addTexts(
    { bytes, ends, codes, rowCount, validity }: Utf8Chunk,
    min: Uint8Array | null,
    max: Uint8Array | null,
  ): void {
    const isMet = codes === null ? null : new Uint8Array(ends.length);
    if (isMet !== null)
      for (let i = 0; i < rowCount; i++)
        if (validity === null || isPresent(validity, i)) isMet[codes?.[i] as number] = 1;
    for (let text = 0, start = 0; text < ends.length; text++) {
      const end = ends[text] as number;
      if (isMet === null ? validity === null || isPresent(validity, text) : isMet[text] === 1)
        this.#compared(
          min === null ? 1 : compareRange(bytes, start, end, min),
          max === null ? -1 : compareRange(bytes, start, end, max),
        );
      start = end;
    }
  }

  /** A value with the bounds. */
  #compared(toMin: number, toMax: number): void {
    if (toMin < 0) this.#below = true;
    if (toMax > 0) this.#above = true;
    if (toMin === 0) this.#minSeen = true;
    if (toMax === 0) this.#maxSeen = true;
  }

  merge(other: Checked): void {
    this.#nulls += other.#nulls;
    this.#nans += other.#nans;
    this.#below ||= other.#below;
    this.#above ||= other.#above;
    this.#minSeen ||= other.#minSeen;
    this.#maxSeen ||= other.#maxSeen;
  }

  report(
    { nullCount, nanCount, min, max }: Statistics,
    rowCount: number,
    location: FileLocation,
    problems: ColkitError[],
  ): void {
    const wrong = (expected: string, found: string | number) =>
      problems.push(corrupt('ERR_METADATA', location, 0, expected, found));
    if (nullCount !== this.#nulls) wrong(`a null count of ${this.#nulls} in ${rowCount} rows`, nullCount);
    if (nanCount !== null && nanCount !== this.#nans)
      wrong(`a NaN count of ${this.#nans} in ${rowCount} rows`, nanCount);
    if (this.#below) wrong('a minimum below every value', 'a larger one');
    if (this.#above) wrong('a maximum above every value', 'a smaller one');
    if (min?.exact === true && !this.#minSeen) wrong('a minimum that occurs', 'one that does not');
    if (max?.exact === true && !this.#maxSeen) wrong('a maximum that occurs', 'one that does not');
  }
}

/** A value of a page against a bound of the same column; the two zeros are one. */
function order(value: number | bigint | Uint8Array, bound: StatisticsValue): number {
  if (bound instanceof Uint8Array) return compareBytes(value as Uint8Array, bound);
  const other = typeof bound === 'boolean' ? Number(bound) : bound;
  return value < other ? -1 : value > other ? 1 : 0;
}
