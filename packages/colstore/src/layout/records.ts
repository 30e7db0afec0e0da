// Record headers <-> the record index: which rows each record holds and where its body starts. The walk follows the chain of headers with reads that are small where
// records are large and take many headers at once where they are small.
import { crc32 } from '@colkit/io';
import { bytesEqual, dataViewOf, hex, readCount } from './bytes.ts';
import { RECORD_ALIGNMENT, RECORD_COVERED_BYTES, RECORD_HEADER_BYTES, RECORD_MAGIC } from './constants.ts';
import type { FileBytes, Steps } from './steps.ts';

export interface RecordIndex {
  /** R + 1 ascending row numbers: the first 0, the last the row count. */
  readonly rowStarts: Float64Array;
  /** R byte offsets of the bodies. */
  readonly bodyOffsets: Float64Array;
  /** Where the last record's padded body ends. */
  readonly endOffset: number;
}

const INDEX_OFFSET = 4;
const ROW_COUNT_OFFSET = 12;
/** The magic as a little-endian word. */
const MAGIC_WORD = 0x0143_4552;
const TWO_32 = 2 ** 32;
/** Upper words below this make counts below 2^53. */
const SAFE_HIGH_WORD = 2 ** 21;
/** A block of this size is read ahead while records are smaller than it. */
const READ_AHEAD_BYTES = 64 * 1024;

/**
 * Walks `recordCount` headers from `dataOffset` on. Every body is checked to end within the file. Cost: under half a microsecond a record.
 * @throws CorruptFileError ERR_TRUNCATED, ERR_MAGIC, ERR_LAYOUT (index, row count), ERR_CRC.
 */
export function* readRecordIndex(file: FileBytes, recordCount: number, dataOffset: number, rowBytes: number): Steps<RecordIndex> {
  if (recordCount > (file.byteLength - dataOffset) / RECORD_HEADER_BYTES) {
    throw file.corrupt('ERR_TRUNCATED', 'records', dataOffset, `${String(recordCount)} records`, `a file of ${String(file.byteLength)} bytes`);
  }
  const walk: Walk = { rowStarts: new Float64Array(recordCount + 1), bodyOffsets: new Float64Array(recordCount), record: 0, byteOffset: dataOffset };
  let ahead = RECORD_HEADER_BYTES;
  while (walk.record < recordCount) {
    const before = walk.byteOffset;
    const block = yield* file.takeAll(before, RECORD_HEADER_BYTES, `record ${String(walk.record)} header`, ahead);
    walkBlock(file, walk, block, rowBytes);
    ahead = walk.byteOffset - before < READ_AHEAD_BYTES ? READ_AHEAD_BYTES : RECORD_HEADER_BYTES;
  }
  return { rowStarts: walk.rowStarts, bodyOffsets: walk.bodyOffsets, endOffset: walk.byteOffset };
}

/** How far the walk has come: `record` is the next one, its header is at `byteOffset`. */
interface Walk {
  readonly rowStarts: Float64Array;
  readonly bodyOffsets: Float64Array;
  record: number;
  byteOffset: number;
}

/** Follows the chain as long as it stays within a block, which starts at the walk's offset. */
function walkBlock(file: FileBytes, walk: Walk, block: Uint8Array, rowBytes: number): void {
  const view = dataViewOf(block);
  const blockOffset = walk.byteOffset;
  for (let at = 0; walk.record < walk.bodyOffsets.length && at + RECORD_HEADER_BYTES <= block.length; at = walk.byteOffset - blockOffset) {
    const header = block.subarray(at, at + RECORD_HEADER_BYTES);
    const rows = isSound(view, at, header, walk.record) ? readRows(view, at) : parseRecordHeader(file, header, walk.record, walk.byteOffset);
    const bodyOffset = walk.byteOffset + RECORD_HEADER_BYTES;
    walk.bodyOffsets[walk.record] = bodyOffset;
    walk.byteOffset = endOfBody(file, walk.record, rows, bodyOffset, rowBytes);
    walk.rowStarts[walk.record + 1] = (walk.rowStarts[walk.record] ?? 0) + rows;
    walk.record += 1;
  }
}

/** The same checks as in `parseRecordHeader`, without an object or a big integer a record. Where one fails, the other tells which. */
function isSound(view: DataView, at: number, header: Uint8Array, record: number): boolean {
  return (
    view.getUint32(at, true) === MAGIC_WORD &&
    view.getUint32(at + INDEX_OFFSET, true) + view.getUint32(at + INDEX_OFFSET + 4, true) * TWO_32 === record &&
    view.getUint32(at + ROW_COUNT_OFFSET + 4, true) < SAFE_HIGH_WORD &&
    view.getUint32(at + RECORD_COVERED_BYTES, true) === crc32(header.subarray(0, RECORD_COVERED_BYTES))
  );
}

const readRows = (view: DataView, at: number): number => view.getUint32(at + ROW_COUNT_OFFSET, true) + view.getUint32(at + ROW_COUNT_OFFSET + 4, true) * TWO_32;

/** The header of a record as the Python releases write it. */
export function formatRecordHeader(index: number, rowCount: number): Uint8Array {
  const header = new Uint8Array(RECORD_HEADER_BYTES);
  const view = dataViewOf(header);
  header.set(RECORD_MAGIC);
  view.setBigInt64(INDEX_OFFSET, BigInt(index), true);
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
  cursor.seek(INDEX_OFFSET);
  const index = cursor.bigI64();
  if (index !== BigInt(record)) throw cursor.fail(`record index ${String(record)}`, String(index), 'ERR_LAYOUT', INDEX_OFFSET);
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
