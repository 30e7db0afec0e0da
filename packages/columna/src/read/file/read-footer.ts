// The end of a file -> its checked footer: magic, trailer, tail, core. Column blocks stay where they are until somebody
// reads the column.
import { CorruptFileError, DEFAULT_LIMITS, checkLimit } from '@colkit/io';
import type { Limits, RandomAccessSource } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import { ReadRange, ReadRanges } from '@colkit/io/effects';
import { pageCount } from '../../layout/column-block.ts';
import {
  CHUNK_ENTRY_BYTES,
  FOOTER_TAIL_BYTES,
  MAGIC,
  MAGIC_BYTES,
  PAGE_ENTRY_BYTES,
  SMALLEST_FILE_BYTES,
  TRAILER_BYTES,
} from '../../layout/constants.ts';
import { parseFooterCore, parseFooterTail, parseTrailer } from '../../layout/footer.ts';
import type { Footer, FooterTail } from '../../layout/footer.ts';
import { corrupt } from '../../layout/location.ts';
import type { FileSchema } from '../../layout/schema.ts';
import { findLastFooter } from './find-footer.ts';

/** What is refused before memory is taken for it; every one can be raised by `open`. */
export type ReadLimits = Pick<
  Limits,
  'maxMetadataBytes' | 'maxColumns' | 'maxRecords' | 'maxPageBytes' | 'maxDecodedBytes'
>;

export const DEFAULT_READ_LIMITS: ReadLimits = Object.freeze({
  maxMetadataBytes: DEFAULT_LIMITS.maxMetadataBytes,
  /** Ten times what the widest tables have; a schema of a million columns would take a gigabyte of objects. */
  maxColumns: 100_000,
  maxRecords: DEFAULT_LIMITS.maxRecords,
  maxPageBytes: DEFAULT_LIMITS.maxPageBytes,
  maxDecodedBytes: DEFAULT_LIMITS.maxDecodedBytes,
});

const END_BYTES = FOOTER_TAIL_BYTES + TRAILER_BYTES;

/**
 * Reads and checks the footer of a file. `ahead`: how many bytes of the end to ask for at once, where a request costs
 * more than bytes do. `known`: the schema of another file, which this one's may be too.
 * @throws CorruptFileError ERR_MAGIC, ERR_TRUNCATED, ERR_UNCOMMITTED_TAIL, ERR_METADATA, ERR_CRC; UnsupportedError
 * ERR_VERSION, ERR_DTYPE; LimitError.
 */
export function* readFooter(
  source: RandomAccessSource,
  limits: ReadLimits,
  ahead: number,
  known?: FileSchema,
): Work<Footer> {
  const { path, byteLength } = source;
  if (byteLength < SMALLEST_FILE_BYTES) throw foreign(path, `${byteLength} bytes`);
  const { magic, lastBytes } = yield* readEnds(source, Math.min(byteLength, Math.max(END_BYTES, ahead)));
  const endAt = byteLength - lastBytes.length;
  if (magic !== MAGIC) throw foreign(path, `0x${magic.toString(16).padStart(8, '0')}`);
  const footerBytes = parseTrailer(lastBytes, byteLength);
  if (footerBytes === null) throw yield* withoutTrailer(source, limits);
  const footerEnd = byteLength - TRAILER_BYTES;
  const tail = checkedTail(path, lastBytes, footerBytes, endAt, limits);
  const coreAt = footerEnd - tail.coreBytes;
  const core =
    coreAt >= endAt
      ? lastBytes.subarray(coreAt - endAt, footerEnd - endAt)
      : yield* fetchCore(source, coreAt, endAt, lastBytes.subarray(0, footerEnd - endAt));
  return checkedFooter(path, core, tail, footerBytes, coreAt, known);
}

/**
 * Parses a footer that is in memory as a whole, with its trailer: as `readFooter`, of the same errors.
 * @param footerOffset where it begins in the file.
 */
export function parseFooter(
  path: string,
  footer: Uint8Array,
  footerOffset: number,
  limits: ReadLimits,
  known?: FileSchema,
): Footer {
  const footerBytes = footer.length - TRAILER_BYTES;
  const tail = checkedTail(path, footer, footerBytes, footerOffset, limits);
  const core = footer.subarray(footerBytes - tail.coreBytes, footerBytes);
  return checkedFooter(path, core, tail, footerBytes, footerOffset + footerBytes - tail.coreBytes, known);
}

/** @param endAt where the file's last bytes begin. */
function checkedTail(
  path: string,
  lastBytes: Uint8Array,
  footerBytes: number,
  endAt: number,
  limits: ReadLimits,
): FooterTail {
  const at = lastBytes.length - END_BYTES;
  const location = { path, region: 'footer tail', byteOffset: endAt + at };
  const tail = parseFooterTail(lastBytes.subarray(at), footerBytes, location);
  checkLimit(`${path}: columns`, tail.columnCount, limits.maxColumns);
  checkLimit(`${path}: row groups`, tail.rowGroupCount, limits.maxRecords);
  checkLimit(`${path}: bytes of the footer's core`, tail.coreBytes, limits.maxMetadataBytes, 'ERR_METADATA_TOO_LARGE');
  return tail;
}

function checkedFooter(
  path: string,
  core: Uint8Array,
  tail: FooterTail,
  footerBytes: number,
  coreAt: number,
  known: FileSchema | undefined,
): Footer {
  const footer = parseFooterCore(core, tail, footerBytes, { path, region: 'footer', byteOffset: coreAt }, known);
  checkEntries(footer, path);
  return footer;
}

/** How a file begins, and its last bytes. */
export interface FileEnds {
  readonly magic: number;
  readonly lastBytes: Uint8Array;
}

/** Both by one read. */
export function* readEnds(source: RandomAccessSource, byteLength: number): Work<FileEnds> {
  const bytes = new Uint8Array(MAGIC_BYTES + byteLength);
  yield new ReadRanges(source, {
    offsets: Float64Array.of(0, source.byteLength - byteLength),
    lengths: Float64Array.of(MAGIC_BYTES, byteLength),
    out: bytes,
    outOffsets: Float64Array.of(0, MAGIC_BYTES),
  });
  return { magic: new DataView(bytes.buffer).getUint32(0, true), lastBytes: bytes.subarray(MAGIC_BYTES) };
}

/** The core, of which the end is at hand. */
function* fetchCore(source: RandomAccessSource, coreAt: number, endAt: number, atHand: Uint8Array): Work<Uint8Array> {
  const core = new Uint8Array(endAt - coreAt + atHand.length);
  core.set(atHand, endAt - coreAt);
  yield new ReadRange(source, coreAt, core.subarray(0, endAt - coreAt));
  return core;
}

/**
 * Every page of every column has its entry in the footer: so a row count that no bytes stand behind is refused before a
 * result is allocated for it.
 */
export function checkEntries({ rowGroups, directory, rowCount, footerOffset }: Footer, path: string): void {
  if (directory.length === 0 && rowCount > 0)
    throw corrupt(
      'ERR_METADATA',
      { path, region: 'footer', byteOffset: footerOffset },
      0,
      'no rows where there are no columns',
      rowCount,
    );
  let least = 0;
  for (const group of rowGroups) {
    const pages = pageCount(group);
    least += CHUNK_ENTRY_BYTES + (pages > 1 ? pages * PAGE_ENTRY_BYTES : 0);
  }
  for (const { byteOffset, byteLength } of directory) {
    if (byteLength < least)
      throw corrupt(
        'ERR_METADATA',
        { path, region: 'column block', byteOffset },
        0,
        `at least ${least} bytes of chunk and page entries`,
        byteLength,
      );
  }
}

function foreign(path: string, found: string): CorruptFileError {
  return new CorruptFileError('ERR_MAGIC', {
    path,
    region: 'file',
    byteOffset: 0,
    expected: 'a .cna file, which starts with "CNA1" and has at least 12 bytes',
    found,
  });
}

/**
 * A file that starts as one and does not end as one: cut off, or its writer died. Says what can be kept, if anything.
 */
function* withoutTrailer(source: RandomAccessSource, limits: ReadLimits): Work<CorruptFileError> {
  const { path, byteLength } = source;
  const found = yield* findLastFooter(source, limits);
  const location = { path, region: 'trailer', byteOffset: byteLength - TRAILER_BYTES };
  if (found === null)
    return corrupt('ERR_TRUNCATED', location, 0, 'a trailer that ends in "CNA1"', 'none, here or before');
  return corrupt(
    'ERR_UNCOMMITTED_TAIL',
    { ...location, byteOffset: found.end },
    0,
    `the end of the file (recover keeps ${found.footer.rowCount} rows)`,
    `${byteLength - found.end} bytes that no footer covers`,
  );
}
