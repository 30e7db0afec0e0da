// The element type of a computed value: what a column of it is written as. Integers are 64 bits wide, because results
// are exact and not cut to the width of what they were computed from; floats are float32 where nothing in them is
// wider.
import { parseDType } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import type { BoundValue } from './bound-predicate.ts';

const info = { bool: parseDType('bool'), int64: parseDType('int64'), uint64: parseDType('uint64') } as const;
const FLOAT32 = parseDType('float32');
const FLOAT64 = parseDType('float64');
const STRING = parseDType('string');
const BINARY = parseDType('binary');
const MOMENT = parseDType('datetime64[ms]');

export function dtypeOf(value: BoundValue): DTypeInfo {
  switch (value.kind) {
    case 'column':
      return value.column.info;
    case 'call':
      return value.info;
    case 'truth':
      return info.bool;
    case 'literal':
      return literalDType(value);
    case 'arithmetic': {
      const sides = [value.left, value.right].filter(({ kind }) => kind !== 'literal').map(dtypeOf);
      if (value.type === 'float') return value.op !== 'div' || sides.some(isNarrow) ? floatOf(sides) : FLOAT64;
      const isUnsigned = [value.left, value.right].every(neverNegative) && value.op !== 'sub';
      return isUnsigned && sides.some(({ name }) => name === 'uint64') ? info.uint64 : info.int64;
    }
  }
}

/** Of floats: float32 where no value needs more. Constants take the width of what they stand beside. */
export function floatOf(sides: readonly DTypeInfo[]): DTypeInfo {
  const isSmall = (each: DTypeInfo): boolean => isNarrow(each) || (isInteger(each) && each.itemBytes <= 2);
  return sides.some(isNarrow) && sides.every(isSmall) ? FLOAT32 : FLOAT64;
}

/** One type for values of two; null where there is none. */
export function unitedDType(one: DTypeInfo, other: DTypeInfo): DTypeInfo | null {
  if (one.name === other.name) return one;
  if (isNumber(one) && isNumber(other)) {
    if (one.kind === 'float' || other.kind === 'float') return floatOf([one, other]);
    if (one.kind === other.kind) return one.itemBytes >= other.itemBytes ? one : other;
    const [unsigned, signed] = one.kind === 'uint' ? [one, other] : [other, one];
    return parseDType(`int${String(Math.min(64, 8 * Math.max(2 * unsigned.itemBytes, signed.itemBytes)))}`);
  }
  if (!isText(one) || !isText(other)) return null;
  if (one.kind !== other.kind || !('length' in one) || !('length' in other)) return STRING;
  return one.length >= other.length ? one : other;
}

/** Whether some row may be null. */
export function mayBeNull(value: BoundValue): boolean {
  switch (value.kind) {
    case 'column':
      return value.column.nullable;
    case 'literal':
      return value.value === null;
    case 'truth':
      return value.nullable;
    case 'arithmetic': {
      if (mayBeNull(value.left) || mayBeNull(value.right)) return true;
      if (value.type !== 'int' || (value.op !== 'mod' && value.op !== 'floorDiv')) return false;
      return value.right.kind !== 'literal' || Number(value.right.value) === 0;
    }
    case 'call':
      return callMayBeNull(value.name, value.args);
  }
}

function callMayBeNull(name: Extract<BoundValue, { kind: 'call' }>['name'], args: readonly BoundValue[]): boolean {
  switch (name) {
    // A condition that is unknown takes the other value.
    case 'where':
      return args.slice(1).some(mayBeNull);
    case 'fillNull':
      return args.every(mayBeNull);
    case 'clip':
      return args.some((each) => each.kind !== 'literal' && mayBeNull(each));
    case 'year':
    case 'month':
    case 'day':
    case 'hour':
    case 'minute':
    case 'second':
    case 'weekday':
      return true;
    default:
      return args.some(mayBeNull);
  }
}

function literalDType({ type, value }: Extract<BoundValue, { kind: 'literal' }>): DTypeInfo {
  switch (type) {
    case 'bool':
      return info.bool;
    case 'int':
      return typeof value === 'bigint' && value >= 2n ** 63n ? info.uint64 : info.int64;
    case 'float':
      return FLOAT64;
    case 'text':
      return STRING;
    case 'binary':
      return BINARY;
    case 'moment':
    case 'duration':
      return MOMENT;
  }
}

function neverNegative(value: BoundValue): boolean {
  if (value.kind === 'literal') return value.value !== null && Number(value.value) >= 0;
  return dtypeOf(value).kind === 'uint';
}

const isNarrow = ({ name }: DTypeInfo): boolean => name === 'float32' || name === 'float16';
const isInteger = ({ kind }: DTypeInfo): boolean => kind === 'int' || kind === 'uint';
const isNumber = (each: DTypeInfo): boolean => isInteger(each) || each.kind === 'float';
const isText = ({ kind }: DTypeInfo): boolean => kind === 'bytes' || kind === 'unicode' || kind === 'string';
