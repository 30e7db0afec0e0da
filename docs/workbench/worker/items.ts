// Items of a .syr file as the page shows them: the first values of each array, which it draws as a picture or a line.
import type { SyrahFile } from 'syrah';
import type { ItemArray, ItemPage } from '../protocol.ts';
import { shown } from './questions.ts';

/** Of one array: a picture of 512 x 512 with three colours, or a line that nobody sees more points of. */
const MOST_VALUES = 3 * 512 * 512;
/** Of integers of 64 bits: so few are shown with all their digits, which the numbers of a drawing do not have. */
const MOST_EXACT = 8;

export async function itemsOf(file: SyrahFile, start: number, end: number, signal: AbortSignal): Promise<ItemPage> {
  const items: ItemArray[][] = [];
  for (let item = start; item < end; item += 1) {
    const entries = await file.getEntries(item, { signal });
    items.push(entries.map(([key, value]) => arrayOf(key, dtypeOf(file, key), value)));
  }
  return { start, items };
}

function dtypeOf(file: SyrahFile, key: string): string {
  return file.schema.find(({ name }) => name === key)?.dtype ?? 'bytes';
}

function arrayOf(key: string, dtype: string, value: unknown): ItemArray {
  if (typeof value === 'string') return { key, dtype, values: String(shown(value)), length: 1 };
  // Half-precision arrays are no views where browsers have none of their own.
  const array = value as ArrayLike<number | bigint>;
  const count = Math.min(array.length, MOST_VALUES);
  if (value instanceof Uint8Array) return { key, dtype, values: value.slice(0, count), length: array.length };
  if (typeof array[0] === 'bigint' && array.length <= MOST_EXACT)
    return { key, dtype, values: Array.from(array, String).join(', '), length: array.length };
  const values = new Float64Array(count);
  for (let i = 0; i < count; i += 1) values[i] = Number(array[i]);
  return { key, dtype, values, length: array.length };
}
