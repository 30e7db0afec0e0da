// The element types of a .syr file: their names on disk (numpy's), the bytes of one element, and the JavaScript value
// that an array of them becomes.
import { UnsupportedError } from '@colkit/io';
import type { Float16ArrayLike } from '@colkit/io';

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

const ITEM_BYTES: ReadonlyMap<string, number> = new Map<SyrahDType, number>([
  ['bool', 1],
  ['int8', 1],
  ['uint8', 1],
  ['int16', 2],
  ['uint16', 2],
  ['int32', 4],
  ['uint32', 4],
  ['int64', 8],
  ['uint64', 8],
  ['float16', 2],
  ['float32', 4],
  ['float64', 8],
  ['float128', 16],
  ['str', 1],
]);
const UCS4 = /^<U(\d{1,9})$/;
const UCS4_BYTES = 4;
/** The first character of UCS-4 dtypes, and of no other. */
const LESS_THAN = 0x3c;

export const SYRAH_DTYPES: readonly SyrahDType[] = [...ITEM_BYTES.keys()] as SyrahDType[];

export function isSyrahDType(name: string): name is SyrahDType {
  return ITEM_BYTES.has(name);
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
