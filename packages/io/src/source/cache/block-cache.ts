// Blocks of remote objects in memory, those that were used last; and beside them, where a folder is named, in files.
import type { CacheOptions } from './cache-options.ts';
import { openDiskBlocks } from './disk-blocks.ts';
import type { DiskBlocks } from './disk-blocks.ts';

/** What is loaded and kept together. */
export const BLOCK_BYTES = 128 * 1024;

const MEMORY_BYTES = 64 * 1024 * 1024;
const FOLDER_BYTES = 16 * 1024 ** 3;

export class BlockCache {
  readonly disk: DiskBlocks | null;
  readonly #most: number;
  /** The block that was used last at the end. */
  readonly #blocks = new Map<string, Uint8Array>();
  #bytes = 0;
  /** Sources that use it. */
  users = 0;

  constructor(most: number, disk: DiskBlocks | null) {
    this.#most = most;
    this.disk = disk;
  }

  get(key: string): Uint8Array | null {
    const block = this.#blocks.get(key);
    if (block === undefined) return null;
    this.#blocks.delete(key);
    this.#blocks.set(key, block);
    return block;
  }

  /** Nobody changes the block from then on. */
  put(key: string, block: Uint8Array): void {
    if (block.byteLength > this.#most) return;
    this.#bytes += block.byteLength - (this.#blocks.get(key)?.byteLength ?? 0);
    this.#blocks.delete(key);
    this.#blocks.set(key, block);
    for (const [oldest, { byteLength }] of this.#blocks) {
      if (this.#bytes <= this.#most) return;
      this.#blocks.delete(oldest);
      this.#bytes -= byteLength;
    }
  }
}

/** Those of this thread that are in use, by their options. */
const caches = new Map<string, BlockCache>();

/** The cache of these options; `leave` when it is not used any more. @throws UnsupportedError: a folder in a browser. */
export function joinCache({ bytes = MEMORY_BYTES, folder, folderBytes = FOLDER_BYTES }: CacheOptions): {
  readonly cache: BlockCache;
  readonly leave: () => void;
} {
  const key = JSON.stringify([bytes, folder ?? null, folderBytes]);
  const cache =
    caches.get(key) ?? new BlockCache(bytes, folder === undefined ? null : openDiskBlocks(folder, folderBytes));
  caches.set(key, cache);
  cache.users += 1;
  const leave = (): void => {
    cache.users -= 1;
    if (cache.users === 0) caches.delete(key);
  };
  return { cache, leave };
}
