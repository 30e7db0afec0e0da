// Bytes -> blocks that are deflated one by one, each with the same bytes in front of it. Blocks are short and many: a
// compressor that sets out anew for each of them spends more time on that than on the bytes. The addon's
// (native/src/encode/deflate_blocks.cc) gives the same streams, to the byte.
import { writeKernels } from '../kernels/write-kernels.ts';
import { DeflateStream } from './deflate-stream.ts';

const LONGEST = 258;
/** Behind a match that is so long nothing longer is looked for at the next byte. */
const LAZY = 16;
/** A match that is so long ends the search; with one that is so good at hand a search is short. */
const NICE = 96;
const GOOD = 8;
const DEPTH = 12;
const SHORT_DEPTH = 3;
/** Three bytes from farther away take more than they do as literals. */
const FARTHEST_OF_THREE = 2048;
const HASH_BITS = 13;

export interface DeflatedBlocks {
  /** Of each block: as many bytes as it has where DEFLATE does not make it shorter, and then they are its bytes. */
  readonly sizes: Uint32Array;
  /** Back to back. */
  readonly stored: Uint8Array;
}

/**
 * @param bytes of one byte and more, in blocks of 2^log2 bytes, of which the last one may be shorter.
 * @param history what stands in front of each block; with it, a block is at most 32 KiB.
 */
export function deflateBlocks(bytes: Uint8Array, log2: number, history: Uint8Array | null): DeflatedBlocks {
  const blockBytes = 2 ** log2;
  const sizes = new Uint32Array(Math.ceil(bytes.length / blockBytes));
  const stored = new Uint8Array(bytes.length);
  const kernels = writeKernels(bytes.length);
  if (kernels !== null)
    return { sizes, stored: stored.slice(0, kernels.deflateBlocks(bytes, log2, history, stored, sizes)) };
  const matcher = new BlockMatcher(history, Math.min(bytes.length, blockBytes));
  const stream = new DeflateStream(Math.min(bytes.length, blockBytes));
  let written = 0;
  for (let block = 0; block < sizes.length; block++) {
    const all = bytes.subarray(block * blockBytes, (block + 1) * blockBytes);
    stream.clear();
    matcher.run(all, stream);
    const size = stream.plan();
    if (size < all.length) stream.write(stored, written);
    else stored.set(all, written);
    sizes[block] = Math.min(size, all.length);
    written += sizes[block] as number;
  }
  return { sizes, stored: stored.slice(0, written) };
}

class BlockMatcher {
  /** What stands in front, and the block. */
  readonly #window: Uint8Array;
  /** Where the same four bytes stood before: positions plus one, 0 for nowhere. */
  readonly #before: Uint16Array;
  readonly #threes = new Uint16Array(1 << HASH_BITS);
  readonly #fours = new Uint16Array(1 << HASH_BITS);
  readonly #threesOfHistory: Uint16Array;
  readonly #foursOfHistory: Uint16Array;
  readonly #start: number;
  #end = 0;
  /** Of the last match that was found. */
  #distance = 0;

  constructor(history: Uint8Array | null, blockBytes: number) {
    this.#start = history?.length ?? 0;
    this.#window = new Uint8Array(this.#start + blockBytes);
    this.#before = new Uint16Array(this.#window.length);
    if (history !== null) this.#window.set(history);
    for (let at = 0; at + 4 <= this.#start; at++) this.#enter(at);
    this.#threesOfHistory = this.#threes.slice();
    this.#foursOfHistory = this.#fours.slice();
  }

  /** The tokens of a block. */
  run(block: Uint8Array, stream: DeflateStream): void {
    const window = this.#window;
    window.set(block, this.#start);
    this.#threes.set(this.#threesOfHistory);
    this.#fours.set(this.#foursOfHistory);
    const end = this.#start + block.length;
    this.#end = end;
    for (let at = this.#start; at < end; ) {
      let length = this.#find(at, 2);
      if (length === 0) {
        stream.literal(window[at++] as number);
        continue;
      }
      let distance = this.#distance;
      // A longer match may begin with the next byte.
      while (length < LAZY && at + 1 < end) {
        const next = this.#find(at + 1, length);
        if (next === 0) break;
        stream.literal(window[at++] as number);
        length = next;
        distance = this.#distance;
      }
      // The byte behind the first one was looked at, but not where the match was too long for that.
      const last = Math.min(at + length, end - 3);
      for (let i = at + (length < LAZY && at + 1 < end ? 2 : 1); i < last; i++) this.#enter(i);
      stream.copy(length, distance);
      at += length;
    }
  }

  #wordAt(at: number): number {
    const window = this.#window;
    return (
      (window[at] as number) |
      ((window[at + 1] as number) << 8) |
      ((window[at + 2] as number) << 16) |
      ((window[at + 3] as number) << 24)
    );
  }

  #enter(at: number): void {
    const word = this.#wordAt(at);
    const four = Math.imul(word, 0x9e3779b1) >>> (32 - HASH_BITS);
    this.#before[at] = this.#fours[four] as number;
    this.#fours[four] = at + 1;
    this.#threes[Math.imul(word << 8, 0x9e3779b1) >>> (32 - HASH_BITS)] = at + 1;
  }

  /**
   * The longest match that is longer than `least`, and the nearest of those; 0: there is none. Enters the position.
   */
  #find(at: number, least: number): number {
    const window = this.#window;
    if (at + 4 > this.#end) return 0;
    const word = this.#wordAt(at);
    const limit = Math.min(LONGEST, this.#end - at);
    const near = this.#threes[Math.imul(word << 8, 0x9e3779b1) >>> (32 - HASH_BITS)] as number;
    let next = this.#fours[Math.imul(word, 0x9e3779b1) >>> (32 - HASH_BITS)] as number;
    this.#enter(at);
    if (least >= limit) return 0;
    let best = least;
    if (least < 3 && near !== 0 && at - (near - 1) <= FARTHEST_OF_THREE) {
      const from = near - 1;
      if (window[from] === window[at] && window[from + 1] === window[at + 1] && window[from + 2] === window[at + 2]) {
        best = 3;
        this.#distance = at - from;
      }
    }
    for (let looks = least >= GOOD ? SHORT_DEPTH : DEPTH; next !== 0 && looks > 0; looks--) {
      const from = next - 1;
      next = this.#before[from] as number;
      if (window[from + best] !== window[at + best] || window[from] !== window[at]) continue;
      let length = 1;
      while (length < limit && window[from + length] === window[at + length]) length++;
      if (length <= best || length < 4) continue;
      best = length;
      this.#distance = at - from;
      if (length >= NICE || length === limit) break;
    }
    return best > least ? best : 0;
  }
}
