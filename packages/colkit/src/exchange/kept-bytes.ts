// Bytes of a file that is made in memory: in arrays while it is small, and in Blobs beyond, which browsers may keep on
// disk.
import { ForwardSink } from './forward-sink.ts';

/** From here on what is kept goes into Blobs. */
const MOST_ARRAY_BYTES = 1 << 26;
/** Of one Blob of many. */
const PIECE_BYTES = 1 << 24;

export class KeptBytes extends ForwardSink {
  #pieces: Blob[] = [];
  #parts: Uint8Array<ArrayBuffer>[] = [];
  #partBytes = 0;

  constructor() {
    super('<memory>');
  }

  /** What was written so far. */
  blob(type = ''): Blob {
    return new Blob([...this.#pieces, ...this.#parts], { type });
  }

  /** All bytes, of a small file: reading them waits for nothing. Null for a large one. */
  bytes(): Uint8Array | null {
    if (this.#pieces.length > 0) return null;
    const all = new Uint8Array(this.#partBytes);
    let used = 0;
    for (const part of this.#parts) {
      all.set(part, used);
      used += part.byteLength;
    }
    return all;
  }

  protected put(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    this.#parts.push(bytes);
    this.#partBytes += bytes.byteLength;
    if (this.#partBytes >= (this.#pieces.length > 0 ? PIECE_BYTES : MOST_ARRAY_BYTES)) {
      this.#pieces.push(new Blob(this.#parts));
      this.#parts = [];
      this.#partBytes = 0;
    }
    return Promise.resolve();
  }

  protected end(): Promise<void> {
    return Promise.resolve();
  }

  protected drop(): Promise<void> {
    this.#pieces = [];
    this.#parts = [];
    return Promise.resolve();
  }
}
