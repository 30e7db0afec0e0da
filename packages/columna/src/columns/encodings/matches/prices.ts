// What literals, runs, matches and offsets are expected to take, in 256ths of a bit, by how often each occurred before.
// Integers only: which matches are chosen depends on nothing else.
import { MOST_OFFSET_CODE, SAME_OFFSET } from './offsets.ts';

export const BIT = 256;
const MOST_PRICE = 16 * BIT;
/** Longer matches are taken in pieces. */
export const LONGEST_MATCH = 1024;
/** Longer runs cost what this one does. */
export const LONGEST_RUN = 1023;

/** 256 · log2(1 + i / 256), rounded. */
const FRACTIONS = Int32Array.from({ length: 256 }, (_, i) => Math.round(BIT * Math.log2(1 + i / 256)));

/** 256 · log2 of a whole number of 1 and more, about. */
function log2(number: number): number {
  const whole = 31 - Math.clz32(number);
  const fraction = whole >= 8 ? (number >>> (whole - 8)) & 255 : (number << (8 - whole)) & 255;
  return whole * BIT + (FRACTIONS[fraction] as number);
}

/** Numbers below a limit, how often each occurred and what it takes. */
class PriceTable {
  readonly prices: Int32Array;
  readonly #counts: Int32Array;
  #total = 0;

  constructor(length: number, first: (number: number) => number) {
    this.prices = Int32Array.from({ length }, (_, number) => first(number));
    this.#counts = new Int32Array(length);
  }

  count(number: number): void {
    this.#counts[number] = (this.#counts[number] as number) + 1;
    this.#total++;
  }

  /** From what was counted; what never occurred is taken to have occurred a quarter of a time. */
  update(): void {
    const { prices } = this;
    const counts = this.#counts;
    const total = log2(4 * this.#total + prices.length);
    for (let number = 0; number < prices.length; number++) {
      const price = total - log2(4 * (counts[number] as number) + 1);
      prices[number] = price < MOST_PRICE ? price : MOST_PRICE;
    }
  }
}

export class Prices {
  readonly literals = new PriceTable(256, () => 6 * BIT);
  readonly runs = new PriceTable(LONGEST_RUN + 1, (run) => BIT + log2(run + 1));
  readonly lengths = new PriceTable(LONGEST_MATCH + 1, (length) => 2 * BIT + log2(length + 1));
  readonly codes = new PriceTable(MOST_OFFSET_CODE + 1, (code) => (code === SAME_OFFSET ? 3 : 5) * BIT);

  update(): void {
    for (const table of [this.literals, this.runs, this.lengths, this.codes]) table.update();
  }
}
