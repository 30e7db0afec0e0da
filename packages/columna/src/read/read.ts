// read: columns of a file as arrays, in one call.
import { checkOptions, option, pickOptions } from '@colkit/io';
import type { Openable, OptionSet } from '@colkit/io';
import { contextOf, run, runSync } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { COLUMNS_OPTIONS, COLUMN_READING, EXPECT_OPTIONS, columnsOfSource, provideColumnReading } from '@colkit/table';
import type { ColumnsOptions, ColumnsResult, ExpectOptions, ExpectedTypes } from '@colkit/table';
import type { StoredFile } from './file/stored-file.ts';
import { OPEN_OPTIONS, withFile } from './open-file.ts';
import type { OpenOptions } from './open-file.ts';
import { providePageReading } from './provided-page-reading.ts';
import { StoredColumns } from './stored-columns.ts';

export interface ReadOptions extends OpenOptions, ExpectOptions, Omit<ColumnsOptions, 'signal'> {
  /** Which columns, in which order; default: all. Only their chunks are read. */
  readonly columns?: readonly string[];
}

const READ_OPTIONS: OptionSet<ReadOptions> = {
  ...COLUMNS_OPTIONS,
  ...OPEN_OPTIONS,
  ...EXPECT_OPTIONS,
  columns: option.names,
};

/**
 * Reads columns of a .cna file: a null-prototype object of arrays by name, copied. bigint arrays for 64-bit integers,
 * dates and datetimes (days, microseconds), arrays with null for columns that may hold nulls; see `ColumnsOptions` for
 * the other forms. Nothing stays open.
 * @throws as `open`; UnknownColumnError.
 */
export async function read<const O extends ReadOptions = object>(
  source: Openable,
  options?: O,
): Promise<ColumnsResult<ExpectedTypes<O>, O>> {
  checkOptions<ReadOptions>('read', READ_OPTIONS, options);
  const given: ReadOptions = options ?? {};
  return run(reading(source, given), contextOf(given)) as Promise<ColumnsResult<ExpectedTypes<O>, O>>;
}

/** The Sync twin of `read`, for local files and bytes. */
export function readSync<const O extends ReadOptions = object>(
  source: Openable,
  options?: O,
): ColumnsResult<ExpectedTypes<O>, O> {
  providePageReading();
  provideColumnReading();
  checkOptions<ReadOptions>('readSync', READ_OPTIONS, options);
  const given: ReadOptions = options ?? {};
  return runSync(reading(source, given), contextOf(given)) as ColumnsResult<ExpectedTypes<O>, O>;
}

function reading(source: Openable, options: ReadOptions): Work<unknown> {
  const columnsOf = (file: StoredFile) =>
    columnsOfSource(new StoredColumns(file), options, 'read', columnsOptions(options));
  return withFile(source, options, columnsOf, COLUMN_READING);
}

/** What of the options the table layer decides on. */
export function columnsOptions(options: ReadOptions): ColumnsOptions {
  return pickOptions(COLUMNS_OPTIONS, options);
}
