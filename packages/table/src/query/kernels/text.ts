// Which texts satisfy a leaf, by code point. One loop per operator: equality needs no order, and most predicates on
// text are equalities.
import { assertNever } from '@colkit/io';
import { compareText } from '../../values/text-order.ts';
import type { ColumnLeaf } from '../bound-predicate.ts';
import { likeTest } from './like.ts';

export type TextLeaf = Extract<ColumnLeaf, { kind: 'compare' | 'between' | 'in' | 'startsWith' | 'like' }>;

/** A test of one text at a time, made once per leaf. */
export function textTest(leaf: TextLeaf): (text: string) => boolean {
  switch (leaf.kind) {
    case 'compare': {
      const value = String(leaf.value);
      switch (leaf.op) {
        case 'eq':
          return (text) => text === value;
        case 'lt':
          return (text) => compareText(text, value) < 0;
        case 'le':
          return (text) => compareText(text, value) <= 0;
        case 'gt':
          return (text) => compareText(text, value) > 0;
        case 'ge':
          return (text) => compareText(text, value) >= 0;
        default:
          return assertNever(leaf.op);
      }
    }
    case 'between': {
      const [low, high] = [String(leaf.low), String(leaf.high)];
      return (text) => compareText(text, low) >= 0 && compareText(text, high) <= 0;
    }
    case 'in': {
      const values = new Set(leaf.values.map(String));
      return (text) => values.has(text);
    }
    case 'startsWith':
      return (text) => text.startsWith(leaf.prefix);
    case 'like':
      return likeTest(leaf.pattern);
    default:
      return assertNever(leaf);
  }
}

/**
 * The rows whose text passes the test, or, with `flip`, fails it. `rows` null: rows [0, count); `out` may be `rows`.
 */
export function selectTexts(
  values: readonly string[],
  test: (text: string) => boolean,
  flip: 0 | 1,
  rows: Int32Array | null,
  count: number,
  out: Int32Array,
): number {
  let used = 0;
  for (let index = 0; index < count; index += 1) {
    const row = rows === null ? index : (rows[index] as number);
    out[used] = row;
    used += Number(test(values[row] ?? '')) ^ flip;
  }
  return used;
}

export function selectEqualTexts(
  values: readonly string[],
  value: string,
  flip: 0 | 1,
  rows: Int32Array | null,
  count: number,
  out: Int32Array,
): number {
  let used = 0;
  for (let index = 0; index < count; index += 1) {
    const row = rows === null ? index : (rows[index] as number);
    out[used] = row;
    used += Number(values[row] === value) ^ flip;
  }
  return used;
}
