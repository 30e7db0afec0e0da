// Matches, batch after batch in ascending order -> the rows of a view: a list of row numbers while they are few, a mask
// of one byte a row from an eighth of all rows on. Never more memory than one and a half bytes for each row that was
// looked at.
import { Mask } from '../../views/mask.ts';
import { allocateIndices } from '../../views/indices.ts';
import type { Rows } from '../../views/rows.ts';

/**
 * A list entry takes four bytes, so that a list of an eighth takes half of what a mask does; gathers read both at about
 * the same speed.
 */
const MASK_SHARE = 1 / 8;

export class RowCollector {
  readonly #rowCount: number;
  readonly #chunks: (Int32Array | Float64Array)[] = [];
  #mask: Uint8Array | null = null;
  #count = 0;

  /** @param rowCount how many rows are looked at. */
  constructor(rowCount: number) {
    this.#rowCount = rowCount;
  }

  get count(): number {
    return this.#count;
  }

  /** Rows `start` + each of `matches`. Copies. */
  add(matches: Int32Array | Float64Array, start: number): void {
    this.#count += matches.length;
    if (this.#mask === null && this.#count > this.#rowCount * MASK_SHARE) this.#toMask();
    if (this.#mask !== null) {
      mark(this.#mask, matches, start);
      return;
    }
    if (matches.length === 0) return;
    const chunk = allocateIndices(matches.length, this.#rowCount);
    for (let index = 0; index < matches.length; index += 1) chunk[index] = start + (matches[index] as number);
    this.#chunks.push(chunk);
  }

  /** Rows [start, start + count), all of which match. */
  addAll(start: number, count: number): void {
    this.#count += count;
    if (this.#mask === null && this.#count > this.#rowCount * MASK_SHARE) this.#toMask();
    if (this.#mask !== null) this.#mask.fill(1, start, start + count);
    else this.#chunks.push(allocateIndices(count, this.#rowCount).map((_: number, index: number) => start + index));
  }

  /**
   * Rows `start` + each bit of `bits` from byte `byteOffset` on that is 1, least significant first.
   * @param rowCount how many bits there are. @param matches how many of them are 1.
   */
  addBits(bits: Uint8Array, byteOffset: number, start: number, rowCount: number, matches: number): void {
    this.#count += matches;
    if (this.#mask === null && this.#count > this.#rowCount * MASK_SHARE) this.#toMask();
    if (this.#mask !== null) markBits(this.#mask, bits, byteOffset, start, rowCount);
    else if (matches > 0)
      this.#chunks.push(rowsOfBits(bits, byteOffset, start, allocateIndices(matches, this.#rowCount)));
  }

  /** The matches among the rows that they were looked for in. */
  rowsOf(base: Rows): Rows {
    if (this.#mask !== null) return { kind: 'filter', base, mask: new Mask(this.#mask, this.#rowCount) };
    const indices = allocateIndices(this.#count, this.#rowCount);
    let used = 0;
    for (const chunk of this.#chunks) {
      indices.set(chunk, used);
      used += chunk.length;
    }
    return { kind: 'take', base, indices };
  }

  #toMask(): void {
    this.#mask = new Uint8Array(this.#rowCount);
    for (const chunk of this.#chunks) mark(this.#mask, chunk, 0);
    this.#chunks.length = 0;
  }
}

function mark(mask: Uint8Array, rows: Int32Array | Float64Array, start: number): void {
  for (let index = 0; index < rows.length; index += 1) mask[start + (rows[index] as number)] = 1;
}

function markBits(mask: Uint8Array, bits: Uint8Array, byteOffset: number, start: number, rowCount: number): void {
  const whole = rowCount >>> 3;
  for (let byte = 0, row = start; byte < whole; byte += 1, row += 8) {
    const eight = bits[byteOffset + byte] as number;
    mask[row] = eight & 1;
    mask[row + 1] = (eight >> 1) & 1;
    mask[row + 2] = (eight >> 2) & 1;
    mask[row + 3] = (eight >> 3) & 1;
    mask[row + 4] = (eight >> 4) & 1;
    mask[row + 5] = (eight >> 5) & 1;
    mask[row + 6] = (eight >> 6) & 1;
    mask[row + 7] = eight >> 7;
  }
  for (let row = 8 * whole; row < rowCount; row += 1)
    mask[start + row] = ((bits[byteOffset + whole] as number) >> (row & 7)) & 1;
}

/** Fills `out`, which is as long as there are ones. */
function rowsOfBits<R extends Int32Array | Float64Array>(
  bits: Uint8Array,
  byteOffset: number,
  start: number,
  out: R,
): R {
  for (let byte = byteOffset, used = 0; used < out.length; byte += 1) {
    let eight = bits[byte] as number;
    const first = start + 8 * (byte - byteOffset);
    while (eight !== 0) {
      out[used++] = first + 31 - Math.clz32(eight & -eight);
      eight &= eight - 1;
    }
  }
  return out;
}
