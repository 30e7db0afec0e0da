// What the dtypes of .syr files are, for who reads items of any key.
import type { KeyField, SyrahDType, SyrahValue } from 'syrah';

export type { SyrahDType, SyrahValue } from 'syrah';

/** A dtype as files have it: the oldest have `<Un`, text of n code points an element. */
export type StoredDType = NonNullable<KeyField['dtype']>;

const DTYPES: readonly SyrahDType[] = [
  'bool',
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
  'float128',
  'str',
];

export function isSyrahDType(name: string): name is SyrahDType {
  return (DTYPES as readonly string[]).includes(name);
}

/** Whether arrays of it read as one string. */
export function isText(dtype: StoredDType): dtype is 'str' | `<U${number}` {
  return dtype === 'str' || dtype.startsWith('<');
}

/** Bytes of an element; 1 for text, whose lengths are in bytes. */
export function itemBytesOf(dtype: StoredDType): number {
  return isText(dtype) || dtype === 'bool' ? 1 : Number(/\d+$/.exec(dtype)?.[0] ?? 8) / 8;
}

/** Whether an array, or text, is one value of a table. */
export function isOneValue(value: SyrahValue): boolean {
  return typeof value === 'string' || value.length === 1;
}
