// Arithmetic on vectors. Integers are exact whatever their size: in doubles where the largest operands cannot lead
// beyond 2^53, else in bigints. Floats, and all quotients, are doubles.
import type { ArithmeticOperator } from '../bound-predicate.ts';
import { assertNever, isExactResult } from '@colkit/io';
import { floatFloorDivide, floatModulo, floatPower, wideFloorDivide, wideModulo } from './exact-arithmetic.ts';
import { eitherNull } from './vectors.ts';
import type { Nulls, Vector } from './vectors.ts';
import type { VectorRoom } from './vector-room.ts';

export function compute(
  op: ArithmeticOperator,
  type: 'int' | 'float',
  left: Vector,
  right: Vector,
  count: number,
  room: VectorRoom,
): Vector {
  const nulls = eitherNull(left.nulls, right.nulls);
  if (type === 'float') {
    const values = room.doubles(count);
    computeFloats(op, doubles(left), doubles(right), values);
    return { kind: 'numbers', values, most: Infinity, nulls };
  }
  const most = mostOf(op, left, right);
  if (left.kind === 'numbers' && right.kind === 'numbers' && isExactResult(most)) {
    const { constant = 0 } = right;
    if ((op === 'mod' || op === 'floorDiv') && constant > 0 && isExactResult(left.most + constant)) {
      const values = room.doubles(count);
      (op === 'mod' ? remaindersBy : quotientsBy)(constant, left.values, values);
      return { kind: 'numbers', values, most, nulls };
    }
    return computeSmall(op, left.values, right.values, most, nulls, room.doubles(count));
  }
  return computeWide(op, integers(left), integers(right), nulls, count);
}

/** How large a result can be. */
function mostOf(op: ArithmeticOperator, left: Vector, right: Vector): number {
  if (left.kind !== 'numbers' || right.kind !== 'numbers') return Infinity;
  switch (op) {
    case 'add':
    case 'sub':
      return left.most + right.most;
    case 'mul':
      return left.most * right.most;
    case 'mod':
      return right.most;
    // What the remainder leaves of the dividend must be exact too.
    case 'floorDiv':
      return left.most + right.most;
    case 'pow':
      return Math.max(1, left.most) ** right.most;
    // The bits of 32 are as many as JavaScript's own operators know.
    case 'bitAnd':
    case 'bitOr':
    case 'bitXor':
      return Math.max(left.most, right.most) < 2 ** 31 ? 2 ** 31 : Infinity;
    case 'div':
      return Infinity;
    default:
      return assertNever(op);
  }
}

function computeFloats(op: ArithmeticOperator, left: Float64Array, right: Float64Array, out: Float64Array): void {
  const count = out.length;
  switch (op) {
    case 'add':
      for (let row = 0; row < count; row += 1) out[row] = (left[row] as number) + (right[row] as number);
      return;
    case 'sub':
      for (let row = 0; row < count; row += 1) out[row] = (left[row] as number) - (right[row] as number);
      return;
    case 'mul':
      for (let row = 0; row < count; row += 1) out[row] = (left[row] as number) * (right[row] as number);
      return;
    case 'div':
      for (let row = 0; row < count; row += 1) out[row] = (left[row] as number) / (right[row] as number);
      return;
    case 'mod':
      for (let row = 0; row < count; row += 1) out[row] = floatModulo(left[row] as number, right[row] as number);
      return;
    case 'floorDiv':
      for (let row = 0; row < count; row += 1) out[row] = floatFloorDivide(left[row] as number, right[row] as number);
      return;
    case 'pow':
      for (let row = 0; row < count; row += 1) out[row] = floatPower(left[row] as number, right[row] as number);
      return;
    case 'bitAnd':
      for (let row = 0; row < count; row += 1) out[row] = (left[row] as number) & (right[row] as number);
      return;
    case 'bitOr':
      for (let row = 0; row < count; row += 1) out[row] = (left[row] as number) | (right[row] as number);
      return;
    case 'bitXor':
      for (let row = 0; row < count; row += 1) out[row] = (left[row] as number) ^ (right[row] as number);
      return;
    default:
      assertNever(op);
  }
}

function computeSmall(
  op: ArithmeticOperator,
  left: Float64Array,
  right: Float64Array,
  most: number,
  nulls: Nulls,
  values: Float64Array,
): Vector {
  // Adding 0 turns -0, which is no integer, into 0: products and remainders of integers may be that.
  if (op === 'mul') {
    for (let row = 0; row < values.length; row += 1) values[row] = (left[row] as number) * (right[row] as number) + 0;
    return { kind: 'numbers', values, most, nulls };
  }
  computeFloats(op, left, right, values);
  if (op === 'mod' || op === 'floorDiv')
    for (let row = 0; row < values.length; row += 1) values[row] = (values[row] as number) + 0;
  if (op !== 'mod' && op !== 'floorDiv') return { kind: 'numbers', values, most, nulls };
  let missing = nulls;
  for (let row = 0; row < values.length; row += 1) {
    if (right[row] !== 0) continue;
    missing = missing === null ? new Uint8Array(values.length) : missing === nulls ? missing.slice() : missing;
    missing[row] = 1;
    values[row] = 0;
  }
  return { kind: 'numbers', values, most, nulls: missing };
}

/**
 * Of whole numbers by one that is positive: a division and a correction of one at most take a fraction of the time of
 * the language's own remainder of doubles, and are exact where dividend and divisor together are below 2^53.
 */
function remaindersBy(divisor: number, left: Float64Array, out: Float64Array): void {
  for (let row = 0; row < out.length; row += 1) {
    const value = left[row] as number;
    const rest = value - Math.floor(value / divisor) * divisor;
    out[row] = rest < 0 ? rest + divisor : rest >= divisor ? rest - divisor : rest;
  }
}

function quotientsBy(divisor: number, left: Float64Array, out: Float64Array): void {
  for (let row = 0; row < out.length; row += 1) {
    const value = left[row] as number;
    const quotient = Math.floor(value / divisor);
    const rest = value - quotient * divisor;
    out[row] = (rest < 0 ? quotient - 1 : rest >= divisor ? quotient + 1 : quotient) + 0;
  }
}

function computeWide(
  op: ArithmeticOperator,
  left: readonly bigint[],
  right: readonly bigint[],
  nulls: Nulls,
  count: number,
): Vector {
  const missing = op === 'mod' || op === 'floorDiv' ? (nulls?.slice() ?? new Uint8Array(count)) : nulls;
  const values = left.map((a, row) => {
    const b = right[row] ?? 0n;
    switch (op) {
      case 'add':
        return a + b;
      case 'sub':
        return a - b;
      case 'mul':
        return a * b;
      case 'mod':
      case 'floorDiv': {
        const answer = op === 'mod' ? wideModulo(a, b) : wideFloorDivide(a, b);
        if (answer === null && missing !== null) missing[row] = 1;
        return answer ?? 0n;
      }
      case 'pow':
        return a ** b;
      case 'bitAnd':
        return a & b;
      case 'bitOr':
        return a | b;
      case 'bitXor':
        return a ^ b;
      case 'div':
        return 0n;
      default:
        return assertNever(op);
    }
  });
  return { kind: 'wide', values, nulls: missing };
}

function doubles(vector: Vector): Float64Array {
  return vector.kind === 'numbers'
    ? vector.values
    : Float64Array.from(vector.values as readonly (bigint | number)[], Number);
}

function integers(vector: Vector): readonly bigint[] {
  const { values } = vector;
  const out = new Array<bigint>(values.length);
  for (let row = 0; row < values.length; row++) out[row] = BigInt(values[row] as bigint | number);
  return out;
}
