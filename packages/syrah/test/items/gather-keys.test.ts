// gatherKeys: several keys of many items by one request, equal to gatherItems key by key.
import { MemorySource } from '@colkit/io';
import type { ReadRanges } from '@colkit/io/effects';
import { describe, expect, test } from 'vitest';
import { createSync, openSync } from '../../src/index.ts';
import { gatherMany } from '../../src/items/gather/gather-items.ts';
import type { Readable } from '../../src/items/read-items.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder();
const path = folder.path('items.syr');
const COUNT = 50;

const writer = createSync(path);
for (let i = 0; i < COUNT; i += 1)
  writer.addItemSync({
    one: Uint8Array.of(i),
    wide: Float64Array.of(i, -i, i / 3),
    ragged: new Int16Array(1 + (i % 2)).fill(i),
    name: `n${String(i)}`,
  });
writer.closeSync();

describe('gatherKeys', () => {
  test('is gatherItems for each key, in both forms; each stack is aligned', async () => {
    for (const io of ['auto', 'pread'] as const) {
      using file = openSync(path, { io });
      const items = [7, -1, 7, 0, 30, 31];
      const expected = ['wide', 'one'].map((key) => file.gatherItemsSync(items, key));
      expect(file.gatherKeysSync(items, ['wide', 'one'])).toEqual(expected);
      expect(await file.gatherKeys(items, ['wide', 'one'])).toEqual(expected);
      expect(await file.gatherKeys([], ['wide', 'one'])).toEqual([
        { data: new Float64Array(0), shape: [0, 0] },
        { data: new Uint8Array(0), shape: [0, 0] },
      ]);
    }
  });

  test('its stacks share a buffer, which can be transferred', () => {
    using file = openSync(path);
    const [one, wide] = file.gatherKeysSync([3, 4, 5], ['one', 'wide'], { transferable: true });
    expect(one?.data.buffer).toBe(wide?.data.buffer);
    structuredClone(one?.data, { transfer: [one?.data.buffer as ArrayBuffer] });
    expect(wide?.data.length).toBe(0);
  });

  test('is one request, whatever the number of keys', () => {
    const arrayOf = (item: number, key: string) => ({
      dtype: 'uint8' as const,
      byteOffset: 100 * item + (key === 'b' ? 10 : 0),
      byteLength: 4,
    });
    const index = {
      itemCount: 9,
      keysOf: () => ['a', 'b'],
      isReady: () => true,
      prepare: function* () {
        /* ready */
      },
      arrayOf,
      arraysOf: () => [],
    };
    const file: Readable = { source: new MemorySource(new Uint8Array(0)), path: 'made up', index, dataBytes: 1000 };
    const steps = gatherMany(
      file,
      [2, 5],
      [
        { name: 'a', dtypeOfNone: 'uint8' },
        { name: 'b', dtypeOfNone: 'uint8' },
      ],
      false,
    );
    const asked = steps.next();
    expect((asked.value as ReadRanges).request).toMatchObject({
      offsets: Float64Array.of(200, 500, 210, 510),
      lengths: Float64Array.of(4, 4, 4, 4),
      outOffsets: Float64Array.of(0, 4, 8, 12),
    });
    expect(steps.next().done).toBe(true);
  });

  test('refuses what does not stack, naming item, key and file', async () => {
    using file = openSync(path);
    await expect(file.gatherKeys([0, 2, 1], ['one', 'ragged'])).rejects.toMatchObject({
      code: 'ERR_VALUE',
      message: expect.stringMatching(/"ragged" of item 1 of .*items\.syr/) as string,
    });
    expect(() => file.gatherKeysSync([0], ['name'])).toThrow(/text/);
    expect(() => file.gatherKeysSync([0], ['nonsense'])).toThrow(/nonsense/);
    expect(() => file.gatherKeysSync([COUNT], ['one'])).toThrow(/50/);
  });
});
