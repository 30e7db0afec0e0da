// Memory for items that are copied out one by one: small ones are cut from a slab, as Node's Buffers are, because an
// ArrayBuffer of its own costs more than copying a small item.
import { allocateOutputs } from '@colkit/io';
import { LARGEST_SHARE_BYTES, markAsUntransferable } from './untransferable.ts';

/** An item that is kept keeps its slab: the memory of so many items of its size, or of the smallest slab. */
const ITEMS_PER_SLAB = 8;
const SMALLEST_SLAB_BYTES = 16 * 1024;
const LARGEST_ALIGNMENT = 8;

export class ItemMemory {
  /** Where the bytes that were taken last are: from `byteOffset` on, a multiple of 8, in `buffer`. */
  buffer: ArrayBufferLike = new ArrayBuffer(0);
  byteOffset = 0;
  #slab: ArrayBufferLike = this.buffer;
  #used = 0;

  /** Sets `buffer` and `byteOffset` for `byteLength` bytes that the caller fills completely. @throws LimitError. */
  take(byteLength: number): void {
    if (byteLength > LARGEST_SHARE_BYTES) {
      this.buffer = allocate(byteLength);
      this.byteOffset = 0;
      return;
    }
    const share = (byteLength + LARGEST_ALIGNMENT - 1) & -LARGEST_ALIGNMENT;
    if (this.#used + share > this.#slab.byteLength) {
      this.#slab = newSlab(share);
      this.#used = 0;
    }
    this.buffer = this.#slab;
    this.byteOffset = this.#used;
    this.#used += share;
  }
}

/** A transfer would take the memory of other items along: it is refused, or copies. */
function newSlab(share: number): ArrayBufferLike {
  const slab = allocate(Math.max(SMALLEST_SLAB_BYTES, ITEMS_PER_SLAB * share));
  markAsUntransferable(slab);
  return slab;
}

function allocate(byteLength: number): ArrayBufferLike {
  return (allocateOutputs([byteLength])[0] ?? new Uint8Array(byteLength)).buffer;
}
