// A local file -> the last footer in it that is whole, with the entries of all its chunks: what `append` goes on from
// and `recover` cuts to.
import { isColkitError } from '@colkit/io';
import type { RandomAccessSource } from '@colkit/io';
import { openedSource, readBytes, withSource } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { ChunkEntry } from '../../layout/column-block.ts';
import { parseChunkEntry } from '../../layout/column-block.ts';
import { checkColumnBlock } from '../../layout/footer.ts';
import type { Footer } from '../../layout/footer.ts';
import { findLastFooter } from '../../read/file/find-footer.ts';
import type { FoundFooter } from '../../read/file/find-footer.ts';
import { DEFAULT_READ_LIMITS, readFooter } from '../../read/file/read-footer.ts';

/** What stands in a file: where its last whole footer ends, and how long the file is. */
interface FileState {
  readonly byteLength: number;
  /** Null where there is no whole footer. */
  readonly found: FoundFooter | null;
}

interface CommittedFile {
  readonly byteLength: number;
  readonly footer: Footer;
  /** Where the footer's trailer ends; less than `byteLength` where a dead writer's bytes follow. */
  readonly end: number;
  /** For every column, an entry for every row group. */
  readonly chunks: readonly (readonly ChunkEntry[])[];
}

/** Searches backwards. @throws IoError ERR_NOT_FOUND, ERR_READ. */
export function lastFooter(path: string): Work<FileState> {
  return withSource(path, openedSource(path, { io: 'pread' }), 'close', searchedFile);
}

function* searchedFile(source: RandomAccessSource): Work<FileState> {
  return { byteLength: source.byteLength, found: yield* findLastFooter(source, DEFAULT_READ_LIMITS) };
}

/** @throws CorruptFileError for anything but a whole file or one whose last writer died; IoError; UnsupportedError. */
export function committedFile(path: string): Work<CommittedFile> {
  return withSource(path, openedSource(path, { io: 'pread' }), 'close', readCommitted);
}

function* readCommitted(source: RandomAccessSource): Work<CommittedFile> {
  const { byteLength } = source;
  let footer: Footer;
  let end = byteLength;
  try {
    footer = yield* readFooter(source, DEFAULT_READ_LIMITS, 0);
  } catch (error) {
    if (!isColkitError(error) || error.code !== 'ERR_UNCOMMITTED_TAIL') throw error;
    const found = yield* findLastFooter(source, DEFAULT_READ_LIMITS);
    if (found === null) throw error;
    ({ footer, end } = found);
  }
  return { byteLength, footer, end, chunks: yield* chunkEntries(source, footer) };
}

function* chunkEntries(source: RandomAccessSource, footer: Footer): Work<ChunkEntry[][]> {
  const { columns } = footer.schema;
  const chunks: ChunkEntry[][] = [];
  for (const [columnNumber, { name, type }] of columns.entries()) {
    const entry = footer.directory[columnNumber];
    if (entry === undefined) throw new Error('a footer without a directory entry for each column');
    const location = { path: source.path, region: 'column block', byteOffset: entry.byteOffset, column: name };
    const block = checkColumnBlock(yield* readBytes(source, entry.byteOffset, entry.byteLength), entry, location);
    const context = { type, columnNumber, columnCount: columns.length, footerOffset: footer.footerOffset, location };
    chunks.push(footer.rowGroups.map((group, number) => parseChunkEntry(block, number, group, context)));
  }
  return chunks;
}
