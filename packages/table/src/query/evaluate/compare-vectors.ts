// Two vectors and an operator -> the rows for which it holds (or, with `flip`, does not) and neither side is null.
// Numbers and bigints are compared by their exact values.
import { assertNever } from '@colkit/io';
import { compareText } from '../../values/text-order.ts';
import type { CompareOperator } from '../bound-predicate.ts';
import { compareBytes } from '../bind/literal-order.ts';
import { eitherNull } from './vectors.ts';
import type { Vector } from './vectors.ts';
import type { RowSet } from './select-leaf.ts';

/** `out` may be `from.rows`. */
export function selectCompared(
  op: CompareOperator,
  left: Vector,
  right: Vector,
  flip: 0 | 1,
  from: RowSet,
  out: Int32Array,
): number {
  const nulls = eitherNull(left.nulls, right.nulls);
  if (left.kind === 'numbers' && right.kind === 'numbers')
    return selectDoubles(op, left.values, right.values, nulls ?? noNulls(from.count), flip, from, out);
  const { rows, count } = from;
  let used = 0;
  for (let index = 0; index < count; index += 1) {
    if (nulls?.[index] === 1) continue;
    if (satisfies(op, orderOf(left.values[index], right.values[index])) === (flip === 1)) continue;
    out[used++] = rows === null ? index : (rows[index] as number);
  }
  return used;
}

let zeros = new Uint8Array(0);

/** Never written to. */
function noNulls(count: number): Uint8Array {
  if (zeros.length < count) zeros = new Uint8Array(count);
  return zeros;
}

/** Which row matches cannot be predicted, so it is arithmetic and not a branch: what does not match is written over. */
function selectDoubles(
  op: CompareOperator,
  left: Float64Array,
  right: Float64Array,
  nulls: Uint8Array,
  flip: 0 | 1,
  { rows, count }: RowSet,
  out: Int32Array,
): number {
  let used = 0;
  switch (op) {
    case 'eq':
      for (let index = 0; index < count; index += 1) {
        out[used] = rows === null ? index : (rows[index] as number);
        used += (Number(left[index] === right[index]) ^ flip) & ((nulls[index] as number) ^ 1);
      }
      return used;
    case 'lt':
      for (let index = 0; index < count; index += 1) {
        out[used] = rows === null ? index : (rows[index] as number);
        used += (Number((left[index] as number) < (right[index] as number)) ^ flip) & ((nulls[index] as number) ^ 1);
      }
      return used;
    case 'le':
      for (let index = 0; index < count; index += 1) {
        out[used] = rows === null ? index : (rows[index] as number);
        used += (Number((left[index] as number) <= (right[index] as number)) ^ flip) & ((nulls[index] as number) ^ 1);
      }
      return used;
    case 'ne':
      return selectDoubles('eq', left, right, nulls, flip === 0 ? 1 : 0, { rows, count }, out);
    case 'gt':
      return selectDoubles('lt', right, left, nulls, flip, { rows, count }, out);
    case 'ge':
      return selectDoubles('le', right, left, nulls, flip, { rows, count }, out);
    default:
      return assertNever(op);
  }
}

/** Null: no order, as with NaN. */
function orderOf(left: unknown, right: unknown): number | null {
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right);
  if (left instanceof Uint8Array && right instanceof Uint8Array) return compareBytes(left, right);
  const [a, b] = [left as number | bigint, right as number | bigint];
  if (a < b) return -1;
  if (a > b) return 1;
  return a >= b ? 0 : null;
}

function satisfies(op: CompareOperator, order: number | null): boolean {
  switch (op) {
    case 'eq':
      return order === 0;
    case 'ne':
      return order !== 0;
    case 'lt':
      return order !== null && order < 0;
    case 'le':
      return order !== null && order <= 0;
    case 'gt':
      return order !== null && order > 0;
    case 'ge':
      return order !== null && order >= 0;
    default:
      return assertNever(op);
  }
}
