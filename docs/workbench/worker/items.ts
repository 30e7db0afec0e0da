// Items of a .syr file as the page shows them: the first values of each array, which it draws as a picture or a line.
import type { SyrahFile } from 'syrah';
import type { ItemArray, ItemPage } from '../protocol.ts';

/** Of one array: a picture of 512 x 512 with three colours, or a line that nobody sees more points of. */
const MOST_VALUES = 3 * 512 * 512;

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
  if (!ArrayBuffer.isView(value)) return { key, dtype, values: String(value), length: 1 };
  const array = value as unknown as ArrayLike<number | bigint> & { readonly length: number };
  const count = Math.min(array.length, MOST_VALUES);
  if (value instanceof Uint8Array) return { key, dtype, values: value.slice(0, count), length: array.length };
  const values = new Float64Array(count);
  for (let i = 0; i < count; i += 1) values[i] = Number(array[i]);
  return { key, dtype, values, length: array.length };
}
