// Record headers <-> the record index: which rows each record holds and where its body starts. The walk follows the
// chain of headers with reads that are small where records are large and take many headers at once where they are
// small.
import { CorruptFileError, DEFAULT_LIMITS, checkLimit, crc32 } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import { dataViewOf, hex } from './bytes.ts';
import { RECORD_ALIGNMENT, RECORD_COVERED_BYTES, RECORD_HEADER_BYTES, RECORD_MAGIC } from './constants.ts';
import type { FileBytes } from './file-bytes.ts';

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
const MAGIC_WORD = dataViewOf(RECORD_MAGIC).getUint32(0, true);
const TWO_32 = 2 ** 32;
/** Records of less are read as a whole, many at once: the bytes between their headers cost less than a read of each. */
const SMALL_RECORD_BYTES = 64 * 1024;
/** How much is read at once of small records, as long as they follow each other: twice as much each time. */
const LEAST_AHEAD_BYTES = 64 * 1024;
const MOST_AHEAD_BYTES = 1 << 20;
/** Records that there is room for at first. */
const FIRST_RECORDS = 4096;

/**
 * Walks `recordCount` headers from `dataOffset` on. Every body is checked to end within the file. Cost: under half a
 * microsecond a record.
 * @throws CorruptFileError ERR_TRUNCATED, ERR_MAGIC, ERR_LAYOUT (index, row count), ERR_CRC; LimitError.
 */
export function* readRecordIndex(
  file: FileBytes,
  recordCount: number,
  dataOffset: number,
  rowBytes: number,
): Work<RecordIndex> {
  if (recordCount > (file.byteLength - dataOffset) / RECORD_HEADER_BYTES) {
    throw file.corrupt(
      'ERR_TRUNCATED',
      'records',
      dataOffset,
      `${String(recordCount)} records`,
      `a file of ${String(file.byteLength)} bytes`,
    );
  }
  // A file of holes is as long as it likes to be: memory is taken for the records that are there, and the count has a
  // limit.
  checkLimit(`${file.path}: records`, recordCount, DEFAULT_LIMITS.maxRecords);
  const begun = Math.min(recordCount, FIRST_RECORDS);
  const walk: Walk = {
    recordCount,
    rowStarts: new Float64Array(begun + 1),
    bodyOffsets: new Float64Array(begun),
    record: 0,
    byteOffset: dataOffset,
  };
  const ahead = new ReadAhead();
  while (walk.record < recordCount) {
    const { record, byteOffset } = walk;
    const block = yield* file.takeAll(byteOffset, RECORD_HEADER_BYTES, regionOf(record), ahead.room);
    walkBlock(file, walk, block, rowBytes);
    ahead.walked(walk.record - record, walk.byteOffset - byteOffset);
  }
  return {
    rowStarts: walk.rowStarts.slice(0, recordCount + 1),
    bodyOffsets: walk.bodyOffsets.slice(0, recordCount),
    endOffset: walk.byteOffset,
  };
}

/** Where blocks of headers are read, one after another into the same memory. */
class ReadAhead {
  #memory = new Uint8Array(RECORD_HEADER_BYTES);
  #byteLength = RECORD_HEADER_BYTES;

  get room(): Uint8Array {
    return this.#memory.subarray(0, this.#byteLength);
  }

  walked(records: number, byteLength: number): void {
    const more = Math.min(MOST_AHEAD_BYTES, Math.max(LEAST_AHEAD_BYTES, 2 * this.#byteLength));
    this.#byteLength = byteLength < records * SMALL_RECORD_BYTES ? more : RECORD_HEADER_BYTES;
    if (this.#byteLength > this.#memory.length) this.#memory = new Uint8Array(this.#byteLength);
  }
}

/** How far the walk has come: `record` is the next one, its header is at `byteOffset`. */
interface Walk {
  readonly recordCount: number;
  /** At least as long as the walk has come. */
  rowStarts: Float64Array;
  bodyOffsets: Float64Array;
  record: number;
  byteOffset: number;
}

/** Follows the chain as long as it stays within a block, which starts at the walk's offset. */
function walkBlock(file: FileBytes, walk: Walk, block: Uint8Array, rowBytes: number): void {
  const view = dataViewOf(block);
  const blockOffset = walk.byteOffset;
  for (
    let at = 0;
    walk.record < walk.recordCount && at + RECORD_HEADER_BYTES <= block.length;
    at = walk.byteOffset - blockOffset
  ) {
    const rows = readHeader(file, view, at, walk.record, walk.byteOffset);
    const bodyOffset = walk.byteOffset + RECORD_HEADER_BYTES;
    if (walk.record === walk.bodyOffsets.length) makeRoom(walk);
    walk.bodyOffsets[walk.record] = bodyOffset;
    walk.byteOffset = endOfBody(file, walk.record, rows, bodyOffset, rowBytes);
    walk.rowStarts[walk.record + 1] = (walk.rowStarts[walk.record] ?? 0) + rows;
    walk.record += 1;
  }
}

function makeRoom(walk: Walk): void {
  const room = Math.min(walk.recordCount, 2 * walk.bodyOffsets.length);
  const [rowStarts, bodyOffsets] = [new Float64Array(room + 1), new Float64Array(room)];
  rowStarts.set(walk.rowStarts);
  bodyOffsets.set(walk.bodyOffsets);
  walk.rowStarts = rowStarts;
  walk.bodyOffsets = bodyOffsets;
}

/**
 * The row count of the header at `at` of a block; no object and no big integer for a sound record. Checks in the order
 * of the Python releases: magic, index, checksum; then the count. The words count as unsigned: what is negative is
 * beyond 2^53 then, and so refused.
 */
function readHeader(file: FileBytes, view: DataView, at: number, record: number, byteOffset: number): number {
  const header = new Uint8Array(view.buffer, view.byteOffset + at, RECORD_COVERED_BYTES);
  if (view.getUint32(at, true) !== MAGIC_WORD)
    throw file.corrupt(
      'ERR_MAGIC',
      regionOf(record),
      byteOffset,
      hex(RECORD_MAGIC),
      hex(header.subarray(0, RECORD_MAGIC.length)),
    );
  if (readWords(view, at + INDEX_OFFSET) !== record) {
    throw file.corrupt(
      'ERR_LAYOUT',
      regionOf(record),
      byteOffset + INDEX_OFFSET,
      `record index ${String(record)}`,
      String(view.getBigInt64(at + INDEX_OFFSET, true)),
    );
  }
  const stored = view.getUint32(at + RECORD_COVERED_BYTES, true);
  const computed = crc32(header);
  if (stored !== computed)
    throw file.corrupt(
      'ERR_CRC',
      regionOf(record),
      byteOffset + RECORD_COVERED_BYTES,
      `checksum ${String(computed)} of the record header`,
      String(stored),
    );
  const rows = readWords(view, at + ROW_COUNT_OFFSET);
  if (Number.isSafeInteger(rows)) return rows;
  throw file.corrupt(
    'ERR_LAYOUT',
    regionOf(record),
    byteOffset + ROW_COUNT_OFFSET,
    'a row count in [0, 2^53)',
    String(view.getBigInt64(at + ROW_COUNT_OFFSET, true)),
  );
}

const regionOf = (record: number): string => `record ${String(record)} header`;

/** Two words as one number, exact below 2^53, and not below it beyond. */
const readWords = (view: DataView, at: number): number =>
  view.getUint32(at, true) + view.getUint32(at + 4, true) * TWO_32;

/**
 * As many records from `dataOffset` on as are whole, at most `most`: where they end, and the rows in them. Zeros, which
 * a disk may leave, are no record.
 */
export function* wholeRecords(
  file: FileBytes,
  dataOffset: number,
  rowBytes: number,
  most: number,
): Work<{ readonly recordCount: number; readonly rowCount: number; readonly end: number }> {
  let [recordCount, rowCount, end] = [0, 0, Math.min(dataOffset, file.byteLength)];
  try {
    while (recordCount < most && end + RECORD_HEADER_BYTES <= file.byteLength) {
      const header = yield* file.take(end, RECORD_HEADER_BYTES, regionOf(recordCount), LEAST_AHEAD_BYTES);
      const rows = readHeader(file, dataViewOf(header), 0, recordCount, end);
      end = endOfBody(file, recordCount, rows, end + RECORD_HEADER_BYTES, rowBytes);
      recordCount += 1;
      rowCount += rows;
    }
  } catch (error) {
    if (!(error instanceof CorruptFileError)) throw error;
  }
  return { recordCount, rowCount, end };
}

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
export const recordPadding = (bodyBytes: number): number =>
  (RECORD_ALIGNMENT - (bodyBytes % RECORD_ALIGNMENT)) % RECORD_ALIGNMENT;

/** A product beyond 2^53 is not exact, but beyond any file all the same. */
function endOfBody(file: FileBytes, record: number, rows: number, bodyOffset: number, rowBytes: number): number {
  const paddedBytes = rows * rowBytes + recordPadding(rows * rowBytes);
  file.require(bodyOffset, paddedBytes, `record ${String(record)} body`);
  return bodyOffset + paddedBytes;
}
