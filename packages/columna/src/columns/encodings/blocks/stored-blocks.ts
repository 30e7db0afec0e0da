// The bytes of byte strings in blocks that are compressed one by one: each is inflated when it is first needed.
import type { LazyBytes } from '../../lazy-bytes.ts';
import { MAX_DEFLATE_RATIO } from '../../../layout/constants.ts';
import { inflate } from '../../inflate.ts';

/** A block as stored, and how many bytes it has. */
export interface StoredBlock {
  readonly stored: Uint8Array;
  readonly byteLength: number;
}

/** Longest stored block of DEFLATE. */
const LARGEST_STORED = 0xffff;
const STORED_HEADER_BYTES = 5;

export class StoredBlocks implements LazyBytes {
  readonly #byteLength: number;
  /** All bytes; those of blocks that were not loaded are 0. */
  #buffer: Uint8Array | null = null;
  readonly #blocks: readonly Uint8Array[];
  readonly #blockLog2: number;
  readonly #history: StoredBlock | null;
  readonly #loaded: Uint8Array;
  readonly #refuse: (expected: string) => Error;
  #missing: number;
  /** A stored block of DEFLATE that gives the history, with room for what follows; null as long as it is unknown. */
  #front: Uint8Array | null = null;

  /** @param refuse makes the error for a block that is not as it must be. */
  constructor(
    byteLength: number,
    blockLog2: number,
    blocks: readonly Uint8Array[],
    history: StoredBlock | null,
    refuse: (expected: string) => Error,
  ) {
    this.#byteLength = byteLength;
    this.#blocks = blocks;
    this.#blockLog2 = blockLog2;
    this.#history = history;
    this.#loaded = new Uint8Array(blocks.length);
    this.#missing = blocks.length;
    this.#refuse = refuse;
  }

  /** Bytes of all strings together. */
  get byteLength(): number {
    return this.#byteLength;
  }

  /**
   * All bytes, of which those from `start` to `end` are there, and others may be 0.
   * @throws CorruptFileError ERR_LAYOUT.
   */
  load(start: number, end: number): Uint8Array {
    const buffer = (this.#buffer ??= new Uint8Array(this.#byteLength));
    if (start >= end || this.#missing === 0) return buffer;
    const last = (end - 1) >>> this.#blockLog2;
    for (let block = start >>> this.#blockLog2; block <= last; block++) {
      if (this.#loaded[block] === 1) continue;
      const at = block * 2 ** this.#blockLog2;
      const byteLength = Math.min(2 ** this.#blockLog2, this.#byteLength - at);
      buffer.set(this.#bytesOf(this.#blocks[block] as Uint8Array, byteLength), at);
      this.#loaded[block] = 1;
      this.#missing--;
    }
    return buffer;
  }

  #bytesOf(stored: Uint8Array, byteLength: number): Uint8Array {
    if (stored.length === byteLength) return stored;
    if (this.#history === null) return this.#inflated({ stored, byteLength }, 0);
    const front = (this.#front ??= this.#frontOf(this.#history));
    const stream = new Uint8Array(front.length + stored.length);
    stream.set(front);
    stream.set(stored, front.length);
    const before = this.#history.byteLength;
    return this.#inflated({ stored: stream, byteLength: before + byteLength }, front.length).subarray(before);
  }

  #frontOf(history: StoredBlock): Uint8Array {
    const bytes = history.stored.length === history.byteLength ? history.stored : this.#inflated(history, 0);
    const { length } = bytes;
    const front = new Uint8Array(STORED_HEADER_BYTES + length);
    front.set([0, length & 255, length >>> 8, ~length & 255, ((LARGEST_STORED - length) >>> 8) & 255]);
    front.set(bytes, STORED_HEADER_BYTES);
    return front;
  }

  /** @param extra bytes of the stream that are not of the file. */
  #inflated({ stored, byteLength }: StoredBlock, extra: number): Uint8Array {
    const inflated = byteLength > MAX_DEFLATE_RATIO * stored.length ? null : inflate(stored, byteLength);
    if (inflated?.bytes.length !== byteLength || inflated.consumed !== stored.length)
      throw this.#refuse(`a DEFLATE stream of ${stored.length - extra} bytes that gives those of its block`);
    return inflated.bytes;
  }
}
