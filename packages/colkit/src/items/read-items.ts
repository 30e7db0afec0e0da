// The items of a file, one after another: of a local file each in its turn, of one on a server many at a time, since a
// request takes longer than most items do, and those that are asked for together become few.
import type { SyrahFile } from 'syrah';
import { itemBytesOf } from './dtypes.ts';
import type { SyrahValue } from './dtypes.ts';

/** What is asked for together at most. */
const ITEMS_AT_ONCE = 2048;
const BYTES_AT_ONCE = 4 * 1024 * 1024;
/** Of an element whose dtype is the item's own. */
const MOST_ITEM_BYTES = 16;

/** Of a local file at once: a turn of the event loop for each item takes longer than most items do. */
export function itemEntries(
  file: SyrahFile,
  item: number | string,
  keys: readonly string[],
): [string, SyrahValue][] | Promise<[string, SyrahValue][]> {
  const options = keys.length === file.keys.length ? {} : { keys };
  return file.isLocal ? file.getEntriesSync(item, options) : file.getEntries(item, options);
}

/**
 * What `read` gives of items [0, count), in their order.
 * @param keys those that it reads.
 */
export async function* itemsInTurn<T>(
  file: SyrahFile,
  keys: readonly string[],
  read: (item: number) => T | Promise<T>,
  count = file.itemCount,
): AsyncGenerator<T, void, undefined> {
  if (file.isLocal) {
    for (let item = 0; item < count; item += 1) yield await read(item);
    return;
  }
  const sizes = bytesOfItems(file, keys);
  for (let start = 0; start < count; ) {
    let end = start + 1;
    for (let bytes = sizes[start] ?? 0; end < Math.min(count, start + ITEMS_AT_ONCE); end += 1) {
      bytes += sizes[end] ?? 0;
      if (bytes > BYTES_AT_ONCE) break;
    }
    const first = start;
    yield* await Promise.all(Array.from({ length: end - start }, (_, number) => read(first + number)));
    start = end;
  }
}

function bytesOfItems(file: SyrahFile, keys: readonly string[]): Float64Array {
  const bytes = new Float64Array(file.itemCount);
  for (const { name, dtype } of file.schema) {
    if (!keys.includes(name)) continue;
    const itemBytes = dtype === null ? MOST_ITEM_BYTES : itemBytesOf(dtype);
    // An item of the oldest files may be without a key.
    for (const [item, length] of file.lengths(name).entries())
      bytes[item] = (bytes[item] ?? 0) + (length || 0) * itemBytes;
  }
  return bytes;
}
