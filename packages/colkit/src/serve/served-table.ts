// What the other program opens: files of tables as one dataset, whatever their number; items of one value a key as a
// table that was made of them.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { ArgumentError, IoError } from '@colkit/io';
import { temporaryFolder } from '@colkit/io/durable';
import type { TemporaryFolder } from '@colkit/io/durable';
import { run } from '@colkit/io/effects';
import { hasWildcards, kindOfPath, localPath } from '@colkit/io/listing';
import { cstoreParts } from 'colstore';
import { openDataset } from 'columna';
import type { Dataset } from 'columna';
import { open as openSyrah } from 'syrah';
import { scalarKeys, writeItems, readableItemsOfFile } from '../convert/rows-and-items.ts';
import { identify } from '../formats/identify.ts';
import type { Request } from './request.ts';

/** Files of which all that describes them is looked at when they are opened. */
const MOST_PINNED = 256;
const ALL_BYTES = Number.MAX_SAFE_INTEGER;

export interface ServedTable {
  readonly table: Dataset;
  /** Whether it was made of items: its file is in no other process. */
  readonly isStaged: boolean;
  /** What tells this content from another; null where finding it out takes a look at many files. */
  readonly pin: string | null;
  close(): void;
}

type OpenRequest = Extract<Request, { readonly method: 'open' }>;

/** @throws as `openDataset`; IoError ERR_FILE_CHANGED where `pin` is of another content. */
export async function openServed({ source, version, partitions, onMismatch, pin }: OpenRequest): Promise<ServedTable> {
  const options = {
    formats: [cstoreParts],
    ...(version === undefined ? {} : { version }),
    ...(partitions === undefined ? {} : { partitions }),
    ...(onMismatch === undefined ? {} : { onMismatch }),
  };
  const single = await singleFile(source);
  if (single === null) return pinned(await openDataset(source, options), false, pin);
  // The folders above one file are not a part of it.
  if ((await identify(single)) !== 'syrah')
    return pinned(await openDataset([single], { partitions: false, ...options }), false, pin);
  const folder = temporaryFolder('colkit-');
  try {
    const staged = join(folder.path, 'items.cna');
    using file = await openSyrah(single);
    const keys = scalarKeys(file);
    if (keys.length === 0) throw new ArgumentError('ERR_SCHEMA', single, 'keys of one value an item', 'none');
    await writeItems(readableItemsOfFile(file, keys), staged, { mode: 'plain' }, () => undefined);
    return await pinned(await openDataset([staged], { partitions: false }), true, pin, folder);
  } catch (error) {
    folder[Symbol.dispose]();
    throw error;
  }
}

/** The path or URL of one file; null of folders, patterns, lists and manifests. */
async function singleFile(source: string | readonly string[]): Promise<string | null> {
  if (typeof source !== 'string' || /_manifests[/\\]\d{20}\.json$/u.test(source.replace(/[?#].*$/su, ''))) return null;
  const path = localPath(source);
  if (path === null) return source;
  const kind = await run(kindOfPath(path));
  return kind === 'file' || (kind === null && !hasWildcards(source)) ? source : null;
}

async function pinned(
  table: Dataset,
  isStaged: boolean,
  expected: string | undefined,
  folder?: TemporaryFolder,
): Promise<ServedTable> {
  const close = (): void => {
    table.close();
    folder?.[Symbol.dispose]();
  };
  try {
    const isSmall = expected !== undefined || table.files.length <= MOST_PINNED;
    const pin = isSmall ? await pinOf(table, isStaged) : null;
    if (expected !== undefined && pin !== expected)
      throw new IoError('ERR_FILE_CHANGED', 'open', table.name, 'the files are others than when the table was opened');
    return { table, isStaged, pin, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** A text that other content does not have: of the versions of all files and their order. */
export async function pinOf(table: Dataset, isStaged: boolean): Promise<string> {
  const splits = await table.splits({ columns: [], targetBytes: ALL_BYTES });
  const described = splits.map(({ path, version, rows }) => [isStaged ? '' : path, version, rows]);
  const fields = table.schema.map(({ name, dtype, nullable }) => [name, dtype, nullable]);
  return createHash('sha256')
    .update(JSON.stringify([described, fields]))
    .digest('hex');
}
