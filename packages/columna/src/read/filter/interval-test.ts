// A comparison with constants -> two words as the addon tests values that lie in one interval.
import type { ColumnType } from '../../layout/column-type.ts';
import { intervalsOf, rangeOf } from './intervals.ts';
import type { ComparingLeaf } from './intervals.ts';

/**
 * Of integers the least and how far above it the greatest lies, modulo 2^64; of floats the two as doubles. Null where
 * the values are in more than one interval, or in none.
 */
export function intervalTest(leaf: ComparingLeaf, type: ColumnType): Uint8Array | null {
  const intervals = intervalsOf(leaf, type);
  const [first, ...others] = intervals.list;
  if (first === undefined || others.length > 0) return null;
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  if (typeof first.lo === 'number') {
    view.setFloat64(0, first.lo, true);
    view.setFloat64(8, Number(first.hi), true);
    return bytes;
  }
  const range = rangeOf(type);
  const lo = first.lo < range.lo ? range.lo : first.lo;
  const hi = first.hi > range.hi ? range.hi : (first.hi as bigint);
  if (lo > hi) return null;
  view.setBigUint64(0, BigInt.asUintN(64, lo), true);
  view.setBigUint64(8, hi - lo, true);
  return bytes;
}
