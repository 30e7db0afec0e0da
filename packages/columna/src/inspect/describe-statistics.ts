// Statistics of the footer -> the form that reports have: values as the column has them.
import type { ColumnType } from '../layout/column-type.ts';
import type { Bound, Statistics } from '../layout/statistics.ts';
import type { InspectedBound, InspectedStatistics, InspectedValue } from './inspected-file.ts';

export function describeStatistics(
  type: ColumnType,
  { nullCount, nanCount, min, max }: Statistics,
): InspectedStatistics {
  return { nullCount, nanCount, min: describeBound(type, min), max: describeBound(type, max) };
}

function describeBound(type: ColumnType, bound: Bound | null): InspectedBound | null {
  return bound === null ? null : { value: valueOf(type, bound.value), exact: bound.exact };
}

function valueOf(type: ColumnType, value: Bound['value']): InspectedValue {
  if (typeof value === 'number') return value;
  if (typeof value !== 'bigint')
    return type.isText ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(value) : value;
  if (type.isBool) return value !== 0n;
  return type.itemBytes === 8 ? value : Number(value);
}
