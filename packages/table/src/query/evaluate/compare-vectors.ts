// Two vectors and an operator -> the rows for which it holds (or, with `flip`, does not) and neither side is null.
// Numbers and bigints are compared by their exact values.
import { assertNever } from '@colkit/io';
import { compareText } from '../../values/text-order.ts';
import type { CompareOperator } from '../bound-predicate.ts';
import { compareBytes } from '../bind/literal-order.ts';
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
  const holds =
    left.kind === 'numbers' && right.kind === 'numbers'
      ? compareDoubles(op, left.values, right.values, from.count)
      : compareEach(op, left, right, from.count);
  const { rows, count } = from;
  let used = 0;
  for (const { nulls } of [left, right])
    if (nulls !== null) for (let index = 0; index < count; index += 1) if (nulls[index] === 1) holds[index] = flip;
  // Which row matches cannot be predicted, so it is arithmetic and not a branch: what does not match is written over.
  if (rows === null)
    for (let index = 0; index < count; index += 1) {
      out[used] = index;
      used += (holds[index] as number) ^ flip;
    }
  else
    for (let index = 0; index < count; index += 1) {
      out[used] = rows[index] as number;
      used += (holds[index] as number) ^ flip;
    }
  return used;
}

function compareDoubles(op: CompareOperator, left: Float64Array, right: Float64Array, count: number): Uint8Array {
  const holds = new Uint8Array(count);
  switch (op) {
    case 'eq':
      for (let row = 0; row < count; row += 1) holds[row] = Number(left[row] === right[row]);
      return holds;
    case 'ne':
      for (let row = 0; row < count; row += 1) holds[row] = Number(left[row] !== right[row]);
      return holds;
    case 'lt':
      for (let row = 0; row < count; row += 1) holds[row] = Number((left[row] as number) < (right[row] as number));
      return holds;
    case 'le':
      for (let row = 0; row < count; row += 1) holds[row] = Number((left[row] as number) <= (right[row] as number));
      return holds;
    case 'gt':
      for (let row = 0; row < count; row += 1) holds[row] = Number((left[row] as number) > (right[row] as number));
      return holds;
    case 'ge':
      for (let row = 0; row < count; row += 1) holds[row] = Number((left[row] as number) >= (right[row] as number));
      return holds;
    default:
      return assertNever(op);
  }
}

function compareEach(op: CompareOperator, left: Vector, right: Vector, count: number): Uint8Array {
  const holds = new Uint8Array(count);
  for (let row = 0; row < count; row += 1)
    holds[row] = Number(satisfies(op, orderOf(left.values[row], right.values[row])));
  return holds;
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
