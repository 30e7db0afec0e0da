// Row groups -> what stands in the headers of their pages. One request for the headers of as many row groups as have
// few pages: a request has its price, and a file may have a hundred thousand row groups.
import type { RowRange } from '@colkit/table';
import type { Work } from '@colkit/io/effects';
import { ReadRanges } from '@colkit/io/effects';
import { Codec, ENCODING_NAMES, PAGE_HEADER_BYTES } from '../layout/constants.ts';
import type { CodecName } from '../layout/constants.ts';
import { pageBytes } from '../layout/page-header.ts';
import { corrupt } from '../layout/location.ts';
import type { Chunk, StoredFile } from '../read/file/stored-file.ts';
import { describeStatistics } from './describe-statistics.ts';
import type { InspectedChunk, InspectedPage } from './inspected-file.ts';
import { encodingName } from './node-label.ts';

/** Headers that are fetched at a time. */
const HEADERS_AT_ONCE = 1 << 14;

interface PageRef {
  readonly group: number;
  readonly column: number;
  readonly page: number | null;
  readonly byteOffset: number;
  readonly byteLength: number;
}

/** Which row groups from `start` on are read together: as many as have headers for one request, but one at least. */
export function groupsAtOnce(file: StoredFile, { start, end }: RowRange, columns: readonly number[]): RowRange {
  let headers = 0;
  for (let group = start; group < end; group++) {
    for (const column of columns) headers += 1 + file.chunk(column, group).entry.pages.length;
    if (headers >= HEADERS_AT_ONCE) return { start, end: group + 1 };
  }
  return { start, end };
}

/** The chunks of row groups, each in the order of `columns`, whose blocks are loaded. */
export function* readChunks(
  file: StoredFile,
  { start: first, end: last }: RowRange,
  columns: readonly number[],
): Work<InspectedChunk[][]> {
  const groups = Array.from({ length: last - first }, (_, i) => first + i);
  const pages = groups.flatMap((group) =>
    columns.flatMap((column) => pagesOf(file.chunk(column, group), column, group)),
  );
  /** Of each row group, by where they are. */
  const headers = groups.map(() => new Map<number, InspectedPage>());
  for (let start = 0; start < pages.length; start += HEADERS_AT_ONCE) {
    const part = pages.slice(start, start + HEADERS_AT_ONCE);
    const out = new Uint8Array(part.length * PAGE_HEADER_BYTES);
    yield new ReadRanges(file.source, {
      offsets: Float64Array.from(part, ({ byteOffset }) => byteOffset),
      lengths: new Float64Array(part.length).fill(PAGE_HEADER_BYTES),
      out,
      outOffsets: Float64Array.from(part, (_, i) => i * PAGE_HEADER_BYTES),
    });
    for (const [i, ref] of part.entries())
      headers[ref.group - first]?.set(
        ref.byteOffset,
        describePage(file, ref, new DataView(out.buffer, i * PAGE_HEADER_BYTES, PAGE_HEADER_BYTES)),
      );
  }
  return headers.map((found, i) => columns.map((column) => describeChunk(file, first + i, column, found)));
}

function pagesOf({ entry, pageOffsets }: Chunk, column: number, group: number): PageRef[] {
  const pages: PageRef[] = [];
  if (entry.dictionaryBytes > 0)
    pages.push({ group, column, page: null, byteOffset: entry.byteOffset, byteLength: entry.dictionaryBytes });
  if (entry.codesColumn !== column) return pages;
  for (const [page, { pageBytes: byteLength }] of entry.pages.entries())
    pages.push({ group, column, page, byteOffset: pageOffsets[page] as number, byteLength });
  return pages;
}

function describePage(
  file: StoredFile,
  { group, column, page, byteOffset, byteLength }: PageRef,
  header: DataView,
): InspectedPage {
  const storedBytes = header.getUint32(4, true);
  if (pageBytes(storedBytes) !== byteLength) {
    const location = file.location('page', byteOffset, column, group, page ?? undefined);
    throw corrupt('ERR_LAYOUT', location, 4, `a stored body that fills a page of ${byteLength} bytes`, storedBytes);
  }
  const statistics = page === null ? undefined : file.chunk(column, group).entry.pages[page]?.statistics;
  return {
    byteOffset,
    byteLength,
    rowCount: header.getUint32(12, true),
    valueCount: header.getUint32(16, true),
    encoding: encodingName(header.getUint8(22)),
    codec: codecName(header.getUint8(24)),
    storedBytes,
    bodyBytes: header.getUint32(8, true),
    statistics: statistics === undefined ? null : describeStatistics(file.column(column).type, statistics),
  };
}

function codecName(id: number): CodecName | `codec ${number}` {
  return id === Codec.NONE ? 'NONE' : id === Codec.DEFLATE ? 'DEFLATE' : `codec ${id}`;
}

function describeChunk(
  file: StoredFile,
  group: number,
  column: number,
  headers: ReadonlyMap<number, InspectedPage>,
): InspectedChunk {
  const { entry, pageOffsets } = file.chunk(column, group);
  const { name, type } = file.column(column);
  const own = entry.codesColumn === column;
  const { byteOffset, byteLength, joint } = entry;
  return {
    column: name,
    byteOffset,
    byteLength,
    dictionary: entry.dictionaryBytes > 0 ? (headers.get(byteOffset) ?? null) : null,
    pages: own ? Array.from(entry.pages, (_, page) => headers.get(pageOffsets[page] as number) as InspectedPage) : [],
    pageStatistics: entry.pages.map(({ statistics }) => describeStatistics(type, statistics)),
    statistics: describeStatistics(type, entry.statistics),
    encodings: ENCODING_NAMES.filter((_, id) => ((entry.encodings >>> id) & 1) === 1),
    codesOf: own ? null : file.column(entry.codesColumn).name,
    joint,
  };
}
