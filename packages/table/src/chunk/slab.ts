// Memory for all values of a block in one piece, shared where the runtime lets it be: other threads see it without a
// copy, and without its being taken from the thread that filled it.
import type { DType } from '@colkit/io';
import { allValid } from '../validity.ts';

const ALIGNMENT = 8;

export class Slab {
  readonly #buffer: ArrayBufferLike;
  #used = 0;

  /** @param spare memory that nobody uses: it is taken where it has room for as much. */
  constructor(byteLength: number, spare: SharedArrayBuffer | null = null) {
    if (spare !== null && spare.byteLength >= byteLength) {
      // As words: V8 fills shared memory item by item.
      new Float64Array(spare, 0, spare.byteLength >>> 3).fill(0);
      this.#buffer = spare;
      return;
    }
    this.#buffer =
      typeof SharedArrayBuffer === 'undefined' ? new ArrayBuffer(byteLength) : new SharedArrayBuffer(byteLength);
  }

  /** All of its memory. */
  get bytes(): Uint8Array {
    return new Uint8Array(this.#buffer);
  }

  /** Zeroed bytes at a multiple of eight; of their own where there is no more room. */
  take(byteLength: number): Uint8Array {
    const start = this.#used;
    if (start + byteLength > this.#buffer.byteLength) return new Uint8Array(byteLength);
    this.#used = Math.ceil((start + byteLength) / ALIGNMENT) * ALIGNMENT;
    return new Uint8Array(this.#buffer, start, byteLength);
  }

  copy(bytes: Uint8Array): Uint8Array {
    const own = this.take(bytes.length);
    own.set(bytes);
    return own;
  }

  /** A bitmap of rows none of which is null. */
  allValid(rowCount: number): Uint8Array {
    return this.copy(allValid(rowCount));
  }
}

/** About what the values of so many rows take: some hundred distinct texts are reckoned for each column of them. */
export function valueBytes(dtypes: readonly (DType | null)[], rowCount: number): number {
  return dtypes.reduce(
    (sum, dtype) =>
      dtype === null ? sum : sum + (dtype === 'string' ? 2 * rowCount + 4096 : 8 * rowCount) + (rowCount >>> 3) + 64,
    0,
  );
}
