// The types of columns: the id in page headers, the name in the schema, the bytes of an item, and the element type that
// users see.
import { UnsupportedError, assertNever } from '@colkit/io';
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
}

const TYPES: readonly Omit<ColumnType, 'id'>[] = [
  { name: 'bool', dtype: 'bool', itemBytes: 1, domain: 'integers', signed: false },
  { name: 'int8', dtype: 'int8', itemBytes: 1, domain: 'integers', signed: true },
  { name: 'int16', dtype: 'int16', itemBytes: 2, domain: 'integers', signed: true },
  { name: 'int32', dtype: 'int32', itemBytes: 4, domain: 'integers', signed: true },
  { name: 'int64', dtype: 'int64', itemBytes: 8, domain: 'integers', signed: true },
  { name: 'uint8', dtype: 'uint8', itemBytes: 1, domain: 'integers', signed: false },
  { name: 'uint16', dtype: 'uint16', itemBytes: 2, domain: 'integers', signed: false },
  { name: 'uint32', dtype: 'uint32', itemBytes: 4, domain: 'integers', signed: false },
  { name: 'uint64', dtype: 'uint64', itemBytes: 8, domain: 'integers', signed: false },
  { name: 'float32', dtype: 'float32', itemBytes: 4, domain: 'float32', signed: false },
  { name: 'float64', dtype: 'float64', itemBytes: 8, domain: 'float64', signed: false },
  { name: 'date', dtype: 'datetime64[D]', itemBytes: 8, domain: 'integers', signed: true },
  { name: 'datetime', dtype: 'datetime64[us]', itemBytes: 8, domain: 'integers', signed: true },
  { name: 'string', dtype: 'string', itemBytes: 0, domain: 'strings', signed: false },
  { name: 'binary', dtype: 'binary', itemBytes: 0, domain: 'strings', signed: false },
];

/** All types; the index is the id. */
export const COLUMN_TYPES: readonly ColumnType[] = TYPES.map((type, id) => Object.freeze({ id, ...type }));

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
  switch (type.name) {
    case 'bool':
    case 'uint8':
      return new Uint8Array(buffer, byteOffset, count);
    case 'int8':
      return new Int8Array(buffer, byteOffset, count);
    case 'int16':
      return new Int16Array(buffer, byteOffset, count);
    case 'int32':
      return new Int32Array(buffer, byteOffset, count);
    case 'uint16':
      return new Uint16Array(buffer, byteOffset, count);
    case 'uint32':
      return new Uint32Array(buffer, byteOffset, count);
    case 'uint64':
      return new BigUint64Array(buffer, byteOffset, count);
    case 'int64':
    case 'date':
    case 'datetime':
      return new BigInt64Array(buffer, byteOffset, count);
    case 'float32':
      return new Float32Array(buffer, byteOffset, count);
    case 'float64':
      return new Float64Array(buffer, byteOffset, count);
    case 'string':
    case 'binary':
      throw new UnsupportedError('ERR_FEATURE', type.name, `${type.name} has no fixed-width array`);
    default:
      return assertNever(type.name);
  }
}
