// What can be said of a cache at opening.
import { option } from '../../options/option-kinds.ts';
import type { OptionSet } from '../../options/option-kinds.ts';

/**
 * Sources that are opened with equal options share one cache in each thread; a folder is shared by all threads and
 * processes that name it.
 */
export interface CacheOptions {
  /** The most bytes that are kept in memory, in each thread. Default 64 MiB. */
  readonly bytes?: number;
  /**
   * Keeps what was read in files, too, of which other threads, processes and later runs read; only of servers that send
   * a strong ETag. In Node. It holds what the server sent as it is: whoever may read the folder may read that.
   */
  readonly folder?: string;
  /** The most bytes of the folder, which may be exceeded for a while. Default 16 GiB. */
  readonly folderBytes?: number;
}

export const CACHE_OPTIONS: OptionSet<CacheOptions> = {
  bytes: option.count('bytes'),
  folder: option.text,
  folderBytes: option.count('bytes'),
};
