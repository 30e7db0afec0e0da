// The types of columns: the id in page headers, the name in the schema, the bytes of an item, and the element type that
// users see.
import {
  UnsupportedError,
  arrayTypeOf,
  dtypeFacts,
  isBool,
  isFloat,
  isMoment,
  isVariableText,
  parseDType,
} from '@colkit/io';
import type { DType, FixedArray } from '@colkit/io';

/** What values are to the encodings: integers modulo 2^64, bit patterns of floats, or byte strings. */
export type Domain = 'integers' | 'float32' | 'float64' | 'strings';

export type ColumnTypeName =
  | 'bool'
  | 'int8'
  | 'int16'
  | 'int32'
  | 'int64'
  | 'uint8'
  | 'uint16'
  | 'uint32'
  | 'uint64'
  | 'float32'
  | 'float64'
  | 'date'
  | 'datetime'
  | 'string'
  | 'binary';

export interface ColumnType {
  readonly id: number;
  readonly name: ColumnTypeName;
  readonly dtype: DType;
  /** 0 for string and binary. */
  readonly itemBytes: 0 | 1 | 2 | 4 | 8;
  readonly domain: Domain;
  /** Whether words are sign-extended and compare as signed. */
  readonly signed: boolean;
  /** One bit a value, in bytes of 0 and 1. */
  readonly isBool: boolean;
  /** Ticks, of which the least is NaT. */
  readonly isMoment: boolean;
  /** Texts; other byte strings are bytes. */
  readonly isText: boolean;
}

/** By their ids. */
const DTYPES: readonly (readonly [name: ColumnTypeName, dtype: DType])[] = [
  ['bool', 'bool'],
  ['int8', 'int8'],
  ['int16', 'int16'],
  ['int32', 'int32'],
  ['int64', 'int64'],
  ['uint8', 'uint8'],
  ['uint16', 'uint16'],
  ['uint32', 'uint32'],
  ['uint64', 'uint64'],
  ['float32', 'float32'],
  ['float64', 'float64'],
  ['date', 'datetime64[D]'],
  ['datetime', 'datetime64[us]'],
  ['string', 'string'],
  ['binary', 'binary'],
];

/** All types; the index is the id. */
export const COLUMN_TYPES: readonly ColumnType[] = DTYPES.map(([name, dtype], id) => {
  const info = parseDType(dtype);
  const isNumeric = info.itemBytes > 0;
  return Object.freeze({
    id,
    name,
    dtype,
    itemBytes: info.itemBytes as ColumnType['itemBytes'],
    domain: !isNumeric ? 'strings' : isFloat(info) ? (dtype as 'float32' | 'float64') : 'integers',
    signed: isNumeric && !isBool(info) && !isFloat(info) && !dtypeFacts(info).isUnsigned,
    isBool: isBool(info),
    isMoment: isMoment(info),
    isText: isVariableText(info),
  });
});

/** By their ids: types themselves are plain data, which goes to threads. Null: no fixed width. */
const ARRAY_TYPES = COLUMN_TYPES.map(({ dtype }) => arrayTypeOf(parseDType(dtype)));

const BY_NAME: ReadonlyMap<string, ColumnType> = new Map(COLUMN_TYPES.map((type) => [type.name, type]));
const BY_DTYPE: ReadonlyMap<string, ColumnType> = new Map(COLUMN_TYPES.map((type) => [type.dtype, type]));

/** The type of a name of the schema. @throws UnsupportedError ERR_DTYPE. */
export function columnType(name: string): ColumnType {
  const type = BY_NAME.get(name);
  if (type === undefined)
    throw new UnsupportedError('ERR_DTYPE', name, `unsupported column type ${JSON.stringify(name)}`);
  return type;
}

/** The type that stores an element type, or null where the format has none. */
export function columnTypeOfDType(dtype: DType): ColumnType | null {
  return BY_DTYPE.get(dtype) ?? null;
}

/** The same over packed items, which start at a multiple of the item bytes. */
export function arrayOfItems(type: ColumnType, bytes: Uint8Array): FixedArray {
  return arrayOver(type, bytes.buffer, bytes.byteOffset, bytes.length / type.itemBytes);
}

/**
 * The JavaScript array of a fixed-width type over part of a buffer, no copy; bool as bytes. `byteOffset` is a multiple
 * of the item bytes.
 */
export function arrayOver(type: ColumnType, buffer: ArrayBufferLike, byteOffset: number, count: number): FixedArray {
  const arrayType = ARRAY_TYPES[type.id] ?? null;
  if (arrayType === null) throw new UnsupportedError('ERR_FEATURE', type.name, `${type.name} has no fixed-width array`);
  return new arrayType(buffer, byteOffset, count);
}
