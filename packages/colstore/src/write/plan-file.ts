// Schema and row count -> all bytes of a new file except its columns: what stands before the first column, and the
// zeros behind the last. Writing is then: the header, every column whole in the order of the schema, the padding. Both
// layouts come out byte for byte as the Python releases write them.
import { ArgumentError, assertNever, parseDType } from '@colkit/io';
import { runSync } from '@colkit/io/effects';
import type { Field } from '@colkit/table';
import { COUNTERS_32, COUNTERS_64, MAGIC } from '../layout/constants.ts';
import type { CountersForm } from '../layout/constants.ts';
import { formatCounters } from '../layout/counters.ts';
import type { Counters } from '../layout/counters.ts';
import { formatDescr, isStoredDType, unsupportedDType } from '../layout/descr.ts';
import { formatFlatHeader, headerOf } from '../layout/flat.ts';
import { formatManifest } from '../layout/manifest.ts';
import type { StoredColumn } from '../layout/manifest.ts';
import { readLayout } from '../layout/read-layout.ts';
import type { FileLayout } from '../layout/read-layout.ts';
import { formatRecordHeader, recordPadding } from '../layout/records.ts';
import { statisticsByteLength } from '../layout/statistics-footer.ts';

/**
 * 'flat': what Python's colstore 0.1.0 writes and reads. 'records': what 0.4.0 to 0.5.1, today's releases, write and
 * read.
 */
export type FileForm = 'flat' | 'records';

/** A file that is rewritten keeps the counters that its readers know. */
export type PlannedForm = FileForm | 'records-32';

export interface FilePlan {
  readonly header: Uint8Array;
  readonly padding: Uint8Array;
  /** Bytes of one item, per column. */
  readonly itemBytes: readonly number[];
  /** Of the whole file, its statistics included. */
  readonly byteLength: number;
  /** Where the statistics of its one record are to stand; 0: it has none. */
  readonly statisticsOffset: number;
}

/**
 * @param withStatistics behind the record, where names can be said in a footer; files of records alone have one.
 * @throws ArgumentError ERR_SCHEMA for no columns, repeated names or nullable ones; UnsupportedError ERR_DTYPE;
 * LimitError for names that no reader would take.
 */
export function planFile(
  fields: readonly Field[],
  rowCount: number,
  form: PlannedForm,
  withStatistics = false,
): FilePlan {
  const columns = storedColumns(fields);
  const itemBytes = columns.map(({ dtype }) => dtype.itemBytes);
  const bodyBytes = rowCount * itemBytes.reduce((sum, bytes) => sum + bytes, 0);
  if (!Number.isSafeInteger(bodyBytes))
    throw new ArgumentError('ERR_ARGUMENT', 'columns', 'fewer than 2^53 bytes of data', `${String(rowCount)} rows`);
  const header = formatHeader(columns, rowCount, form, 0);
  const padding = new Uint8Array(form === 'flat' ? 0 : recordPadding(bodyBytes));
  const endOffset = header.length + bodyBytes + padding.length;
  const footerBytes = withStatistics ? statisticsByteLength(columns, 1) : null;
  if (footerBytes === null) return { header, padding, itemBytes, byteLength: endOffset, statisticsOffset: 0 };
  return {
    header: formatHeader(columns, rowCount, form, endOffset),
    padding,
    itemBytes,
    byteLength: endOffset + footerBytes,
    statisticsOffset: endOffset,
  };
}

/** How the columns are stored. @throws as `planFile`. */
export function storedColumns(fields: readonly Field[]): StoredColumn[] {
  checkFields(fields);
  return fields.map(({ name, dtype: given }) => {
    const dtype = parseDType(given);
    const descr = formatDescr(dtype, name);
    if (!isStoredDType(dtype)) throw unsupportedDType(name, given, 'it has no fixed width');
    return { name, descr, dtype, bigEndian: false };
  });
}

/** The layout that a reader will find, read back from the header before anything is written. */
export function layoutOfPlan({ header, byteLength }: FilePlan, path: string): FileLayout {
  const readSync = (byteOffset: number, out: Uint8Array): void => {
    out.set(header.subarray(byteOffset, byteOffset + out.length));
  };
  const read = (byteOffset: number, out: Uint8Array): Promise<void> => {
    readSync(byteOffset, out);
    return Promise.resolve();
  };
  return runSync(readLayout({ path, byteLength, read, readSync }));
}

function formatHeader(
  columns: readonly { readonly name: string; readonly descr: string }[],
  rowCount: number,
  form: PlannedForm,
  statisticsOffset: number,
): Uint8Array {
  switch (form) {
    case 'flat':
      return formatFlatHeader(columns, rowCount);
    case 'records':
    case 'records-32': {
      const counters = { recordCount: 1, rowCount, statisticsOffset };
      const before = formatRecordsHeader(columns, counters, form === 'records' ? COUNTERS_64 : COUNTERS_32);
      return join(before, formatRecordHeader(0, rowCount));
    }
    default:
      return assertNever(form);
  }
}

/** Everything before the first record. */
export function formatRecordsHeader(
  columns: readonly { readonly name: string; readonly descr: string }[],
  counters: Counters,
  form: CountersForm = COUNTERS_64,
): Uint8Array {
  return headerOf(join(MAGIC, formatCounters(counters, form)), formatManifest(columns));
}

function checkFields(fields: readonly Field[]): void {
  if (fields.length === 0) throw new ArgumentError('ERR_SCHEMA', 'columns', 'at least one column', 'an empty table');
  const seen = new Set<string>();
  for (const { name, nullable } of fields) {
    if (seen.has(name))
      throw new ArgumentError('ERR_SCHEMA', 'columns', 'every name once', `${JSON.stringify(name)} twice`);
    seen.add(name);
    if (nullable)
      throw new ArgumentError(
        'ERR_SCHEMA',
        `column ${JSON.stringify(name)}`,
        'values without nulls: the format has none',
        'a nullable column',
      );
  }
}

function join(before: Uint8Array, after: Uint8Array): Uint8Array {
  const whole = new Uint8Array(before.length + after.length);
  whole.set(before);
  whole.set(after, before.length);
  return whole;
}
