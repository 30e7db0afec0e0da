// The last row groups of a file, where they are small, and the rows that wait -> one row group. A file that grows by
// small pieces would have a row group for each, and its footers, which list them all, would take more than the rows.
import { isColkitError } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import { Table, provideTableReading } from '@colkit/table';
import type { SchemaInput } from '@colkit/table';
import { openFile } from '../../read/open-file.ts';
import { providePageReading } from '../../read/provided-page-reading.ts';
import { StoredTable } from '../../read/stored-table.ts';
import type { FileEncoder, GroupSize } from '../file/file-encoder.ts';
import { inputColumns } from '../values/batch-input.ts';
import type { RowBuffer } from '../values/row-buffer.ts';
import type { RowGroupWriter } from './row-group-writer.ts';

/** Neighbours of about one size that become one row group with rows of that size, or more. */
const LEAST_ALIKE = 3;
/** Stored bytes that are written once more for new rows, at most. */
const MOST_BYTES = 4 << 20;
/** What they and the new rows take in memory, at most: a long text may take a thousand times its stored bytes. */
const MOST_MEMORY_BYTES = 128 << 20;
/** Nothing is written once more as long as new rows take so many times the bytes of the footer behind them. */
const ROW_BYTES_PER_FOOTER_BYTE = 4;

export interface WaitingRows {
  readonly rowCount: number;
  readonly rowGroupSize: number;
  /** Of the entries of all row groups in the next footer. */
  readonly footerBytes: number;
}

/**
 * How many of the last row groups become one with rows that wait: those of at most about their number (a power of
 * four), as soon as there are three. So a row is written once more with every fourfold growth of its row group, and a
 * file has few row groups that are not full.
 * @param groups the last one first.
 */
export function groupsToMerge(groups: Iterable<GroupSize>, waiting: WaitingRows): number {
  const { fitting, rowBytes } = thatFit(groups, waiting);
  if (waiting.rowCount * rowBytes > ROW_BYTES_PER_FOOTER_BYTE * waiting.footerBytes) return 0;
  for (let [merged, rows] = [0, waiting.rowCount]; ; ) {
    let count = merged;
    let sum = rows;
    for (; count < fitting.length && sizeClass(fitting[count] as number) <= sizeClass(rows); count++)
      sum += fitting[count] as number;
    if (count - merged < LEAST_ALIKE) return merged;
    [merged, rows] = [count, sum];
  }
}

/** The rows of each of the last row groups that can become one with others, and the stored bytes of a row. */
function thatFit(
  groups: Iterable<GroupSize>,
  waiting: WaitingRows,
): { readonly fitting: readonly number[]; readonly rowBytes: number } {
  const fitting: number[] = [];
  let [rows, bytes] = [0, 0];
  for (const { rowCount, byteLength } of groups) {
    if (rows + rowCount + waiting.rowCount > waiting.rowGroupSize || bytes + byteLength > MOST_BYTES) break;
    rows += rowCount;
    bytes += byteLength;
    fitting.push(rowCount);
  }
  return { fitting, rowBytes: bytes / Math.max(1, rows) };
}

function sizeClass(rowCount: number): number {
  return Math.floor(Math.log2(rowCount) / 2);
}

interface Growing {
  /** Of the file, whose last bytes are a footer. */
  readonly path: string;
  readonly schema: SchemaInput;
  readonly encoder: FileEncoder;
  readonly rowGroupSize: number;
}

/**
 * Reads small row groups at the end of a file back, before rows that wait: the next footer has them with these. The
 * bytes stay where they are, for who has the file open. What cannot be read, or is too large, stays a row group, and so
 * does what is before it.
 */
export function* mergeTail(rows: RowGroupWriter, { path, schema, encoder, rowGroupSize }: Growing): Work<void> {
  // An encoding that is asked for may fit the new rows alone.
  if (rows.waiting === 0 || encoder.forcesEncodings) return;
  const { footerBytes } = encoder;
  let count = groupsToMerge(encoder.lastRowGroups(), { rowCount: rows.waiting, rowGroupSize, footerBytes });
  for (; count >= LEAST_ALIKE; count >>= 1) {
    const firstRow = encoder.firstRowOf(count);
    const read = yield* readBack(rows, path, firstRow, schema);
    if (read?.rowCount !== encoder.rowCount - firstRow) continue;
    rows.putBefore(read, count);
    return;
  }
}

/** The rows of a file from one on; null: they cannot be read, or take too much memory. */
function* readBack(rows: RowGroupWriter, path: string, firstRow: number, schema: SchemaInput): Work<RowBuffer | null> {
  const mostBytes = MOST_MEMORY_BYTES - rows.waitingBytes;
  if (mostBytes <= 0) return null;
  providePageReading();
  provideTableReading();
  try {
    const table = new Table(
      new StoredTable(yield* openFile(path, { io: 'pread', limits: { maxDecodedBytes: mostBytes } })),
    );
    try {
      return yield* rows.buffered(inputColumns(table.slice(firstRow), schema), mostBytes);
    } finally {
      table.close();
    }
  } catch (error) {
    if (!isColkitError(error)) throw error;
    return null;
  }
}
