// Batches of any size -> the rows of one row group: what came is copied here until there are enough. The memory is
// taken once and used for every row group.
import type { FixedArray } from '@colkit/io';
import { arrayOver } from '../../layout/column-type.ts';
import type { ColumnType } from '../../layout/column-type.ts';
import type { StoredChunk } from './column-plan.ts';

const FIRST_ROWS = 4096;

/** The rows of one column. */
class ColumnBuffer {
  readonly #type: ColumnType;
  #bytes = new Uint8Array(0);
  #values: (string | Uint8Array)[] = [];
  /** One bit a row; empty as long as no row is null. */
  #validity = new Uint8Array(0);
  #hasNulls = false;

  constructor(type: ColumnType) {
    this.#type = type;
  }

  /** Adds rows behind the first `rowCount`; gives about how many bytes they take. */
  add(chunk: StoredChunk, rowCount: number, added: number): number {
    this.#addValidity(chunk.validity, rowCount, added);
    if (chunk.kind === 'fixed') {
      const { itemBytes } = this.#type;
      this.#bytes = grown(this.#bytes, (rowCount + added) * itemBytes, FIRST_ROWS * itemBytes);
      this.#bytes.set(
        new Uint8Array(chunk.items.buffer, chunk.items.byteOffset, chunk.items.byteLength),
        rowCount * itemBytes,
      );
      return chunk.items.byteLength;
    }
    let byteLength = 0;
    for (const value of chunk.values) {
      this.#values.push(value instanceof Uint8Array ? value.slice() : value);
      byteLength += value.length;
    }
    return byteLength;
  }

  /** The first `rowCount` rows: valid until more are added. */
  take(rowCount: number): StoredChunk {
    const validity = this.#hasNulls ? this.#validity.subarray(0, Math.ceil(rowCount / 8)) : null;
    this.#hasNulls = false;
    if (this.#type.itemBytes !== 0) {
      const items: FixedArray = arrayOver(this.#type, this.#bytes.buffer, 0, rowCount);
      return { kind: 'fixed', items, validity };
    }
    const values = this.#values;
    this.#values = [];
    return { kind: 'values', values, validity };
  }

  #addValidity(validity: Uint8Array | null, rowCount: number, added: number): void {
    if (validity === null && !this.#hasNulls) return;
    if (!this.#hasNulls) {
      this.#hasNulls = true;
      this.#validity.fill(0);
      this.#validity = grown(this.#validity, Math.ceil((rowCount + added) / 8), FIRST_ROWS / 8);
      setBits(this.#validity, 0, rowCount);
    }
    this.#validity = grown(this.#validity, Math.ceil((rowCount + added) / 8), FIRST_ROWS / 8);
    if (validity === null) setBits(this.#validity, rowCount, added);
    else copyBits(validity, this.#validity, rowCount, added);
  }
}

/** The same bytes with room for more; what is behind them is 0 the first time. */
function grown(bytes: Uint8Array<ArrayBuffer>, byteLength: number, least: number): Uint8Array<ArrayBuffer> {
  if (byteLength <= bytes.length) return bytes;
  const more = new Uint8Array(Math.max(byteLength, 2 * bytes.length, least));
  more.set(bytes);
  return more;
}

function setBits(bitmap: Uint8Array, start: number, count: number): void {
  let row = start;
  const end = start + count;
  for (; row < end && (row & 7) !== 0; row++) bitmap[row >>> 3] = (bitmap[row >>> 3] as number) | (1 << (row & 7));
  bitmap.fill(0xff, row >>> 3, end >>> 3);
  for (row = Math.max(row, end & ~7); row < end; row++)
    bitmap[row >>> 3] = (bitmap[row >>> 3] as number) | (1 << (row & 7));
}

/** The first `count` bits of `from`, behind the first `start` of `to`, where they are 0 so far. */
function copyBits(from: Uint8Array, to: Uint8Array, start: number, count: number): void {
  const shift = start & 7;
  let at = start >>> 3;
  for (let byte = 0; byte * 8 < count; byte++, at++) {
    const left = count - byte * 8;
    const bits = (from[byte] ?? 0) & (left < 8 ? (1 << left) - 1 : 0xff);
    to[at] = (to[at] as number) | ((bits << shift) & 0xff);
    if (shift + Math.min(left, 8) > 8) to[at + 1] = (to[at + 1] as number) | (bits >>> (8 - shift));
  }
}

/** The rows of all columns. */
export class RowBuffer {
  readonly #columns: readonly ColumnBuffer[];
  #rowCount = 0;
  #byteLength = 0;

  constructor(types: readonly ColumnType[]) {
    this.#columns = types.map((type) => new ColumnBuffer(type));
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  /** About what the rows take in memory. */
  get byteLength(): number {
    return this.#byteLength;
  }

  /** Copies `rowCount` rows: one chunk a column. */
  add(chunks: readonly StoredChunk[], rowCount: number): void {
    for (const [column, chunk] of chunks.entries())
      this.#byteLength += this.#columns[column]?.add(chunk, this.#rowCount, rowCount) ?? 0;
    this.#rowCount += rowCount;
  }

  /** All rows, which are no longer in it; valid until the next `add`. */
  take(): StoredChunk[] {
    const rows = this.#columns.map((column) => column.take(this.#rowCount));
    this.#rowCount = 0;
    this.#byteLength = 0;
    return rows;
  }
}
