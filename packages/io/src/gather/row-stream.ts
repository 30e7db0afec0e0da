// A checked row selection as a stream of plain row numbers, a buffer at a time.
import { assertNever } from '../errors/assert-never.ts';
import type { IndexArray, RowSelection } from './gather.ts';

/** Delivers the rows of a selection in its order. */
interface RowStream {
  /** Writes the next rows to the front of `rows`, as many as fit; returns how many. 0: the end. */
  next(rows: Float64Array): number;
}

export function rowStream(selection: RowSelection, rowCount: number): RowStream {
  switch (selection.kind) {
    case 'range':
      return new RangeStream(selection.start, selection.step, selection.count);
    case 'indices':
      return new IndexStream(selection.indices, rowCount);
    case 'mask':
      return new MaskStream(selection.mask);
    default:
      return assertNever(selection);
  }
}

class RangeStream implements RowStream {
  #row: number;
  readonly #step: number;
  #left: number;

  constructor(start: number, step: number, count: number) {
    this.#row = start;
    this.#step = step;
    this.#left = count;
  }

  next(rows: Float64Array): number {
    const count = Math.min(rows.length, this.#left);
    const start = this.#row;
    const step = this.#step;
    for (let i = 0; i < count; i++) rows[i] = start + i * step;
    this.#row = start + count * step;
    this.#left -= count;
    return count;
  }
}

class IndexStream implements RowStream {
  readonly #indices: IndexArray;
  readonly #rowCount: number;
  #at = 0;

  constructor(indices: IndexArray, rowCount: number) {
    this.#indices = indices;
    this.#rowCount = rowCount;
  }

  next(rows: Float64Array): number {
    const count = Math.min(rows.length, this.#indices.length - this.#at);
    if (this.#indices instanceof BigInt64Array) copyBigIndices(this.#indices, this.#at, count, this.#rowCount, rows);
    else copyIndices(this.#indices, this.#at, count, this.#rowCount, rows);
    this.#at += count;
    return count;
  }
}

function copyIndices(
  indices: Int32Array | Uint32Array | Float64Array,
  from: number,
  count: number,
  rowCount: number,
  rows: Float64Array,
): void {
  for (let i = 0; i < count; i++) {
    const index = indices[from + i] as number;
    rows[i] = index < 0 ? index + rowCount : index + 0; // -0 is row 0
  }
}

function copyBigIndices(
  indices: BigInt64Array,
  from: number,
  count: number,
  rowCount: number,
  rows: Float64Array,
): void {
  for (let i = 0; i < count; i++) {
    const index = Number(indices[from + i]);
    rows[i] = index < 0 ? index + rowCount : index;
  }
}

class MaskStream implements RowStream {
  readonly #mask: Uint8Array;
  #at = 0;

  constructor(mask: Uint8Array) {
    this.#mask = mask;
  }

  next(rows: Float64Array): number {
    const mask = this.#mask;
    let count = 0;
    let at = this.#at;
    // Without a branch on the mask: a random one is mispredicted every other time.
    for (; at < mask.length && count < rows.length; at++) {
      rows[count] = at;
      count += mask[at] === 0 ? 0 : 1;
    }
    this.#at = at;
    return count;
  }
}
