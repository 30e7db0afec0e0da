// The optional statistics footer of record files -> the smallest and largest value of every column in every record. It
// is advisory: a flaw of any kind means that there are no statistics, never an error. Its directory must repeat the
// file's columns, so all but the numbers is known beforehand and compared as bytes.
import { crc32, itemReader } from '@colkit/io';
import { bytesEqual, dataViewOf } from './bytes.ts';
import { STATISTICS_MAGIC, STATISTICS_VERSION } from './constants.ts';
import type { StoredColumn } from './manifest.ts';

/** Ticks for datetime64 and timedelta64, bigint for 64-bit integers. */
export type StatisticsValue = number | bigint | boolean;

/**
 * Of one column in one record; null where the writer found nothing to compare (no rows, a NaN, an infinity, a NaT,
 * text).
 */
export type RecordStatistics = { readonly min: StatisticsValue; readonly max: StatisticsValue } | null;

/** One array per column, one entry per record. */
export type Statistics = readonly (readonly RecordStatistics[])[];

const CHECKSUM_BYTES = 4;

/**
 * How long the footer of these columns is, directory included; null where the directory cannot be said (a name or dtype
 * that UTF-8 or 16 bits cannot hold).
 */
export function statisticsByteLength(columns: readonly StoredColumn[], recordCount: number): number | null {
  const directory = formatDirectory(columns, recordCount);
  return directory === null ? null : lengthWith(directory, columns, recordCount);
}

function lengthWith(directory: Uint8Array, columns: readonly StoredColumn[], recordCount: number): number {
  return columns.reduce(
    (sum, { dtype }) => sum + recordCount * (2 * dtype.itemBytes + 1),
    directory.length + CHECKSUM_BYTES,
  );
}

/** The statistics that `footer` (everything from its offset to the end of the file) holds, or null. */
export function parseStatistics(
  footer: Uint8Array,
  columns: readonly StoredColumn[],
  recordCount: number,
): Statistics | null {
  const directory = soundDirectory(footer, columns, recordCount);
  if (directory === null) return null;
  const view = dataViewOf(footer);
  let byteOffset = directory.length;
  return columns.map(({ dtype }) => {
    const minimums = byteOffset;
    const maximums = minimums + recordCount * dtype.itemBytes;
    const flags = maximums + recordCount * dtype.itemBytes;
    byteOffset = flags + recordCount;
    // Text has none.
    const read = itemReader(dtype);
    return Array.from({ length: recordCount }, (_, record): RecordStatistics => {
      if (read === null || footer[flags + record] !== 1) return null;
      const min = read(view, minimums + record * dtype.itemBytes);
      return { min, max: read(view, maximums + record * dtype.itemBytes) };
    });
  });
}

/** The directory of a footer that is whole and of these columns; null: it is not to be used. */
export function soundDirectory(
  footer: Uint8Array,
  columns: readonly StoredColumn[],
  recordCount: number,
): Uint8Array | null {
  const directory = formatDirectory(columns, recordCount);
  if (
    directory === null ||
    footer.length !== lengthWith(directory, columns, recordCount) ||
    !bytesEqual(footer, directory)
  )
    return null;
  const covered = footer.length - CHECKSUM_BYTES;
  return dataViewOf(footer).getUint32(covered, true) === crc32(footer.subarray(0, covered)) ? directory : null;
}

/** Magic, version, counts, and per column its name and dtype, each with its length before it. */
export function formatDirectory(columns: readonly StoredColumn[], recordCount: number): Uint8Array | null {
  const parts: Uint8Array[] = [
    STATISTICS_MAGIC,
    uint32(STATISTICS_VERSION),
    uint32(columns.length),
    uint32(recordCount),
  ];
  for (const { name, descr } of columns) {
    if (/\p{Surrogate}/u.test(name)) return null;
    for (const text of [name, descr]) {
      const bytes = new TextEncoder().encode(text);
      if (bytes.length > 0xffff) return null;
      parts.push(Uint8Array.of(bytes.length & 0xff, bytes.length >> 8), bytes);
    }
  }
  const directory = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    directory.set(part, at);
    at += part.length;
  }
  return directory;
}

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  dataViewOf(bytes).setUint32(0, value, true);
  return bytes;
}
