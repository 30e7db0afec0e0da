// Whole items and single keys, asked for in any order and across the blocks of the index, for few keys (whose numbers
// lie next to each other) and many (which have blocks each).
import { describe, expect, test } from 'vitest';
import { createSync, openSync } from '../../src/index.ts';
import type { SyrahFile } from '../../src/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder();
const native = process.env['COLKIT_BACKEND'] === 'native';

const valueOf = (item: number, key: number): number[] =>
  Array.from({ length: (item + key) % 3 }, () => (item * 7 + key) % 251);

function write(keys: number, items: number): string {
  const path = folder.path(`${String(keys)}.syr`);
  const writer = createSync(path, { durability: 'none' });
  for (let i = 0; i < items; i += 1) writer.addItemSync({ ...itemOf(i, keys) });
  writer.closeSync();
  return path;
}

const itemOf = (item: number, keys: number): object =>
  Object.fromEntries(Array.from({ length: keys }, (_, k) => [`k${String(k)}`, Uint8Array.from(valueOf(item, k))]));

describe.each([
  [1, 9000],
  [3, 9000],
  [1024, 5],
  [1025, 5],
])('%i keys', (keys, items) => {
  const path = write(keys, items);
  const some = items > 5 ? [8999, 0, 4095, 4096, 8191, 8192, 17] : [4, 0, 2];
  const orders: Readonly<Record<string, (file: SyrahFile) => void>> = {
    'whole items': () => undefined,
    'one key of one item first': (file) => {
      for (const item of some)
        expect(Array.from(file.getArraySync(item, 'k0') as Uint8Array)).toEqual(valueOf(item, 0));
    },
    'every key of every item first': (file) => {
      for (let k = 0; k < Math.min(keys, 3); k += 1)
        expect(file.lengths(`k${String(k)}`).every((length, item) => length === valueOf(item, k).length)).toBe(true);
    },
  };

  test.each(Object.entries(orders))('%s', async (_, before) => {
    using file = openSync(path);
    before(file);
    for (const item of some) {
      expect({ ...file.getItemSync(item) }).toEqual(itemOf(item, keys));
      expect({ ...(await file.getItem(item)) }).toEqual(itemOf(item, keys));
      if (native) expect({ ...file.viewItem(item) }).toEqual(itemOf(item, keys));
      expect(Array.from(file.getArraySync(item, `k${String(keys - 1)}`) as Uint8Array)).toEqual(
        valueOf(item, keys - 1),
      );
    }
  });
});
