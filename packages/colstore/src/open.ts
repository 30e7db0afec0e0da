// open: from a path, URL, bytes, Blob or source to a ColStore; from a list, a folder or a pattern to one of many files.
import type { ExpectedSchema, TypesOf } from '@colkit/table';
import { colStoreOf } from './col-store.ts';
import type { ColStore } from './col-store.ts';
import type { ManyOpenable } from './many/given-files.ts';
import { openTable, openTableSync } from './open-table.ts';
import type { OpenOptions } from './open-options.ts';

/**
 * Opens a .cstore file of any layout; several as one table, their rows one after another: a list, a folder (its .cstore
 * files) or a pattern of names (`*`, `?`, `[a-z]`, `**` for folders), both in numeric order (`run_2` before `run_10`),
 * patterns and folders in lists too. A URL, or a file that is there, is no pattern. An empty folder or list is an empty
 * table. Columns are found by name and may have another order; see `onMismatch`. Of several files the headers are read,
 * each is opened when its rows are needed, and few are open at a time; what was committed at first is what is read.
 * Cost: the header, and of a record file the record headers; the data are mapped or
 * read when they are asked for. The result owns the source: closing it closes a source that was passed in, too.
 * @throws CorruptFileError for a damaged or foreign file; UnsupportedError naming column and dtype, or the version, and
 * for a folder that is committed to (columna's `openDataset` reads it); LimitError; IoError ERR_NOT_FOUND (also for a
 * pattern that no file matches), ERR_READ; ArgumentError, ERR_SCHEMA for files with different columns.
 */
export function open<const E extends ExpectedSchema>(
  source: ManyOpenable,
  options: OpenOptions & { readonly expect: E },
): Promise<ColStore<TypesOf<E>>>;
export function open(source: ManyOpenable, options?: OpenOptions): Promise<ColStore>;
export async function open(source: ManyOpenable, options?: OpenOptions): Promise<ColStore> {
  return colStoreOf(await openTable(source, options), options?.expect);
}

/** The Sync twin of `open`, for local files and bytes. @throws as `open`; UnsupportedError for a URL or Blob. */
export function openSync<const E extends ExpectedSchema>(
  source: ManyOpenable,
  options: OpenOptions & { readonly expect: E },
): ColStore<TypesOf<E>>;
export function openSync(source: ManyOpenable, options?: OpenOptions): ColStore;
export function openSync(source: ManyOpenable, options?: OpenOptions): ColStore {
  return colStoreOf(openTableSync(source, options), options?.expect);
}
