// open: from a path, URL, bytes, Blob or source to a ColStore.
import type { Openable } from '@colkit/io';
import type { ExpectedSchema, TypesOf } from '@colkit/table';
import { colStoreOf } from './col-store.ts';
import type { ColStore } from './col-store.ts';
import { openTable, openTableSync } from './open-table.ts';
import type { OpenOptions } from './open-table.ts';

/**
 * Opens a .cstore file of any layout. Cost: the header, and of a record file the record headers; the data are mapped or
 * read when they are asked for. The result owns the source: closing it closes a source that was passed in, too.
 * @throws CorruptFileError for a damaged or foreign file; UnsupportedError naming column and dtype, or the version;
 * LimitError; IoError ERR_NOT_FOUND, ERR_READ; ArgumentError.
 */
export function open<const E extends ExpectedSchema>(
  source: Openable,
  options: OpenOptions & { readonly expect: E },
): Promise<ColStore<TypesOf<E>>>;
export function open(source: Openable, options?: OpenOptions): Promise<ColStore>;
export async function open(source: Openable, options?: OpenOptions): Promise<ColStore> {
  return colStoreOf(await openTable(source, options), options?.expect);
}

/** The Sync twin of `open`, for local files and bytes. @throws as `open`; UnsupportedError for a URL or Blob. */
export function openSync<const E extends ExpectedSchema>(
  source: Openable,
  options: OpenOptions & { readonly expect: E },
): ColStore<TypesOf<E>>;
export function openSync(source: Openable, options?: OpenOptions): ColStore;
export function openSync(source: Openable, options?: OpenOptions): ColStore {
  return colStoreOf(openTableSync(source, options), options?.expect);
}
