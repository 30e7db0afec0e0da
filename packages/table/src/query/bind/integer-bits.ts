// How many bits an integer value can have: powers are exact only as far as they stay small.
import { assertNever } from '@colkit/io';
import type { BoundValue } from '../bound-predicate.ts';
import type { Operand } from './operand.ts';

/** Exact powers have at most so many bits; larger ones are doubles, most of them infinite. */
const MOST_POWER_BITS = 1024;
const COLUMN_BITS = 64;

/** Whether `left ** right` is an exact integer: for constant exponents from 0 on, and results of up to 1,024 bits. */
export function isExactPower(left: Operand, right: Operand): boolean {
  if (right.kind !== 'constant') return false;
  const { value } = right;
  if (value === null) return true;
  if (typeof value !== 'number' && typeof value !== 'bigint') return false;
  return value >= 0 && value <= MOST_POWER_BITS && bitsOfOperand(left) * Math.max(1, Number(value)) <= MOST_POWER_BITS;
}

function bitsOfOperand(operand: Operand): number {
  switch (operand.kind) {
    case 'column':
      return COLUMN_BITS;
    case 'constant':
      return bitsOfConstant(operand.value);
    case 'computed':
      return bitsOfValue(operand.value);
  }
}

function bitsOfConstant(value: unknown): number {
  return typeof value === 'bigint' || Number.isInteger(value) ? BigInt(value as bigint | number).toString(2).length : 1;
}

function bitsOfValue(value: BoundValue): number {
  switch (value.kind) {
    case 'literal':
      return bitsOfConstant(value.value);
    case 'column':
      return COLUMN_BITS;
    case 'truth':
      return 1;
    // Rounding up may take one digit more.
    case 'call':
      return value.args.reduce((most, each) => Math.max(most, bitsOfValue(each)), COLUMN_BITS) + 4;
    case 'arithmetic': {
      const [left, right] = [bitsOfValue(value.left), bitsOfValue(value.right)];
      switch (value.op) {
        case 'mul':
          return left + right;
        case 'pow':
          return value.right.kind === 'literal' ? left * Number(value.right.value ?? 1) : MOST_POWER_BITS;
        case 'div':
        case 'add':
        case 'sub':
        case 'mod':
        case 'floorDiv':
        case 'bitAnd':
        case 'bitOr':
        case 'bitXor':
          return Math.max(left, right) + 1;
        default:
          return assertNever(value.op);
      }
    }
  }
}
