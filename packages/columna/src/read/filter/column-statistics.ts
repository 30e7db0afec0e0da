// Statistics of the footer -> what the table layer draws proofs from. What cannot be true (a minimum above the maximum,
// more nulls than rows) is taken for unknown.
import type { ColumnStatistics, StatisticsValue } from '@colkit/table';
import type { ColumnType } from '../../layout/column-type.ts';
import { compareValues } from '../../layout/statistics.ts';
import type { Bound, Statistics } from '../../layout/statistics.ts';

export function columnStatistics(
  type: ColumnType,
  { nullCount, nanCount, min, max }: Statistics,
  rowCount: number,
): ColumnStatistics {
  const possible = nullCount + (nanCount ?? 0) <= rowCount;
  const ordered = min === null || max === null || compareValues(min.value, max.value) <= 0;
  // Values that are all null or NaN have no bounds.
  const believed = possible && ordered;
  return {
    rowCount,
    nullCount: possible ? nullCount : null,
    nanCount: possible ? nanCount : null,
    min: believed ? valueOf(type, min) : null,
    max: believed ? valueOf(type, max) : null,
    minExact: believed && min !== null && min.exact,
    maxExact: believed && max !== null && max.exact,
  };
}

/** A bound in the form that values of the column have. */
function valueOf(type: ColumnType, bound: Bound | null): StatisticsValue | null {
  if (bound === null || typeof bound.value !== 'bigint') return bound?.value ?? null;
  if (type.isBool) return bound.value !== 0n;
  return type.itemBytes === 8 ? bound.value : Number(bound.value);
}
