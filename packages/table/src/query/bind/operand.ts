// What is compared or calculated with: a column, a constant or a computed value; its type, and its name in messages.
import type { BoundValue, ColumnRef, CompareOperator, ValueType } from '../bound-predicate.ts';
import { COMPARE_SIGNS, printName, printValue } from '../text/print.ts';
import { dtypeOf } from '../value-dtype.ts';
import type { PlainValue } from '../text/syntax.ts';
import { constantType } from './constants.ts';

/** One side of a comparison. */
export type Operand =
  | { readonly kind: 'column'; readonly column: ColumnRef; readonly type: ValueType }
  /** The type is not told by the value: 0.5 + 0.5 is the double 1. Null for null. */
  | { readonly kind: 'constant'; readonly value: PlainValue; readonly type: ValueType | null }
  | { readonly kind: 'computed'; readonly value: BoundValue };

export function constantOf(value: PlainValue): Operand & { kind: 'constant' } {
  return { kind: 'constant', value, type: value === null ? null : constantType(value) };
}

export function operandType(operand: Operand): ValueType | null {
  switch (operand.kind) {
    case 'column':
      return operand.type;
    case 'computed':
      return operand.value.type;
    case 'constant':
      return operand.type;
  }
}

export function describeOperand(operand: Operand): string {
  if (operand.kind === 'column') return `${operand.column.info.name} column ${printName(operand.column.name)}`;
  return operand.kind === 'constant' ? printValue(operand.value) : describeComputed(operand.value);
}

/** Why two values cannot be compared; null where they can. */
export function comparisonFault(op: CompareOperator, left: BoundValue, right: BoundValue): string | null {
  const numeric = (type: ValueType): boolean => type === 'int' || type === 'float';
  if (left.type !== right.type && !(numeric(left.type) && numeric(right.type)))
    return `expected ${nameOf(left)} to be compared with its like but found ${nameOf(right)}`;
  if (left.type === 'binary' && op !== 'eq')
    return `expected == or != between bytes, which have no order, but found ${COMPARE_SIGNS[op]}`;
  if (left.type === 'moment' || left.type === 'duration') {
    const [a, b] = [dtypeOf(left), dtypeOf(right)];
    const computed = left.kind !== 'column' || right.kind !== 'column';
    if (computed && (a.name !== b.name || left.kind === 'literal' || right.kind === 'literal'))
      return (
        'expected computed times to be compared with those of the same unit (cast says it) but found ' + nameOf(right)
      );
    if (
      a.name !== b.name &&
      (unitOf(a) === null || unitOf(b) === null || (left.type === 'duration' && isCalendar(a) !== isCalendar(b)))
    ) {
      return `expected ${a.name} to be compared with the same unit but found ${b.name}`;
    }
  }
  return null;
}

const unitOf = (info: ColumnRef['info']): string | null => ('unit' in info ? info.unit : null);
const isCalendar = (info: ColumnRef['info']): boolean => unitOf(info) === 'Y' || unitOf(info) === 'M';

function nameOf(value: BoundValue): string {
  if (value.kind === 'column') return `${value.column.info.name} column ${printName(value.column.name)}`;
  return value.kind === 'literal' ? printValue(value.value) : describeComputed(value);
}

function describeComputed(value: BoundValue): string {
  if (value.type === 'bool') return 'a condition';
  return value.type === 'int' || value.type === 'float' ? 'a number' : `computed ${dtypeOf(value).name} values`;
}
