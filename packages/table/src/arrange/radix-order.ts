// Positions in the order of unsigned words: one digit after the other, the lowest first, each pass stable. No
// comparison is called, and digits that are the same everywhere cost a look.

/** Fewer rows than that are cheaper to sort by small digits. */
const FEW_ROWS = 2048;
/** Most bits of a digit: a pass writes to as many places in turn, which caches hold. */
const DIGIT_BITS = 13;
const SMALL_DIGIT_BITS = 8;

export class RadixOrder {
  readonly #count: number;
  readonly #mostBits: number;
  readonly #starts: Int32Array;
  #order: Int32Array;
  #other: Int32Array;

  /** @param count so many positions, in their own order. */
  constructor(count: number) {
    this.#count = count;
    this.#mostBits = count < FEW_ROWS ? SMALL_DIGIT_BITS : DIGIT_BITS;
    this.#starts = new Int32Array(2 ** this.#mostBits);
    this.#order = new Int32Array(count);
    for (let index = 0; index < count; index += 1) this.#order[index] = index;
    this.#other = new Int32Array(count);
  }

  /** Good until the next pass. */
  get order(): Int32Array {
    return this.#order;
  }

  /** Orders by these words, and what is equal by the order so far. */
  by(words: Uint32Array): void {
    const count = this.#count;
    let least = count === 0 ? 0 : (words[0] as number);
    let most = least;
    for (let index = 1; index < count; index += 1) {
      const word = words[index] as number;
      if (word < least) least = word;
      else if (word > most) most = word;
    }
    // What is above the least alone has digits: of numbers near one another, few.
    const bits = 32 - Math.clz32(most - least);
    const digitBits = Math.ceil(bits / Math.ceil(bits / this.#mostBits));
    for (let shift = 0; shift < bits; shift += digitBits) this.#pass(words, least, shift, digitBits);
  }

  /** Orders by these bytes, all of them below 256. */
  byBytes(bytes: Uint8Array): void {
    let seen = 0;
    for (let index = 0; index < this.#count; index += 1) seen |= bytes[index] as number;
    if (seen !== 0) this.by(Uint32Array.from(bytes.subarray(0, this.#count)));
  }

  #pass(words: Uint32Array, least: number, shift: number, digitBits: number): void {
    const mask = 2 ** digitBits - 1;
    const starts = this.#starts.fill(0, 0, mask + 1);
    const count = this.#count;
    for (let index = 0; index < count; index += 1) {
      const digit = (((words[index] as number) - least) >>> shift) & mask;
      starts[digit] = (starts[digit] as number) + 1;
    }
    // Where all rows have one digit there is nothing to move.
    if (count === 0 || starts[(((words[0] as number) - least) >>> shift) & mask] === count) return;
    let start = 0;
    for (let digit = 0; digit <= mask; digit += 1) {
      const size = starts[digit] as number;
      starts[digit] = start;
      start += size;
    }
    const [from, to] = [this.#order, this.#other];
    for (let k = 0; k < count; k += 1) {
      const position = from[k] as number;
      const digit = (((words[position] as number) - least) >>> shift) & mask;
      const target = starts[digit] as number;
      to[target] = position;
      starts[digit] = target + 1;
    }
    this.#order = to;
    this.#other = from;
  }
}
