// A column, an operator and a constant -> an exact leaf over the column's own values: a constant between two integers,
// two ticks or two doubles becomes the neighbour that gives the same answer for every value that the column can hold,
// so that nothing is ever rounded when rows are compared.
import { assertNever, dtypeFacts, integerRange } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import { NAT } from '../../values/nat.ts';
import { ticksAtOrBefore } from '../../values/time.ts';
import type { ColumnLeaf, ColumnRef, CompareOperator, Literal, ValueType } from '../bound-predicate.ts';
import { isNumeric } from './literal-order.ts';
import { printName, printValue } from '../text/print.ts';
import type { PlainValue } from '../text/syntax.ts';

/** `none`: no value satisfies it; `all`: every value that is not null does. */
export type LeafOutcome = ColumnLeaf | 'none' | 'all';
/** An operator that leaves have. */
type LeafOperator = Exclude<CompareOperator, 'ne'>;

/** A constant that cannot be compared with the column: what was expected in its place. */
export class TypeMismatch {
  readonly message: string;

  constructor(column: ColumnRef, expected: string, found: PlainValue) {
    const { name, info } = column;
    this.message = `column ${printName(name)} is ${info.name}: expected ${expected} but found ${printValue(found)}`;
  }
}

const LARGEST_TICK = 2n ** 63n - 1n;

/** What kind of values a column holds. Null: none that a predicate can compare. */
export function valueTypeOf(info: DTypeInfo): ValueType | null {
  return dtypeFacts(info).value;
}

/** Whether a value may be one that no comparison but `ne` matches: NaN or NaT. */
export function hasNaN(type: ValueType | null): boolean {
  return type === 'float' || type === 'moment' || type === 'duration';
}

export function bindLeaf(
  column: ColumnRef,
  op: LeafOperator,
  value: Exclude<PlainValue, null>,
): LeafOutcome | TypeMismatch {
  const type = valueTypeOf(column.info);
  switch (type) {
    case 'int':
      if (!isNumeric(value)) return new TypeMismatch(column, 'a number', value);
      return typeof value === 'bigint' ? integerLeaf(column, op, value, true) : numberLeaf(column, op, value);
    case 'float':
      if (!isNumeric(value)) return new TypeMismatch(column, 'a number', value);
      return typeof value === 'bigint'
        ? doubleLeaf(column, op, value)
        : Number.isNaN(value)
          ? 'none'
          : { kind: 'compare', column, op, value };
    case 'bool':
      return typeof value === 'boolean'
        ? boolLeaf(column, op, value)
        : new TypeMismatch(column, 'true or false', value);
    case 'text':
      return typeof value === 'string'
        ? { kind: 'compare', column, op, value }
        : new TypeMismatch(column, 'a string', value);
    case 'binary':
      if (!(value instanceof Uint8Array)) return new TypeMismatch(column, 'bytes (Uint8Array)', value);
      return op === 'eq'
        ? { kind: 'compare', column, op, value }
        : new TypeMismatch(column, '== or != (bytes have no order)', value);
    case 'moment':
      return momentLeaf(column, op, value);
    case 'duration':
      return typeof value === 'bigint'
        ? tickLeaf(column, op, value, true)
        : new TypeMismatch(column, 'a bigint of its ticks', value);
    case null:
      return new TypeMismatch(column, 'no comparison (its values have no JavaScript form)', value);
    default:
      return assertNever(type);
  }
}

function boolLeaf(column: ColumnRef, op: LeafOperator, value: boolean): LeafOutcome {
  const only = (wanted: boolean): LeafOutcome => ({ kind: 'compare', column, op: 'eq', value: wanted });
  switch (op) {
    case 'eq':
      return only(value);
    case 'lt':
      return value ? only(false) : 'none';
    case 'le':
      return value ? 'all' : only(false);
    case 'gt':
      return value ? 'none' : only(true);
    case 'ge':
      return value ? only(true) : 'all';
  }
}

function numberLeaf(column: ColumnRef, op: LeafOperator, value: number): LeafOutcome {
  if (Number.isNaN(value)) return 'none';
  if (Number.isFinite(value)) return integerLeaf(column, op, BigInt(Math.floor(value)), Number.isInteger(value));
  const above = value > 0;
  if (op === 'eq') return 'none';
  return above === (op === 'lt' || op === 'le') ? 'all' : 'none';
}

/** @param exact whether the constant is `floor`, not something between it and the next integer. */
function integerLeaf(column: ColumnRef, op: LeafOperator, floor: bigint, exact: boolean): LeafOutcome {
  const [low, high] = integerRange(column.info);
  const outcome = bounded(op, floor, exact, low, high);
  if (typeof outcome === 'string') return outcome;
  const value: Literal = column.info.itemBytes === 8 ? floor : Number(floor);
  return { kind: 'compare', column, op: outcome.op, value };
}

/** Ticks have a value that is outside all comparisons, so that "all" still has something to exclude. */
function tickLeaf(column: ColumnRef, op: LeafOperator, floor: bigint, exact: boolean): LeafOutcome {
  if (floor === NAT && exact) return 'none';
  const outcome = bounded(op, floor, exact, NAT + 1n, LARGEST_TICK);
  if (outcome === 'none') return 'none';
  if (outcome === 'all') return { kind: 'compare', column, op: 'ge', value: NAT + 1n };
  return { kind: 'compare', column, op: outcome.op, value: floor };
}

/**
 * The operator that compares with `floor` as the given one does with the constant, or the answer where the range of
 * values decides.
 */
function bounded(
  op: LeafOperator,
  floor: bigint,
  exact: boolean,
  low: bigint,
  high: bigint,
): { readonly op: LeafOperator } | 'none' | 'all' {
  const own = exact ? op : op === 'lt' ? 'le' : op === 'ge' ? 'gt' : op;
  switch (own) {
    case 'eq':
      return exact && floor >= low && floor <= high ? { op: own } : 'none';
    case 'lt':
      return floor > high ? 'all' : floor <= low ? 'none' : { op: own };
    case 'le':
      return floor >= high ? 'all' : floor < low ? 'none' : { op: own };
    case 'gt':
      return floor >= high ? 'none' : floor < low ? 'all' : { op: own };
    case 'ge':
      return floor > high ? 'none' : floor <= low ? 'all' : { op: own };
  }
}

/** An integer against doubles: compared with the double beside it where it is none itself. */
function doubleLeaf(column: ColumnRef, op: LeafOperator, value: bigint): LeafOutcome {
  const nearest = Number(value);
  if (nearest < value) {
    if (op === 'eq') return 'none';
    return { kind: 'compare', column, op: op === 'lt' ? 'le' : op === 'ge' ? 'gt' : op, value: nearest };
  }
  if (nearest > value) {
    if (op === 'eq') return 'none';
    return { kind: 'compare', column, op: op === 'le' ? 'lt' : op === 'gt' ? 'ge' : op, value: nearest };
  }
  return { kind: 'compare', column, op, value: nearest };
}

/** @throws ArgumentError for text that is no date, and for a datetime64 without a unit. */
function momentLeaf(column: ColumnRef, op: LeafOperator, value: Exclude<PlainValue, null>): LeafOutcome | TypeMismatch {
  if (typeof value === 'bigint') return tickLeaf(column, op, value, true);
  if (typeof value !== 'string' && !(value instanceof Date))
    return new TypeMismatch(column, 'a Date, ISO 8601 text or a bigint of its ticks', value);
  const found = ticksAtOrBefore(value, column.info.name);
  return found === null ? 'none' : tickLeaf(column, op, found.ticks, found.exact);
}
