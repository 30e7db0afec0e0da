// An object of a bucket for reads: the source of its URL, with a handle that needs no credentials.
import { HttpSource } from '@colkit/io';
import type { RandomAccessSource, Reopening } from '@colkit/io';

export interface ObjectSourceSettings {
  /** Of its URL, with a cache or without. */
  readonly source: RandomAccessSource;
  /** How another thread opens it; null where it cannot. */
  readonly reopening: Reopening | null;
  readonly whyNot: string | null;
}

export class ObjectSource implements RandomAccessSource {
  readonly isSync = false;
  readonly canView = false;
  readonly coalesces = true;
  readonly concurrency: number;
  readonly gapBytes: number;
  readonly path: string;
  readonly byteLength: number;
  readonly version: string | null;
  readonly #source: RandomAccessSource;
  readonly #settings: ObjectSourceSettings;

  constructor(settings: ObjectSourceSettings) {
    const { source } = settings;
    this.#source = source;
    this.#settings = settings;
    this.concurrency = source.concurrency;
    this.gapBytes = source.gapBytes;
    this.path = source.path;
    this.byteLength = source.byteLength;
    this.version = source.version ?? null;
  }

  get closed(): boolean {
    return this.#source.closed;
  }

  read(byteOffset: number, out: Uint8Array, signal?: AbortSignal): Promise<void> {
    return this.#source.read(byteOffset, out, signal);
  }

  /** Always throws UnsupportedError. */
  readSync(): void {
    this.#source.readSync(0, new Uint8Array(0));
  }

  /** Always throws CannotViewError ERR_NOT_MAPPED. */
  view(byteOffset: number, byteLength: number): Uint8Array {
    return this.#source.view(byteOffset, byteLength);
  }

  /** A presigned URL: treat it as a secret. */
  reopen(): Reopening | null {
    return this.#isWhole ? this.#source.reopen() : this.#settings.reopening;
  }

  /** Null where `reopen()` tells how. */
  get whyNotReopened(): string | null {
    return this.#isWhole ? null : this.#settings.whyNot;
  }

  /** All of it came with the first answer. */
  get #isWhole(): boolean {
    return this.#source instanceof HttpSource && this.#source.isWhole;
  }

  close(): void {
    this.#source.close();
  }
}
