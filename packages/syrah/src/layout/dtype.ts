// The element types of a .syr file: their names on disk (numpy's), the bytes of one element, and the JavaScript value
// that an array of them becomes.
import { UnsupportedError, arrayTypeOf, dtypeOfArray, parseDType } from '@colkit/io';
import type { Float16ArrayLike, TypedArrayConstructor } from '@colkit/io';

/**
 * Array values by dtype. `bool` is one byte 0 or 1 each; `float128` the raw 16 bytes of each element; `str` one string
 * an array.
 */
export interface SyrahDTypeMap {
  bool: Uint8Array;
  int8: Int8Array;
  uint8: Uint8Array;
  int16: Int16Array;
  uint16: Uint16Array;
  int32: Int32Array;
  uint32: Uint32Array;
  int64: BigInt64Array;
  uint64: BigUint64Array;
  float16: Float16ArrayLike;
  float32: Float32Array;
  float64: Float64Array;
  float128: Uint8Array;
  str: string;
}

/** A dtype that a file can be written with. */
export type SyrahDType = keyof SyrahDTypeMap;
/** What one array reads as. */
export type SyrahValue = SyrahDTypeMap[SyrahDType];
export type SyrahArray = Exclude<SyrahValue, string>;

/**
 * A dtype as files have it: `<Un` (UCS-4 text, n code points an element) only in files from before the first release.
 */
export type StoredDType = SyrahDType | `<U${number}`;

/** What JavaScript has typed arrays for, or bits of it in one. */
export const NUMBER_DTYPES = [
  'int8',
  'uint8',
  'int16',
  'uint16',
  'int32',
  'uint32',
  'int64',
  'uint64',
  'float16',
  'float32',
  'float64',
] as const satisfies readonly SyrahDType[];
const FIXED: readonly Exclude<SyrahDType, 'str'>[] = ['bool', ...NUMBER_DTYPES, 'float128'];
const ITEM_BYTES: ReadonlyMap<string, number> = new Map<SyrahDType, number>([
  ...FIXED.map((dtype) => [dtype, parseDType(dtype).itemBytes] as const),
  ['str', 1],
]);
const ARRAY_TYPES: ReadonlyMap<StoredDType, TypedArrayConstructor<SyrahArray>> = new Map(
  FIXED.map((dtype) => [dtype, arrayTypeOf(parseDType(dtype)) as TypedArrayConstructor<SyrahArray>]),
);
const UCS4 = /^<U(\d{1,9})$/;
const UCS4_BYTES = 4;
/** The first character of UCS-4 dtypes, and of no other. */
const LESS_THAN = 0x3c;

export const SYRAH_DTYPES: readonly SyrahDType[] = [...ITEM_BYTES.keys()] as SyrahDType[];

export function isSyrahDType(name: string): name is SyrahDType {
  return ITEM_BYTES.has(name);
}

/** A name that a user gives, as files have it: `string`, as all formats call text, is `str` here. */
export function fileDType(name: string): string {
  return name === 'string' ? 'str' : name;
}

/** A name read from a file. @throws UnsupportedError ERR_DTYPE. */
export function parseStoredDType(name: string, path: string): StoredDType {
  if (isSyrahDType(name) || UCS4.test(name)) return name as StoredDType;
  throw new UnsupportedError(
    'ERR_DTYPE',
    name,
    `${path}: unsupported dtype ${JSON.stringify(name)}; supported: ${SYRAH_DTYPES.join(', ')}`,
  );
}

/**
 * Bytes of one element; 1 for `str`, whose arrays have any byte length; the size of an array is a multiple of it. Text
 * of no code points (`<U0`) is in whole code points too.
 */
export function itemBytesOf(dtype: StoredDType): number {
  const known = ITEM_BYTES.get(dtype);
  if (known !== undefined) return known;
  return Math.max(UCS4_BYTES, UCS4_BYTES * Number(UCS4.exec(dtype)?.[1] ?? 0));
}

/** Whether arrays of it read as one string. */
export function isText(dtype: StoredDType): dtype is 'str' | `<U${number}` {
  return dtype === 'str' || dtype.charCodeAt(0) === LESS_THAN;
}

/** The typed array of a dtype: of bool and of the raw bytes of float128 a Uint8Array. Null for text. */
export function arrayTypeOfDType(dtype: StoredDType): TypedArrayConstructor<SyrahArray> | null {
  return ARRAY_TYPES.get(dtype) ?? null;
}

/** Bytes of one element of that array; 1 for text. */
export function elementBytesOf(dtype: StoredDType): number {
  return ARRAY_TYPES.get(dtype)?.BYTES_PER_ELEMENT ?? 1;
}

/** Whether its elements have no value in JavaScript: they are read as they are, or as float64. */
export function isFloat128(dtype: StoredDType): boolean {
  return dtype === 'float128';
}

/**
 * Whether a caller's array has the elements of `dtype`: bool and the raw bytes of float128 go into a Uint8Array.
 */
export function accepts(out: SyrahArray, dtype: SyrahDType): boolean {
  const own = dtypeOfArray(out);
  return own !== null && isSyrahDType(own) && arrayTypeOfDType(own) === arrayTypeOfDType(dtype);
}
