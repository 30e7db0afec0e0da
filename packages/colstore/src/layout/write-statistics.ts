// The statistics footer as bytes, as Python's writer writes it; and what a sound footer says, as bytes again, for a
// writer that goes on with the file.
import { crc32 } from '@colkit/io';
import { dataViewOf } from './bytes.ts';
import type { StoredColumn } from './manifest.ts';
import { formatDirectory, soundDirectory, statisticsByteLength } from './statistics-footer.ts';

/** Of one column, record by record: items as they are stored, zeros where the flag is 0. */
export interface ColumnFlags {
  readonly minimums: Uint8Array;
  readonly maximums: Uint8Array;
  /** 1: the two may be used to pass over the record. */
  readonly flags: Uint8Array;
}

/** Null where the directory cannot be said: a name that UTF-8 or 16 bits cannot hold. */
export function formatStatistics(
  columns: readonly StoredColumn[],
  recordCount: number,
  of: readonly ColumnFlags[],
): Uint8Array | null {
  const directory = formatDirectory(columns, recordCount);
  const byteLength = statisticsByteLength(columns, recordCount);
  if (directory === null || byteLength === null) return null;
  const footer = new Uint8Array(byteLength);
  footer.set(directory);
  let at = directory.length;
  for (const { minimums, maximums, flags } of of)
    for (const part of [minimums, maximums, flags]) {
      footer.set(part, at);
      at += part.length;
    }
  dataViewOf(footer).setUint32(at, crc32(footer.subarray(0, at)), true);
  return footer;
}

/** What a footer says; null where it is not sound. No copy. */
export function flagsOf(
  footer: Uint8Array,
  columns: readonly StoredColumn[],
  recordCount: number,
): readonly ColumnFlags[] | null {
  const directory = soundDirectory(footer, columns, recordCount);
  if (directory === null) return null;
  let at = directory.length;
  const take = (byteLength: number): Uint8Array => footer.subarray(at, (at += byteLength));
  return columns.map(({ dtype }) => ({
    minimums: take(recordCount * dtype.itemBytes),
    maximums: take(recordCount * dtype.itemBytes),
    flags: take(recordCount),
  }));
}
