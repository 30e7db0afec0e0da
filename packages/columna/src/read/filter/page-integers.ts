// A page of integers -> a chunk that gives its values as doubles, without 64-bit items in between: what computed
// predicates work on.
import { isExactResult } from '@colkit/io';
import type { FixedChunk } from '@colkit/table';
import { safeLine } from '../../columns/vector.ts';
import type { Vector } from '../../columns/vector.ts';
import type { ColumnType } from '../../layout/column-type.ts';
import type { ColumnPage } from '../pages/opened-page.ts';

/**
 * Null for values of other types, and for patterns of 64 bits.
 * @param itemsOf the page's items, where those are asked for after all.
 */
export function integerChunk(page: ColumnPage, itemsOf: () => Uint8Array): FixedChunk | null {
  const { type, rowCount, valueCount, validity } = page;
  if (type.domain !== 'integers' || type.isBool || type.isMoment || valueCount === 0) return null;
  const vector = page.vector(0, valueCount);
  if (vector.kind !== 'narrow' && vector.kind !== 'safe') return null;
  let items: Uint8Array | null = null;
  return {
    kind: 'fixed',
    rowCount,
    validity,
    get bytes() {
      return (items ??= itemsOf());
    },
    writeDoubles(out) {
      const most = writeIntegers(vector, type, out);
      if (most !== null && validity !== null) spread(out, validity, rowCount, valueCount);
      return most;
    },
  };
}

/** What no value's size exceeds; null where the type does not hold a value as it is, or a double does not. */
function writeIntegers(vector: Extract<Vector, { kind: 'narrow' | 'safe' }>, type: ColumnType, out: Float64Array) {
  const { count, values } = vector;
  let least = Infinity;
  let greatest = -Infinity;
  if (vector.kind === 'narrow') {
    const line = safeLine(vector);
    if (line === null) return null;
    const { base, step } = line;
    const last = base + step * (vector.below - 1);
    [least, greatest] = [Math.min(base, last), Math.max(base, last)];
    for (let i = 0; i < count; i++) out[i] = base + step * (values[i] as number);
  } else {
    for (let i = 0; i < count; i++) {
      const value = values[i] as number;
      if (value < least) least = value;
      if (value > greatest) greatest = value;
      out[i] = value;
    }
  }
  const bits = 8 * type.itemBytes;
  const isWithin = type.signed
    ? least >= -(2 ** (bits - 1)) && greatest < 2 ** (bits - 1)
    : least >= 0 && greatest < 2 ** bits;
  const most = Math.max(Math.abs(least), Math.abs(greatest));
  return isWithin && isExactResult(most) ? most : null;
}

/** The first numbers, each to the row that is its; 0 to the rows that are null. From behind, so that none is lost. */
function spread(out: Float64Array, validity: Uint8Array, rowCount: number, valueCount: number): void {
  // Which row is null cannot be predicted, so it is arithmetic and not a branch.
  if (valueCount < rowCount) out[valueCount] = 0;
  for (let row = rowCount - 1, value = valueCount; row >= 0; row--) {
    const present = ((validity[row >>> 3] as number) >>> (row & 7)) & 1;
    value -= present;
    out[row] = (out[value] as number) * present;
  }
}
