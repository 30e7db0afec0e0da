// What the dtypes of .syr files are, for who reads items of any key.
import { dtypeFacts, isBool, isFloat, isRawItem, parseDType } from '@colkit/io';
import type { DType } from '@colkit/io';
import type { KeyField, SyrahDType } from 'syrah';

export type { SyrahDType, SyrahValue } from 'syrah';

/** A dtype as files have it: the oldest have `<Un`, text of n code points an element. */
export type StoredDType = NonNullable<KeyField['dtype']>;

/** Whether arrays of it read as one string. */
export function isText(dtype: StoredDType): dtype is 'str' | `<U${number}` {
  return dtype === 'str' || dtype.startsWith('<');
}

/** Bytes of an element; 1 for text, whose lengths are in bytes. */
export function itemBytesOf(dtype: StoredDType): number {
  return isText(dtype) ? 1 : parseDType(dtype).itemBytes;
}

/** The type of a table's column that holds the elements: float16 becomes wider, float128 loses digits. */
export function columnDType(dtype: StoredDType): DType {
  if (isText(dtype)) return 'string';
  const info = parseDType(dtype);
  if (isRawItem(info)) return 'float64';
  return isFloat(info) && info.itemBytes === 2 ? 'float32' : info.name;
}

/** The type of a key that holds the values of a column: moments as text, durations as their ticks. */
export function keyDType(dtype: DType): SyrahDType {
  switch (dtypeFacts(parseDType(dtype)).value) {
    case 'binary':
      return 'uint8';
    case 'text':
    case 'moment':
      return 'str';
    case 'duration':
      return 'int64';
    default:
      return dtype as SyrahDType;
  }
}

/** Whether what people see of a value must be converted first: float128, whose bytes tell nobody anything. */
export function isUnreadable(dtype: StoredDType): boolean {
  return !isText(dtype) && isRawItem(parseDType(dtype));
}

export function isFlags(dtype: StoredDType): boolean {
  return !isText(dtype) && isBool(parseDType(dtype));
}
