// Rows of a source, all of them known -> the same rows in the order of some columns, or the first of each combination
// of values. Only the columns that are asked about are read. Where the first k are enough, memory is bounded by k.
import { assertNever, checkLimit } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import type { ColumnRef } from '../query/bound-predicate.ts';
import type { TableSource } from '../source.ts';
import { allocateIndices } from '../views/indices.ts';
import { countRows } from '../views/rows.ts';
import type { Rows } from '../views/rows.ts';
import type { ArrangeStep, OrderColumn } from '../views/pending.ts';
import { MOST_DISTINCT } from '../aggregate/distinct-counts.ts';
import { aggregateRows } from '../aggregate/aggregate-rows.ts';
import { Aggregation } from '../aggregate/aggregation.ts';
import { FirstRows } from '../aggregate/first-rows.ts';
import { GroupKeys } from '../aggregate/group-keys.ts';
import { orderKeys } from './order-keys.ts';
import type { OrderKeys } from './order-keys.ts';
import { RadixOrder } from './radix-order.ts';
import { readBlocks } from '../aggregate/read-blocks.ts';
import type { RowBlock } from '../aggregate/read-blocks.ts';

/** Rows whose keys are in memory at a time: some gigabytes. */
const MOST_SORTED = 2 ** 28;
/** Rows that are taken beside the first k before these are sorted out. */
const SPARE_ROWS = 131_072;

/** Has the source add rows to an aggregation, as far as it knows how; gives the rows that it left. */
type AddKnown = (rows: Rows, aggregation: Aggregation<ColumnRef>) => Work<readonly Rows[]>;

/**
 * @param limit so many rows are enough; Infinity: all.
 * @throws LimitError; OutOfRangeError for an index of the rows; what reading throws.
 */
export function* arrangedRows(
  source: TableSource,
  rows: Rows,
  step: ArrangeStep,
  limit: number,
  addKnown: AddKnown,
): Work<Rows> {
  switch (step.kind) {
    case 'order':
      return yield* orderedRows(source, rows, step.columns, limit);
    case 'distinct':
      return yield* distinctRows(source, rows, step.columns, limit, addKnown);
    default:
      return assertNever(step);
  }
}

function* orderedRows(source: TableSource, rows: Rows, columns: readonly OrderColumn[], limit: number): Work<Rows> {
  const total = countRows(rows);
  const wanted = Math.min(total, limit);
  if (wanted === 0) return { kind: 'take', base: rows, indices: new Int32Array(0) };
  const first = new TopRows(columns, wanted, total);
  yield* readBlocks(source, rows, [...new Set(columns.map(({ column }) => column))], (block) => {
    first.add(block);
    return true;
  });
  return { kind: 'take', base: rows, indices: first.result() };
}

/** The first rows in the order of some columns, of those that were added; equal ones as they came. */
class TopRows {
  readonly #columns: readonly OrderColumn[];
  readonly #keys: readonly OrderKeys[];
  readonly #wanted: number;
  readonly #capacity: number;
  readonly #rows: Int32Array | Float64Array;
  #count = 0;
  /** Whether the kept rows are the first ones so far, so that others have to come before the last of them. */
  #isFull = false;
  #picks = new Int32Array(0);

  constructor(columns: readonly OrderColumn[], wanted: number, total: number) {
    this.#columns = columns;
    this.#wanted = wanted;
    this.#capacity = Math.min(total, 2 * wanted + SPARE_ROWS);
    checkLimit('rows that are sorted (head(k) behind orderBy keeps k)', this.#capacity, MOST_SORTED);
    this.#keys = columns.map(({ column, descending }) => orderKeys(column.info, descending, this.#capacity));
    this.#rows = allocateIndices(this.#capacity, total);
  }

  add(block: RowBlock): void {
    const { rowCount, start } = block;
    for (const [index, { column }] of this.#columns.entries())
      this.#keys[index]?.read(block.valuesOf(column), rowCount);
    if (this.#picks.length < rowCount) this.#picks = new Int32Array(rowCount);
    const picks = this.#isFull ? this.#picks : null;
    const count = picks === null ? rowCount : (this.#keys[0]?.pick(rowCount, this.#keys.length > 1, picks) ?? 0);
    for (const keys of this.#keys) keys.append(picks, count, this.#count);
    for (let position = 0; position < count; position += 1)
      this.#rows[this.#count + position] = start + (picks === null ? position : (picks[position] as number));
    this.#count += count;
    // The next block must find room.
    if (this.#wanted < this.#capacity && this.#count + rowCount > this.#capacity) this.#cut();
  }

  result(): Int32Array | Float64Array {
    const order = this.#order();
    return picked(this.#rows, order.subarray(0, Math.min(this.#wanted, order.length)));
  }

  #cut(): void {
    const indexes = this.#order().slice(0, this.#wanted);
    for (const keys of this.#keys) keys.keep(indexes);
    this.#rows.set(picked(this.#rows, indexes));
    this.#count = indexes.length;
    this.#isFull = indexes.length === this.#wanted;
  }

  /** From the least column to the most. */
  #order(): Int32Array {
    const order = new RadixOrder(this.#count);
    for (const keys of [...this.#keys].reverse()) keys.sort(order, this.#count);
    return order.order;
  }
}

function* distinctRows(
  source: TableSource,
  rows: Rows,
  columns: readonly ColumnRef[],
  limit: number,
  addKnown: AddKnown,
): Work<Rows> {
  const total = countRows(rows);
  // Of no columns all rows are alike.
  if (columns.length === 0) return { kind: 'take', base: rows, indices: new Int32Array(Math.min(1, total)) };
  const keys = new GroupKeys(
    columns.map(({ info }) => info),
    'distinct',
    'different rows that distinct tells apart',
    MOST_DISTINCT,
  );
  const first = new FirstRows();
  if (limit === Infinity) {
    const aggregation = new Aggregation([], columns, keys, first);
    for (const left of yield* addKnown(rows, aggregation)) yield* aggregateRows(source, left, aggregation);
  } else {
    yield* readBlocks(source, rows, columns, (block) => {
      const values = columns.map((column) => block.valuesOf(column));
      first.addRows(block.rowCount, keys.groupsOf(values, block.rowCount), keys.count);
      return first.places.length < limit;
    });
  }
  const indices = allocateIndices(first.places.length, total);
  indices.set(first.places);
  return { kind: 'take', base: rows, indices };
}

function picked(rows: Int32Array | Float64Array, indexes: Int32Array): Int32Array | Float64Array {
  const out = rows instanceof Int32Array ? new Int32Array(indexes.length) : new Float64Array(indexes.length);
  for (let index = 0; index < out.length; index += 1) out[index] = rows[indexes[index] as number] as number;
  return out;
}
