// Statistics of the footer -> what the table layer draws proofs from. What cannot be true (a minimum above the maximum,
// more nulls than rows) is taken for unknown.
import type { Work } from '@colkit/io/effects';
import type { ColumnStatistics, RowRange, StatisticsValue } from '@colkit/table';
import type { ColumnType } from '../../layout/column-type.ts';
import { rowsOfPage } from '../../layout/footer.ts';
import { compareValues } from '../../layout/statistics.ts';
import type { Bound, Statistics } from '../../layout/statistics.ts';
import { spansOf } from '../file/spans.ts';
import type { StoredFile } from '../file/stored-file.ts';

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

/** What is known of a column in the pages that lie in some rows. */
export function* pageStatistics(
  file: StoredFile,
  column: number,
  { start, end: last }: RowRange,
): Work<readonly ColumnStatistics[]> {
  yield* file.loadBlocks([column]);
  const known: ColumnStatistics[] = [];
  for (const { group, page, start: from, end } of spansOf(
    { kind: 'range', start, count: last - start },
    file.rowGroups,
  )) {
    const rows = rowsOfPage(file.group(group), page);
    const { entry } = file.chunk(column, group);
    const own = entry.pages[page];
    if (own !== undefined && from === 0 && end === rows)
      known.push(columnStatistics(file.column(column).type, own.statistics, rows));
  }
  return known;
}

/** A bound in the form that values of the column have. */
function valueOf(type: ColumnType, bound: Bound | null): StatisticsValue | null {
  if (bound === null || typeof bound.value !== 'bigint') return bound?.value ?? null;
  if (type.isBool) return bound.value !== 0n;
  return type.itemBytes === 8 ? bound.value : Number(bound.value);
}
