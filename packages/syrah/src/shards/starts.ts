// Things that lie one after another, each with a number of items -> which of them has an item.

export class Starts {
  /** Of all together. */
  readonly length: number;
  readonly #starts: Float64Array;

  constructor(lengths: readonly number[]) {
    this.#starts = new Float64Array(lengths.length);
    let length = 0;
    for (const [number, each] of lengths.entries()) {
      this.#starts[number] = length;
      length += each;
    }
    this.length = length;
  }

  /** The first item of one. */
  of(number: number): number {
    return this.#starts[number] ?? 0;
  }

  /** Which one has an item in [0, length): the last that starts there or before, so not an empty one. */
  find(item: number): number {
    const starts = this.#starts;
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= item) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
