// From a path, URL, bytes, Blob or source to an open file.
import { SOURCE_OPTIONS, option, pickOptions } from '@colkit/io';
import type { OpenSourceOptions, OptionSet, Openable, RandomAccessSource } from '@colkit/io';
import { begin, openedSource, wait, withSource } from '@colkit/io/effects';
import type { Begun, Operation, Work } from '@colkit/io/effects';
import { TABLE_READING } from '@colkit/table';
import { committedFooter, isUncommitted } from './file/committed-footer.ts';
import { DEFAULT_READ_LIMITS } from './file/read-footer.ts';
import type { ReadLimits } from './file/read-footer.ts';
import { StoredFile } from './file/stored-file.ts';
import type { StoredFileOptions } from './file/stored-file.ts';
import { PAGE_READING } from './page-reading.ts';

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

/** Closes what it opened where the footer is not as it should be. */
export function openFile(what: Openable, options: OpenOptions): Work<StoredFile> {
  return twice(what, () =>
    withSource(what, openedSource(what, pickOptions(SOURCE_OPTIONS, options)), 'keep', (source) =>
      readFile(source, options, [...PAGE_READING, ...TABLE_READING]),
    ),
  );
}

/** A writer may have ended between two looks at its file: the second time it is whole. */
function* twice<T>(what: Openable, open: () => Work<T>): Work<T> {
  try {
    return yield* open();
  } catch (error) {
    if (!isUncommitted(error) || !(typeof what === 'string' || what instanceof URL)) throw error;
    return yield* open();
  }
}

/**
 * Runs `use` on an open file and closes what was opened for it; a source that was passed in stays open.
 * @param parts what `use` needs that may have to be loaded, but for what reads pages.
 */
export function withFile<T>(
  what: Openable,
  options: OpenOptions,
  use: (file: StoredFile) => Work<T>,
  parts: readonly Operation<unknown>[] = [],
): Work<T> {
  return twice(what, () =>
    withSource(what, openedSource(what, pickOptions(SOURCE_OPTIONS, options)), 'close', (source) =>
      useFile(source, options, use, [...PAGE_READING, ...parts]),
    ),
  );
}

function* useFile<T>(
  source: RandomAccessSource,
  options: OpenOptions,
  use: (file: StoredFile) => Work<T>,
  parts: readonly Operation<unknown>[],
): Work<T> {
  return yield* use(yield* readFile(source, options, parts));
}

/** @param parts are loaded while the footer is read. */
function* readFile(
  source: RandomAccessSource,
  { verifyCrc = true, limits = {} }: OpenOptions,
  parts: readonly Operation<unknown>[],
): Work<StoredFile> {
  const settings: StoredFileOptions = { verifyCrc, limits: { ...DEFAULT_READ_LIMITS, ...pickOptions(LIMITS, limits) } };
  const loading: Begun<unknown>[] = [];
  for (const part of parts) loading.push(yield* begin(part));
  const footer = yield* committedFooter(source, settings.limits);
  for (const part of loading) yield* wait(part);
  return new StoredFile(source, footer, settings);
}
