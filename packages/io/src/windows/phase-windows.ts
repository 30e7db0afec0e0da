// Copy-free views of arrays that no padding aligns. A typed array's alignment counts from the first byte of its
// ArrayBuffer, and a mapping can carry ArrayBuffers that start anywhere: with one window for each remainder that an
// offset can have, an array of 8-byte elements at any byte of the file has a window in which it is aligned.

/** Part of a file in memory: byte k of it is byte `start` + k of the file. */
export interface Window {
  readonly start: number;
  /** The whole window. Of no bytes once its buffer was transferred away. */
  readonly bytes: Uint8Array;
}

/** A private window onto part of a file. @throws CannotViewError. */
export type OpenWindow = (byteOffset: number, byteLength: number) => Uint8Array;

/**
 * Windows overlap so that an array of up to this many bytes lies within one; a longer one gets a window of its own.
 * Each has twice as many: less than any runtime's most.
 */
const WINDOW_BYTES = 2 ** 30;
const LARGEST_ALIGNMENT = 8;

/**
 * The windows over a part of a file, made on first use. All views of one window share its private pages: a write into a
 * view shows in another view of the same bytes, and never in the file or in what is read.
 */
export class PhaseWindows {
  readonly #open: OpenWindow;
  readonly #dataStart: number;
  readonly #dataEnd: number;
  /** By span, alignment and remainder. An array, because every view of every array asks it. */
  #windows: (Window | undefined)[] = [];

  constructor(open: OpenWindow, dataStart: number, dataEnd: number) {
    this.#open = open;
    this.#dataStart = dataStart;
    this.#dataEnd = dataEnd;
  }

  /**
   * A window that holds [byteOffset, byteOffset + byteLength), of which there is a byte, and starts a multiple of
   * `alignment` (1, 2, 4 or 8) before it.
   * @throws CannotViewError.
   */
  at(byteOffset: number, byteLength: number, alignment: number): Window {
    if (byteLength > WINDOW_BYTES) return this.#window(byteOffset, byteLength);
    const base = byteOffset < WINDOW_BYTES ? 0 : Math.floor(byteOffset / WINDOW_BYTES);
    const floor = base === 0 ? this.#dataStart : base * WINDOW_BYTES;
    const remainder = (byteOffset - floor) & (alignment - 1);
    const number = (base * (LARGEST_ALIGNMENT + 1) + alignment) * LARGEST_ALIGNMENT + remainder;
    const window = this.#windows[number];
    return window === undefined || window.bytes.length === 0 ? this.#add(number, floor + remainder) : window;
  }

  /** Forgets the windows; views keep theirs. */
  release(): void {
    this.#windows = [];
  }

  /** The window from the first byte of the span (or of the part) on that has the remainder. */
  #add(number: number, start: number): Window {
    const window = this.#window(start, Math.min(2 * WINDOW_BYTES, this.#dataEnd - start));
    while (this.#windows.length <= number) this.#windows.push(undefined);
    this.#windows[number] = window;
    return window;
  }

  #window(start: number, byteLength: number): Window {
    const { buffer, byteOffset } = this.#open(start, byteLength);
    return { start: start - byteOffset, bytes: new Uint8Array(buffer) };
  }
}
