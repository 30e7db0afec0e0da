// Record headers <-> the record index: which rows each record holds and where its body starts. The walk follows the chain of headers with reads that are small where
// records are large and take many headers at once where they are small.
import { crc32 } from '@colkit/io';
import { RECORD_ALIGNMENT, RECORD_COVERED_BYTES, RECORD_HEADER_BYTES, RECORD_MAGIC, bytesEqual } from './constants.ts';
import { dataViewOf, hex, readCount } from './steps.ts';
import type { FileBytes, Steps } from './steps.ts';

export interface RecordIndex {
  /** R + 1 ascending row numbers: the first 0, the last the row count. */
  readonly rowStarts: Float64Array;
  /** R byte offsets of the bodies. */
  readonly bodyOffsets: Float64Array;
  /** Where the last record's padded body ends. */
  readonly endOffset: number;
}

const ROW_COUNT_OFFSET = 12;
/** A block of this size is read ahead while records are smaller than it. */
const READ_AHEAD_BYTES = 64 * 1024;

/**
 * Walks `recordCount` headers from `dataOffset` on. Every body is checked to end within the file.
 * @throws CorruptFileError ERR_TRUNCATED, ERR_MAGIC, ERR_LAYOUT (index, row count), ERR_CRC.
 */
export function* readRecordIndex(file: FileBytes, recordCount: number, dataOffset: number, rowBytes: number): Steps<RecordIndex> {
  if (recordCount > (file.byteLength - dataOffset) / RECORD_HEADER_BYTES) {
    throw file.corrupt('ERR_TRUNCATED', 'records', dataOffset, `${String(recordCount)} records`, `a file of ${String(file.byteLength)} bytes`);
  }
  const rowStarts = new Float64Array(recordCount + 1);
  const bodyOffsets = new Float64Array(recordCount);
  let byteOffset = dataOffset;
  let ahead = RECORD_HEADER_BYTES;
  for (let record = 0; record < recordCount; record += 1) {
    const header = yield* file.take(byteOffset, RECORD_HEADER_BYTES, `record ${String(record)} header`, ahead);
    const rows = parseRecordHeader(file, header, record, byteOffset);
    const bodyOffset = byteOffset + RECORD_HEADER_BYTES;
    byteOffset = endOfBody(file, record, rows, bodyOffset, rowBytes);
    bodyOffsets[record] = bodyOffset;
    rowStarts[record + 1] = (rowStarts[record] ?? 0) + rows;
    ahead = byteOffset - bodyOffset < READ_AHEAD_BYTES ? READ_AHEAD_BYTES : RECORD_HEADER_BYTES;
  }
  return { rowStarts, bodyOffsets, endOffset: byteOffset };
}

/** The header of a record as the Python releases write it. */
export function formatRecordHeader(index: number, rowCount: number): Uint8Array {
  const header = new Uint8Array(RECORD_HEADER_BYTES);
  const view = dataViewOf(header);
  header.set(RECORD_MAGIC);
  view.setBigInt64(RECORD_MAGIC.length, BigInt(index), true);
  view.setBigInt64(ROW_COUNT_OFFSET, BigInt(rowCount), true);
  view.setUint32(RECORD_COVERED_BYTES, crc32(header.subarray(0, RECORD_COVERED_BYTES)), true);
  return header;
}

/** How many zero bytes follow a body of `bodyBytes`. */
export const recordPadding = (bodyBytes: number): number => (RECORD_ALIGNMENT - (bodyBytes % RECORD_ALIGNMENT)) % RECORD_ALIGNMENT;

/** Checks in the order of the Python releases: magic, index, checksum. */
function parseRecordHeader(file: FileBytes, header: Uint8Array, record: number, byteOffset: number): number {
  const cursor = file.cursor(header, `record ${String(record)} header`, byteOffset);
  if (!bytesEqual(header, RECORD_MAGIC)) throw cursor.fail(hex(RECORD_MAGIC), hex(header.subarray(0, RECORD_MAGIC.length)), 'ERR_MAGIC');
  cursor.seek(RECORD_MAGIC.length);
  const index = cursor.bigI64();
  if (index !== BigInt(record)) throw cursor.fail(`record index ${String(record)}`, String(index), 'ERR_LAYOUT', RECORD_MAGIC.length);
  cursor.seek(RECORD_COVERED_BYTES);
  const stored = cursor.u32();
  const computed = crc32(header.subarray(0, RECORD_COVERED_BYTES));
  if (stored !== computed) throw cursor.fail(`checksum ${String(computed)} of the record header`, String(stored), 'ERR_CRC', RECORD_COVERED_BYTES);
  cursor.seek(ROW_COUNT_OFFSET);
  return readCount(cursor, 'a row count');
}

/** Divides before it multiplies: rows * rowBytes may be beyond any number. */
function endOfBody(file: FileBytes, record: number, rows: number, bodyOffset: number, rowBytes: number): number {
  const region = `record ${String(record)} body`;
  const fits = rows <= Math.floor((file.byteLength - bodyOffset) / rowBytes);
  if (!fits) throw file.corrupt('ERR_TRUNCATED', region, bodyOffset, `${String(rows)} rows of ${String(rowBytes)} bytes`, `${String(file.byteLength - bodyOffset)} bytes before the end of the file`);
  const paddedBytes = rows * rowBytes + recordPadding(rows * rowBytes);
  file.require(bodyOffset, paddedBytes, region);
  return bodyOffset + paddedBytes;
}
