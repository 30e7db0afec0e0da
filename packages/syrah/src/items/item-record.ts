// The arrays of one item by key, as records that have nothing but the keys.
import type { SyrahArray, SyrahDType, SyrahDTypeMap, SyrahValue } from '../layout/dtype.ts';

/** What the compiler knows of a file's items: dtypes by key. The plain form knows nothing. */
export type ItemTypes = Readonly<Record<string, SyrahDType>>;

/**
 * Arrays by key: a null-prototype object, so that any text is only a key. Keys such as "10" come first in it, as in any
 * object; `getEntries` keeps the file's order.
 */
export type SyrahItem = Record<string, SyrahValue>;
export type SyrahView = Record<string, SyrahArray>;

/** The keys that are known. */
export type KeyOf<E extends ItemTypes> = keyof E & string;
/** What is viewed of a key. */
export type ArrayOf<E extends ItemTypes, Key extends keyof E> = Exclude<SyrahDTypeMap[E[Key]], string>;
export type ViewWith<E extends ItemTypes, O> = string extends keyof E
  ? SyrahView
  : { [Key in keyof E & KeysOf<E, O>]: ArrayOf<E, Key> };

/** What is copied, with options that take other keys and make other arrays of 64-bit integers. */
export type ItemWith<E extends ItemTypes, O> = string extends keyof E
  ? SyrahItem
  : { [Key in keyof E & KeysOf<E, O>]: Numbers<SyrahDTypeMap[E[Key]], O> };
export type ValueWith<E extends ItemTypes, Key extends keyof E, O> = O extends { readonly dtype: infer D }
  ? D extends SyrahDType
    ? SyrahDTypeMap[D]
    : SyrahValue
  : Numbers<SyrahDTypeMap[E[Key]], O>;
export type ArrayWith<E extends ItemTypes, Key extends keyof E, O> = Exclude<ValueWith<E, Key, O>, string>;
type KeysOf<E, O> = O extends { readonly keys: readonly (infer Key)[] } ? Key : keyof E;
type Numbers<Value, O> = O extends { readonly int64: 'number' }
  ? Value extends BigInt64Array | BigUint64Array
    ? Float64Array
    : Value
  : Value;

export const emptyRecord = <T>(): Record<string, T> => Object.create(null) as Record<string, T>;

export function byKey(entries: readonly [string, SyrahValue][]): SyrahItem {
  const item = emptyRecord<SyrahValue>();
  for (const [key, value] of entries) item[key] = value;
  return item;
}
