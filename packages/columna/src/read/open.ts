// From a path, URL, bytes, Blob or source to an open file, and from there to a table.
import { SOURCE_OPTIONS, checkOptions, option, pickOptions } from '@colkit/io';
import type { OpenSourceOptions, OptionSet, Openable, RandomAccessSource } from '@colkit/io';
import { contextOf, openedSource, run, runSync, withSource } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { EXPECT_OPTIONS, tableOf } from '@colkit/table';
import type { ExpectOptions, ExpectedSchema, Table, TypesOf } from '@colkit/table';
import { DEFAULT_READ_LIMITS, readFooter } from './file/read-footer.ts';
import type { ReadLimits } from './file/read-footer.ts';
import { StoredFile } from './file/stored-file.ts';
import type { StoredFileOptions } from './file/stored-file.ts';
import { StoredTable } from './stored-table.ts';

/**
 * `backend` says who copies bytes and decodes pages: the addon what it can, TypeScript the rest, or TypeScript alone.
 */
export interface OpenOptions extends OpenSourceOptions {
  /** Whether each page is checked against its CRC-32 when it is read: true by default. The footer always is. */
  readonly verifyCrc?: boolean;
  /**
   * Raises (or lowers) what is refused before memory is taken for it: columns, row groups, bytes of metadata, of a
   * page, and of what one read decodes.
   */
  readonly limits?: Partial<ReadLimits>;
}

const LIMITS: OptionSet<Partial<ReadLimits>> = {
  maxMetadataBytes: option.count('bytes'),
  maxColumns: option.count('columns'),
  maxRecords: option.count('row groups'),
  maxPageBytes: option.count('bytes'),
  maxDecodedBytes: option.count('bytes'),
};

export const OPEN_OPTIONS: OptionSet<OpenOptions> = {
  ...SOURCE_OPTIONS,
  verifyCrc: option.flag,
  limits: option.inner(LIMITS),
};

/** How a table is opened: `expect` gives it types. */
export interface TableOptions extends OpenOptions, ExpectOptions {}

const TABLE_OPTIONS: OptionSet<TableOptions> = { ...OPEN_OPTIONS, ...EXPECT_OPTIONS };

/**
 * Opens a .cna file as a lazy table. Cost: the footer's core; what the footer knows of a column is read with the
 * column. The table owns the source: closing it closes a source that was passed in, too.
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
  checkOptions('openSync', TABLE_OPTIONS, options);
  return opened(runSync(openFile(source, options ?? {}), contextOf(options ?? {})), options);
}

/** Closes the file where its columns are not those that are expected. */
function opened(file: StoredFile, options: ExpectOptions | undefined): Table {
  const table = tableOf(new StoredTable(file));
  try {
    return expected(table, options);
  } catch (error) {
    table.close();
    throw error;
  }
}

/** The table with the columns that are expected of it, or as it is. @throws ArgumentError ERR_SCHEMA. */
export function expected(table: Table, options: ExpectOptions | undefined): Table {
  return options?.expect === undefined ? table : table.expectSchema(options.expect);
}

/** Closes what it opened where the footer is not as it should be. */
export function openFile(what: Openable, options: OpenOptions): Work<StoredFile> {
  return withSource(what, openedSource(what, pickOptions(SOURCE_OPTIONS, options)), 'keep', (source) =>
    readFile(source, options),
  );
}

/** Runs `use` on an open file and closes what was opened for it; a source that was passed in stays open. */
export function withFile<T>(what: Openable, options: OpenOptions, use: (file: StoredFile) => Work<T>): Work<T> {
  return withSource(what, openedSource(what, pickOptions(SOURCE_OPTIONS, options)), 'close', (source) =>
    useFile(source, options, use),
  );
}

function* useFile<T>(source: RandomAccessSource, options: OpenOptions, use: (file: StoredFile) => Work<T>): Work<T> {
  return yield* use(yield* readFile(source, options));
}

function* readFile(source: RandomAccessSource, { verifyCrc = true, limits = {} }: OpenOptions): Work<StoredFile> {
  const settings: StoredFileOptions = { verifyCrc, limits: { ...DEFAULT_READ_LIMITS, ...pickOptions(LIMITS, limits) } };
  return new StoredFile(source, yield* readFooter(source, settings.limits, aheadOf(source)), settings);
}

/** Where a request costs more than bytes, more of the file's end is asked for at once. */
function aheadOf({ isSync, gapBytes }: RandomAccessSource): number {
  return isSync ? 0 : gapBytes;
}
