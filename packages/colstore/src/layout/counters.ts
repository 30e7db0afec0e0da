// The counters block of record files <-> Counters: how many records and rows are committed, and where the statistics
// are. The only part of a file that its writers ever change in place; its checksum covers the numbers, not the reserved
// bytes behind them.
import { crc32 } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import { dataViewOf, readCount } from './bytes.ts';
import { COUNTERS_64, COUNTERS_OFFSET } from './constants.ts';
import type { CountersForm } from './constants.ts';
import type { FileBytes } from './file-bytes.ts';

export interface Counters {
  readonly recordCount: number;
  readonly rowCount: number;
  /**
   * Absolute byte offset of the statistics footer, 0 for none. Not yet checked against the file: the footer is
   * advisory.
   */
  readonly statisticsOffset: number;
}

/** @throws CorruptFileError ERR_TRUNCATED, ERR_CRC, ERR_LAYOUT (a count that is negative or beyond 2^53). */
export function* readCounters(file: FileBytes, form: CountersForm): Work<Counters> {
  const block = yield* file.take(COUNTERS_OFFSET, form.blockBytes, 'counters');
  const cursor = file.cursor(block, 'counters', COUNTERS_OFFSET);
  cursor.seek(form.coveredBytes);
  const stored = cursor.u32();
  const computed = crc32(block.subarray(0, form.coveredBytes));
  if (stored !== computed)
    throw cursor.fail(`checksum ${String(computed)} of the counters`, String(stored), 'ERR_CRC', 0);
  cursor.seek(0);
  const recordCount = readCount(cursor, 'a number of records');
  const rowCount = readCount(cursor, 'a number of rows');
  return { recordCount, rowCount, statisticsOffset: form.hasStatistics ? Math.max(0, Number(cursor.bigI64())) : 0 };
}

/** The block as the newest Python releases write it, or as the ones before them did. */
export function formatCounters(counters: Counters, form: CountersForm = COUNTERS_64): Uint8Array {
  const block = new Uint8Array(form.blockBytes);
  const view = dataViewOf(block);
  view.setBigInt64(0, BigInt(counters.recordCount), true);
  view.setBigInt64(8, BigInt(counters.rowCount), true);
  if (form.hasStatistics) view.setBigInt64(16, BigInt(counters.statisticsOffset), true);
  view.setUint32(form.coveredBytes, crc32(block.subarray(0, form.coveredBytes)), true);
  return block;
}
