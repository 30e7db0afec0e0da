// Memory for what a page is while it is decoded: taken in pieces, all given back at once, so that decoding page after
// page allocates nothing.
import { MAX_PAGE_ROWS } from '../layout/constants.ts';

const FIRST_BYTES = 1 << 16;

export class Scratch {
  #buffer = new ArrayBuffer(0);
  readonly #firstBytes: number;
  #used = 0;
  #wanted = 0;
  #ramp = new Uint32Array(0);

  /** @param firstBytes 0: every piece has memory of its own, for what is kept. */
  constructor(firstBytes = FIRST_BYTES) {
    this.#firstBytes = firstBytes;
  }

  /** `count` numbers with whatever was there before. Valid until reset(). */
  uint32(count: number): Uint32Array {
    const at = this.#take(4 * count);
    return at === null ? new Uint32Array(count) : new Uint32Array(this.#buffer, at, count);
  }

  float64(count: number): Float64Array {
    const at = this.#take(8 * count);
    return at === null ? new Float64Array(count) : new Float64Array(this.#buffer, at, count);
  }

  /** `count` zero bytes. */
  zeros(count: number): Uint8Array {
    const at = this.#take(count);
    return at === null ? new Uint8Array(count) : new Uint8Array(this.#buffer, at, count).fill(0);
  }

  /** 0, 1, 2 … up to `count`: not to be written to. Kept over reset(), but where it is longer than a page has rows. */
  ramp(count: number): Uint32Array {
    const isKept = count <= MAX_PAGE_ROWS;
    if (isKept && this.#ramp.length >= count) return this.#ramp;
    const ramp = new Uint32Array(isKept ? Math.min(MAX_PAGE_ROWS, 2 * count) : count);
    for (let i = 0; i < ramp.length; i++) ramp[i] = i;
    if (isKept) this.#ramp = ramp;
    return ramp;
  }

  /** Everything taken is free again; grows to what the last page needed. */
  reset(): void {
    if (this.#wanted > this.#buffer.byteLength) this.#buffer = new ArrayBuffer(2 ** Math.ceil(Math.log2(this.#wanted)));
    this.#used = 0;
    this.#wanted = 0;
  }

  #take(byteLength: number): number | null {
    const rounded = Math.ceil(byteLength / 8) * 8;
    this.#wanted += rounded;
    // Many a question is answered without it.
    if (this.#buffer.byteLength < this.#firstBytes) this.#buffer = new ArrayBuffer(this.#firstBytes);
    if (this.#used + rounded > this.#buffer.byteLength) return null;
    const at = this.#used;
    this.#used += rounded;
    return at;
  }
}
