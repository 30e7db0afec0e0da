// A .cna file in parts that can be changed one by one and put together again, every offset, length and checksum right:
// what a mutator then makes wrong is wrong alone.
import { crc32 } from '@colkit/io';
import { alignUp, getNumber, join, putCrc, viewOf } from '../run/bytes.ts';

export const PAGE_HEADER_BYTES = 28;
const CHUNK_ENTRY_BYTES = 64;
const PAGE_ENTRY_BYTES = 32;
const TAIL_BYTES = 64;
const TRAILER_BYTES = 8;

/** Pages of a column in a row group; a dictionary page comes first where there is one. */
export interface Chunk {
  readonly column: number;
  readonly group: number;
  readonly hasDictionary: boolean;
  readonly pages: Uint8Array[];
}

export interface CnaFile {
  readonly schema: Uint8Array;
  /** 16 bytes a row group. */
  readonly groups: Uint8Array;
  /** What the footer knows of each column. */
  readonly blocks: readonly Uint8Array[];
  readonly tail: Uint8Array;
  /** In the order in which they lie in the file. */
  readonly chunks: readonly Chunk[];
}

/** A file of ours in parts; older footers between row groups are not kept. */
export function parseCna(bytes: Uint8Array): CnaFile {
  const view = viewOf(bytes);
  const footerEnd = bytes.length - TRAILER_BYTES;
  const tailAt = footerEnd - TAIL_BYTES;
  const footerAt = footerEnd - view.getUint32(footerEnd, true);
  const columnCount = view.getUint32(tailAt + 4, true);
  const groupCount = view.getUint32(tailAt + 8, true);
  const schemaBytes = view.getUint32(tailAt + 12, true);
  const directoryAt = tailAt - 16 * columnCount;
  const groupsAt = directoryAt - 16 * groupCount;
  const schemaAt = groupsAt - alignUp(schemaBytes, 8);
  const blocks = Array.from({ length: columnCount }, (_, column) => {
    const start = footerAt + view.getUint32(directoryAt + 16 * column, true);
    return bytes.slice(start, start + view.getUint32(directoryAt + 16 * column + 4, true));
  });
  const groups = bytes.slice(groupsAt, directoryAt);
  const chunks = blocks.flatMap((block, column) =>
    Array.from({ length: groupCount }, (_, group) => ({
      offset: getNumber(block, 64 * group, 8),
      ...parseChunk(bytes, groups, block, column, group),
    })),
  );
  chunks.sort((a, b) => Number(a.offset - b.offset));
  return {
    schema: bytes.slice(schemaAt, schemaAt + schemaBytes),
    groups,
    blocks,
    tail: bytes.slice(tailAt, footerEnd),
    chunks,
  };
}

function parseChunk(bytes: Uint8Array, groups: Uint8Array, block: Uint8Array, column: number, group: number): Chunk {
  const entry = viewOf(block.subarray(CHUNK_ENTRY_BYTES * group));
  let at = Number(entry.getBigUint64(0, true));
  const end = at + Number(entry.getBigUint64(8, true));
  const dictionaryBytes = entry.getUint32(16, true);
  const lengths = dictionaryBytes > 0 ? [dictionaryBytes] : [];
  const entriesAt = entry.getUint32(24, true);
  if (entriesAt === 0) lengths.push(end - at - dictionaryBytes);
  else
    for (let page = 0; page < pagesOf(groups, group); page += 1)
      lengths.push(viewOf(block).getUint32(entriesAt + PAGE_ENTRY_BYTES * page, true));
  const pages = lengths.map((length) => {
    at += length;
    return bytes.slice(at - length, at);
  });
  return { column, group, hasDictionary: dictionaryBytes > 0, pages };
}

export function pagesOf(groups: Uint8Array, group: number): number {
  const view = viewOf(groups);
  return Math.ceil(view.getUint32(16 * group + 8, true) / view.getUint32(16 * group + 12, true));
}

/** Where the parts of a footer lie in it: what a mutator changes. */
export interface FooterParts {
  readonly bytes: Uint8Array;
  /** Starts of the column blocks, and one more: their end, where the schema starts. */
  readonly blockStarts: readonly number[];
  readonly groupsAt: number;
  readonly directoryAt: number;
  readonly tailAt: number;
}

/**
 * The file again. `lie` may change the footer before its checksums are made; where `areChecked` is false they are made
 * before.
 */
export function buildCna(
  file: CnaFile,
  lie: (parts: FooterParts) => void = () => undefined,
  areChecked = true,
): Uint8Array {
  const data: Uint8Array[] = [Uint8Array.of(0x43, 0x4e, 0x41, 0x31)];
  const blocks = file.blocks.map((block) => block.slice());
  const groups = file.groups.slice();
  const starts = new Map<number, number>();
  let at = 4;
  for (const chunk of file.chunks) {
    const padding = new Uint8Array((12 - (at % 8)) % 8);
    data.push(padding);
    for (const page of chunk.pages) data.push(page);
    at += padding.length;
    if (!starts.has(chunk.group)) starts.set(chunk.group, at);
    const block = blocks[chunk.column];
    if (block !== undefined) moveChunk(block, chunk, at);
    at += chunk.pages.reduce((sum, { length }) => sum + length, 0);
  }
  for (const [group, start] of starts) viewOf(groups).setBigUint64(16 * group, BigInt(start), true);
  const parts = footerOf(file, blocks, groups, at);
  if (!areChecked) putChecksums(parts);
  lie(parts);
  if (areChecked) putChecksums(parts);
  const trailer = new Uint8Array(TRAILER_BYTES);
  viewOf(trailer).setUint32(0, parts.bytes.length, true);
  trailer.set([0x43, 0x4e, 0x41, 0x31], 4);
  return join([...data, parts.bytes, trailer]);
}

function moveChunk(block: Uint8Array, { group, hasDictionary, pages }: Chunk, byteOffset: number): void {
  const whole = viewOf(block);
  const at = CHUNK_ENTRY_BYTES * group;
  const data = hasDictionary ? pages.slice(1) : pages;
  whole.setBigUint64(at, BigInt(byteOffset), true);
  whole.setBigUint64(at + 8, BigInt(pages.reduce((sum, { length }) => sum + length, 0)), true);
  whole.setUint32(at + 16, hasDictionary ? (pages[0]?.length ?? 0) : 0, true);
  const entriesAt = whole.getUint32(at + 24, true);
  if (entriesAt > 0)
    for (const [page, { length }] of data.entries()) whole.setUint32(entriesAt + PAGE_ENTRY_BYTES * page, length, true);
}

function footerOf(
  { schema, tail }: CnaFile,
  blocks: readonly Uint8Array[],
  groups: Uint8Array,
  footerOffset: number,
): FooterParts {
  const blockStarts = [0];
  for (const block of blocks) blockStarts.push((blockStarts.at(-1) ?? 0) + block.length);
  const schemaAt = blockStarts.at(-1) ?? 0;
  const groupsAt = schemaAt + alignUp(schema.length, 8);
  const directoryAt = groupsAt + groups.length;
  const tailAt = directoryAt + 16 * blocks.length;
  const bytes = join([
    ...blocks,
    schema,
    new Uint8Array(groupsAt - schemaAt - schema.length),
    groups,
    new Uint8Array(16 * blocks.length),
    tail,
  ]);
  const view = viewOf(bytes);
  for (const [column, block] of blocks.entries()) {
    view.setUint32(directoryAt + 16 * column, blockStarts[column] ?? 0, true);
    view.setUint32(directoryAt + 16 * column + 4, block.length, true);
  }
  view.setUint32(tailAt + 12, schema.length, true);
  view.setBigUint64(tailAt + 24, BigInt(footerOffset), true);
  view.setBigUint64(tailAt + 32, 0n, true);
  return { bytes, blockStarts, groupsAt, directoryAt, tailAt };
}

/** Of every block where the directory says that it is, then of the core as the tail says how long it is. */
function putChecksums({ bytes, directoryAt, tailAt }: FooterParts): void {
  const view = viewOf(bytes);
  for (let entry = directoryAt; entry < tailAt; entry += 16) {
    const start = view.getUint32(entry, true);
    putCrc(bytes, entry + 8, start, start + view.getUint32(entry + 4, true));
  }
  const coreBytes =
    alignUp(view.getUint32(tailAt + 12, true), 8) +
    16 * view.getUint32(tailAt + 8, true) +
    16 * view.getUint32(tailAt + 4, true) +
    TAIL_BYTES;
  putCrc(bytes, tailAt + 60, Math.max(0, bytes.length - coreBytes), tailAt + 60);
}

/** A page with another stored body: sizes, padding and checksum right. */
export function withBody(page: Uint8Array, stored: Uint8Array, bodyBytes: number): Uint8Array {
  const bytes = new Uint8Array(alignUp(PAGE_HEADER_BYTES + stored.length, 8));
  bytes.set(page.subarray(0, PAGE_HEADER_BYTES));
  bytes.set(stored, PAGE_HEADER_BYTES);
  viewOf(bytes).setUint32(4, stored.length, true);
  viewOf(bytes).setUint32(8, bodyBytes, true);
  return checkedPage(bytes);
}

/** The page with the checksum of what its header says is stored. */
export function checkedPage(page: Uint8Array): Uint8Array {
  const stored = viewOf(page).getUint32(4, true);
  const end = Math.min(page.length, PAGE_HEADER_BYTES + stored);
  viewOf(page).setUint32(0, crc32(page.subarray(4, end)), true);
  return page;
}
