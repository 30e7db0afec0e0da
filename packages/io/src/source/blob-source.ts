// A Blob as a source: files that a user picked or dropped in a browser, files of the origin-private file system,
// `fs.openAsBlob` in Node. Only the asked ranges are read.
import { IoError } from '../errors/errors.ts';
import type { RandomAccessSource, Reopening } from './source.ts';
import { LOCAL_READS, REMOTE_GAP_BYTES } from './read-costs.ts';
import { checkRead, fileChanged, noSyncForm, notMapped } from './source-checks.ts';
import { messageOf } from '../errors/system-error.ts';

/** Larger reads go in pieces, each of which is in memory twice for a moment. */
const PIECE_BYTES = 16 * 1024 * 1024;

export class BlobSource implements RandomAccessSource {
  readonly isSync = false;
  readonly canView = false;
  readonly concurrency = LOCAL_READS;
  readonly gapBytes = REMOTE_GAP_BYTES;
  readonly path: string;
  readonly byteLength: number;
  readonly #blob: Blob;
  #closed = false;

  /** @param name for messages; default the file's name where the Blob has one. */
  constructor(blob: Blob, name?: string) {
    const own = (blob as { name?: unknown }).name;
    this.#blob = blob;
    this.path = name ?? (typeof own === 'string' && own !== '' ? own : '<blob>');
    this.byteLength = blob.size;
  }

  get closed(): boolean {
    return this.#closed;
  }

  async read(byteOffset: number, out: Uint8Array, signal?: AbortSignal): Promise<void> {
    checkRead(this, 'read', byteOffset, out.byteLength);
    for (let done = 0; done < out.byteLength; ) {
      signal?.throwIfAborted();
      const start = byteOffset + done;
      const piece = await this.#piece(start, Math.min(byteOffset + out.byteLength, start + PIECE_BYTES));
      out.set(piece, done);
      done += piece.byteLength;
    }
    signal?.throwIfAborted();
  }

  /** Always throws UnsupportedError: a Blob has no synchronous reads. */
  readSync(): void {
    throw noSyncForm(this.path);
  }

  /** Always throws CannotViewError ERR_NOT_MAPPED. */
  view(byteOffset: number, byteLength: number): Uint8Array {
    checkRead(this, 'view', byteOffset, byteLength);
    throw notMapped(`${this.path} is a Blob`, 'use a method that copies');
  }

  /** Null for a Blob that this runtime does not send to another thread, such as one of `fs.openAsBlob`. */
  reopen(): Reopening | null {
    try {
      return { what: structuredClone(this.#blob), options: {} };
    } catch {
      return null;
    }
  }

  close(): void {
    this.#closed = true;
  }

  [Symbol.dispose](): void {
    this.close();
  }

  async #piece(start: number, end: number): Promise<Uint8Array> {
    let piece: Uint8Array;
    try {
      piece = new Uint8Array(await this.#blob.slice(start, end).arrayBuffer());
    } catch (error) {
      // A file behind a Blob that was changed or deleted since is not readable any more; Firefox calls that an abort.
      const changed = /^(Not(Readable|Found)|Abort)/.test(String(error));
      throw new IoError(changed ? 'ERR_FILE_CHANGED' : 'ERR_READ', 'read', this.path, messageOf(error), error);
    }
    if (piece.byteLength !== end - start) throw fileChanged('read', this.path, this.byteLength, null);
    return piece;
  }
}
