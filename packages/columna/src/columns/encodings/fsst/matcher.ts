// Symbols -> which of them is the longest that begins a text, in a few steps: symbols of three bytes and more by a hash
// of their first three, shorter ones by a table of all pairs of bytes.
import { ESCAPE, MOST_SYMBOL_BYTES } from './symbol-table.ts';

/** Symbols by number. */
export interface Symbols {
  readonly count: number;
  readonly low: Int32Array;
  readonly high: Int32Array;
  readonly lengths: Uint8Array;
}

/** Behind the numbers of bytes that stand for themselves come those of the symbols. */
export const FIRST_SYMBOL = 256;
const HASH_BITS = 12;
const NONE = 0xffff;

export class Matcher {
  readonly symbols: Symbols;
  readonly #lowMasks: Int32Array;
  readonly #highMasks: Int32Array;
  /** The longest symbol of three bytes and more with a hash, and for each symbol the one behind it. */
  readonly #heads = new Uint16Array(1 << HASH_BITS).fill(NONE);
  readonly #next: Uint16Array;
  /** By the first two bytes, a symbol of one or two of them or the first byte itself. */
  readonly #pairs = new Uint16Array(1 << 16);
  readonly #singles = new Uint16Array(256);

  constructor(symbols: Symbols) {
    const { count, low, lengths } = symbols;
    this.symbols = symbols;
    this.#lowMasks = new Int32Array(count);
    this.#highMasks = new Int32Array(count);
    this.#next = new Uint16Array(count).fill(NONE);
    for (let byte = 0; byte < 256; byte++) this.#singles[byte] = byte;
    for (let symbol = 0; symbol < count; symbol++) {
      const length = lengths[symbol] as number;
      this.#lowMasks[symbol] = maskOf(length);
      this.#highMasks[symbol] = maskOf(length - 4);
      if (length === 1) this.#singles[(low[symbol] as number) & 255] = FIRST_SYMBOL + symbol;
    }
    for (let pair = 0; pair < this.#pairs.length; pair++) this.#pairs[pair] = this.#singles[pair & 255] as number;
    // Those of one hash from short to long, each put in front of those before.
    for (let length = 2; length <= MOST_SYMBOL_BYTES; length++) {
      for (let symbol = 0; symbol < count; symbol++) {
        if (lengths[symbol] !== length) continue;
        if (length === 2) this.#pairs[(low[symbol] as number) & 0xffff] = FIRST_SYMBOL + symbol;
        else {
          const slot = slotOf(low[symbol] as number);
          this.#next[symbol] = this.#heads[slot] as number;
          this.#heads[slot] = symbol;
        }
      }
    }
  }

  /** The number of what the text at byte `at` begins with, of which `left` bytes, one or more, are there. */
  find(view: DataView, at: number, left: number): number {
    const { low, high, lengths } = this.symbols;
    const first = view.getInt32(at, true);
    if (left >= 3) {
      const second = view.getInt32(at + 4, true);
      let symbol = this.#heads[slotOf(first)] as number;
      while (symbol !== NONE) {
        if (
          (((first ^ (low[symbol] as number)) & (this.#lowMasks[symbol] as number)) |
            ((second ^ (high[symbol] as number)) & (this.#highMasks[symbol] as number))) ===
            0 &&
          (lengths[symbol] as number) <= left
        )
          return FIRST_SYMBOL + symbol;
        symbol = this.#next[symbol] as number;
      }
    }
    return (left >= 2 ? this.#pairs[first & 0xffff] : this.#singles[first & 255]) as number;
  }

  /**
   * The codes of strings that end at `ends`, the first one beginning at 0, back to back: how many there are. The
   * longest symbol that fits is taken each time, as by `find`, of which this is the loop.
   * @param counts gets how many codes each string has.
   */
  spell(view: DataView, ends: Uint32Array, codes: Uint8Array, counts: Uint32Array): number {
    const { low, high, lengths } = this.symbols;
    const [heads, next, lowMasks, highMasks] = [this.#heads, this.#next, this.#lowMasks, this.#highMasks];
    const [pairs, singles] = [this.#pairs, this.#singles];
    let [at, used] = [0, 0];
    for (let string = 0; string < ends.length; string++) {
      const end = ends[string] as number;
      const before = used;
      while (at < end) {
        const first = view.getInt32(at, true);
        const left = end - at;
        let symbol = left >= 3 ? (heads[slotOf(first)] as number) : NONE;
        if (symbol !== NONE) {
          const second = view.getInt32(at + 4, true);
          while (
            symbol !== NONE &&
            ((((first ^ (low[symbol] as number)) & (lowMasks[symbol] as number)) |
              ((second ^ (high[symbol] as number)) & (highMasks[symbol] as number))) !==
              0 ||
              (lengths[symbol] as number) > left)
          )
            symbol = next[symbol] as number;
        }
        if (symbol === NONE) {
          const found = (left >= 2 ? pairs[first & 0xffff] : singles[first & 255]) as number;
          if (found < FIRST_SYMBOL) {
            codes[used] = ESCAPE;
            codes[used + 1] = found;
            used += 2;
            at++;
            continue;
          }
          symbol = found - FIRST_SYMBOL;
        }
        codes[used++] = symbol;
        at += lengths[symbol] as number;
      }
      counts[string] = used - before;
    }
    return used;
  }
}

/** The first bytes of a half, at most four of them. */
function maskOf(bytes: number): number {
  return bytes >= 4 ? -1 : bytes <= 0 ? 0 : 2 ** (8 * bytes) - 1;
}

function slotOf(low: number): number {
  return Math.imul(low & 0xffffff, 0x9e3779b1) >>> (32 - HASH_BITS);
}
