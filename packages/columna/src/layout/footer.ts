// The core of the footer (schema, row group table, column directory, tail) and the trailer: objects <-> bytes, with
// every count and range checked before it is used.
import { UnsupportedError, crc32 } from '@colkit/io';
import { encodeColumnBlock, pageCount } from './column-block.ts';
import type { ChunkEntry, GroupShape } from './column-block.ts';
import {
  CHUNK_ENTRY_BYTES,
  DIRECTORY_ENTRY_BYTES,
  FIRST_ROW_GROUP_OFFSET,
  FOOTER_TAIL_BYTES,
  FORMAT_VERSION,
  MAGIC,
  MAX_PAGE_ROWS,
  MIN_READER_VERSION,
  ROW_GROUP_ENTRY_BYTES,
  SMALLEST_FILE_BYTES,
  TRAILER_BYTES,
} from './constants.ts';
import { corrupt } from './location.ts';
import type { FileLocation } from './location.ts';
import { encodeSchema, parseSchema } from './schema.ts';
import type { FileSchema } from './schema.ts';

export interface RowGroup extends GroupShape {
  readonly byteOffset: number;
  /** Number of its first row in the table. */
  readonly firstRow: number;
}

/** Where a column's block lies in the file, and its CRC. */
export interface DirectoryEntry {
  readonly byteOffset: number;
  readonly byteLength: number;
  readonly crc: number;
}

export interface Footer {
  readonly formatVersion: number;
  readonly schema: FileSchema;
  readonly rowCount: number;
  readonly rowGroups: readonly RowGroup[];
  readonly directory: readonly DirectoryEntry[];
  /** Where the footer starts in the file. */
  readonly footerOffset: number;
  /** Where its trailer ends: the file's length, but for what a writer is adding. */
  readonly end: number;
  /** The file's length when the footer before this one was its last; 0: none. */
  readonly previousEnd: number;
  /** CRC-32 of the core, and so of all that it tells: column blocks are in it by their CRCs. */
  readonly crc: number;
}

/**
 * Footer and trailer for a file whose pages end at `footerOffset`. `chunks`: for every column, an entry for every row
 * group.
 */
export function encodeFooter(
  schema: FileSchema,
  rowGroups: readonly RowGroup[],
  chunks: readonly (readonly ChunkEntry[])[],
  footerOffset: number,
  previousEnd: number,
): Uint8Array {
  const blocks = chunks.map((entries) => encodeColumnBlock(entries));
  const json = encodeSchema(schema);
  const blocksBytes = blocks.reduce((sum, block) => sum + block.length, 0);
  const jsonBytes = Math.ceil(json.length / 8) * 8;
  const footerBytes =
    blocksBytes +
    jsonBytes +
    ROW_GROUP_ENTRY_BYTES * rowGroups.length +
    DIRECTORY_ENTRY_BYTES * blocks.length +
    FOOTER_TAIL_BYTES;
  const bytes = new Uint8Array(footerBytes + TRAILER_BYTES);
  const view = new DataView(bytes.buffer);
  let at = 0;
  let directoryAt = blocksBytes + jsonBytes + ROW_GROUP_ENTRY_BYTES * rowGroups.length;
  for (const block of blocks) {
    bytes.set(block, at);
    view.setUint32(directoryAt, at, true);
    view.setUint32(directoryAt + 4, block.length, true);
    view.setUint32(directoryAt + 8, crc32(block), true);
    directoryAt += DIRECTORY_ENTRY_BYTES;
    at += block.length;
  }
  bytes.set(json, at);
  at += jsonBytes;
  let rowCount = 0;
  for (const group of rowGroups) {
    view.setBigUint64(at, BigInt(group.byteOffset), true);
    view.setUint32(at + 8, group.rowCount, true);
    view.setUint32(at + 12, group.pageRows, true);
    rowCount += group.rowCount;
    at += ROW_GROUP_ENTRY_BYTES;
  }
  const tail = footerBytes - FOOTER_TAIL_BYTES;
  view.setUint16(tail, FORMAT_VERSION, true);
  view.setUint16(tail + 2, MIN_READER_VERSION, true);
  view.setUint32(tail + 4, blocks.length, true);
  view.setUint32(tail + 8, rowGroups.length, true);
  view.setUint32(tail + 12, json.length, true);
  view.setBigUint64(tail + 16, BigInt(rowCount), true);
  view.setBigUint64(tail + 24, BigInt(footerOffset), true);
  view.setBigUint64(tail + 32, BigInt(previousEnd), true);
  view.setUint32(tail + 60, crc32(bytes.subarray(blocksBytes, tail + 60)), true);
  view.setUint32(footerBytes, footerBytes, true);
  view.setUint32(footerBytes + 4, MAGIC, true);
  return bytes;
}

/**
 * The length of the footer, from the file's last bytes (at least 8 of them), or null where they are no trailer of a
 * file of this length.
 */
export function parseTrailer(lastBytes: Uint8Array, fileBytes: number): number | null {
  if (lastBytes.length < TRAILER_BYTES) return null;
  const view = new DataView(lastBytes.buffer, lastBytes.byteOffset + lastBytes.length - TRAILER_BYTES, TRAILER_BYTES);
  const footerBytes = view.getUint32(0, true);
  const fits = footerBytes >= FOOTER_TAIL_BYTES && footerBytes <= fileBytes - SMALLEST_FILE_BYTES;
  return fits && view.getUint32(4, true) === MAGIC ? footerBytes : null;
}

/** Counts of the tail, checked as far as the tail alone allows; what the length of the core follows from. */
export interface FooterTail {
  readonly formatVersion: number;
  readonly columnCount: number;
  readonly rowGroupCount: number;
  readonly schemaBytes: number;
  readonly rowCount: number;
  readonly previousEnd: number;
  readonly coreBytes: number;
  readonly coreCrc: number;
}

/**
 * Parses the 64 bytes before the trailer. `location.byteOffset` is where they start in the file.
 * @throws UnsupportedError ERR_VERSION for a file that a later reader is needed for; CorruptFileError ERR_METADATA.
 */
export function parseFooterTail(tail: Uint8Array, footerBytes: number, location: FileLocation): FooterTail {
  const view = new DataView(tail.buffer, tail.byteOffset, FOOTER_TAIL_BYTES);
  const needed = view.getUint16(2, true);
  if (needed > FORMAT_VERSION) {
    throw new UnsupportedError(
      'ERR_VERSION',
      `version ${needed}`,
      `${location.path}: needs a reader of format version ${needed}, this one reads up to ${FORMAT_VERSION}`,
    );
  }
  const footerOffset = location.byteOffset + FOOTER_TAIL_BYTES - footerBytes;
  const claimed = Number(view.getBigUint64(24, true));
  if (claimed !== footerOffset) throw corrupt('ERR_METADATA', location, 24, `footer offset ${footerOffset}`, claimed);
  const columnCount = view.getUint32(4, true);
  const rowGroupCount = view.getUint32(8, true);
  const schemaBytes = view.getUint32(12, true);
  const coreBytes =
    Math.ceil(schemaBytes / 8) * 8 +
    ROW_GROUP_ENTRY_BYTES * rowGroupCount +
    DIRECTORY_ENTRY_BYTES * columnCount +
    FOOTER_TAIL_BYTES;
  if (coreBytes > footerBytes)
    throw corrupt(
      'ERR_METADATA',
      location,
      4,
      `counts that fit in a footer of ${footerBytes} bytes`,
      `${coreBytes} bytes`,
    );
  const rowCount = Number(view.getBigUint64(16, true));
  if (!Number.isSafeInteger(rowCount)) throw corrupt('ERR_METADATA', location, 16, 'a row count below 2^53', rowCount);
  return {
    formatVersion: view.getUint16(0, true),
    columnCount,
    rowGroupCount,
    schemaBytes,
    rowCount,
    previousEnd: Number(view.getBigUint64(32, true)),
    coreBytes,
    coreCrc: view.getUint32(60, true),
  };
}

/**
 * Parses the core: the last `tail.coreBytes` bytes of the footer. `location.byteOffset` is where the core starts in the
 * file.
 * @param known the schema of another file, which this one's may be too.
 * @throws CorruptFileError ERR_CRC, ERR_METADATA; UnsupportedError ERR_DTYPE.
 */
export function parseFooterCore(
  core: Uint8Array,
  tail: FooterTail,
  footerBytes: number,
  location: FileLocation,
  known?: FileSchema,
): Footer {
  const crc = crc32(core.subarray(0, core.length - 4));
  if (crc !== tail.coreCrc) throw corrupt('ERR_CRC', location, core.length - 4, `CRC-32 ${tail.coreCrc}`, crc);
  const view = new DataView(core.buffer, core.byteOffset, core.byteLength);
  const schema = parseSchema(core.subarray(0, tail.schemaBytes), tail.columnCount, location, known);
  const footerOffset = location.byteOffset + core.length - footerBytes;
  let at = Math.ceil(tail.schemaBytes / 8) * 8;
  const rowGroups: RowGroup[] = [];
  let firstRow = 0;
  for (let number = 0; number < tail.rowGroupCount; number++, at += ROW_GROUP_ENTRY_BYTES) {
    const byteOffset = Number(view.getBigUint64(at, true));
    const rowCount = view.getUint32(at + 8, true);
    const pageRows = view.getUint32(at + 12, true);
    if (byteOffset < FIRST_ROW_GROUP_OFFSET || byteOffset > footerOffset)
      throw corrupt('ERR_METADATA', location, at, `a row group before byte ${footerOffset}`, byteOffset);
    if (rowCount === 0) throw corrupt('ERR_METADATA', location, at + 8, 'at least one row in a row group', 0);
    if (pageRows < 1 || pageRows > MAX_PAGE_ROWS)
      throw corrupt('ERR_METADATA', location, at + 12, `1 to ${MAX_PAGE_ROWS} rows in a page`, pageRows);
    rowGroups.push(Object.freeze({ byteOffset, rowCount, pageRows, firstRow }));
    firstRow += rowCount;
  }
  if (firstRow !== tail.rowCount)
    throw corrupt(
      'ERR_METADATA',
      location,
      core.length - FOOTER_TAIL_BYTES + 16,
      `${firstRow} rows, as the row groups have`,
      tail.rowCount,
    );
  const blocksBytes = footerBytes - core.length;
  const directory: DirectoryEntry[] = [];
  let listedBytes = 0;
  for (let column = 0; column < tail.columnCount; column++, at += DIRECTORY_ENTRY_BYTES) {
    const start = view.getUint32(at, true);
    const byteLength = view.getUint32(at + 4, true);
    if (start + byteLength > blocksBytes)
      throw corrupt(
        'ERR_METADATA',
        location,
        at,
        `a column block inside ${blocksBytes} bytes`,
        `[${start}, ${start + byteLength})`,
      );
    if (byteLength < CHUNK_ENTRY_BYTES * tail.rowGroupCount)
      throw corrupt(
        'ERR_METADATA',
        location,
        at + 4,
        `an entry for each of ${tail.rowGroupCount} row groups`,
        `${byteLength} bytes`,
      );
    // Each column has its own block: else a few bytes would be the blocks of a hundred thousand columns.
    listedBytes += byteLength;
    if (listedBytes > blocksBytes)
      throw corrupt(
        'ERR_METADATA',
        location,
        at + 4,
        `column blocks of ${blocksBytes} bytes together`,
        `at least ${listedBytes}`,
      );
    directory.push({ byteOffset: footerOffset + start, byteLength, crc: view.getUint32(at + 8, true) });
  }
  return Object.freeze({
    formatVersion: tail.formatVersion,
    schema,
    rowCount: tail.rowCount,
    rowGroups: Object.freeze(rowGroups),
    directory: Object.freeze(directory),
    footerOffset,
    end: footerOffset + footerBytes + TRAILER_BYTES,
    previousEnd: tail.previousEnd,
    crc,
  });
}

/** Checks a column block's CRC. @throws CorruptFileError ERR_CRC. */
export function checkColumnBlock(block: Uint8Array, entry: DirectoryEntry, location: FileLocation): DataView {
  const crc = crc32(block);
  if (crc !== entry.crc) throw corrupt('ERR_CRC', location, 0, `CRC-32 ${entry.crc}`, crc);
  return new DataView(block.buffer, block.byteOffset, block.byteLength);
}

/** Rows of page `page` of a row group. */
export function rowsOfPage(group: GroupShape, page: number): number {
  return page === pageCount(group) - 1 ? group.rowCount - page * group.pageRows : group.pageRows;
}
