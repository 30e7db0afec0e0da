// DEFLATE (RFC 1951, raw) decompressed in browsers, in place of inflate.ts: pages are decoded in one go, and what
// browsers have (DecompressionStream) only works asynchronously and does not tell where a stream ended.
import type { Inflated } from './inflate.ts';

const MOST_BITS = 15;
const LENGTH_BASES = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
];
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
/** In the order in which the lengths of the code of code lengths are stored. */
const CODE_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/**
 * Inflates to at most `byteLength` bytes; null for a broken stream or one that gives more. Takes no more memory than
 * that, and a few tables.
 */
export function inflate(stored: Uint8Array, byteLength: number): Inflated | null {
  const inflater = new Inflater(stored, new Uint8Array(byteLength));
  try {
    return inflater.inflate();
  } catch (error) {
    if (error instanceof Broken) return null;
    throw error;
  }
}

class Broken extends Error {}

/** By the next bits of the stream: symbol * 16 + bits of its code; 0 where no code starts so. */
interface Codes {
  readonly table: Uint16Array;
  readonly bits: number;
}

class Inflater {
  readonly #bytes: Uint8Array;
  readonly #out: Uint8Array;
  #at = 0;
  #to = 0;
  /** Bits that were taken from the bytes and not used yet, the next one lowest. */
  #held = 0;
  #count = 0;

  constructor(bytes: Uint8Array, out: Uint8Array) {
    this.#bytes = bytes;
    this.#out = out;
  }

  inflate(): Inflated {
    let isLast = false;
    while (!isLast) {
      isLast = this.#take(1) === 1;
      const kind = this.#take(2);
      if (kind === 0) this.#copyStored();
      else if (kind === 1) this.#decode(FIXED.lengths, FIXED.distances);
      else if (kind === 2) this.#decode(...this.#readCodes());
      else throw new Broken();
    }
    return { bytes: this.#out.subarray(0, this.#to), consumed: this.#at - (this.#count >> 3) };
  }

  /** At most 16 bits. */
  #take(count: number): number {
    while (this.#count < count) {
      if (this.#at === this.#bytes.length) throw new Broken();
      this.#held |= (this.#bytes[this.#at++] as number) << this.#count;
      this.#count += 8;
    }
    const value = this.#held & ((1 << count) - 1);
    this.#held >>>= count;
    this.#count -= count;
    return value;
  }

  #symbol({ table, bits }: Codes): number {
    while (this.#count < bits && this.#at < this.#bytes.length) {
      this.#held |= (this.#bytes[this.#at++] as number) << this.#count;
      this.#count += 8;
    }
    const found = table[this.#held & ((1 << bits) - 1)] as number;
    const used = found & 15;
    if (used === 0 || used > this.#count) throw new Broken();
    this.#held >>>= used;
    this.#count -= used;
    return found >> 4;
  }

  #copyStored(): void {
    this.#take(this.#count & 7);
    const length = this.#take(16);
    const check = this.#take(16);
    // Whole bytes that are held go back.
    this.#at -= this.#count >> 3;
    this.#held = this.#count = 0;
    if (length !== (~check & 0xffff) || length > this.#bytes.length - this.#at) throw new Broken();
    if (length > this.#out.length - this.#to) throw new Broken();
    this.#out.set(this.#bytes.subarray(this.#at, this.#at + length), this.#to);
    this.#at += length;
    this.#to += length;
  }

  #readCodes(): [lengths: Codes, distances: Codes] {
    const lengths = 257 + this.#take(5);
    const distances = 1 + this.#take(5);
    const stored = 4 + this.#take(4);
    if (lengths > 286 || distances > 30) throw new Broken();
    const order = new Uint8Array(CODE_ORDER.length);
    for (let i = 0; i < stored; i++) order[CODE_ORDER[i] as number] = this.#take(3);
    const codes = codesOf(order, true);
    const all = new Uint8Array(lengths + distances);
    for (let i = 0; i < all.length; ) {
      const symbol = this.#symbol(codes);
      if (symbol < 16) all[i++] = symbol;
      else {
        if (symbol === 16 && i === 0) throw new Broken();
        const value = symbol === 16 ? (all[i - 1] as number) : 0;
        const count = symbol === 18 ? 11 + this.#take(7) : 3 + this.#take(symbol - 14);
        if (count > all.length - i) throw new Broken();
        all.fill(value, i, (i += count));
      }
    }
    if (all[256] === 0) throw new Broken();
    return [codesOf(all.subarray(0, lengths), false), codesOf(all.subarray(lengths), false)];
  }

  #decode(lengths: Codes, distances: Codes): void {
    const out = this.#out;
    for (;;) {
      const symbol = this.#symbol(lengths);
      if (symbol === 256) return;
      if (symbol < 256) {
        if (this.#to === out.length) throw new Broken();
        out[this.#to++] = symbol;
        continue;
      }
      const kind = symbol - 257;
      const base = LENGTH_BASES[kind];
      if (base === undefined) throw new Broken();
      const length = base + this.#take(LENGTH_BITS[kind] as number);
      const code = this.#symbol(distances);
      if (code > 29) throw new Broken();
      const extra = Math.max(0, (code >> 1) - 1);
      const distance = code < 4 ? code + 1 : 1 + ((2 + (code & 1)) << extra) + this.#take(extra);
      if (distance > this.#to || length > out.length - this.#to) throw new Broken();
      // Byte by byte: what is copied may be what was just written.
      for (const end = this.#to + length; this.#to < end; this.#to++)
        out[this.#to] = out[this.#to - distance] as number;
    }
  }
}

/**
 * The canonical code of these lengths. Refused as zlib refuses: too many codes; and too few, but for one of one bit or
 * none at all where `isWhole` is false.
 */
function codesOf(lengths: Uint8Array, isWhole: boolean): Codes {
  const counts = new Uint16Array(MOST_BITS + 1);
  let bits = 1;
  for (const length of lengths) {
    counts[length] = (counts[length] as number) + 1;
    bits = Math.max(bits, length);
  }
  const next = new Uint16Array(MOST_BITS + 2);
  let left = 1;
  for (let length = 1; length <= MOST_BITS; length++) {
    left = 2 * left - (counts[length] as number);
    if (left < 0) throw new Broken();
    next[length + 1] = ((next[length] as number) + (counts[length] as number)) << 1;
  }
  if (left > 0 && (isWhole || bits > 1)) throw new Broken();
  const table = new Uint16Array(1 << bits);
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue;
    let code = next[length] as number;
    next[length] = code + 1;
    // The stream has the most significant bit of a code first.
    let reversed = 0;
    for (let bit = 0; bit < length; bit++, code >>= 1) reversed = (reversed << 1) | (code & 1);
    for (let at = reversed; at < table.length; at += 1 << length) table[at] = symbol * 16 + length;
  }
  return { table, bits };
}

const FIXED = /* @__PURE__ */ fixedCodes();

function fixedCodes(): { lengths: Codes; distances: Codes } {
  const lengths = new Uint8Array(288).fill(8).fill(9, 144, 256).fill(7, 256, 280);
  return { lengths: codesOf(lengths, true), distances: codesOf(new Uint8Array(32).fill(5), true) };
}
