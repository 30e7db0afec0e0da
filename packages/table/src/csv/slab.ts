// Memory for all values of a block in one piece: it goes to another thread as one thing, where dozens of small ones take longer than their bytes.
import { allValid } from '../validity.ts';

const ALIGNMENT = 8;

export class Slab {
  readonly #buffer: ArrayBuffer;
  #used = 0;

  constructor(byteLength: number) {
    this.#buffer = new ArrayBuffer(byteLength);
  }

  /** Zeroed bytes at a multiple of eight; of their own where there is no more room. */
  take(byteLength: number): Uint8Array<ArrayBuffer> {
    const start = this.#used;
    if (start + byteLength > this.#buffer.byteLength) return new Uint8Array(byteLength);
    this.#used = Math.ceil((start + byteLength) / ALIGNMENT) * ALIGNMENT;
    return new Uint8Array(this.#buffer, start, byteLength);
  }

  copy(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    const own = this.take(bytes.length);
    own.set(bytes);
    return own;
  }

  /** A bitmap of rows none of which is null. */
  allValid(rowCount: number): Uint8Array<ArrayBuffer> {
    return this.copy(allValid(rowCount));
  }
}
