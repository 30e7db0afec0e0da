// Copy-free views of arrays that no padding aligns. A typed array's alignment counts from the first byte of its ArrayBuffer, and a mapping can carry ArrayBuffers that start
// anywhere: with one window for each remainder that an offset can have, an array of 8-byte elements at any byte of the file has a window in which it is aligned.
import type { RandomAccessSource } from '@colkit/io';

/** Windows overlap so that an array of up to this many bytes lies within one; a longer one gets a window of its own. 2 GiB each: less than any runtime's largest buffer. */
const SPAN_BYTES = 2 ** 30;
const LARGEST_ALIGNMENT = 8;

/**
 * The windows over a file's array bytes, made on first use. All views of one window share its private pages: a write into a view shows in another view of the same array,
 * and never in the file or in what get… returns.
 */
export class PhaseWindows {
  readonly #source: RandomAccessSource;
  readonly #dataStart: number;
  readonly #dataEnd: number;
  readonly #windows = new Map<number, Uint8Array>();

  constructor(source: RandomAccessSource, dataStart: number, dataEnd: number) {
    this.#source = source;
    this.#dataStart = dataStart;
    this.#dataEnd = dataEnd;
  }

  /** The bytes at [byteOffset, byteOffset + byteLength), at a multiple of `alignment` (1, 2, 4 or 8) in their buffer. @throws CannotViewError. */
  view(byteOffset: number, byteLength: number, alignment: number): Uint8Array {
    if (byteLength === 0) return new Uint8Array(0);
    if (byteLength > SPAN_BYTES) return this.#source.view(byteOffset, byteLength);
    const span = Math.floor(byteOffset / SPAN_BYTES);
    const phase = byteOffset % alignment;
    // The first byte at or after the span's start that has this remainder; the first span starts with the array bytes.
    const floor = Math.max(span * SPAN_BYTES, this.#dataStart);
    const start = floor + ((phase - (floor % alignment) + alignment) % alignment);
    if (byteOffset < start) return this.#source.view(byteOffset, byteLength);
    const window = this.#window(start, 2 * LARGEST_ALIGNMENT * LARGEST_ALIGNMENT * span + LARGEST_ALIGNMENT * alignment + phase);
    return new Uint8Array(window.buffer, window.byteOffset + byteOffset - start, byteLength);
  }

  /** @param key one number for each span, alignment and phase */
  #window(start: number, key: number): Uint8Array {
    const known = this.#windows.get(key);
    if (known !== undefined) return known;
    const window = this.#source.view(start, Math.min(2 * SPAN_BYTES, this.#dataEnd - start));
    this.#windows.set(key, window);
    return window;
  }
}
