// A source over bytes that are already in this process: tests, browsers, buffers from elsewhere.
import { ownBytes } from '../memory/own-bytes.ts';
import { ArgumentError, ClosedError } from '../errors/errors.ts';
import type { MemoryBacked, Reopening } from './source.ts';
import { LOCAL_GAP_BYTES, LOCAL_READS } from './read-costs.ts';
import { checkRead, notMapped } from './source-checks.ts';

/** Reads copy out of the bytes, which are referenced, not copied: they must not change while the source is used. */
export class MemorySource implements MemoryBacked {
  readonly isSync = true;
  readonly canView: boolean = false;
  readonly concurrency = LOCAL_READS;
  readonly gapBytes = LOCAL_GAP_BYTES;
  readonly path: string;
  readonly byteLength: number;
  readonly #bytes: Uint8Array;
  #closed = false;

  constructor(bytes: Uint8Array | ArrayBuffer, name = '<memory>') {
    this.#bytes = toBytes(bytes);
    this.path = name;
    this.byteLength = this.#bytes.byteLength;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** @throws ClosedError after close(), or ERR_DETACHED where the buffer was transferred away. */
  get bytes(): Uint8Array {
    if (this.#closed) throw new ClosedError('read', this.path);
    if (this.#bytes.byteLength !== this.byteLength) throw new ClosedError('read', this.path, 'ERR_DETACHED');
    return this.#bytes;
  }

  readSync(byteOffset: number, out: Uint8Array): void {
    checkRead(this, 'read', byteOffset, out.byteLength);
    out.set(this.bytes.subarray(byteOffset, byteOffset + out.byteLength));
  }

  async read(byteOffset: number, out: Uint8Array, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.readSync(byteOffset, out);
    return Promise.resolve();
  }

  /** Always throws: a window of its own, which writes cannot leave, would be a copy. */
  view(byteOffset: number, byteLength: number): Uint8Array {
    checkRead(this, 'view', byteOffset, byteLength);
    throw notMapped(
      `${this.path} is memory of the caller, which a write into a view would change`,
      'use the bytes that you opened, or a method that copies',
    );
  }

  /** The bytes are copied on their way to another thread. */
  reopen(): Reopening {
    return { what: this.bytes, options: {} };
  }

  close(): void {
    this.#closed = true;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

function toBytes(bytes: unknown): Uint8Array {
  const own = ownBytes(bytes);
  if (own !== null) return own;
  throw new ArgumentError('ERR_ARGUMENT', 'bytes', 'a Uint8Array or an ArrayBuffer', typeof bytes);
}
