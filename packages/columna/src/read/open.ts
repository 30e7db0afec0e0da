// From a path, URL, bytes, Blob or source to an open file, and from there to a table.
import { SOURCE_OPTIONS, checkOptions, isSource, openSource, openSourceSync, option, pickOptions } from '@colkit/io';
import type { OpenSourceOptions, OptionSet, Openable, RandomAccessSource } from '@colkit/io';
import { tableOf } from '@colkit/table';
import type { Table } from '@colkit/table';
import { DEFAULT_READ_LIMITS, readFooter } from './read-footer.ts';
import type { ReadLimits } from './read-footer.ts';
import { runSteps, runStepsSync } from './steps.ts';
import type { StepContext } from './steps.ts';
import { StoredFile } from './stored-file.ts';
import type { StoredFileOptions } from './stored-file.ts';
import { StoredTable } from './stored-table.ts';

/** `backend` says who copies bytes and decodes pages: the addon what it can, TypeScript the rest, or TypeScript alone. */
export interface OpenOptions extends OpenSourceOptions {
  /** Whether each page is checked against its CRC-32 when it is read: true by default. The footer always is. */
  readonly verifyCrc?: boolean;
  /** Raises (or lowers) what is refused before memory is taken for it: columns, row groups, bytes of metadata, of a page, and of what one read decodes. */
  readonly limits?: Partial<ReadLimits>;
}

const LIMITS: OptionSet<Partial<ReadLimits>> = {
  maxMetadataBytes: option.count('bytes'), maxColumns: option.count('columns'), maxRecords: option.count('row groups'), maxPageBytes: option.count('bytes'), maxDecodedBytes: option.count('bytes'),
};

export const OPEN_OPTIONS: OptionSet<OpenOptions> = { ...SOURCE_OPTIONS, verifyCrc: option.flag, limits: option.inner(LIMITS) };

/**
 * Opens a .cna file as a lazy table. Cost: the footer's core; what the footer knows of a column is read with the column.
 * The table owns the source: closing it closes a source that was passed in, too.
 * @throws CorruptFileError ERR_MAGIC, ERR_TRUNCATED, ERR_UNCOMMITTED_TAIL, ERR_METADATA, ERR_CRC; UnsupportedError ERR_VERSION, ERR_DTYPE; LimitError; IoError; ArgumentError.
 */
export async function open(source: Openable, options: OpenOptions = {}): Promise<Table> {
  checkOptions('open', OPEN_OPTIONS, options);
  return tableOf(new StoredTable((await openFile(source, options)).file));
}

/** The Sync twin of `open`, for local files and bytes. @throws as `open`; UnsupportedError for a URL or Blob. */
export function openSync(source: Openable, options: OpenOptions = {}): Table {
  checkOptions('openSync', OPEN_OPTIONS, options);
  return tableOf(new StoredTable(openFileSync(source, options).file));
}

/** An open file and what opening it asked of the source. */
export interface OpenedFile {
  readonly file: StoredFile;
  readonly context: StepContext;
}

/** Closes what it opened where the footer is not as it should be. */
export async function openFile(what: Openable, options: OpenOptions): Promise<OpenedFile> {
  const settings = fileOptions(options);
  const source = await openSource(what, pickOptions(SOURCE_OPTIONS, options));
  const context = { source, signal: options.signal, bytesRead: 0 };
  try {
    const footer = await runSteps(readFooter(source.path, source.byteLength, settings.limits, aheadOf(source)), context);
    return { file: new StoredFile(source, footer, settings), context };
  } catch (error) {
    if (!isSource(what)) source.close();
    throw error;
  }
}

function openFileSync(what: Openable, options: OpenOptions): OpenedFile {
  const settings = fileOptions(options);
  const source = openSourceSync(what, pickOptions(SOURCE_OPTIONS, options));
  const context = { source, signal: options.signal, bytesRead: 0 };
  try {
    const footer = runStepsSync(readFooter(source.path, source.byteLength, settings.limits, aheadOf(source)), context);
    return { file: new StoredFile(source, footer, settings), context };
  } catch (error) {
    if (!isSource(what)) source.close();
    throw error;
  }
}

/** Runs `use` on an open file and closes what was opened for it; a source that was passed in stays open. */
export async function withFile<T>(what: Openable, options: OpenOptions, use: (opened: OpenedFile) => Promise<T>): Promise<T> {
  const opened = await openFile(what, options);
  try {
    return await use(opened);
  } finally {
    if (!isSource(what)) opened.file.source.close();
  }
}

export function withFileSync<T>(what: Openable, options: OpenOptions, use: (opened: OpenedFile) => T): T {
  const opened = openFileSync(what, options);
  try {
    return use(opened);
  } finally {
    if (!isSource(what)) opened.file.source.close();
  }
}

/** Where a request costs more than bytes, more of the file's end is asked for at once. */
function aheadOf({ isSync, gapBytes }: RandomAccessSource): number {
  return isSync ? 0 : gapBytes;
}

function fileOptions({ verifyCrc = true, limits = {} }: OpenOptions): StoredFileOptions {
  return { verifyCrc, limits: { ...DEFAULT_READ_LIMITS, ...pickOptions(LIMITS, limits) } };
}
