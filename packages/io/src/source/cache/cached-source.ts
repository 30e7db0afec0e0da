// A remote source of which blocks are kept: what is read again is not asked for again. The version that was opened is
// part of a block's key, so that another one never mixes with it.
import type { HttpSource } from '../http/http-source.ts';
import { unlessAborted } from '../http/http-waits.ts';
import type { RandomAccessSource, Reopening } from '../source.ts';
import { checkRead } from '../source-checks.ts';
import { BLOCK_BYTES, joinCache } from './block-cache.ts';
import type { BlockCache } from './block-cache.ts';
import type { CacheOptions } from './cache-options.ts';
import { identityOf, isStrong } from './identity.ts';

/** Of sources whose server tells no version: each its own. */
let unnamed = 0;

export class CachedSource implements RandomAccessSource {
  readonly isSync = false;
  readonly canView = false;
  readonly coalesces = true;
  readonly path: string;
  readonly byteLength: number;
  readonly version: string | null;
  readonly concurrency: number;
  readonly gapBytes: number;
  readonly #source: HttpSource;
  readonly #options: CacheOptions;
  readonly #cache: BlockCache;
  readonly #leave: () => void;
  readonly #identity: string;
  /** Whether files may have blocks of it. */
  readonly #isLasting: boolean;
  /** Blocks that are being loaded: who needs one meanwhile waits for it. */
  readonly #loading = new Map<number, Promise<Uint8Array>>();

  /** @throws UnsupportedError for a folder in a browser. */
  constructor(source: HttpSource, url: URL, options: CacheOptions) {
    this.path = source.path;
    this.byteLength = source.byteLength;
    this.version = source.version;
    this.concurrency = source.concurrency;
    this.gapBytes = source.gapBytes;
    this.#source = source;
    this.#options = options;
    const identity = identityOf(url, source.version, source.byteLength);
    this.#identity = identity ?? `unnamed ${String((unnamed += 1))}`;
    this.#isLasting = identity !== null && isStrong(source.version);
    const { cache, leave } = joinCache(options);
    this.#cache = cache;
    this.#leave = leave;
  }

  get closed(): boolean {
    return this.#source.closed;
  }

  /** As of HttpSource, where a block is not there. */
  async read(byteOffset: number, out: Uint8Array, signal?: AbortSignal): Promise<void> {
    checkRead(this, 'read', byteOffset, out.byteLength);
    signal?.throwIfAborted();
    if (out.byteLength === 0 || this.#source.holds(byteOffset)) return this.#source.read(byteOffset, out, signal);
    const end = byteOffset + out.byteLength;
    const waits: Promise<void>[] = [];
    for (let number = Math.floor(byteOffset / BLOCK_BYTES); number * BLOCK_BYTES < end; number += 1) {
      const start = number * BLOCK_BYTES;
      const fill = (block: Uint8Array): void => {
        // Whoever gave up may have put something else into its memory.
        if (signal?.aborted === true) return;
        const part = block.subarray(Math.max(0, byteOffset - start), Math.min(block.byteLength, end - start));
        out.set(part, Math.max(0, start - byteOffset));
      };
      const known = this.#cache.get(this.#keyOf(number));
      if (known === null) waits.push(this.#load(number).then(fill));
      else fill(known);
    }
    if (waits.length > 0) await unlessAborted(Promise.all(waits), signal === undefined ? [] : [signal]);
  }

  /** Always throws UnsupportedError. */
  readSync(): void {
    this.#source.readSync();
  }

  /** Always throws CannotViewError ERR_NOT_MAPPED. */
  view(byteOffset: number, byteLength: number): Uint8Array {
    return this.#source.view(byteOffset, byteLength);
  }

  reopen(): Reopening | null {
    const reopening = this.#source.reopen();
    if (reopening === null || !('what' in reopening)) return reopening;
    return { what: reopening.what, options: { ...reopening.options, cache: this.#options } };
  }

  get whyNotReopened(): string | null {
    return this.#source.whyNotReopened;
  }

  /** Idempotent. What is in memory goes when no source uses its cache any more. */
  close(): void {
    if (this.closed) return;
    this.#source.close();
    this.#leave();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #keyOf(number: number): string {
    return `${String(number)} ${this.#identity}`;
  }

  /** Whoever gives up does not stop others that wait for it. */
  #load(number: number): Promise<Uint8Array> {
    let loading = this.#loading.get(number);
    if (loading === undefined) {
      loading = this.#loaded(number).finally(() => this.#loading.delete(number));
      this.#loading.set(number, loading);
    }
    return loading;
  }

  async #loaded(number: number): Promise<Uint8Array> {
    const disk = this.#isLasting ? this.#cache.disk : null;
    const byteLength = Math.min(BLOCK_BYTES, this.byteLength - number * BLOCK_BYTES);
    let block = (await disk?.read(this.#identity, number, byteLength)) ?? null;
    if (block === null) {
      block = new Uint8Array(byteLength);
      await this.#source.read(number * BLOCK_BYTES, block);
      await disk?.write(this.#identity, number, block);
    }
    this.#cache.put(this.#keyOf(number), block);
    return block;
  }
}
