// Pages that the addon decodes for a fetch: their numbers or texts, in the memory of one allocation.
import { alignUp, takeWorkingMemory } from '@colkit/io';
import type { Operation } from '@colkit/io/effects';
import { numbersFrom } from '../../../columns/vector.ts';
import { rowsOfPage } from '../../../layout/footer.ts';
import { numberBytes } from '../decoded-page.ts';
import type { DecodedTexts } from '../decoded-page.ts';
import { spanCount } from '../../file/spans.ts';
import type { Span } from '../../file/spans.ts';
import type { StoredFile, TextSizes } from '../../file/stored-file.ts';
import type { PageJobs } from './page-jobs.ts';

/** What the texts of all columns together take at most. */
export const TEXT_BYTES = 1 << 25;
/**
 * Texts are at most so many times as large as their pages, mostly: those that are larger are decoded once more. How
 * large they are is known for their column as soon as some were decoded.
 */
const TEXT_GROWTH = 6;
/** The addon decodes no more texts of a page; where they need more it says so. */
const MOST_OF_PAGE = 1 << 23;
/** Others are somewhat larger than those so far. */
const SPARE = 1.25;
const NOTHING_MET: TextSizes = { growth: 0, rowBytes: 0 };
/** More is not learned: the pages of a fetch would not all have room. */
const MOST_TEXT_GROWTH = 24;
/** Bytes behind the texts that the addon may write over: with them it decodes them where they are wanted. */
const WRITTEN_BEHIND = 64;
/** For the texts of listed rows. */
const LEAST_ROOM = 1 << 12;
const LEAST_ROWS = 64;

export interface DecodedPageJob {
  readonly job: number;
  readonly column: number;
  readonly span: Span;
  readonly areTexts: boolean;
  readonly rows: Uint32Array | null;
}

/** A page to be decoded, and the byte in the memory where its values go. */
export interface WantedPage {
  readonly column: number;
  readonly span: Span;
  readonly at: number;
  /** Bytes for texts; null: numbers. */
  readonly room: number | null;
  /** Rows whose values alone are wanted, for which there is room in front of them: of texts ascending; null: all. */
  readonly rows: Uint32Array | null;
}

/** Pages that are decoded together: the job of each by where the page starts in the file, and the memory of all. */
export interface Decoding {
  readonly jobs: PageJobs;
  readonly jobOf: ReadonlyMap<number, DecodedPageJob>;
  readonly operation: Operation<void>;
  readonly buffer: ArrayBuffer;
}

/** @param wanted by where the page starts in the file. @param size bytes for all of them. */
export function decodingOf(jobs: PageJobs, wanted: ReadonlyMap<number, WantedPage>, size: number): Decoding {
  const buffer = takeWorkingMemory(size);
  const output = jobs.addOutput(new Uint8Array(buffer));
  const jobOf = new Map(
    Array.from(wanted, ([byteOffset, { column, span, at, room, rows }]) => {
      if (rows !== null) new Uint32Array(buffer, at, rows.length).set(rows);
      const listed = rows === null ? null : { output, byteOffset: at, count: rows.length };
      const to = { output, byteOffset: at + listBytes(rows) };
      const job =
        room === null ? jobs.addNumbers(column, span, to, listed) : jobs.addTexts(column, span, to, room, listed);
      return [byteOffset, { job, column, span, areTexts: room !== null, rows }];
    }),
  );
  return { jobs, jobOf, operation: jobs.operation(), buffer };
}

/** Of a list of rows, at a multiple of 8. */
export function listBytes(rows: Uint32Array | null): number {
  return rows === null ? 0 : alignUp(rows.byteLength, 8);
}

/** Where more of a page's rows than one in so many are wanted, all of its numbers are. */
const ROWS_PER_NUMBER = 8;
/** A text takes longer; and rows behind each other have most of their blocks for themselves. */
const ROWS_PER_TEXT = 2;

/** Whether few rows of a page are asked for: the addon decodes them alone where nothing else of the page is. */
export function areFew(span: Span, rowCount: number): boolean {
  return areListed(span, rowCount, span.picks === null ? ROWS_PER_TEXT : ROWS_PER_NUMBER);
}

function areListed(span: Span, rowCount: number, rowsPerListed: number): boolean {
  const wanted = spanCount(span);
  return wanted > 0 && wanted * rowsPerListed <= rowCount;
}

/** The rows of a span in the order in which they are wanted; null where they are too many to be listed. */
function listedRows(span: Span, rowCount: number, rowsPerListed: number): Uint32Array | null {
  if (!areListed(span, rowCount, rowsPerListed)) return null;
  return span.picks ?? numbersFrom(span.start, spanCount(span));
}

/** The same, each once and ascending: themselves where that is what they are. */
function ascendingRows(picks: Uint32Array): Uint32Array {
  if (isAscending(picks)) return picks;
  const rows = picks.slice().sort();
  let count = 1;
  for (let i = 1; i < rows.length; i++) if (rows[i] !== rows[i - 1]) rows[count++] = rows[i] as number;
  return rows.subarray(0, count);
}

function isAscending(rows: Uint32Array): boolean {
  let i = 1;
  while (i < rows.length && (rows[i - 1] as number) < (rows[i] as number)) i++;
  return i >= rows.length;
}

/** What is wanted of a page, and the bytes for it. */
type Wanted = Pick<WantedPage, 'room' | 'rows'> & { readonly byteLength: number };

/** @param alone whether of the page nothing is asked but the numbers of the span's rows. */
export function wantNumbers(file: StoredFile, column: number, span: Span, alone: boolean): Wanted {
  const rowCount = rowsOfPage(file.group(span.group), span.page);
  // Of a run all are faster than those of its rows one by one.
  const rows = alone && span.picks !== null ? listedRows(span, rowCount, ROWS_PER_NUMBER) : null;
  const count = rows?.length ?? rowCount;
  return { room: null, rows, byteLength: listBytes(rows) + numberBytes(file.column(column).type) * count };
}

/** The same of texts: as many bytes as they and their ends will mostly not exceed. */
export function wantTexts(file: StoredFile, column: number, span: Span, alone: boolean): Wanted {
  const rowCount = rowsOfPage(file.group(span.group), span.page);
  const { growth, rowBytes } = file.textSizes.get(column) ?? NOTHING_MET;
  const likely = growth === 0 ? TEXT_GROWTH : SPARE * growth;
  const most = Math.max(MOST_OF_PAGE, TEXT_GROWTH * storedBytes(file, column, span));
  const all = Math.min(most, Math.ceil(likely * storedBytes(file, column, span))) + 4 * rowCount + WRITTEN_BEHIND;
  const listed = alone ? listedRows(span, rowCount, ROWS_PER_TEXT) : null;
  const rows = listed === null ? null : ascendingRows(listed);
  const perRow = rowBytes === 0 ? (2 * all) / rowCount : SPARE * rowBytes;
  const room = rows === null ? all : LEAST_ROOM + Math.min(all, Math.ceil(perRow * rows.length));
  return { room, rows, byteLength: listBytes(rows) + room };
}

/**
 * Learns what the texts of a page take, or of the listed rows: later pages of the column get room for the largest ones
 * so far.
 */
export function learnRoom(file: StoredFile, { column, span, rows }: DecodedPageJob, byteLength: number): void {
  const { growth, rowBytes } = file.textSizes.get(column) ?? NOTHING_MET;
  if (rows === null) {
    const found = Math.min(MOST_TEXT_GROWTH, byteLength / Math.max(1, storedBytes(file, column, span)));
    if (found > growth) file.textSizes.set(column, { growth: found, rowBytes });
    return;
  }
  // One long text says little.
  const found = byteLength / Math.max(rows.length, LEAST_ROWS);
  if (found > rowBytes) file.textSizes.set(column, { growth, rowBytes: found });
}

/** With where they end, and codes; 0 where there are none. */
export function textBytes(texts: DecodedTexts | null): number {
  if (texts === null) return 0;
  const { strings } = texts;
  if (strings.kind === 'strings') return strings.bytes.length + strings.ends.byteLength;
  return strings.entries.bytes.length + strings.entries.ends.byteLength + strings.codes.byteLength;
}

/** For the texts of a page that had not enough, which need so many bytes. */
export function enoughRoom(needed: number): number {
  return needed + WRITTEN_BEHIND;
}

function storedBytes(file: StoredFile, column: number, { group, page }: Span): number {
  const { pageOffsets } = file.chunk(column, group);
  return (pageOffsets[page + 1] as number) - (pageOffsets[page] as number);
}
