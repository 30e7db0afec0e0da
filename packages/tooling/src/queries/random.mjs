// What is drawn by numbers that a seed determines.
import { mulberry32 } from '../../../testkit/src/data/orders.mjs';

export class Random {
  #uniform;

  constructor(seed) {
    this.#uniform = mulberry32(seed);
  }

  /** Below 1. */
  number() {
    return this.#uniform();
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
