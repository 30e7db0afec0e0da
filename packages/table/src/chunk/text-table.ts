// Byte strings -> codes: each distinct one is kept once, in the order in which they come. No string of the language is
// made.
import { Slab } from './slab.ts';

const FIRST_SLOTS = 256;
const FIRST_BYTES = 1024;
/** Up to here a text is two numbers: compared without looking at its bytes again. */
const SHORT = 8;

export class TextTable {
  /** How many distinct texts there are. */
  count = 0;
  #bytes = new Uint8Array(FIRST_BYTES);
  #ends = new Uint32Array(FIRST_SLOTS);
  /** The bytes of a short text, hashes of a long one. */
  #lows = new Int32Array(FIRST_SLOTS);
  #highs = new Int32Array(FIRST_SLOTS);
  /** Code + 1; 0: free. Never more than half full. */
  #slots = new Int32Array(2 * FIRST_SLOTS);
  #used = 0;
  // The text that came last comes again more often than any other.
  #lastLow = 0;
  #lastHigh = 0;
  #lastLength = -1;
  #lastCode = 0;

  /** Bytes of all texts. */
  get byteLength(): number {
    return this.#used;
  }

  clear(): void {
    this.count = 0;
    this.#used = 0;
    this.#lastLength = -1;
    this.#slots.fill(0);
  }

  /** All texts back to back, and where each ends. Copies, into memory of `slab`. */
  entries(slab = new Slab(0)): { readonly bytes: Uint8Array; readonly ends: Uint32Array } {
    const ends = slab.take(4 * this.count);
    ends.set(new Uint8Array(this.#ends.buffer, 0, ends.length));
    return {
      bytes: slab.copy(this.#bytes.subarray(0, this.#used)),
      ends: new Uint32Array(ends.buffer, ends.byteOffset, this.count),
    };
  }

  /** The code of bytes [start, end). */
  codeOf(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    let low = 0;
    let high = 0;
    if (length <= SHORT) {
      const middle = length <= 4 ? end : start + 4;
      for (let position = start, shift = 0; position < middle; position += 1, shift += 8)
        low |= (bytes[position] as number) << shift;
      for (let position = middle, shift = 0; position < end; position += 1, shift += 8)
        high |= (bytes[position] as number) << shift;
      if (length === this.#lastLength && low === this.#lastLow && high === this.#lastHigh) return this.#lastCode;
    } else {
      for (let position = start; position < end; position += 1) {
        const byte = bytes[position] as number;
        low = Math.imul(low ^ byte, 0x01000193);
        high = (Math.imul(high, 31) + byte) | 0;
      }
    }
    const code = this.#find(bytes, start, length, low, high);
    this.#lastLow = low;
    this.#lastHigh = high;
    this.#lastLength = length <= SHORT ? length : -1;
    this.#lastCode = code;
    return code;
  }

  #find(bytes: Uint8Array, start: number, length: number, low: number, high: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hashOf(low, high, length) & mask;
    for (;;) {
      const code = (slots[slot] as number) - 1;
      if (code === -1) break;
      if (this.#lows[code] === low && this.#highs[code] === high && this.#isAt(code, bytes, start, length)) return code;
      slot = (slot + 1) & mask;
    }
    slots[slot] = this.count + 1;
    return this.#add(bytes, start, length, low, high);
  }

  #isAt(code: number, bytes: Uint8Array, start: number, length: number): boolean {
    const from = code === 0 ? 0 : (this.#ends[code - 1] as number);
    if ((this.#ends[code] as number) - from !== length) return false;
    if (length <= SHORT) return true;
    const own = this.#bytes;
    for (let index = 0; index < length; index += 1) if (own[from + index] !== bytes[start + index]) return false;
    return true;
  }

  #add(bytes: Uint8Array, start: number, length: number, low: number, high: number): number {
    const code = this.count;
    if (this.#used + length > this.#bytes.length)
      this.#bytes = grown(this.#bytes, new Uint8Array(Math.max(2 * this.#bytes.length, this.#used + length)));
    const own = this.#bytes;
    for (let index = 0, to = this.#used; index < length; index += 1, to += 1) own[to] = bytes[start + index] as number;
    this.#used += length;
    this.#ends[code] = this.#used;
    this.#lows[code] = low;
    this.#highs[code] = high;
    this.count = code + 1;
    if (this.count === this.#ends.length) this.#grow();
    return code;
  }

  #grow(): void {
    const entries = 2 * this.#ends.length;
    this.#ends = grown(this.#ends, new Uint32Array(entries));
    this.#lows = grown(this.#lows, new Int32Array(entries));
    this.#highs = grown(this.#highs, new Int32Array(entries));
    this.#slots = new Int32Array(2 * entries);
    const mask = this.#slots.length - 1;
    for (let code = 0; code < this.count; code += 1) {
      const length = (this.#ends[code] as number) - (code === 0 ? 0 : (this.#ends[code - 1] as number));
      let slot = hashOf(this.#lows[code] as number, this.#highs[code] as number, length) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = code + 1;
    }
  }
}

function hashOf(low: number, high: number, length: number): number {
  const hash = Math.imul(low ^ Math.imul(high ^ length, 0x85ebca6b), 0x9e3779b1);
  return (hash ^ (hash >>> 15)) >>> 0;
}

function grown<T extends Uint8Array | Uint32Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
