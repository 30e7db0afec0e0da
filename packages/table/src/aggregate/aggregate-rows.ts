// Rows of a source, all of them known -> what they add up to, read block by block.
import type { Work } from '@colkit/io/effects';
import type { ColumnRef } from '../query/bound-predicate.ts';
import type { TableSource } from '../source.ts';
import { checkRows } from '../views/resolve.ts';
import { countRows } from '../views/rows.ts';
import type { Rows } from '../views/rows.ts';
import type { Aggregation } from './aggregation.ts';
import { readBlocks } from './read-blocks.ts';
import type { RowBlock } from './read-blocks.ts';

export function* aggregateRows(source: TableSource, rows: Rows, aggregation: Aggregation<ColumnRef>): Work<void> {
  const { columns } = aggregation;
  if (columns.length === 0) {
    // Nothing but rows is counted.
    checkRows(rows);
    addCount(aggregation, countRows(rows));
    return;
  }
  const add = (block: RowBlock): boolean => {
    aggregation.add(block);
    return true;
  };
  yield* readBlocks(source, rows, columns, add, true);
}

/** Rows of which nothing but their number is asked. */
export function addCount(aggregation: Aggregation<ColumnRef>, rowCount: number): void {
  aggregation.add({ rowCount, valuesOf: noColumn });
}

function noColumn(): never {
  throw new TypeError('no column is aggregated');
}
