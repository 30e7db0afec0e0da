// Pages that the addon decodes for a fetch: their numbers or texts, in the memory of one allocation.
import { takeWorkingMemory } from '@colkit/io';
import type { Operation } from '@colkit/io/effects';
import type { Span } from '../file/spans.ts';
import type { StoredFile } from '../file/stored-file.ts';
import type { PageJobs } from './page-jobs.ts';

/** What the texts of all columns together take at most. */
export const TEXT_BYTES = 1 << 25;
/** Texts are at most so many times as large as their pages, mostly: those that are larger are decoded once more. */
const TEXT_GROWTH = 6;

interface DecodedPageJob {
  readonly job: number;
  readonly column: number;
  readonly span: Span;
  readonly areTexts: boolean;
}

/** A page to be decoded, and the byte in the memory where its values go. */
export interface WantedPage {
  readonly column: number;
  readonly span: Span;
  readonly at: number;
  /** Bytes for texts; null: numbers. */
  readonly room: number | null;
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
    Array.from(wanted, ([byteOffset, { column, span, at, room }]) => {
      const to = { output, byteOffset: at };
      const job = room === null ? jobs.addNumbers(column, span, to) : jobs.addTexts(column, span, to, room);
      return [byteOffset, { job, column, span, areTexts: room !== null }];
    }),
  );
  return { jobs, jobOf, operation: jobs.operation(), buffer };
}

/** Bytes that the texts of a page with their ends will mostly not exceed. */
export function roomForTexts(file: StoredFile, column: number, { group, page }: Span, rowCount: number): number {
  const { pageOffsets } = file.chunk(column, group);
  const stored = (pageOffsets[page + 1] as number) - (pageOffsets[page] as number);
  return TEXT_GROWTH * stored + 4 * rowCount;
}
