// The first rows in the order of some columns, of those that were added; equal ones as they came. Memory is bounded by
// how many are wanted.
import { checkLimit } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import { runSync } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { domainOf } from '../aggregate/column-values.ts';
import type { RowBlock } from '../aggregate/read-blocks.ts';
import { allocateIndices } from '../views/indices.ts';
import type { OrderColumn } from '../views/pending.ts';
import type { OrderKeys } from './order-keys.ts';
import { RadixOrder } from './radix-order.ts';
import { TextKeys } from './text-keys.ts';
import { WordKeys } from './word-keys.ts';

/** Rows whose keys are in memory at a time: some gigabytes. */
const MOST_SORTED = 2 ** 28;
/** Rows that are taken beside the first k before these are sorted out. */
const SPARE_ROWS = 131_072;

export class TopRows {
  readonly #columns: readonly OrderColumn[];
  readonly #keys: readonly OrderKeys[];
  readonly #wanted: number;
  readonly #capacity: number;
  readonly #total: number;
  readonly #rows: Int32Array | Float64Array;
  #count = 0;
  /** Whether the kept rows are the first ones so far, so that others have to come before the last of them. */
  #isFull = false;
  #picks = new Int32Array(0);

  constructor(columns: readonly OrderColumn[], wanted: number, total: number) {
    this.#columns = columns;
    this.#wanted = wanted;
    this.#total = total;
    this.#capacity = Math.min(total, 2 * wanted + SPARE_ROWS);
    checkLimit('rows that are sorted (head(k) behind orderBy keeps k)', this.#capacity, MOST_SORTED);
    this.#keys = columns.map(({ column, descending }) => orderKeys(column.info, descending, this.#capacity));
    this.#rows = allocateIndices(this.#capacity, total);
  }

  /** @param placeOf where a row of the block is among all rows, in whose order they are added. */
  add(block: RowBlock, placeOf: (row: number) => number): void {
    const { rowCount } = block;
    for (const [index, { column }] of this.#columns.entries())
      this.#keys[index]?.read(block.valuesOf(column), rowCount);
    if (this.#picks.length < rowCount) this.#picks = new Int32Array(rowCount);
    const picks = this.#isFull ? this.#picks : null;
    const count = picks === null ? rowCount : (this.#keys[0]?.pick(rowCount, this.#keys.length > 1, picks) ?? 0);
    for (const keys of this.#keys) keys.append(picks, count, this.#count);
    for (let position = 0; position < count; position += 1)
      this.#rows[this.#count + position] = placeOf(picks === null ? position : (picks[position] as number));
    this.#count += count;
    // The next block must find room.
    if (this.#wanted < this.#capacity && this.#count + rowCount > this.#capacity) this.#cut();
  }

  /** The place of the row that others have to come before; null: there are not as many as are wanted. */
  lastPlace(): number | null {
    if (this.#count >= this.#wanted) this.#cut();
    return this.#isFull ? (this.#rows[this.#wanted - 1] as number) : null;
  }

  *result(): Work<Int32Array | Float64Array> {
    const order = yield* this.#order();
    // All rows, in whose order they were added: each is at its own place.
    if (this.#wanted === this.#total && order.length === this.#total) return order;
    return picked(this.#rows, order.subarray(0, Math.min(this.#wanted, order.length)));
  }

  #cut(): void {
    const indexes = runSync(this.#order()).slice(0, this.#wanted);
    for (const keys of this.#keys) keys.keep(indexes);
    this.#rows.set(picked(this.#rows, indexes));
    this.#count = indexes.length;
    this.#isFull = indexes.length === this.#wanted;
  }

  /** From the least column to the most. */
  *#order(): Work<Int32Array> {
    const order = new RadixOrder(this.#count);
    for (const keys of [...this.#keys].reverse()) yield* keys.sort(order, this.#count);
    return order.order;
  }
}

function picked(rows: Int32Array | Float64Array, indexes: Int32Array): Int32Array | Float64Array {
  const out = rows instanceof Int32Array ? new Int32Array(indexes.length) : new Float64Array(indexes.length);
  for (let index = 0; index < out.length; index += 1) out[index] = rows[indexes[index] as number] as number;
  return out;
}

function orderKeys(info: DTypeInfo, descending: boolean, capacity: number): OrderKeys {
  return domainOf(info) === 'text' ? new TextKeys(descending, capacity) : new WordKeys(info, descending, capacity);
}
