// Rows of parts that lie one after another -> which part has a row. Parts of equal length are found by a division,
// others by a search that has no branch depending on the row; ascending rows by a walk from part to part.

export class PartStarts {
  /** For each part that has rows, its number. */
  readonly numbers: Int32Array;
  /** Its first row; behind the last one the row count, and then Infinity: the search takes all its steps. */
  readonly #starts: Float64Array;
  readonly #firstStep: number;
  /** Rows of each but the last, which has at most as many; 0: they differ. */
  readonly #uniformRows: number;

  constructor(rowCounts: readonly number[]) {
    const numbers = rowCounts.flatMap((count, number) => (count > 0 ? [number] : []));
    this.numbers = Int32Array.from(numbers);
    let step = 1;
    while (step * 2 <= numbers.length) step *= 2;
    this.#firstStep = step;
    this.#starts = new Float64Array(numbers.length + 1 + 2 * step).fill(Infinity);
    let start = 0;
    for (const [ordinal, number] of numbers.entries()) {
      this.#starts[ordinal] = start;
      start += rowCounts[number] as number;
    }
    this.#starts[numbers.length] = start;
    const rows = rowCounts[numbers[0] ?? 0] ?? 0;
    const isUniform = numbers.every((number, ordinal) => {
      const own = rowCounts[number] as number;
      return own === rows || (own < rows && ordinal === numbers.length - 1);
    });
    this.#uniformRows = isUniform ? rows : 0;
  }

  /** How many parts have rows. */
  get count(): number {
    return this.numbers.length;
  }

  get rowCount(): number {
    return this.#starts[this.count] as number;
  }

  /** The first row of the part at an ordinal among those that have rows; at `count` the row count. */
  start(ordinal: number): number {
    return this.#starts[ordinal] as number;
  }

  /** The ordinal of the part that has a row of the table. */
  find(row: number): number {
    if (this.#uniformRows > 0) return Math.floor(row / this.#uniformRows);
    const starts = this.#starts;
    let ordinal = 0;
    for (let step = this.#firstStep; step > 0; step >>= 1)
      ordinal += Number((starts[ordinal + step] as number) <= row) * step;
    return ordinal;
  }

  /** The ordinals of the parts of rows, and whether the rows ascend. */
  findAll(rows: ArrayLike<number>): { readonly ordinals: Int32Array; readonly isAscending: boolean } {
    const ordinals = new Int32Array(rows.length);
    let isAscending = true;
    for (let index = 1; index < rows.length && isAscending; index += 1)
      isAscending = (rows[index] as number) >= (rows[index - 1] as number);
    if (!isAscending)
      for (let index = 0; index < rows.length; index += 1) ordinals[index] = this.find(rows[index] as number);
    else this.#walk(rows, ordinals);
    return { ordinals, isAscending };
  }

  #walk(rows: ArrayLike<number>, ordinals: Int32Array): void {
    const starts = this.#starts;
    let ordinal = rows.length === 0 ? 0 : this.find(rows[0] as number);
    let end = starts[ordinal + 1] as number;
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows[index] as number;
      if (row >= end) {
        ordinal = row < (starts[ordinal + 2] as number) ? ordinal + 1 : this.find(row);
        end = starts[ordinal + 1] as number;
      }
      ordinals[index] = ordinal;
    }
  }
}
