// A local file -> the last footer in it that is whole, with the entries of all its chunks: what `append` goes on from and `recover` cuts to.
import { openSource, openSourceSync } from '@colkit/io';
import type { RandomAccessSource } from '@colkit/io';
import { perform } from '@colkit/table';
import type { Actions } from '@colkit/table';
import type { ChunkEntry } from '../layout/column-block.ts';
import { parseChunkEntry } from '../layout/column-block.ts';
import { checkColumnBlock } from '../layout/footer.ts';
import type { Footer } from '../layout/footer.ts';
import { findLastFooter } from '../read/find-footer.ts';
import type { FoundFooter } from '../read/find-footer.ts';
import { DEFAULT_READ_LIMITS, readFooter } from '../read/read-footer.ts';
import { fetchRange, runSteps, runStepsSync } from '../read/steps.ts';
import type { Steps } from '../read/steps.ts';

/** What stands in a file: where its last whole footer ends, and how long the file is. */
export interface FileState {
  readonly byteLength: number;
  /** Null where there is no whole footer. */
  readonly found: FoundFooter | null;
}

export interface CommittedFile {
  readonly byteLength: number;
  readonly footer: Footer;
  /** Where the footer's trailer ends; less than `byteLength` where a dead writer's bytes follow. */
  readonly end: number;
  /** For every column, an entry for every row group. */
  readonly chunks: readonly (readonly ChunkEntry[])[];
}

/** Searches backwards. @throws IoError ERR_NOT_FOUND, ERR_READ. */
export function lastFooter(path: string): Actions<FileState> {
  return withSource(path, function* (byteLength) {
    return { byteLength, found: yield* findLastFooter(path, byteLength, DEFAULT_READ_LIMITS) };
  });
}

/** @throws CorruptFileError for anything but a whole file or one whose last writer died; IoError; UnsupportedError. */
export function committedFile(path: string): Actions<CommittedFile> {
  return withSource(path, function* (byteLength) {
    let footer: Footer;
    let end = byteLength;
    try {
      footer = yield* readFooter(path, byteLength, DEFAULT_READ_LIMITS, 0);
    } catch (error) {
      if (!(error instanceof Error) || (error as { code?: unknown }).code !== 'ERR_UNCOMMITTED_TAIL') throw error;
      const found = yield* findLastFooter(path, byteLength, DEFAULT_READ_LIMITS);
      if (found === null) throw error;
      ({ footer, end } = found);
    }
    return { byteLength, footer, end, chunks: yield* chunkEntries(path, footer) };
  });
}

function* chunkEntries(path: string, footer: Footer): Steps<ChunkEntry[][]> {
  const { columns } = footer.schema;
  const chunks: ChunkEntry[][] = [];
  for (const [columnNumber, { name, type }] of columns.entries()) {
    const entry = footer.directory[columnNumber];
    if (entry === undefined) throw new Error('a footer without a directory entry for each column');
    const place = { path, region: 'column block', byteOffset: entry.byteOffset, column: name };
    const block = checkColumnBlock(yield* fetchRange(entry.byteOffset, entry.byteLength), entry, place);
    const context = { type, columnNumber, columnCount: columns.length, footerOffset: footer.footerOffset, place };
    chunks.push(footer.rowGroups.map((group, number) => parseChunkEntry(block, number, group, context)));
  }
  return chunks;
}

function withSource<T>(path: string, steps: (byteLength: number) => Steps<T>): Actions<T> {
  const runSync = (): T => reading(openSourceSync(path, { io: 'pread' }), (source) => runStepsSync(steps(source.byteLength), { source, bytesRead: 0 }));
  const run = async (): Promise<T> => {
    const source = await openSource(path, { io: 'pread' });
    try {
      return await runSteps(steps(source.byteLength), { source, bytesRead: 0 });
    } finally {
      source.close();
    }
  };
  return perform({ run, runSync });
}

function reading<T>(source: RandomAccessSource, read: (source: RandomAccessSource) => T): T {
  try {
    return read(source);
  } finally {
    source.close();
  }
}
