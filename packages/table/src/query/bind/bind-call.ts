// A function with its arguments -> a bound value with its element type: constants take the type of what they stand
// beside, exactly, or are refused.
import { integerRange, isFixedText, parseDType } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import type { BoundValue, Literal, ValueType } from '../bound-predicate.ts';
import { FUNCTIONS, isDatePart } from '../functions.ts';
import { fixedStringFault } from '../../values/fixed-strings.ts';
import type { FixedStringType } from '../../values/fixed-strings.ts';
import { dtypeOf, floatOf, unitedDType } from '../value-dtype.ts';
import { printValue } from '../text/print.ts';
import type { PlainValue, Syntax, SyntaxOf } from '../text/syntax.ts';
import { bindLeaf, TypeMismatch, valueTypeOf } from './bind-leaf.ts';
import { isNumeric } from './literal-order.ts';
import { constantOf, describeOperand, operandType } from './operand.ts';
import type { Operand } from './operand.ts';
import type { Scope } from './scope.ts';

const INT32 = parseDType('int32');
const INT64 = parseDType('int64');
/** Digits that rounding knows, on either side of the point. */
const MOST_DIGITS = 300;

export interface CallBinder {
  readonly scope: Scope;
  operand(tree: Syntax): Operand;
  value(operand: Operand, tree: Syntax): BoundValue;
  /** A condition as a value. */
  truth(tree: Syntax): BoundValue;
}

type Call = Extract<BoundValue, { kind: 'call' }>;

export function bindCall(tree: SyntaxOf<'call'>, binder: CallBinder): Operand {
  const [first = tree, second = first, third = second] = tree.args;
  const { name } = tree;
  if (isDatePart(name)) {
    const operand = binder.operand(first);
    if (operandType(operand) !== 'moment') throw unlike(binder, tree, first, operand, 'a datetime');
    const value = binder.value(operand, first);
    const given = dtypeOf(value);
    if (given.kind !== 'datetime' || given.unit === null)
      throw unlike(binder, tree, first, operand, 'a datetime64 with a unit');
    return computed({ kind: 'call', type: 'int', info: INT32, name, args: [value] });
  }
  switch (name) {
    case 'sqrt':
    case 'exp':
    case 'log': {
      const value = numberArgument(tree, first, binder);
      return computed({ kind: 'call', type: 'float', info: floatOf([dtypeOf(value)]), name, args: [value] });
    }
    case 'abs':
    case 'ceil':
    case 'floor': {
      const value = numberArgument(tree, first, binder);
      return computed({ kind: 'call', type: value.type, info: dtypeOf(value), name, args: [value] });
    }
    case 'round': {
      const value = numberArgument(tree, first, binder);
      const digits = second === first ? constantOf(0) : binder.operand(second);
      const count = digits.kind === 'constant' ? digits.value : null;
      if (typeof count !== 'number' || !Number.isInteger(count) || Math.abs(count) > MOST_DIGITS)
        throw unlike(binder, tree, second, digits, 'a whole number of digits');
      const literal: BoundValue = { kind: 'literal', type: 'int', value: count };
      return computed({ kind: 'call', type: value.type, info: dtypeOf(value), name, args: [value, literal] });
    }
    case 'cast':
      return bindCast(tree, first, second, binder);
    case 'clip':
      return computed(united(tree, [first, second, third], binder, []));
    case 'fillNull':
      return computed(united(tree, [first, second], binder, []));
    case 'where':
      return computed(united(tree, [second, third], binder, [binder.truth(first)]));
  }
}

/** Values that become one type: `where`, `clip`, `fillNull`. */
function united(
  tree: SyntaxOf<'call'>,
  trees: readonly Syntax[],
  binder: CallBinder,
  before: readonly BoundValue[],
): Call {
  const operands = trees.map((each) => binder.operand(each));
  let info: DTypeInfo | null = null;
  for (const [index, operand] of operands.entries()) {
    if (operand.kind === 'constant') continue;
    const own = dtypeOf(binder.value(operand, trees[index] as Syntax));
    const joined: DTypeInfo | null = info === null ? own : unitedDType(info, own);
    if (joined === null) throw unlike(binder, tree, trees[index] as Syntax, operand, `${String(info?.name)} values`);
    info = joined;
  }
  info ??= constantsDType(tree, operands, binder);
  // Whole numbers beside a fraction, or beyond the type, become what both are; so do texts that are longer.
  for (const operand of operands)
    if (operand.kind === 'constant' && operand.value !== null) info = widened(info, operand.value);
  const type = valueTypeOf(info);
  if (type === null || (tree.name === 'clip' && (type === 'binary' || type === 'bool' || type === 'text')))
    throw unlike(binder, tree, trees[0] as Syntax, operands[0] as Operand, 'numbers or times');
  const known = info;
  const args = operands.map((operand, index) =>
    operand.kind === 'constant'
      ? fitted(operand.value, known, type, trees[index] as Syntax, binder)
      : binder.value(operand, trees[index] as Syntax),
  );
  return { kind: 'call', type, info, name: tree.name, args: [...before, ...args] };
}

/** Of constants alone. */
function constantsDType(tree: SyntaxOf<'call'>, operands: readonly Operand[], binder: CallBinder): DTypeInfo {
  for (const operand of operands) {
    if (operand.kind !== 'constant' || operand.value === null) continue;
    return dtypeOf(binder.value(operand, tree));
  }
  return parseDType('float64');
}

function widened(info: DTypeInfo, value: Exclude<PlainValue, null>): DTypeInfo {
  if (isFixedText(info) && typeof value === 'string') return textOfBoth(info, value);
  if ((info.kind !== 'int' && info.kind !== 'uint') || !isNumeric(value)) return info;
  if (typeof value === 'number' && !Number.isInteger(value)) return parseDType('float64');
  const fits = (dtype: DTypeInfo): boolean => {
    const [low, high] = integerRange(dtype);
    return value >= low && value <= high;
  };
  if (fits(info)) return info;
  // A double that no 64-bit integer is: 1e300.
  return typeof value === 'bigint' || fits(INT64) ? INT64 : parseDType('float64');
}

/** Of a longer text as much width as it needs; of one that no such column holds, text of any. */
function textOfBoth(info: DTypeInfo & FixedStringType, text: string): DTypeInfo {
  const isFit = (length: number): boolean => fixedStringFault(text, { ...info, length }) === null;
  if (isFit(info.length)) return info;
  const length = info.kind === 'bytes' ? text.length : Array.from(text).length;
  return parseDType(isFit(length) ? `${info.kind === 'bytes' ? 'S' : 'U'}${String(length)}` : 'string');
}

/** A constant as a value of a dtype. */
function fitted(value: PlainValue, info: DTypeInfo, type: ValueType, tree: Syntax, { scope }: CallBinder): BoundValue {
  if (value === null) return { kind: 'literal', type, value };
  if (type === 'float') {
    if (!isNumeric(value)) throw scope.mistyped(tree, `expected a number but found ${printValue(value)}`);
    return { kind: 'literal', type, value: Number(value) };
  }
  const ref = { number: 0, name: info.name, info, nullable: false };
  const leaf = scope.dated(tree, () => bindLeaf(ref, 'eq', value));
  if (leaf instanceof TypeMismatch || typeof leaf === 'string' || leaf.kind !== 'compare')
    throw scope.mistyped(tree, `expected a value that ${info.name} holds but found ${printValue(value)}`);
  const literal: Literal = leaf.value;
  return { kind: 'literal', type, value: literal };
}

function bindCast(tree: SyntaxOf<'call'>, first: Syntax, second: Syntax, binder: CallBinder): Operand {
  const operand = binder.operand(first);
  const value = binder.value(operand, first);
  const name = second.kind === 'value' ? second.value : null;
  let info: DTypeInfo | null = null;
  try {
    info = typeof name === 'string' ? parseDType(name) : null;
  } catch {
    // Told below.
  }
  const type = info === null ? null : valueTypeOf(info);
  if (info === null || type === null)
    throw binder.scope.mistyped(second, `expected an element type such as 'int32' but found ${printValue(name)}`);
  const from = dtypeOf(value);
  if (!castsTo(from, value.type, info, type))
    throw binder.scope.mistyped(first, `expected what can become ${info.name} but found ${from.name} values`);
  if (from.name === info.name) return operand;
  return computed({ kind: 'call', type, info, name: tree.name, args: [value] });
}

function castsTo(from: DTypeInfo, given: ValueType, to: DTypeInfo, wanted: ValueType): boolean {
  if (given === 'binary' || wanted === 'binary') return given === wanted;
  if (given === wanted && given !== 'duration') return !('unit' in from && 'unit' in to) || sameScale(from, to);
  switch (given) {
    case 'bool':
      return wanted === 'int' || wanted === 'float' || wanted === 'text';
    case 'int':
      return true;
    case 'float':
      return wanted === 'bool' || wanted === 'int' || wanted === 'text';
    case 'text':
      return wanted !== 'duration';
    case 'moment':
      return (wanted === 'int' && to.itemBytes === 8) || wanted === 'text';
    case 'duration':
      return (wanted === 'int' && to.itemBytes === 8) || from.name === to.name;
    default:
      return false;
  }
}

/** Ticks without a unit name no moment. */
const sameScale = (from: DTypeInfo, to: DTypeInfo): boolean =>
  from.name === to.name || ('unit' in from && from.unit !== null && 'unit' in to && to.unit !== null);

function numberArgument(call: SyntaxOf<'call'>, tree: Syntax, binder: CallBinder): BoundValue {
  const operand = binder.operand(tree);
  const type = operandType(operand);
  if (type !== null && type !== 'int' && type !== 'float') throw unlike(binder, call, tree, operand, 'a number');
  return binder.value(operand, tree);
}

function unlike({ scope }: CallBinder, call: SyntaxOf<'call'>, tree: Syntax, operand: Operand, wanted: string): Error {
  const { shape } = FUNCTIONS[call.name];
  return scope.mistyped(tree, `${shape}: expected ${wanted} but found ${describeOperand(operand)}`);
}

function computed(value: Call): Operand {
  return { kind: 'computed', value };
}
