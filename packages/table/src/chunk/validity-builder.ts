// The validity of rows that come one after another or in any order: no memory until the first null is met.
import { isValid, setNull } from '../validity.ts';

export class ValidityBuilder {
  #bits: Uint8Array | null = null;
  readonly #rowCount: number;

  /** @param rowCount how many rows there will be; more make it grow. */
  constructor(rowCount = 0) {
    this.#rowCount = rowCount;
  }

  setNull(row: number): void {
    const known = this.#bits;
    const bits = known !== null && row < 8 * known.length ? known : this.#upTo(row + 1);
    setNull(bits, row);
  }

  setNulls(start: number, end: number): void {
    for (let row = start; row < end; row += 1) this.setNull(row);
  }

  /** Rows [start, end) of a bitmap, or all valid where it is null, to rows that nothing was said of, from `to` on. */
  copy(validity: Uint8Array | null, start: number, end: number, to: number): void {
    if (validity === null || end <= start) return;
    const bits = this.#upTo(to + end - start);
    let row = start;
    let at = to;
    for (; row < end && (at & 7) !== 0; row += 1, at += 1) this.#copyBit(validity, row, at);
    const whole = (end - row) >>> 3;
    const shift = row & 7;
    let from = row >>> 3;
    let into = at >>> 3;
    if (shift === 0) bits.set(validity.subarray(from, from + whole), into);
    else
      for (const last = into + whole; into < last; from += 1, into += 1)
        bits[into] = ((validity[from] as number) >>> shift) | ((validity[from + 1] as number) << (8 - shift));
    for (row += 8 * whole, at += 8 * whole; row < end; row += 1, at += 1) this.#copyBit(validity, row, at);
  }

  /** Of the first `rowCount` rows; bits past the last one are 0. Null where no row is null. */
  finish(rowCount: number = this.#rowCount): Uint8Array | null {
    if (this.#bits === null) return null;
    const bits = this.#upTo(rowCount).subarray(0, (rowCount + 7) >>> 3);
    const over = rowCount & 7;
    if (over !== 0) bits[bits.length - 1] = (bits[bits.length - 1] as number) & ((1 << over) - 1);
    return bits;
  }

  #copyBit(validity: Uint8Array, row: number, to: number): void {
    if (!isValid(validity, row)) this.setNull(to);
  }

  #upTo(rowCount: number): Uint8Array {
    const byteLength = (Math.max(rowCount, this.#rowCount) + 7) >>> 3;
    const bits = this.#bits;
    if (bits !== null && bits.length >= byteLength) return bits;
    const more = new Uint8Array(bits === null ? byteLength : Math.max(byteLength, 2 * bits.length)).fill(0xff);
    if (bits !== null) more.set(bits);
    return (this.#bits = more);
  }
}
