// Many files as a user names them -> SyrahShards.
import { checkOptions } from '@colkit/io';
import { contextOf, run, runSync } from '@colkit/io/effects';
import { provideGathering } from '../items/gather/provided-gathering.ts';
import { provideLayoutReading } from '../layout/provided-reading.ts';
import type { ExpectedItems } from '../open.ts';
import type { ShardsInput } from './named-files.ts';
import { openedShards } from './opened-shards.ts';
import type { SyrahShards } from './shards.ts';
import type { SyrahShardsHandle } from './shards-handle.ts';
import { SHARDS_OPTIONS } from './shards-options.ts';
import type { ShardsOptions } from './shards-options.ts';

/**
 * Opens many .syr files as one: a list of paths, URLs, bytes, Blobs and patterns, a folder, a pattern, the path or URL
 * of a list in JSON, or the first part of a set. Files of which the list tells the number of items are opened when they
 * are needed; of others it is read now.
 * @throws ArgumentError ERR_SCHEMA where keys or dtypes differ, naming file and key; IoError ERR_NOT_FOUND; as `open`.
 */
export async function openShards<const O extends ShardsOptions = object>(
  what: ShardsInput | SyrahShardsHandle,
  options: O | ShardsOptions = {},
): Promise<SyrahShards<ExpectedItems<O>>> {
  checkOptions('openShards', SHARDS_OPTIONS, options);
  return run(openedShards<ExpectedItems<O>>(what, options), contextOf(options));
}

/** The same on the calling thread, for local files and bytes. */
export function openShardsSync<const O extends ShardsOptions = object>(
  what: ShardsInput | SyrahShardsHandle,
  options: O | ShardsOptions = {},
): SyrahShards<ExpectedItems<O>> {
  checkOptions('openShardsSync', SHARDS_OPTIONS, options);
  provideLayoutReading();
  provideGathering();
  return runSync(openedShards<ExpectedItems<O>>(what, options), contextOf(options));
}
