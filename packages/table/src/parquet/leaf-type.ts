// A column of a Parquet schema -> the dtype that its values have here, how each is made of what is stored, and what a
// report has to tell of it. Nothing is rounded but decimals, which become the nearest float64; what cannot be kept
// exactly is refused.
import { ArgumentError } from '@colkit/io';
import type { DType } from '@colkit/io';
import { nearestDouble } from '../values/decimal.ts';

/** A schema element, as hyparquet gives it. */
export interface ParquetElement {
  readonly name: string;
  readonly type?: string;
  readonly type_length?: number;
  readonly converted_type?: string;
  readonly scale?: number;
  readonly precision?: number;
  readonly logical_type?: {
    readonly type: string;
    readonly unit?: string;
    readonly isAdjustedToUTC?: boolean;
    readonly bitWidth?: number;
    readonly isSigned?: boolean;
    readonly scale?: number;
    readonly precision?: number;
  };
}

export interface LeafType {
  readonly dtype: DType;
  /**
   * Makes a value of what `storedMetadata` has hyparquet give; null: it is that.
   * @throws ArgumentError ERR_VALUE where the dtype cannot hold it.
   */
  readonly take: ((stored: unknown, row: number) => number | bigint | string) | null;
  /** How the value differs from what Parquet says it is; null: not at all. */
  readonly note: string | null;
}

const LARGEST = 2n ** 63n - 1n;
const TWO_64 = 2n ** 64n;
const MICROS_OF_DAY = 86_400_000_000n;
/** The Julian day of 1970-01-01. */
const JULIAN_1970 = 2_440_588n;
const UNITS: Readonly<Record<string, 'ms' | 'us' | 'ns'>> = { MILLIS: 'ms', MICROS: 'us', NANOS: 'ns' };
const INTEGERS: Readonly<Record<string, DType>> = {
  INT_8: 'int8',
  INT_16: 'int16',
  INT_32: 'int32',
  INT_64: 'int64',
  UINT_8: 'uint8',
  UINT_16: 'uint16',
  UINT_32: 'uint32',
  UINT_64: 'uint64',
};

/** Null: a type that has no dtype here. @param remedy what a caller can do about a value that cannot be held. */
export function leafType(element: ParquetElement, remedy: string): LeafType | null {
  const { converted_type: converted, logical_type: logical } = element;
  const kind = logical?.type ?? converted;
  switch (kind) {
    case 'DECIMAL':
      return decimal(element);
    case 'TIMESTAMP':
      return timestamp(UNITS[logical?.unit ?? ''], logical?.isAdjustedToUTC !== false, element, remedy);
    // By the specification those are of UTC.
    case 'TIMESTAMP_MILLIS':
      return timestamp('ms', true, element, remedy);
    case 'TIMESTAMP_MICROS':
      return timestamp('us', true, element, remedy);
    case 'TIME':
      return time(UNITS[logical?.unit ?? ''], logical?.isAdjustedToUTC !== false, element, remedy);
    case 'TIME_MILLIS':
      return time('ms', true, element, remedy);
    case 'TIME_MICROS':
      return time('us', true, element, remedy);
    case 'DATE':
      return plain('datetime64[D]');
    case 'INTEGER':
      return integer(`${logical?.isSigned === true ? 'INT' : 'UINT'}_${String(logical?.bitWidth)}`);
    case 'STRING':
    case 'UTF8':
      return plain('string');
    case 'ENUM':
      return plain('string', 'ENUM became text');
    case 'JSON':
      return plain('string', 'JSON became text, as it stands in the file');
    case 'UUID':
      return plain('string', 'UUID became text, such as 123e4567-e89b-12d3-a456-426614174000');
    case 'FLOAT16':
      return plain('float32', 'FLOAT16 became float32, which holds each of its values');
    case 'BSON':
      return plain('binary', 'BSON became binary');
    case 'GEOMETRY':
    case 'GEOGRAPHY':
      return plain('binary', `${kind} became binary: the WKB that is stored`);
    // Whatever else it says, there is no value in it.
    case 'NULL':
      return noted(physical(element, remedy), 'a column of nulls alone (UNKNOWN)');
    case undefined:
      return physical(element, remedy);
    default:
      return integer(kind);
  }
}

function integer(kind: string): LeafType | null {
  const dtype = INTEGERS[kind];
  return dtype === undefined ? null : plain(dtype);
}

function physical(element: ParquetElement, remedy: string): LeafType | null {
  switch (element.type) {
    case 'BOOLEAN':
      return plain('bool');
    case 'INT32':
      return plain('int32');
    case 'INT64':
      return plain('int64');
    case 'INT96':
      return int96(element, remedy);
    case 'FLOAT':
      return plain('float32');
    case 'DOUBLE':
      return plain('float64');
    case 'BYTE_ARRAY':
      return plain('binary');
    case 'FIXED_LEN_BYTE_ARRAY':
      return plain(
        'binary',
        `FIXED_LEN_BYTE_ARRAY(${String(element.type_length ?? 0)}) became binary, which may have any length`,
      );
    default:
      return null;
  }
}

function plain(dtype: DType, note: string | null = null): LeafType {
  return { dtype, take: null, note };
}

function noted(leaf: LeafType | null, note: string): LeafType | null {
  return leaf === null ? null : { ...leaf, note: `${note} became ${leaf.dtype}` };
}

function decimal({ scale, precision, logical_type: logical }: ParquetElement): LeafType {
  const digits = scale ?? logical?.scale ?? 0;
  return {
    dtype: 'float64',
    take: (stored) =>
      nearestDouble(stored instanceof Uint8Array ? signedBigEndian(stored) : BigInt(stored as number | bigint), digits),
    note:
      `DECIMAL(${String(precision ?? logical?.precision ?? '?')}, ${String(digits)}) became float64: of each ` +
      'value the nearest',
  };
}

function signedBigEndian(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return BigInt.asIntN(8 * bytes.length, value);
}

function timestamp(
  unit: 'ms' | 'us' | 'ns' | undefined,
  isUtc: boolean,
  element: ParquetElement,
  remedy: string,
): LeafType | null {
  if (unit === undefined) return null;
  const note = isUtc ? 'TIMESTAMP in UTC became datetime64: the same moments, in UTC, without a time zone' : null;
  if (unit !== 'ns') return { dtype: `datetime64[${unit}]`, take: null, note };
  return { dtype: 'datetime64[us]', take: (stored, row) => wholeMicros(stored as bigint, element, row, remedy), note };
}

/** Of a day: there is no dtype for it. */
function time(
  unit: 'ms' | 'us' | 'ns' | undefined,
  isUtc: boolean,
  element: ParquetElement,
  remedy: string,
): LeafType | null {
  if (unit === undefined) return null;
  const take = (stored: unknown, row: number): bigint => {
    const ticks = BigInt(stored as number | bigint);
    return unit === 'ns' ? wholeMicros(ticks, element, row, remedy) : unit === 'us' ? ticks : ticks * 1000n;
  };
  return { dtype: 'int64', take, note: `TIME became int64: microseconds since midnight${isUtc ? ' in UTC' : ''}` };
}

/** Twelve bytes: nanoseconds of a day, signed as some writers have them for moments before 1970, and a Julian day. */
function int96(element: ParquetElement, remedy: string): LeafType {
  const take = (stored: unknown, row: number): bigint => {
    const bytes = stored as Uint8Array;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let micros =
      (BigInt(view.getInt32(8, true)) - JULIAN_1970) * MICROS_OF_DAY +
      wholeMicros(view.getBigInt64(0, true), element, row, remedy);
    // Beyond the year 285616 Spark's own sum overflows while it writes, and once more when it reads. No other writer
    // has days so early.
    if (micros < -LARGEST) micros += TWO_64;
    if (micros > LARGEST || micros < -LARGEST)
      throw unheld(
        element,
        'moments that int64 microseconds reach',
        `${String(micros)} microseconds since 1970`,
        row,
        remedy,
      );
    return micros;
  };
  return { dtype: 'datetime64[us]', take, note: 'INT96 became datetime64[us], the moments taken as UTC' };
}

function wholeMicros(nanos: bigint, element: ParquetElement, row: number, remedy: string): bigint {
  const micros = nanos / 1000n;
  if (micros * 1000n !== nanos)
    throw unheld(element, 'whole microseconds', `${String(nanos)} nanoseconds`, row, remedy);
  return micros;
}

function unheld({ name }: ParquetElement, expected: string, found: string, row: number, remedy: string): ArgumentError {
  return new ArgumentError(
    'ERR_VALUE',
    `column ${JSON.stringify(name)}`,
    expected,
    `${found} at row ${String(row)} (${remedy})`,
  );
}
