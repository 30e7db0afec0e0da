// Plain values of a known dtype -> packed little-endian items and validity, every value checked. No copy where a typed
// array has the items already.
import {
  ArgumentError,
  attached,
  bytesOfArray,
  describeValue,
  dtypeFacts,
  dtypeOfArray,
  isBool,
  isExactResult,
  isRawItem,
  isTime,
  ofThisRealm,
  parseDType,
  typedArrayOver,
} from '@colkit/io';
import type { DTypeInfo, FixedArray } from '@colkit/io';
import { ValidityBuilder } from '../chunk/validity-builder.ts';
import { findNoBit } from '../validity.ts';
import { NAT } from '../values/nat.ts';
import { plainDateTicks, plainTicks } from '../values/plain-moment.ts';
import { fromDate, fromISO } from '../values/time.ts';
import type { PlainValues } from './typed.ts';

const RAW_ITEMS = 'raw items of 16 bytes in a Uint8Array';

/** Items of all rows. */
interface Encoded {
  readonly bytes: Uint8Array;
  /** null: no row is null. */
  readonly validity: Uint8Array | null;
}

/**
 * Values of a fixed-width dtype other than S and U.
 * @param column how messages name the column.
 * @throws ArgumentError ERR_VALUE naming column and row for the first value that the dtype cannot hold.
 */
export function encodeFixed(info: DTypeInfo, values: PlainValues, column: string): Encoded {
  const own = packedBytes(info, values, column);
  if (own !== null) return { bytes: own, validity: null };
  const bytes = new Uint8Array(values.length * info.itemBytes);
  const out = typedArrayOver(info, bytes);
  const validity = new ValidityBuilder(values.length);
  const encodeOne = encoderOf(info, out, column, isOfIntegers(values));
  for (let row = 0; row < values.length; row += 1) {
    const value: unknown = values[row];
    if (value === null) validity.setNull(row);
    else encodeOne(value, row);
  }
  return { bytes, validity: validity.finish() };
}

export function refuse(column: string, expected: string, value: unknown, row: number): ArgumentError {
  return new ArgumentError('ERR_VALUE', column, expected, `${describeValue(value)} at row ${String(row)}`);
}

/** The bytes of a typed array that holds the dtype's items already; null where values must be converted. */
function packedBytes(info: DTypeInfo, values: PlainValues, column: string): Uint8Array | null {
  const own = dtypeOfArray(values);
  if (own === null) return null;
  const array = values as FixedArray;
  const isBytes = own === 'uint8';
  const bytes = bytesOfArray(attached(array, 'write', column));
  if (isBool(info) && isBytes) {
    const wrong = findNoBit(bytes);
    if (wrong !== -1) throw refuse(column, '0 or 1', bytes[wrong], wrong);
    return bytes;
  }
  if (isRawItem(info)) {
    if (!isBytes || bytes.length % info.itemBytes !== 0)
      throw new ArgumentError('ERR_VALUE', column, RAW_ITEMS, `${String(bytes.length)} bytes of ${own}`);
    return bytes;
  }
  return own === info.name || (isTime(info) && array instanceof BigInt64Array) ? bytes : null;
}

/** Puts a value among the items. */
type EncodeOne = (value: unknown, row: number) => void;

/** Whether an array's own type says that its numbers are integers. */
function isOfIntegers(values: PlainValues): boolean {
  const own = dtypeOfArray(values);
  return own !== null && dtypeFacts(parseDType(own)).value === 'int';
}

/** @param ofIntegers whether the values are integers by their type: those that a float has to round are refused. */
function encoderOf(info: DTypeInfo, out: FixedArray, column: string, ofIntegers: boolean): EncodeOne {
  switch (dtypeFacts(info).value) {
    case 'bool':
      return (value, row) => {
        if (typeof value !== 'boolean') throw refuse(column, 'booleans', value, row);
        out[row] = value ? 1 : 0;
      };
    case 'int':
      return (value, row) => encodeInteger(info, value, out, row, column);
    case 'float':
      return (value, row) => {
        if (typeof value !== 'number') throw refuse(column, `numbers for ${info.name}`, value, row);
        out[row] = value;
        if (Number.isFinite(value) && !Number.isFinite(out[row]))
          throw refuse(column, `numbers within the range of ${info.name}`, value, row);
        if (ofIntegers && out[row] !== value)
          throw refuse(column, `integers that ${info.name} holds exactly`, value, row);
      };
    case 'moment':
      return (value, row) => {
        out[row] = datetimeTicks(info, value, row, column);
      };
    case 'duration':
      return (value, row) => {
        if (typeof value !== 'bigint' && value !== 'NaT')
          throw refuse(column, `ticks as bigint (or 'NaT') for ${info.name}`, value, row);
        out[row] = value === 'NaT' ? NAT : int64(value, info, row, column);
      };
    default:
      return (value, row) => {
        throw refuse(column, isRawItem(info) ? RAW_ITEMS : `values of ${info.name}`, value, row);
      };
  }
}

function encodeInteger(info: DTypeInfo, value: unknown, out: FixedArray, row: number, column: string): void {
  if (typeof value !== 'number' && typeof value !== 'bigint')
    throw refuse(column, `integers for ${info.name}`, value, row);
  if (typeof value === 'number' && !Number.isInteger(value))
    throw refuse(column, `integers for ${info.name}`, value, row);
  if (out instanceof BigInt64Array || out instanceof BigUint64Array) {
    // From 2^53 on a number may stand for several integers.
    if (typeof value === 'number' && !isExactResult(value))
      throw refuse(column, `numbers below 2^53 (or bigints) for ${info.name}`, value, row);
    out[row] = BigInt(value);
    if (out[row] !== BigInt(value)) throw refuse(column, `integers within the range of ${info.name}`, value, row);
    return;
  }
  out[row] = Number(value);
  if (out[row] !== Number(value) || (typeof value === 'bigint' && BigInt(out[row] ?? 0) !== value))
    throw refuse(column, `integers within the range of ${info.name}`, value, row);
}

function datetimeTicks(info: DTypeInfo, given: unknown, row: number, column: string): bigint {
  const value = ofThisRealm(given);
  if (typeof value === 'bigint') return int64(value, info, row, column);
  if (!(value instanceof Date) && typeof value !== 'string')
    throw refuse(column, `dates, ISO text or bigint ticks for ${info.name}`, value, row);
  if (value instanceof Date && Number.isNaN(value.getTime())) {
    throw refuse(column, `valid dates (not-a-time is 'NaT' in typed('${info.name}', …))`, value, row);
  }
  try {
    // Types are parsed for each value by the others.
    if (value instanceof Date) return plainDateTicks(value, info) ?? fromDate(value, info.name);
    return plainTicks(value, info) ?? fromISO(value, info.name);
  } catch (error) {
    if (error instanceof ArgumentError) throw refuse(column, error.expected, value, row);
    throw error;
  }
}

function int64(value: bigint, info: DTypeInfo, row: number, column: string): bigint {
  if (value < NAT || value > 2n ** 63n - 1n) throw refuse(column, `ticks of 64 bits for ${info.name}`, value, row);
  return value;
}
