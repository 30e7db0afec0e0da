// What the footer knows of one column: a chunk entry for every row group, page entries, the strings of statistics.
// Objects <-> the bytes of a block. Entries are read one at a time, on demand: opening a file of ten thousand columns
// parses none of them.
import { CHUNK_ENTRY_BYTES, Encoding, PAGE_ENTRY_BYTES } from './constants.ts';
import type { ColumnType } from './column-type.ts';
import { corrupt } from './location.ts';
import type { FileLocation } from './location.ts';
import { StatisticsStrings, readStatistics, statisticsFlags, writeBound } from './statistics.ts';
import type { Statistics } from './statistics.ts';

interface PageEntry {
  /** Bytes of the page with header and padding; 0 in a member of a joint dictionary, whose pages are the leader's. */
  readonly pageBytes: number;
  readonly statistics: Statistics;
}

export interface ChunkEntry {
  readonly byteOffset: number;
  readonly byteLength: number;
  /** Bytes of the dictionary page, which comes first; 0: none. */
  readonly dictionaryBytes: number;
  /** The column whose data pages hold the codes: its own number, or the leader's. */
  readonly codesColumn: number;
  readonly joint: boolean;
  readonly statistics: Statistics;
  /** Bit e: some data page has the root encoding e. */
  readonly encodings: number;
  readonly pages: readonly PageEntry[];
}

/** Whether some page of the chunk may need its dictionary page. */
export function needsDictionary({
  joint,
  encodings,
  dictionaryBytes,
}: Pick<ChunkEntry, 'joint' | 'encodings' | 'dictionaryBytes'>): boolean {
  return dictionaryBytes > 0 && (joint || ((encodings >>> Encoding.CODES) & 1) === 1);
}

/** A row group as far as the entries of its chunks need it. */
export interface GroupShape {
  readonly rowCount: number;
  readonly pageRows: number;
}

export function pageCount(group: GroupShape): number {
  return Math.ceil(group.rowCount / group.pageRows);
}

/** The block of one column: one entry a row group, in order. */
export function encodeColumnBlock(chunks: readonly ChunkEntry[]): Uint8Array {
  const entriesEnd = CHUNK_ENTRY_BYTES * chunks.length;
  const pagesEnd = entriesEnd + chunks.reduce((sum, chunk) => sum + listedPages(chunk) * PAGE_ENTRY_BYTES, 0);
  const strings = new StatisticsStrings(pagesEnd);
  const fixed = new Uint8Array(pagesEnd);
  const view = new DataView(fixed.buffer);
  let pagesAt = entriesEnd;
  for (const [group, chunk] of chunks.entries()) {
    const at = group * CHUNK_ENTRY_BYTES;
    view.setBigUint64(at, BigInt(chunk.byteOffset), true);
    view.setBigUint64(at + 8, BigInt(chunk.byteLength), true);
    view.setUint32(at + 16, chunk.dictionaryBytes, true);
    view.setUint32(at + 20, chunk.codesColumn, true);
    view.setUint32(at + 24, listedPages(chunk) === 0 ? 0 : pagesAt, true);
    view.setUint32(at + 28, chunk.statistics.nullCount, true);
    view.setUint32(at + 32, chunk.statistics.nanCount ?? 0, true);
    view.setUint8(at + 36, statisticsFlags(chunk.statistics));
    view.setUint8(at + 37, chunk.joint ? 1 : 0);
    writeBound(view, at + 40, chunk.statistics.min, strings);
    writeBound(view, at + 48, chunk.statistics.max, strings);
    view.setUint32(at + 56, chunk.encodings, true);
    if (listedPages(chunk) === 0) continue;
    for (const { pageBytes, statistics } of chunk.pages) {
      view.setUint32(pagesAt, pageBytes, true);
      view.setUint32(pagesAt + 4, statistics.nullCount, true);
      view.setUint32(pagesAt + 8, statistics.nanCount ?? 0, true);
      view.setUint8(pagesAt + 12, statisticsFlags(statistics));
      writeBound(view, pagesAt + 16, statistics.min, strings);
      writeBound(view, pagesAt + 24, statistics.max, strings);
      pagesAt += PAGE_ENTRY_BYTES;
    }
  }
  const block = new Uint8Array(pagesEnd + strings.byteLength);
  block.set(fixed);
  strings.copyTo(block);
  return block;
}

/** A chunk of one page has no page entries: its own entry says the same. */
function listedPages(chunk: ChunkEntry): number {
  return chunk.pages.length === 1 ? 0 : chunk.pages.length;
}

/** What the entries are checked against. */
interface BlockContext {
  readonly type: ColumnType;
  readonly columnNumber: number;
  readonly columnCount: number;
  /** Where the footer starts: chunks end before it. */
  readonly footerOffset: number;
  readonly location: FileLocation;
}

/**
 * Reads one chunk entry and its page entries. `block` has passed its CRC and has an entry for every row group.
 * @throws CorruptFileError ERR_METADATA where ranges leave the file or sums do not add up.
 */
export function parseChunkEntry(
  block: DataView,
  rowGroup: number,
  group: GroupShape,
  context: BlockContext,
): ChunkEntry {
  const { type, footerOffset } = context;
  const location = { ...context.location, rowGroup };
  const at = rowGroup * CHUNK_ENTRY_BYTES;
  const refuse = (byteOffset: number, expected: string, found: string | number) =>
    corrupt('ERR_METADATA', location, at + byteOffset, expected, found);
  const byteOffset = Number(block.getBigUint64(at, true));
  const byteLength = Number(block.getBigUint64(at + 8, true));
  const dictionaryBytes = block.getUint32(at + 16, true);
  const codesColumn = block.getUint32(at + 20, true);
  const pagesAt = block.getUint32(at + 24, true);
  const flags = block.getUint8(at + 37);
  if (byteOffset % 8 !== 4 || byteOffset + byteLength > footerOffset) {
    throw refuse(
      0,
      `a chunk at 4 modulo 8 that ends before byte ${footerOffset}`,
      `[${byteOffset}, ${byteOffset + byteLength})`,
    );
  }
  if (dictionaryBytes > byteLength) throw refuse(16, `a dictionary page inside ${byteLength} bytes`, dictionaryBytes);
  if (codesColumn >= context.columnCount) throw refuse(20, `a column below ${context.columnCount}`, codesColumn);
  if (flags > 1) throw refuse(37, 'chunk flags 0 or 1', flags);
  const joint = flags === 1;
  if (codesColumn !== context.columnNumber && !joint)
    throw refuse(20, 'codes of another column only in a joint chunk', codesColumn);
  if (joint && dictionaryBytes === 0) throw refuse(16, 'a dictionary page in a joint chunk', 0);
  const count = pageCount(group);
  const listed = count > 1;
  if (listed && pagesAt + count * PAGE_ENTRY_BYTES > block.byteLength)
    throw refuse(24, `${count} page entries inside the block`, pagesAt);
  const statisticsAt = (counts: number, flagsAt: number, slots: number) =>
    readStatistics(
      block,
      {
        nullCount: block.getUint32(counts, true),
        nanCount: block.getUint32(counts + 4, true),
        flags: block.getUint8(flagsAt),
        slots,
      },
      type,
      location,
    );
  const statistics = statisticsAt(at + 28, at + 36, at + 40);
  const pages: PageEntry[] = [];
  let sum = dictionaryBytes;
  for (let page = 0; listed && page < count; page++) {
    const entry = pagesAt + page * PAGE_ENTRY_BYTES;
    const pageBytes = block.getUint32(entry, true);
    sum += pageBytes;
    pages.push(Object.freeze({ pageBytes, statistics: statisticsAt(entry + 4, entry + 12, entry + 16) }));
  }
  if (!listed) pages.push(Object.freeze({ pageBytes: byteLength - dictionaryBytes, statistics }));
  else if (sum !== byteLength) throw refuse(8, `pages of ${byteLength} bytes together`, sum);
  if (codesColumn !== context.columnNumber && byteLength !== dictionaryBytes)
    throw refuse(8, 'no data pages in a member of a joint dictionary', byteLength - dictionaryBytes);
  return Object.freeze({
    byteOffset,
    byteLength,
    dictionaryBytes,
    codesColumn,
    joint,
    statistics,
    encodings: block.getUint32(at + 56, true),
    pages: Object.freeze(pages),
  });
}
