// Rows of a page -> places among its values, and bits of its validity where they belong: what nulls make necessary.

/** How many of the rows before `row` are not null: one count per 32 rows, then the rest of a word. */
export class RowRank {
  readonly #validity: Uint8Array;
  readonly #counts: Uint32Array;

  /** @param validity the bitmap of a page of `rowCount` rows. */
  constructor(validity: Uint8Array, rowCount: number) {
    this.#validity = validity;
    this.#counts = new Uint32Array((rowCount >>> 5) + 1);
    let sum = 0;
    for (let word = 0; word < this.#counts.length; word++) {
      this.#counts[word] = sum;
      sum += ones(wordAt(validity, word));
    }
  }

  before(row: number): number {
    const word = row >>> 5;
    return (this.#counts[word] as number) + ones(wordAt(this.#validity, word) & (2 ** (row & 31) - 1));
  }
}

function wordAt(bytes: Uint8Array, word: number): number {
  const at = 4 * word;
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
}

function ones(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export function isPresent(validity: Uint8Array, row: number): boolean {
  return (((validity[row >>> 3] as number) >>> (row & 7)) & 1) === 1;
}

/** The validity of a result: no memory until the first null is met. */
export class ResultValidity {
  #bits: Uint8Array | null = null;
  readonly #count: number;

  constructor(count: number) {
    this.#count = count;
  }

  setNull(row: number): void {
    this.#bits ??= new Uint8Array(Math.ceil(this.#count / 8)).fill(255);
    this.#bits[row >>> 3] = (this.#bits[row >>> 3] as number) & ~(1 << (row & 7));
  }

  /** Rows [start, end) of a page, to row `to` on. */
  copy(validity: Uint8Array, start: number, end: number, to: number): void {
    this.#bits ??= new Uint8Array(Math.ceil(this.#count / 8)).fill(255);
    const bits = this.#bits;
    if ((start & 7) === (to & 7)) {
      // Whole bytes between the ragged ends.
      let row = start;
      while (row < end && (row & 7) !== 0) row = this.#copyBit(validity, row, to + row - start);
      const whole = (end - row) >>> 3;
      bits.set(validity.subarray(row >>> 3, (row >>> 3) + whole), (to + row - start) >>> 3);
      row += 8 * whole;
      while (row < end) row = this.#copyBit(validity, row, to + row - start);
      return;
    }
    for (let row = start, at = to; row < end; row++, at++)
      if (!isPresent(validity, row)) bits[at >>> 3] = (bits[at >>> 3] as number) & ~(1 << (at & 7));
  }

  /** Bits past the last row are 0. Null where no row is null. */
  finish(): Uint8Array | null {
    if (this.#bits === null) return null;
    const bits = this.#bits.subarray(0, Math.ceil(this.#count / 8));
    const over = this.#count & 7;
    if (over !== 0) bits[bits.length - 1] = (bits[bits.length - 1] as number) & (2 ** over - 1);
    return bits;
  }

  #copyBit(validity: Uint8Array, row: number, to: number): number {
    if (!isPresent(validity, row)) this.setNull(to);
    return row + 1;
  }
}
