// One value that a caller adds -> its dtype and its little-endian bytes. Typed arrays are used in place; lists are
// converted and checked element by element.
import {
  ArgumentError,
  attached,
  bytesOfArray,
  describeValue,
  dtypeFacts,
  dtypeOfArray,
  integerRange,
  isFloat,
  parseDType,
  typedArrayOver,
} from '@colkit/io';
import { accepts, fileDType, isFloat128, isSyrahDType, isText, itemBytesOf } from '../layout/dtype.ts';
import type { DTypeInfo } from '@colkit/io';
import type { SyrahArray, SyrahDType } from '../layout/dtype.ts';
import { float64ToFloat128 } from '../layout/float128.ts';

/** Values with a dtype said outright, as `typed(dtype, values)` makes them. */
export interface TypedInput {
  readonly dtype: string;
  readonly values: ArrayLike<unknown>;
}

/**
 * Typed arrays say their type; boolean[] is bool, bigint[] int64, number[] float64, a string or string[] is str
 * (joined, as the format stores it).
 */
export type SyrahInput =
  | SyrahArray
  | string
  | readonly string[]
  | readonly number[]
  | readonly bigint[]
  | readonly boolean[]
  | TypedInput;

interface EncodedArray {
  readonly dtype: SyrahDType;
  /** The caller's own memory where no conversion was needed. */
  readonly bytes: Uint8Array;
}

/** The first magnitudes that round to infinity, by the bytes of the float. */
const OVERFLOW: Readonly<Record<number, number>> = { 2: 65_520, 4: (2 - 2 ** -24) * 2 ** 127 };
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * @param expected the key's dtype where it is known: lists are converted to it, and a Uint8Array is taken as bool (0
 * and 1 only) or as raw float128.
 * @throws ArgumentError ERR_SCHEMA for another dtype; ERR_VALUE for values that the dtype does not hold.
 */
export function encodeArray(value: SyrahInput, expected: SyrahDType | null, where: string): EncodedArray {
  if (typeof value === 'string') return encodeText([value], expected, where);
  if (isArrayView(value)) return encodeView(value, expected, where);
  if (Array.isArray(value))
    return encodeList(value as readonly unknown[], expected ?? dtypeOfList(value, where), where);
  if (isTyped(value)) return encodeTyped(value, expected, where);
  throw new ArgumentError(
    'ERR_ARGUMENT',
    where,
    'a typed array, a string, a list or typed(dtype, values)',
    describeValue(value),
  );
}

/** Typed arrays, and the ponyfill's half-precision arrays, which are no ArrayBuffer views. */
function isArrayView(value: unknown): value is SyrahArray {
  return dtypeOfArray(value) !== null;
}

function isTyped(value: unknown): value is TypedInput {
  return (
    typeof value === 'object' &&
    value !== null &&
    'dtype' in value &&
    typeof value.dtype === 'string' &&
    'values' in value
  );
}

function encodeTyped({ dtype: name, values }: TypedInput, expected: SyrahDType | null, where: string): EncodedArray {
  const dtype = fileDType(name);
  if (!isSyrahDType(dtype)) throw new ArgumentError('ERR_SCHEMA', where, 'a dtype that .syr files have', name);
  if (expected !== null && expected !== dtype) throw wrongDType(where, expected, dtype);
  if (typeof values === 'string') return encodeText([values], dtype, where);
  if (!isArrayView(values)) return encodeList(Array.from(values), dtype, where);
  if (isText(dtype) || accepts(values, dtype)) return encodeView(values, dtype, where);
  return encodeList(Array.from(attached(values, 'addItem', where) as ArrayLike<number | bigint>), dtype, where);
}

function encodeView(value: SyrahArray, expected: SyrahDType | null, where: string): EncodedArray {
  const own = dtypeOfArray(value);
  if (own === null || !isSyrahDType(own))
    throw new ArgumentError(
      'ERR_SCHEMA',
      where,
      'a typed array whose element type .syr files have',
      value.constructor.name,
    );
  const bytes = bytesOfArray(attached(value, 'addItem', where));
  if (expected === null || own === expected) return { dtype: own, bytes };
  if (accepts(value, expected)) {
    if (!isFloat128(expected)) return { dtype: expected, bytes: checkFlags(bytes, where) };
    if (bytes.length % itemBytesOf(expected) === 0) return { dtype: expected, bytes };
    throw new ArgumentError('ERR_VALUE', where, 'raw float128 of 16 bytes each', `${String(bytes.length)} bytes`);
  }
  if (value instanceof Float64Array && isFloat128(expected))
    return { dtype: expected, bytes: float64ToFloat128(value) };
  throw wrongDType(where, expected, own);
}

function wrongDType(where: string, expected: SyrahDType, found: string): ArgumentError {
  return new ArgumentError('ERR_SCHEMA', where, `${expected}, the dtype of the key`, found);
}

function checkFlags(bytes: Uint8Array, where: string): Uint8Array {
  const bad = bytes.findIndex((byte) => byte > 1);
  if (bad !== -1)
    throw new ArgumentError('ERR_VALUE', where, 'bool as 0 or 1', `${String(bytes[bad])} at position ${String(bad)}`);
  return bytes;
}

function dtypeOfList(values: readonly unknown[], where: string): SyrahDType {
  const first = values[0];
  switch (typeof first) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int64';
    case 'number':
      return 'float64';
    case 'string':
      return 'str';
    default:
      throw new ArgumentError(
        'ERR_SCHEMA',
        where,
        'a list of numbers, bigints, booleans or strings, or typed(dtype, values)',
        values.length === 0 ? 'an empty list' : describeValue(first),
      );
  }
}

function encodeList(values: readonly unknown[], dtype: SyrahDType, where: string): EncodedArray {
  if (isText(dtype)) return encodeText(values, dtype, where);
  const bytes = isFloat128(dtype) ? encodeFloat128(values, where) : encodeNumbers(values, dtype, where);
  return { dtype, bytes };
}

function encodeText(parts: readonly unknown[], expected: SyrahDType | null, where: string): EncodedArray {
  if (expected !== null && !isText(expected)) throw wrongDType(where, expected, 'str');
  const bad = parts.findIndex((part) => typeof part !== 'string' || LONE_SURROGATE.test(part));
  if (bad !== -1) throw badValue(where, 'well-formed text', parts[bad], bad);
  return { dtype: 'str', bytes: new TextEncoder().encode(parts.join('')) };
}

function encodeFloat128(values: readonly unknown[], where: string): Uint8Array {
  for (const [position, value] of values.entries())
    if (typeof value !== 'number') throw badValue(where, 'numbers', value, position);
  return float64ToFloat128(values as readonly number[]);
}

function encodeNumbers(values: readonly unknown[], dtype: Exclude<SyrahDType, 'str'>, where: string): Uint8Array {
  const bytes = new Uint8Array(values.length * itemBytesOf(dtype));
  const info = parseDType(dtype);
  const array = typedArrayOver(info, bytes) as unknown as { [index: number]: number | bigint };
  const convert = converterFor(info);
  for (const [position, value] of values.entries()) {
    const converted = convert(value);
    if (converted === null) throw badValue(where, dtype, value, position);
    array[position] = converted;
  }
  return bytes;
}

/** Null for a value that the dtype does not hold. */
function converterFor(info: DTypeInfo): (value: unknown) => number | bigint | null {
  const { domain } = dtypeFacts(info);
  if (domain === 'bool')
    return (value) => (value === true || value === 1 ? 1 : value === false || value === 0 ? 0 : null);
  if (isFloat(info)) return finite(OVERFLOW[info.itemBytes] ?? Infinity);
  const [least, most] = integerRange(info);
  return domain === 'wide' ? bigInteger(least, most) : integer(Number(least), Number(most));
}

/** Rounds to the nearest; a finite number that would become infinite is refused. */
const finite =
  (overflow: number) =>
  (value: unknown): number | null =>
    typeof value === 'number' && !(Number.isFinite(value) && Math.abs(value) >= overflow) ? value : null;

const integer =
  (smallest: number, largest: number) =>
  (value: unknown): number | null => {
    const number = typeof value === 'bigint' ? Number(value) : value;
    return typeof number === 'number' && Number.isInteger(number) && number >= smallest && number <= largest
      ? number
      : null;
  };

const bigInteger =
  (smallest: bigint, largest: bigint) =>
  (value: unknown): bigint | null => {
    const big = typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;
    return typeof big === 'bigint' && big >= smallest && big <= largest ? big : null;
  };

function badValue(where: string, expected: string, value: unknown, position: number): ArgumentError {
  return new ArgumentError('ERR_VALUE', where, expected, `${describeValue(value)} at position ${String(position)}`);
}
