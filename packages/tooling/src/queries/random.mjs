// Numbers that a seed determines (mulberry32), and what is drawn by them.
export class Random {
  #state;

  constructor(seed) {
    this.#state = seed | 0;
  }

  /** Below 1. */
  number() {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(limit) {
    return Math.floor(this.number() * limit);
  }

  chance(share) {
    return this.number() < share;
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  /** From 1 to `most` of what `draw` gives. */
  some(most, draw) {
    return Array.from({ length: 1 + this.below(most) }, draw);
  }

  /** About normally distributed, around 0. */
  normal() {
    let sum = -6;
    for (let i = 0; i < 12; i++) sum += this.number();
    return sum;
  }
}
