// What is known of several stretches of rows -> what is known of all of them. What is unknown of one is unknown of all.
import type { ColumnStatistics, StatisticsValue } from '../query/proof/column-statistics.ts';
import { compareText } from '../values/text-order.ts';

const UTF8 = new TextEncoder();

/** Null where something is unknown of all values. */
export function mergeStatistics(all: readonly (ColumnStatistics | null)[]): ColumnStatistics | null {
  let merged: ColumnStatistics | null = null;
  for (const one of all) {
    if (one === null) return null;
    merged = merged === null ? one : merge(merged, one);
  }
  return merged;
}

function merge(left: ColumnStatistics, right: ColumnStatistics): ColumnStatistics {
  const rowCount = left.rowCount + right.rowCount;
  const min = boundOf(left, right, 'min');
  const max = boundOf(left, right, 'max');
  return {
    rowCount,
    nullCount: sum(left.nullCount, right.nullCount),
    nanCount: sum(left.nanCount, right.nanCount),
    min: min.value,
    max: max.value,
    minExact: min.isExact,
    maxExact: max.isExact,
  };
}

function sum(left: number | null, right: number | null): number | null {
  return left === null || right === null ? null : left + right;
}

interface Bound {
  readonly value: StatisticsValue | null;
  readonly isExact: boolean;
}

function boundOf(left: ColumnStatistics, right: ColumnStatistics, which: 'min' | 'max'): Bound {
  const [one, other] = [bound(left, which), bound(right, which)];
  // Rows without a value have no bound, and change none.
  if (one.value === null) return hasNoValue(left) ? other : one;
  if (other.value === null) return hasNoValue(right) ? one : other;
  const order = compare(one.value, other.value);
  if (order === 0) return { value: one.value, isExact: one.isExact || other.isExact };
  return order < 0 === (which === 'min') ? one : other;
}

function bound(of: ColumnStatistics, which: 'min' | 'max'): Bound {
  return which === 'min' ? { value: of.min, isExact: of.minExact } : { value: of.max, isExact: of.maxExact };
}

function hasNoValue({ rowCount, nullCount, nanCount }: ColumnStatistics): boolean {
  return nullCount !== null && nullCount + (nanCount ?? 0) === rowCount;
}

function compare(left: StatisticsValue, right: StatisticsValue): number {
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right);
  if (isText(left) && isText(right)) return compareBytes(bytesOf(left), bytesOf(right));
  return left < right ? -1 : left > right ? 1 : 0;
}

function isText(value: StatisticsValue): value is string | Uint8Array {
  return typeof value === 'string' || value instanceof Uint8Array;
}

function bytesOf(value: string | Uint8Array): Uint8Array {
  return typeof value === 'string' ? UTF8.encode(value) : value;
}

function compareBytes(left: Uint8Array, right: Uint8Array): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at += 1) {
    const order = (left[at] as number) - (right[at] as number);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}
