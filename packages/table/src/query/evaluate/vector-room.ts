// Memory for the numbers of vectors: taken while a batch is looked at and free again as soon as what needs it is
// computed, at the latest with the next batch, so that batch after batch allocates nothing, and a long expression takes
// no more than a short one.

/** Of constants that are kept; further ones are made when they are wanted. */
const MOST_CONSTANT_BYTES = 1 << 24;

export class VectorRoom {
  readonly #arrays: Float64Array[] = [];
  readonly #constants = new Map<number, Float64Array>();
  #constantBytes = 0;
  #taken = 0;

  /** `count` numbers with whatever was there before; good until `reset`, or the `release` of a mark before it. */
  doubles(count: number): Float64Array {
    const at = this.#taken++;
    let array = this.#arrays[at];
    if (array === undefined || array.length < count) array = this.#arrays[at] = new Float64Array(count);
    return array.subarray(0, count);
  }

  /** `count` times the same number: not to be written to. As good as `doubles`. */
  constant(value: number, count: number): Float64Array {
    if (Object.is(value, -0)) return this.doubles(count).fill(value);
    let array = this.#constants.get(value);
    if (array === undefined || array.length < count) {
      const more = 8 * (count - (array?.length ?? 0));
      if (this.#constantBytes + more > MOST_CONSTANT_BYTES) return this.doubles(count).fill(value);
      array = new Float64Array(count).fill(value);
      this.#constants.set(value, array);
      this.#constantBytes += more;
    }
    return array.subarray(0, count);
  }

  /** For `release`. */
  get mark(): number {
    return this.#taken;
  }

  /** What was taken since the mark is free again, but for `kept`, if that is some of it. */
  release(mark: number, kept: Float64Array | null): void {
    let at = mark;
    while (kept !== null && at < this.#taken && this.#arrays[at]?.buffer !== kept.buffer) at += 1;
    if (kept === null || at >= this.#taken) {
      this.#taken = mark;
      return;
    }
    [this.#arrays[mark], this.#arrays[at]] = [this.#arrays[at] as Float64Array, this.#arrays[mark] as Float64Array];
    this.#taken = mark + 1;
  }

  /** All that was taken is free again. */
  reset(): void {
    this.#taken = 0;
  }
}
