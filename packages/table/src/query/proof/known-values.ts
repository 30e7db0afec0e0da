// Statistics as a format has them -> what is certain of the values: bounds that a comparison can rely on, and whether
// nulls and NaN are there. Whatever does not fit the column's type, or is NaN, is unknown.
import type { DTypeInfo } from '@colkit/io';
import { NAT } from '../../values/nat.ts';
import { hasNaN, valueTypeOf } from '../bind/bind-leaf.ts';
import type { ColumnStatistics, StatisticsValue } from './column-statistics.ts';
import { isNumeric } from '../bind/literal-order.ts';

export interface KnownValues {
  readonly rowCount: number;
  /** Rows that are null; null: unknown. */
  readonly nulls: number | null;
  /** Rows that are NaN or NaT; null: unknown. */
  readonly nans: number | null;
  readonly min: StatisticsValue | null;
  readonly max: StatisticsValue | null;
}

export function knownValues(
  info: DTypeInfo,
  { rowCount, nullCount, nanCount, min, max }: ColumnStatistics,
): KnownValues {
  const type = valueTypeOf(info);
  const fits = (value: StatisticsValue | null): StatisticsValue | null =>
    value !== null && fitsType(type, value) ? value : null;
  const [low, high] = [fits(min), fits(max)];
  const ticks = type === 'moment' || type === 'duration';
  // As an integer NaT is the smallest: a bound that is NaT says that NaT may be there, and nothing of the other values.
  const mayBeNaT = ticks && isNumeric(low) && low <= NAT;
  // Who takes NaT for an integer counts none: without a minimum, a count of 0 says nothing.
  const isCounted = !ticks || (!mayBeNaT && (low !== null || nanCount !== 0));
  const nans = !hasNaN(type) ? 0 : isCounted ? nanCount : null;
  return {
    rowCount,
    nulls: nullCount,
    nans,
    min: mayBeNaT ? null : low,
    max: ticks && isNumeric(high) && high <= NAT ? null : high,
  };
}

function fitsType(type: ReturnType<typeof valueTypeOf>, value: StatisticsValue): boolean {
  switch (type) {
    case 'bool':
      return typeof value === 'boolean';
    case 'int':
    case 'moment':
    case 'duration':
      return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));
    case 'float':
      return typeof value === 'bigint' || (typeof value === 'number' && !Number.isNaN(value));
    case 'text':
      return typeof value === 'string' || value instanceof Uint8Array;
    case 'binary':
      return value instanceof Uint8Array;
    case null:
      return false;
  }
}
