// From a path, URL, bytes, Blob or source to a table.
import { checkOptions } from '@colkit/io';
import type { OptionSet, Openable } from '@colkit/io';
import { contextOf, run, runSync } from '@colkit/io/effects';
import { EXPECT_OPTIONS, provideTableReading, tableOf } from '@colkit/table';
import type { ExpectOptions, ExpectedSchema, Table, TypesOf } from '@colkit/table';
import { OPEN_OPTIONS, openFile } from './open-file.ts';
import type { OpenOptions } from './open-file.ts';
import type { StoredFile } from './file/stored-file.ts';
import { providePageReading } from './provided-page-reading.ts';
import { StoredTable } from './stored-table.ts';

/** How a table is opened: `expect` gives it types. */
export interface TableOptions extends OpenOptions, ExpectOptions {}

const TABLE_OPTIONS: OptionSet<TableOptions> = { ...OPEN_OPTIONS, ...EXPECT_OPTIONS };

/**
 * Opens a .cna file as a lazy table; while a writer adds to it, with the rows of its last checkpoint. Cost: the
 * footer's core; what the footer knows of a column is read with the column. The table owns the source: closing it
 * closes a source that was passed in, too.
 * @throws CorruptFileError ERR_MAGIC, ERR_TRUNCATED, ERR_UNCOMMITTED_TAIL, ERR_METADATA, ERR_CRC; UnsupportedError
 * ERR_VERSION, ERR_DTYPE; LimitError; IoError; ArgumentError.
 */
export function open<const E extends ExpectedSchema>(
  source: Openable,
  options: TableOptions & { readonly expect: E },
): Promise<Table<TypesOf<E>>>;
export function open(source: Openable, options?: TableOptions): Promise<Table>;
export async function open(source: Openable, options?: TableOptions): Promise<Table> {
  checkOptions('open', TABLE_OPTIONS, options);
  return opened(await run(openFile(source, options ?? {}), contextOf(options ?? {})), options);
}

/** The Sync twin of `open`, for local files and bytes. @throws as `open`; UnsupportedError for a URL or Blob. */
export function openSync<const E extends ExpectedSchema>(
  source: Openable,
  options: TableOptions & { readonly expect: E },
): Table<TypesOf<E>>;
export function openSync(source: Openable, options?: TableOptions): Table;
export function openSync(source: Openable, options?: TableOptions): Table {
  providePageReading();
  provideTableReading();
  checkOptions('openSync', TABLE_OPTIONS, options);
  return opened(runSync(openFile(source, options ?? {}), contextOf(options ?? {})), options);
}

/** Closes the file where its columns are not those that are expected. */
function opened(file: StoredFile, options: ExpectOptions | undefined): Table {
  const table = tableOf(new StoredTable(file));
  try {
    return options?.expect === undefined ? table : table.expectSchema(options.expect);
  } catch (error) {
    table.close();
    throw error;
  }
}
