// The arrays of one item by key, as records that have nothing but the keys.
import type { SyrahArray, SyrahValue } from '../layout/dtype.ts';

/**
 * Arrays by key: a null-prototype object, so that any text is only a key. Keys such as "10" come first in it, as in any
 * object; `getEntries` keeps the file's order.
 */
export type SyrahItem = Record<string, SyrahValue>;
export type SyrahView = Record<string, SyrahArray>;

export const emptyRecord = <T>(): Record<string, T> => Object.create(null) as Record<string, T>;

export function byKey(entries: readonly [string, SyrahValue][]): SyrahItem {
  const item = emptyRecord<SyrahValue>();
  for (const [key, value] of entries) item[key] = value;
  return item;
}
