// Statistics of a source -> a value of a column that so many rows come up to in an order: others need not be read.
import type { Work } from '@colkit/io/effects';
import type { ColumnStatistics, StatisticsValue } from '../query/proof/column-statistics.ts';
import type { RowRange, TableSource } from '../source.ts';
import { compareLiterals } from '../query/bind/literal-order.ts';
import type { OrderColumn } from '../views/pending.ts';

const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * A value that `wanted` of the rows have, or come before; null where nothing says so. Statistics may count NaT for
 * values and be those of a damaged file: whoever finds fewer rows looks for all of them.
 */
export function* reachedValue(
  source: TableSource,
  rows: RowRange,
  { column, descending }: OrderColumn,
  wanted: number,
): Work<StatisticsValue | null> {
  if (source.statisticsOf === undefined) return null;
  const worst: { readonly value: StatisticsValue; readonly count: number }[] = [];
  for (const known of yield* source.statisticsOf(column.number, rows)) {
    const value = worstOf(known, descending);
    if (value !== null) worst.push({ value, count: known.rowCount - (known.nullCount ?? 0) - (known.nanCount ?? 0) });
  }
  worst.sort((one, other) => (compareLiterals(one.value, other.value) ?? 0) * (descending ? -1 : 1));
  let count = 0;
  for (const each of worst) {
    count += each.count;
    if (count >= wanted) return each.value;
  }
  return null;
}

/** What all values come before, or have. */
function worstOf({ min, max }: ColumnStatistics, descending: boolean): StatisticsValue | null {
  const value = descending ? min : max;
  if (!(value instanceof Uint8Array)) return value;
  try {
    return DECODER.decode(value);
  } catch {
    // A bound of text that was cut inside a character.
    return null;
  }
}
