// writeCsv: a CSV file, compressed or not, or a stream -> one new .cna file, in bounded memory: types are found out from all values, then row groups are parsed as they are written.
import type { Openable } from '@colkit/io';
import { readCsv } from '@colkit/table/csv';
import type { CsvOptions, RejectedRow } from '@colkit/table/csv';
import type { WriteOptions } from './write.ts';
import { write } from './write.ts';
import type { WriteReport } from './write-report.ts';

/** How the CSV is read, and how the file is written. */
export interface WriteCsvOptions extends Omit<CsvOptions, 'text' | 'signal'>, Omit<WriteOptions, 'schema'> {}

export interface WriteCsvReport extends WriteReport {
  /** Rows that were left out (`onError: 'skip'`), the first thousand of them, with line and reason. */
  readonly rejected: readonly RejectedRow[];
  readonly rejectedCount: number;
}

/**
 * Converts CSV (RFC 4180 and what is usual beside it; gzip, and zstd where the runtime has it) to a .cna file: the old file or the new one at every moment, as with `write`. Empty cells are null.
 * Memory: one row group, and `memoryBytes` of parsed values.
 * @throws what `readCsv` throws (ArgumentError naming the line of a row that cannot be taken, unless `onError: 'skip'`) and what `write` throws.
 */
export async function writeCsv(csv: Openable | AsyncIterable<Uint8Array>, path: string | URL, options: WriteCsvOptions = {}): Promise<WriteCsvReport> {
  const input = await readCsv(csv, options);
  try {
    const report = await write(path, input, options);
    return { ...report, rejected: input.rejected, rejectedCount: input.rejectedCount };
  } finally {
    await input.close();
  }
}
