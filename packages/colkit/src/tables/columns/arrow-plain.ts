// Columns of an Arrow batch whose types have no dtype here -> the nearest that have, as with Parquet: decimals as
// float64, times of a day as int64 microseconds since midnight.
import { ArgumentError } from '@colkit/io';
import { isValid, nearestDouble } from '@colkit/table';
import type { ArrowTableLike } from '@colkit/table';
import { LEAVE_OUT } from './refused-columns.ts';

/** What is looked at of Apache's types. */
export interface ArrowType {
  readonly typeId: number;
  readonly unit?: number;
  readonly bitWidth?: number;
  readonly precision?: number;
  readonly scale?: number;
  readonly timezone?: string | null;
  /** Of a dictionary: the type of its values. */
  readonly dictionary?: ArrowType;
}

interface Part {
  readonly length: number;
  /** Where its validity starts, in bits. */
  readonly offset: number;
  readonly nullCount: number;
  readonly nullBitmap?: Uint8Array | null;
  readonly values: Uint32Array | Int32Array | Float64Array | BigInt64Array;
  /** What the values are codes of. */
  readonly dictionary?: Vector;
}

interface Vector {
  readonly length: number;
  readonly type: ArrowType;
  readonly data: readonly Part[];
}

// Type ids of the Arrow specification; apache-arrow's -1 is a dictionary.
const [INT, FLOAT, DECIMAL, TIME, DICTIONARY] = [2, 3, 7, 9, -1];
const FLOAT64 = { typeId: FLOAT, precision: 2, toString: () => 'Float64' };
/** What 64-bit integers of another type are told as. */
export const INT64 = { typeId: INT, isSigned: true, bitWidth: 64, toString: () => 'Int64' };
/** By unit: s, ms, us; of nanoseconds a microsecond has a thousand. */
const MICROS = [1_000_000n, 1000n, 1n] as const;
const NANOS = 3;

/** Of a column, whether its rows have values or codes of a dictionary. */
export function valueType(type: ArrowType): ArrowType {
  return type.dictionary ?? type;
}

/** The type of a column whose values are told as another. */
export function withValueType(type: ArrowType, values: ArrowType): ArrowType {
  return type.dictionary === undefined ? values : { typeId: DICTIONARY, dictionary: values };
}

/** What becomes of a type that has no dtype here; null: it has one, or nothing becomes of it. */
export function plainNote({ typeId, precision, scale }: ArrowType): string | null {
  if (typeId === DECIMAL)
    return `DECIMAL(${String(precision)}, ${String(scale)}) became float64: of each value the nearest`;
  return typeId === TIME ? 'TIME became int64: microseconds since midnight' : null;
}

/** @throws ArgumentError ERR_VALUE for nanoseconds that are no whole microseconds. */
export function plainArrow(table: ArrowTableLike): ArrowTableLike {
  const { numRows, schema } = table;
  const plain = schema.fields.map(({ name }, position) => plainVector(table.getChildAt(position) as Vector, name));
  if (plain.every((vector) => vector === null)) return table;
  return { numRows, schema, getChildAt: (position) => plain[position] ?? table.getChildAt(position) };
}

function plainVector({ length, type, data }: Vector, name: string): Vector | null {
  const stored = valueType(type);
  const plain = plainType(stored);
  if (plain === null) return null;
  const known = new Map<Vector, Vector | null>();
  const partOf = (part: Part): Part => {
    const { dictionary, values } = part;
    if (dictionary === undefined)
      return withValues(part, plain === FLOAT64 ? doublesOf(part, stored) : microsOf(part, stored, name));
    if (!known.has(dictionary)) known.set(dictionary, plainVector(dictionary, name));
    return { ...withValues(part, values), dictionary: known.get(dictionary) ?? dictionary };
  };
  return { length, type: withValueType(type, plain), data: data.map(partOf) };
}

function plainType({ typeId }: ArrowType): ArrowType | null {
  if (typeId === DECIMAL) return FLOAT64;
  return typeId === TIME ? INT64 : null;
}

function doublesOf(part: Part, { bitWidth = 128, scale = 0 }: ArrowType): Float64Array {
  const words = part.values as Uint32Array;
  const width = bitWidth / 32;
  const values = new Float64Array(part.length);
  for (let row = 0; row < part.length; row++) {
    let value = 0n;
    for (let word = width - 1; word >= 0; word--) value = (value << 32n) | BigInt(words[row * width + word] as number);
    values[row] = nearestDouble(BigInt.asIntN(bitWidth, value), scale);
  }
  return values;
}

function microsOf(part: Part, { unit = NANOS }: ArrowType, name: string): BigInt64Array {
  const values = new BigInt64Array(part.length);
  const bitmap = part.nullCount === 0 ? null : (part.nullBitmap ?? null);
  for (let row = 0; row < part.length; row++) {
    const ticks = BigInt(part.values[row] as number | bigint);
    const micros = unit === NANOS ? ticks / 1000n : ticks * (MICROS[unit] as bigint);
    if (unit === NANOS && micros * 1000n !== ticks && isValid(bitmap, part.offset + row))
      throw new ArgumentError(
        'ERR_VALUE',
        `column ${JSON.stringify(name)}`,
        'whole microseconds',
        `${String(ticks)} nanoseconds (${LEAVE_OUT})`,
      );
    values[row] = micros;
  }
  return values;
}

/** Apache's own members are getters of a prototype, which a spread would lose. */
function withValues(part: Part, values: Part['values']): Part {
  const { length, offset, nullBitmap = null, nullCount } = part;
  return { length, offset, nullBitmap, nullCount, values };
}
