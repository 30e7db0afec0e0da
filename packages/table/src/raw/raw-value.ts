// Arithmetic of a bound predicate -> steps on doubles for the addon, where doubles give the same answer: of floats
// always, of integers where no result can be beyond +-2^53.
import { RAW_LIMITS, dtypeFacts, isExactResult, isFloat } from '@colkit/io';
import type { RawColumn, RawNode, RawValue } from '@colkit/io';
import type { BoundValue, ColumnRef, CompareOperator } from '../query/bound-predicate.ts';

interface Known {
  readonly value: RawValue;
  /** No size is larger; Infinity of floats. */
  readonly most: number;
}

/** Null where something of it is not for the addon. */
export function rawValue(value: BoundValue, columnOf: (column: ColumnRef) => RawColumn | null): Known | null {
  if (value.type !== 'bool' && value.type !== 'int' && value.type !== 'float') return null;
  switch (value.kind) {
    case 'column': {
      const column = columnOf(value.column);
      const { info } = value.column;
      const isWhole = !isFloat(info);
      if (column === null || !dtypeFacts(info).adds || (isWhole && info.itemBytes > 4)) return null;
      return { value: { kind: 'column', column }, most: isWhole ? 2 ** (8 * info.itemBytes) : Infinity };
    }
    case 'literal': {
      const given = value.value;
      const number = typeof given === 'number' || typeof given === 'boolean' ? Number(given) : null;
      const whole = typeof given === 'bigint' && Number.isSafeInteger(Number(given)) ? Number(given) : number;
      if (whole === null) return null;
      return { value: { kind: 'constant', value: whole }, most: value.type === 'float' ? Infinity : Math.abs(whole) };
    }
    case 'arithmetic': {
      const { op, type } = value;
      if (op !== 'add' && op !== 'sub' && op !== 'mul' && op !== 'div') return null;
      const [left, right] = [rawValue(value.left, columnOf), rawValue(value.right, columnOf)];
      if (left === null || right === null) return null;
      const isWhole = type === 'int';
      const most = !isWhole ? Infinity : op === 'mul' ? left.most * right.most : left.most + right.most;
      if (isWhole && (op === 'div' || !isExactResult(most))) return null;
      return { value: { kind: 'arithmetic', op, isWhole, left: left.value, right: right.value }, most };
    }
    default:
      return null;
  }
}

/** Null where it takes more steps, or more memory, than the addon has. */
export function rawComparison(
  comparison: CompareOperator,
  left: RawValue,
  right: RawValue,
  isFlipped: boolean,
): RawNode | null {
  if (stepsOf(left) + stepsOf(right) > RAW_LIMITS.steps) return null;
  if (Math.max(depthOf(left), 1 + depthOf(right)) > RAW_LIMITS.registers) return null;
  return { operation: 'computed', comparison, left, right, isFlipped };
}

function stepsOf(value: RawValue): number {
  return value.kind === 'arithmetic' ? stepsOf(value.left) + stepsOf(value.right) + 2 : 1;
}

function depthOf(value: RawValue): number {
  return value.kind === 'arithmetic' ? Math.max(depthOf(value.left), 1 + depthOf(value.right)) : 1;
}
