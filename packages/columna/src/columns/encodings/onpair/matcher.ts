// Symbols as a tree of their bytes: which of them is the longest that begins a text. Every byte is a symbol.
import { compareBytes } from '../../../layout/statistics.ts';
import { MOST_SYMBOLS, MOST_SYMBOL_BYTES, SINGLE_BYTES } from './symbols.ts';
import type { Symbols } from './symbols.ts';

/** Twice as many as the tree may have nodes. */
const SLOTS = 2 * MOST_SYMBOLS * MOST_SYMBOL_BYTES;
const SLOT_BITS = Math.log2(SLOTS);

export class Matcher implements Symbols {
  /** `MOST_SYMBOL_BYTES` for each symbol. */
  readonly bytes = new Uint8Array(MOST_SYMBOLS * MOST_SYMBOL_BYTES);
  readonly lengths = new Uint8Array(MOST_SYMBOLS);
  /** By the node of a text and the byte behind it, plus one: the node of both. */
  readonly #keys = new Int32Array(SLOTS);
  readonly #nodes = new Int32Array(SLOTS);
  /** The symbol of each node, plus one; 0 where it has none. The nodes of single bytes are the bytes. */
  readonly #symbols = new Uint16Array(SLOTS / 2);
  #nodeCount = SINGLE_BYTES;
  #count = SINGLE_BYTES;

  constructor() {
    for (let byte = 0; byte < SINGLE_BYTES; byte++) {
      this.bytes[MOST_SYMBOL_BYTES * byte] = byte;
      this.lengths[byte] = 1;
      this.#symbols[byte] = byte + 1;
    }
  }

  get count(): number {
    return this.#count;
  }

  /** Of symbols that begin with each byte alone. */
  static of(symbols: Symbols): Matcher {
    return symbols instanceof Matcher ? symbols : matcherOf(symbols, joinedSymbols(symbols.count));
  }

  /** The first so many symbols alone. */
  first(count: number): Matcher {
    return matcherOf(this, joinedSymbols(count));
  }

  /** The same with those of more than one byte in the order of their bytes. */
  sorted(): Matcher {
    return this.mostUsed(new Uint32Array(MOST_SYMBOLS), 0);
  }

  /** Those alone that are used so often, the most used ones first, as often used ones in the order of their bytes. */
  mostUsed(uses: Uint32Array, least: number): Matcher {
    const used = joinedSymbols(this.#count).filter((symbol) => (uses[symbol] as number) >= least);
    return matcherOf(
      this,
      used.sort(
        (a, b) => (uses[b] as number) - (uses[a] as number) || compareBytes(this.#bytesOf(a), this.#bytesOf(b)),
      ),
    );
  }

  #bytesOf(symbol: number): Uint8Array {
    const from = MOST_SYMBOL_BYTES * symbol;
    return this.bytes.subarray(from, from + (this.lengths[symbol] as number));
  }

  /** Makes two symbols one, where they are not yet; there is room for it. */
  join(first: number, second: number): void {
    const { bytes, lengths } = this;
    const [from, behind] = [MOST_SYMBOL_BYTES * first, MOST_SYMBOL_BYTES * second];
    const to = MOST_SYMBOL_BYTES * this.#count;
    const [length, more] = [lengths[first] as number, lengths[second] as number];
    bytes.copyWithin(to, from, from + length);
    bytes.copyWithin(to + length, behind, behind + more);
    if (!this.addNext(length + more)) bytes.fill(0, to, to + length + more);
  }

  /** The next symbol, whose bytes are in their place; false where it is one already. */
  addNext(length: number): boolean {
    const from = MOST_SYMBOL_BYTES * this.#count;
    let node = this.bytes[from] as number;
    for (let at = from + 1; at < from + length; at++) {
      const key = SINGLE_BYTES * node + (this.bytes[at] as number) + 1;
      const slot = slotOf(this.#keys, key);
      if (this.#keys[slot] === 0) {
        this.#keys[slot] = key;
        this.#nodes[slot] = this.#nodeCount++;
      }
      node = this.#nodes[slot] as number;
    }
    if (this.#symbols[node] !== 0) return false;
    this.lengths[this.#count] = length;
    this.#symbols[node] = ++this.#count;
    return true;
  }

  /** The longest symbol that text[at, end) begins with, which has a byte and more. */
  find(text: Uint8Array, at: number, end: number): number {
    const [keys, nodes, symbols] = [this.#keys, this.#nodes, this.#symbols];
    let node = text[at] as number;
    let symbol = node;
    const last = Math.min(end, at + MOST_SYMBOL_BYTES);
    for (let next = at + 1; next < last; next++) {
      const key = SINGLE_BYTES * node + (text[next] as number) + 1;
      const slot = slotOf(keys, key);
      if (keys[slot] === 0) return symbol;
      node = nodes[slot] as number;
      const own = symbols[node] as number;
      if (own !== 0) symbol = own - 1;
    }
    return symbol;
  }
}

/** Those of the first so many symbols that have more than one byte. */
function joinedSymbols(count: number): Uint16Array {
  return Uint16Array.from({ length: count - SINGLE_BYTES }, (_, i) => SINGLE_BYTES + i);
}

/** Each byte, and symbols in an order. */
function matcherOf({ bytes, lengths }: Symbols, order: Uint16Array): Matcher {
  const matcher = new Matcher();
  for (const symbol of order) {
    const from = MOST_SYMBOL_BYTES * symbol;
    matcher.bytes.set(bytes.subarray(from, from + MOST_SYMBOL_BYTES), MOST_SYMBOL_BYTES * matcher.count);
    matcher.addNext(lengths[symbol] as number);
  }
  return matcher;
}

/** Where a key is, or would be. */
function slotOf(keys: Int32Array, key: number): number {
  let slot = Math.imul(key, 0x9e3779b1) >>> (32 - SLOT_BITS);
  while (keys[slot] !== key && keys[slot] !== 0) slot = (slot + 1) & (SLOTS - 1);
  return slot;
}
