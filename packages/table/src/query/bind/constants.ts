// Constants among themselves: their types, arithmetic and comparison, done once when a predicate is bound, by the same
// rules as for rows.
import { momentOf, ticksAtOrBefore } from '../../values/time.ts';
import type { ArithmeticOperator, CompareOperator, ValueType } from '../bound-predicate.ts';
import { compareLiterals, isNumeric } from './literal-order.ts';
import {
  floatFloorDivide,
  floatModulo,
  floatPower,
  wideFloorDivide,
  wideModulo,
} from '../evaluate/exact-arithmetic.ts';
import type { PlainValue } from '../text/syntax.ts';

/** What says the same with the sides exchanged. */
export const MIRRORED: Readonly<Record<CompareOperator, CompareOperator>> = {
  eq: 'eq',
  ne: 'ne',
  lt: 'gt',
  le: 'ge',
  gt: 'lt',
  ge: 'le',
};

/**
 * Whole numbers within +-2^53 are integers, however they were written; beyond, a number is a double and a bigint an
 * integer. -0 is a double.
 */
export function constantType(value: Exclude<PlainValue, null>): ValueType {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return Number.isSafeInteger(value) && !Object.is(value, -0) ? 'int' : 'float';
  if (typeof value === 'string') return 'text';
  return value instanceof Date ? 'moment' : 'binary';
}

/**
 * A result of this type, 'float' for a division. Null where one of them is, or where there is no answer (an integer
 * modulo 0, or its quotient). Floats have no bits to go by; powers of integers have small exponents.
 */
export function computeLiterals(
  op: ArithmeticOperator | 'negate',
  type: 'int' | 'float',
  left: number | bigint | null,
  right: number | bigint | null,
): number | bigint | null {
  if (left === null || right === null) return null;
  if (type === 'int' && op !== 'div') return narrowed(computeIntegers(op, BigInt(left), BigInt(right)));
  const [a, b] = [Number(left), Number(right)];
  switch (op) {
    case 'add':
      return a + b;
    case 'sub':
      return a - b;
    case 'mul':
      return a * b;
    case 'div':
      return a / b;
    case 'mod':
      return floatModulo(a, b);
    case 'floorDiv':
      return floatFloorDivide(a, b);
    case 'pow':
      return floatPower(a, b);
    case 'negate':
      return -b;
    case 'bitAnd':
    case 'bitOr':
    case 'bitXor':
      return null;
  }
}

function computeIntegers(
  op: Exclude<ArithmeticOperator, 'div'> | 'negate',
  left: bigint,
  right: bigint,
): bigint | null {
  switch (op) {
    case 'add':
      return left + right;
    case 'sub':
      return left - right;
    case 'mul':
      return left * right;
    case 'mod':
      return wideModulo(left, right);
    case 'floorDiv':
      return wideFloorDivide(left, right);
    case 'pow':
      return left ** right;
    case 'bitAnd':
      return left & right;
    case 'bitOr':
      return left | right;
    case 'bitXor':
      return left ^ right;
    case 'negate':
      return -right;
  }
}

function narrowed(value: bigint | null): number | bigint | null {
  if (value === null) return null;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** Null where the two cannot be compared. @throws ArgumentError for text that is no date beside a Date. */
export function compareConstants(
  op: Exclude<CompareOperator, 'ne'>,
  left: Exclude<PlainValue, null>,
  right: Exclude<PlainValue, null>,
): boolean | null {
  const dated = left instanceof Date || right instanceof Date;
  const [a, b] = dated ? [instant(left), instant(right)] : [left, right];
  if (a === null || b === null) return null;
  if (dated || (isNumeric(a) && isNumeric(b))) {
    if (Number.isNaN(a) || Number.isNaN(b)) return false;
  }
  const isBytes = a instanceof Uint8Array || b instanceof Uint8Array;
  if (isBytes && (op !== 'eq' || !(a instanceof Uint8Array) || !(b instanceof Uint8Array))) return null;
  const order = compareLiterals(a, b);
  return order === null ? null : holds(op, order);
}

export function holds(op: Exclude<CompareOperator, 'ne'>, order: number): boolean {
  switch (op) {
    case 'eq':
      return order === 0;
    case 'lt':
      return order < 0;
    case 'le':
      return order <= 0;
    case 'gt':
      return order > 0;
    case 'ge':
      return order >= 0;
  }
}

/** Attoseconds since 1970; NaN for an invalid date; null for what is no moment. */
function instant(value: Exclude<PlainValue, null>): bigint | number | null {
  if (typeof value !== 'string' && !(value instanceof Date)) return null;
  const found = ticksAtOrBefore(value, 'datetime64[as]');
  return found === null ? Number.NaN : momentOf(found.ticks, 'datetime64[as]');
}
