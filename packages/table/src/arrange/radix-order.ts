// Positions in the order of unsigned words: one digit after the other, the lowest first, each pass stable. No
// comparison is called, and digits that are the same everywhere cost a look. Words move with their positions: to look
// them up by position would be a miss of the cache for each.
import { TURN } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';

/** Fewer rows than that are cheaper to sort by small digits. */
const FEW_ROWS = 2048;
/** Most bits of a digit: a pass writes to as many places in turn, which caches hold. */
const DIGIT_BITS = 11;
const SMALL_DIGIT_BITS = 8;

export class RadixOrder {
  readonly #count: number;
  readonly #mostBits: number;
  readonly #starts: Int32Array;
  #order: Int32Array;
  #other: Int32Array;
  /** Whether positions are still in their own order. */
  #isFirst = true;
  /** The words of the positions, and where they move to. */
  #words = new Uint32Array(0);
  #moved = new Uint32Array(0);

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
  *by(words: Uint32Array): Work<void> {
    const count = this.#count;
    let least = count === 0 ? 0 : (words[0] as number);
    let most = least;
    for (let index = 1; index < count; index += 1) {
      const word = words[index] as number;
      if (word < least) least = word;
      else if (word > most) most = word;
    }
    if (least === most) return;
    if (this.#words.length < count) {
      this.#words = new Uint32Array(count);
      this.#moved = new Uint32Array(count);
    }
    // What is above the least alone has digits: of numbers near one another, few.
    const [own, order] = [this.#words, this.#order];
    if (this.#isFirst) for (let index = 0; index < count; index += 1) own[index] = (words[index] as number) - least;
    else for (let k = 0; k < count; k += 1) own[k] = (words[order[k] as number] as number) - least;
    const bits = 32 - Math.clz32(most - least);
    const digitBits = Math.ceil(bits / Math.ceil(bits / this.#mostBits));
    for (let shift = 0; shift < bits; shift += digitBits) {
      this.#pass(shift, digitBits);
      yield TURN;
    }
    this.#isFirst = false;
  }

  /** Orders by these bytes, all of them below 256. */
  *byBytes(bytes: Uint8Array): Work<void> {
    let seen = 0;
    for (let index = 0; index < this.#count; index += 1) seen |= bytes[index] as number;
    if (seen !== 0) yield* this.by(Uint32Array.from(bytes.subarray(0, this.#count)));
  }

  #pass(shift: number, digitBits: number): void {
    const mask = 2 ** digitBits - 1;
    const starts = this.#starts.fill(0, 0, mask + 1);
    const count = this.#count;
    const [words, moved] = [this.#words, this.#moved];
    for (let k = 0; k < count; k += 1) {
      const digit = ((words[k] as number) >>> shift) & mask;
      starts[digit] = (starts[digit] as number) + 1;
    }
    // Where all rows have one digit there is nothing to move.
    if (starts[((words[0] as number) >>> shift) & mask] === count) return;
    let start = 0;
    for (let digit = 0; digit <= mask; digit += 1) {
      const size = starts[digit] as number;
      starts[digit] = start;
      start += size;
    }
    const [from, to] = [this.#order, this.#other];
    for (let k = 0; k < count; k += 1) {
      const word = words[k] as number;
      const digit = (word >>> shift) & mask;
      const target = starts[digit] as number;
      to[target] = from[k] as number;
      moved[target] = word;
      starts[digit] = target + 1;
    }
    [this.#order, this.#other] = [to, from];
    [this.#words, this.#moved] = [moved, words];
  }
}
