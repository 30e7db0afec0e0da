// The 28 bytes before every page body <-> a checked, frozen object. The CRC covers the header behind it and the stored
// body.
import { UnsupportedError, crc32 } from '@colkit/io';
import type { ColumnType } from './column-type.ts';
import { Codec, MAX_DEFLATE_RATIO, MAX_PAGE_ROWS, PAGE_ALIGNMENT, PAGE_HEADER_BYTES, PageKind } from './constants.ts';
import type { CodecName } from './constants.ts';
import { corrupt } from './location.ts';
import type { FileLocation } from './location.ts';

export interface PageHeader {
  readonly kind: 'data' | 'dictionary';
  readonly codec: CodecName;
  /** Encoding and parameter of the root node. */
  readonly encoding: number;
  readonly parameter: number;
  readonly storedBytes: number;
  readonly bodyBytes: number;
  readonly rowCount: number;
  /** Rows that are not null. */
  readonly valueCount: number;
}

/** What the footer says of a page. */
export interface ExpectedPage {
  readonly kind: PageHeader['kind'];
  readonly type: ColumnType;
  readonly columnNumber: number;
  /** Null for a dictionary page: its header says it. */
  readonly rowCount: number | null;
  /** Refuse a larger body before taking memory for it. */
  readonly maxBodyBytes: number;
}

/** Bytes of a page with a stored body of so many bytes: header, body, padding. */
export function pageBytes(storedBytes: number): number {
  return Math.ceil((PAGE_HEADER_BYTES + storedBytes) / PAGE_ALIGNMENT) * PAGE_ALIGNMENT;
}

/** Header, stored body and padding as one new array. */
export function encodePageBytes(
  header: Omit<PageHeader, 'storedBytes'>,
  stored: Uint8Array,
  type: ColumnType,
  columnNumber: number,
): Uint8Array {
  const bytes = new Uint8Array(pageBytes(stored.length));
  const view = new DataView(bytes.buffer);
  view.setUint32(4, stored.length, true);
  view.setUint32(8, header.bodyBytes, true);
  view.setUint32(12, header.rowCount, true);
  view.setUint32(16, header.valueCount, true);
  bytes[20] = header.kind === 'data' ? PageKind.DATA : PageKind.DICTIONARY;
  bytes[21] = type.id;
  bytes[22] = header.encoding;
  bytes[23] = header.parameter;
  bytes[24] = Codec[header.codec];
  view.setUint16(26, columnNumber & 0xffff, true);
  bytes.set(stored, PAGE_HEADER_BYTES);
  view.setUint32(0, crc32(bytes.subarray(4, PAGE_HEADER_BYTES + stored.length)), true);
  return bytes;
}

/**
 * Checks a page against what the footer says of it. `page` is exactly the page's bytes, padding included.
 * @throws CorruptFileError ERR_LAYOUT, ERR_CRC, ERR_TRUNCATED; UnsupportedError ERR_ENCODING for an unknown codec.
 */
export function parsePageHeader(
  page: Uint8Array,
  expected: ExpectedPage,
  verifyCrc: boolean,
  location: FileLocation,
): PageHeader {
  if (page.length < PAGE_HEADER_BYTES)
    throw corrupt('ERR_TRUNCATED', location, 0, `a page header of ${PAGE_HEADER_BYTES} bytes`, `${page.length} bytes`);
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  const rowCount = view.getUint32(12, true);
  const valueCount = view.getUint32(16, true);
  const storedBytes = view.getUint32(4, true);
  const kind = expected.kind === 'data' ? PageKind.DATA : PageKind.DICTIONARY;
  if (rowCount < 1 || rowCount > MAX_PAGE_ROWS)
    throw corrupt('ERR_LAYOUT', location, 12, `1 to ${MAX_PAGE_ROWS} rows`, rowCount);
  if (expected.rowCount !== null && rowCount !== expected.rowCount)
    throw corrupt('ERR_LAYOUT', location, 12, `${expected.rowCount} rows`, rowCount);
  if (valueCount > rowCount) throw corrupt('ERR_LAYOUT', location, 16, `at most ${rowCount} values`, valueCount);
  if (view.getUint8(20) !== kind) throw corrupt('ERR_LAYOUT', location, 20, `page kind ${kind}`, view.getUint8(20));
  if (view.getUint8(21) !== expected.type.id)
    throw corrupt('ERR_LAYOUT', location, 21, `type ${expected.type.id} (${expected.type.name})`, view.getUint8(21));
  const columnNumber = view.getUint16(26, true);
  if (columnNumber !== (expected.columnNumber & 0xffff))
    throw corrupt('ERR_LAYOUT', location, 26, `a page of column ${expected.columnNumber & 0xffff}`, columnNumber);
  if (pageBytes(storedBytes) !== page.length)
    throw corrupt('ERR_LAYOUT', location, 4, `a stored body that fills a page of ${page.length} bytes`, storedBytes);
  if (verifyCrc) {
    const crc = crc32(page.subarray(4, PAGE_HEADER_BYTES + storedBytes));
    if (crc !== view.getUint32(0, true))
      throw corrupt('ERR_CRC', location, 0, `CRC-32 ${view.getUint32(0, true)}`, crc);
  }
  const bodyBytes = view.getUint32(8, true);
  const codec = parseCodec(view.getUint8(24));
  const most = codec === 'NONE' ? storedBytes : Math.min(expected.maxBodyBytes, MAX_DEFLATE_RATIO * storedBytes);
  if (bodyBytes > most || (codec === 'NONE' && bodyBytes !== storedBytes))
    throw corrupt('ERR_LAYOUT', location, 8, `a body of at most ${most} bytes`, bodyBytes);
  if (valueCount === 0 && bodyBytes !== 0)
    throw corrupt('ERR_LAYOUT', location, 8, 'no body where there are no values', bodyBytes);
  return Object.freeze({
    kind: expected.kind,
    codec,
    encoding: view.getUint8(22),
    parameter: view.getUint8(23),
    storedBytes,
    bodyBytes,
    rowCount,
    valueCount,
  });
}

function parseCodec(id: number): CodecName {
  if (id === Codec.NONE) return 'NONE';
  if (id === Codec.DEFLATE) return 'DEFLATE';
  throw new UnsupportedError('ERR_ENCODING', `codec ${id}`, `unsupported codec ${id}`);
}
