// Memory for the numbers of vectors: taken while a batch is looked at and free again with the next one, so that batch
// after batch allocates nothing.

export class VectorRoom {
  readonly #arrays: Float64Array[] = [];
  readonly #constants = new Map<number, Float64Array>();
  #taken = 0;

  /** `count` numbers with whatever was there before; good until `reset`. */
  doubles(count: number): Float64Array {
    const at = this.#taken++;
    let array = this.#arrays[at];
    if (array === undefined || array.length < count) array = this.#arrays[at] = new Float64Array(count);
    return array.subarray(0, count);
  }

  /** `count` times the same number: not to be written to. */
  constant(value: number, count: number): Float64Array {
    if (Object.is(value, -0)) return new Float64Array(count).fill(value);
    let array = this.#constants.get(value);
    if (array === undefined || array.length < count) {
      array = new Float64Array(count).fill(value);
      this.#constants.set(value, array);
    }
    return array.subarray(0, count);
  }

  /** All that was taken is free again. */
  reset(): void {
    this.#taken = 0;
  }
}
