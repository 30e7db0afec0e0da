// A comparison with constants -> words as the addon tests numbers: an interval that they lie in, or a list that they
// are looked up in.
import { newList, listOf } from '@colkit/table';
import type { ColumnType } from '../../../layout/column-type.ts';
import { intervalsOf, rangeOf } from '../intervals.ts';
import type { ComparingLeaf } from '../intervals.ts';

/** Null where there is no such test. @param negated numbers for which the leaf is false are looked for. */
export function numberTest(leaf: ComparingLeaf, negated: boolean, type: ColumnType): Uint8Array | null {
  if (leaf.kind === 'in') return type.isBool ? null : listTest(listOf(leaf), negated);
  if (leaf.kind === 'compare' && leaf.op === 'eq' && negated && type.domain !== 'integers')
    return listTest(newList([leaf.value], leaf.column.info), negated);
  return intervalTest(leaf, negated, type);
}

/** With which values pass. */
function listTest(list: Uint32Array, negated: boolean): Uint8Array {
  const words = list.slice();
  words[2] = Number(negated);
  return new Uint8Array(words.buffer);
}

/**
 * Of integers the least and how far above it the greatest lies, modulo 2^64; of floats the two as doubles. Null where
 * no value passes.
 */
function intervalTest(leaf: ComparingLeaf, negated: boolean, type: ColumnType): Uint8Array | null {
  const [first] = intervalsOf(leaf, type).list;
  if (first === undefined) return null;
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  if (typeof first.lo === 'number') {
    const [lo, hi] = [first.lo, Number(first.hi)];
    // The other way round, all else passes.
    if (negated && lo === hi) return null;
    view.setFloat64(0, negated ? hi : lo, true);
    view.setFloat64(8, negated ? lo : hi, true);
    return bytes;
  }
  const range = rangeOf(type);
  const lo = first.lo < range.lo ? range.lo : first.lo;
  const hi = first.hi > range.hi ? range.hi : (first.hi as bigint);
  // What lies around an interval is one too: beyond the greatest value of the type, its least one comes next.
  const [from, width] = negated ? [hi + 1n, range.hi - range.lo - 1n - (hi - lo)] : [lo, hi - lo];
  if (lo > hi || width < 0n) return null;
  view.setBigUint64(0, BigInt.asUintN(64, from), true);
  view.setBigUint64(8, width, true);
  return bytes;
}
