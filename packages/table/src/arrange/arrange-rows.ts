// Rows of a source, all of them known -> the same rows in the order of some columns, or the first of each combination
// of values. Only the columns that are asked about are read. Where the first k are enough, memory is bounded by k.
import { assertNever } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import type { ColumnRef } from '../query/bound-predicate.ts';
import type { TableSource } from '../source.ts';
import { allocateIndices } from '../views/indices.ts';
import { countRows } from '../views/rows.ts';
import type { Rows } from '../views/rows.ts';
import type { ArrangeStep } from '../views/pending.ts';
import { MOST_DISTINCT } from '../aggregate/distinct-counts.ts';
import { aggregateRows } from '../aggregate/aggregate-rows.ts';
import { Aggregation } from '../aggregate/aggregation.ts';
import { FirstRows } from '../aggregate/first-rows.ts';
import { GroupKeys } from '../aggregate/keys/group-keys.ts';
import { readBlocks } from '../aggregate/read-blocks.ts';
import { orderedRows } from './ordered-rows.ts';
import type { FindRows } from './ordered-rows.ts';

/** What the source of the rows knows better than its values. */
export interface SourceKnowledge {
  /** Adds rows to an aggregation, as far as the source knows how; gives the rows that it left. */
  readonly add: (rows: Rows, aggregation: Aggregation<ColumnRef>) => Work<readonly Rows[]>;
  readonly find: FindRows;
}

/**
 * @param limit so many rows are enough; Infinity: all.
 * @throws LimitError; OutOfRangeError for an index of the rows; what reading throws.
 */
export function* arrangedRows(
  source: TableSource,
  rows: Rows,
  step: ArrangeStep,
  limit: number,
  known: SourceKnowledge,
): Work<Rows> {
  switch (step.kind) {
    case 'order':
      return yield* orderedRows(source, rows, step.columns, limit, known.find);
    case 'distinct':
      return yield* distinctRows(source, rows, step.columns, limit, known);
    default:
      return assertNever(step);
  }
}

function* distinctRows(
  source: TableSource,
  rows: Rows,
  columns: readonly ColumnRef[],
  limit: number,
  known: SourceKnowledge,
): Work<Rows> {
  const total = countRows(rows);
  // Of no columns all rows are alike.
  if (columns.length === 0) return { kind: 'take', base: rows, indices: new Int32Array(Math.min(1, total)) };
  const keys = GroupKeys.of(
    columns.map(({ info }) => info),
    'distinct',
    'different rows that distinct tells apart',
    MOST_DISTINCT,
  );
  const first = new FirstRows();
  if (limit === Infinity) {
    const aggregation = new Aggregation([], columns, keys, first);
    for (const left of yield* known.add(rows, aggregation)) yield* aggregateRows(source, left, aggregation);
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
