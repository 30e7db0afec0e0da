// Rows of a source in the order of some columns. Where few are wanted of many, the source is asked for those that come
// before the last one kept: what it knows of its values spares their reading.
import type { Work } from '@colkit/io/effects';
import { cellAt, domainOf, isNullAt } from '../aggregate/column-values.ts';
import type { Cell } from '../aggregate/column-values.ts';
import { readBlocks } from '../aggregate/read-blocks.ts';
import type { RowBlock } from '../aggregate/read-blocks.ts';
import { compareLiterals } from '../query/bind/literal-order.ts';
import type { BoundPredicate, ColumnRef, Literal } from '../query/bound-predicate.ts';
import { printName } from '../query/text/print.ts';
import type { TableSource } from '../source.ts';
import { NAT } from '../values/nat.ts';
import type { OrderColumn } from '../views/pending.ts';
import { rowNumbersOf } from '../views/row-numbers.ts';
import { countRows, rangeOf, sliceRows } from '../views/rows.ts';
import type { Rows } from '../views/rows.ts';
import { reachedValue } from './reached-value.ts';
import { TopRows } from './top-rows.ts';

/** Rows that are looked at before the source is asked for better ones, of each that is wanted; then stretches grow. */
const FIRST_SHARE = 64;
const FIRST_ROWS = 16_384;
const GROWTH = 8;
/** Of more rows that are wanted the last one leaves too many. */
const MOST_WANTED = 16_384;
/** Matches among so many rows are read by themselves. */
const FEW = 4;

/** The rows, of consecutive ones, that a source finds to match. */
export type FindRows = (rows: Rows, where: BoundPredicate) => Work<Rows>;

/**
 * @param limit so many rows are enough; Infinity: all.
 * @throws LimitError; OutOfRangeError for an index of the rows; what reading throws.
 */
export function* orderedRows(
  source: TableSource,
  rows: Rows,
  columns: readonly OrderColumn[],
  limit: number,
  find: FindRows,
): Work<Rows> {
  const total = countRows(rows);
  const wanted = Math.min(total, limit);
  if (wanted === 0) return { kind: 'take', base: rows, indices: new Int32Array(0) };
  const range = source.execute === undefined || wanted > MOST_WANTED || wanted === total ? null : rangeOf(rows);
  const [first] = columns;
  let reached: Cell = null;
  if (range !== null && first !== undefined)
    reached = (yield* reachedValue(source, range, first, wanted)) ?? (yield* reachedAtEnd(source, rows, first, wanted));
  const known = first === undefined ? null : comesBefore(first, reached, true);
  let top = yield* topRows(source, rows, columns, wanted, range === null ? null : find, known);
  // Where fewer rows come up to it than statistics had it, others are wanted too.
  if (
    known !== null &&
    first !== undefined &&
    !isReached(first, reached, yield* lastValue(source, rows, top, first.column))
  )
    top = yield* topRows(source, rows, columns, wanted, find, null);
  return { kind: 'take', base: rows, indices: yield* top.result() };
}

/** What as many of the last rows as are wanted come up to: where a source grows at its end, they are the first ones. */
function* reachedAtEnd(source: TableSource, rows: Rows, first: OrderColumn, wanted: number): Work<Cell> {
  const total = countRows(rows);
  const count = Math.max(FIRST_ROWS, 2 * wanted);
  if (count > total / 2) return null;
  const end = sliceRows(rows, { start: total - count, step: 1, count });
  const top = new TopRows([first], wanted, count);
  yield* addRows(source, end, [first.column], top, (row) => row);
  return yield* lastValue(source, end, top, first.column);
}

/**
 * @param find null: all rows are read.
 * @param known what rows must match to be among the first; null: nothing is known.
 */
function* topRows(
  source: TableSource,
  rows: Rows,
  columns: readonly OrderColumn[],
  wanted: number,
  find: FindRows | null,
  known: BoundPredicate | null,
): Work<TopRows> {
  const total = countRows(rows);
  const top = new TopRows(columns, wanted, total);
  const read = [...new Set(columns.map(({ column }) => column))];
  let size = find === null ? total : Math.max(FIRST_ROWS, FIRST_SHARE * wanted);
  for (let start = 0; start < total; size *= GROWTH) {
    const count = Math.min(size, total - start);
    const stretch = sliceRows(rows, { start, step: 1, count });
    const better = (start === 0 ? null : yield* betterThanLast(source, rows, top, columns)) ?? known;
    const found = better === null || find === null ? stretch : yield* find(stretch, better);
    if (countRows(found) * FEW > count) yield* addRows(source, stretch, read, top, (row) => start + row);
    else if (countRows(found) > 0) {
      const numbers = rowNumbersOf(found, source.rowCount);
      const first = rangeOf(rows)?.start ?? 0;
      yield* addRows(source, found, read, top, (row) => (numbers[row] as number) - first);
    }
    start += count;
  }
  return top;
}

function* addRows(
  source: TableSource,
  rows: Rows,
  columns: readonly ColumnRef[],
  top: TopRows,
  placeOf: (row: number) => number,
): Work<void> {
  const add = (block: RowBlock): boolean => {
    top.add(block, (row) => placeOf(block.start + row));
    return true;
  };
  yield* readBlocks(source, rows, columns, add, true);
}

/** What rows must match to come before the last one that is kept; null: nothing can be said of them. */
function* betterThanLast(
  source: TableSource,
  rows: Rows,
  top: TopRows,
  [first, ...others]: readonly OrderColumn[],
): Work<BoundPredicate | null> {
  if (first === undefined) return null;
  // Of equal rows the first ones count, but another column may put them before.
  return comesBefore(first, yield* lastValue(source, rows, top, first.column), others.length > 0);
}

/** What the last one that is kept has in a column; null too where there are not as many as are wanted. */
function* lastValue(source: TableSource, rows: Rows, top: TopRows, column: ColumnRef): Work<Cell> {
  const place = top.lastPlace();
  if (place === null) return null;
  let value: Cell = null;
  const last: Rows = { kind: 'take', base: rows, indices: Float64Array.of(place) };
  yield* readBlocks(source, last, [column], (block) => {
    const values = block.valuesOf(column);
    if (!isNullAt(values, 0)) value = cellAt(column.info, values, 0);
    return true;
  });
  return value;
}

/** Null where predicates do not order such values. */
function comesBefore({ column, descending }: OrderColumn, value: Cell, orEqual: boolean): BoundPredicate | null {
  if (!isOrdered(column, value)) return null;
  const op = `${descending ? 'g' : 'l'}${orEqual ? 'e' : 't'}` as const;
  const text = `${printName(column.name)} before the last of the first rows`;
  return { columns: [column.number], refs: [column], text, root: { kind: 'compare', column, op, value } };
}

/** Whether a value comes before another, or is the same. */
function isReached({ column, descending }: OrderColumn, value: Cell, by: Cell): boolean {
  if (!isOrdered(column, value) || !isOrdered(column, by)) return false;
  const order = compareLiterals(by, value);
  return order !== null && (descending ? order >= 0 : order <= 0);
}

/** Whether predicates order such values as rows are ordered, and this one before those that are none. */
function isOrdered({ info }: ColumnRef, value: Cell): value is Literal {
  switch (domainOf(info)) {
    case 'integers':
    case 'wide':
    case 'text':
      return value !== null;
    case 'floats':
      return value !== null && !Number.isNaN(value);
    case 'ticks':
      return value !== null && value !== NAT;
    default:
      return false;
  }
}
