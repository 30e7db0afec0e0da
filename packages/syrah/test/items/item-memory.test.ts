// Items that share memory: each keeps its own bytes, whoever writes, transfers or forgets the others.
import { describe, expect, test } from 'vitest';
import { create, openSync } from '../../src/index.ts';
import type { SyrahFile } from '../../src/index.ts';
import { ItemMemory } from '../../src/items/item-memory.ts';
import { doc, file as fileBytes, key } from '@colkit/testkit/syr-bytes';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder();
const ITEMS = 300;

/** Items of 3 to 3 + 8 * `longest` bytes; every byte tells its item. */
async function write(name: string, longest: number): Promise<SyrahFile> {
  const path = folder.path(name);
  const writer = await create(path, { overwrite: true });
  for (let i = 0; i < ITEMS; i += 1)
    await writer.addItem({
      bytes: new Uint8Array(3).fill(i),
      numbers: new Float64Array((i * 37) % (longest + 1)).fill(i),
      note: `item ${String(i)}`,
    });
  await writer.close();
  return openSync(path);
}

function check(item: ReturnType<SyrahFile['getItemSync']>, i: number): void {
  expect(Array.from(item['bytes'] as Uint8Array)).toEqual(Array(3).fill(i & 255));
  expect((item['numbers'] as Float64Array).length).toBeGreaterThanOrEqual(0);
  expect((item['numbers'] as Float64Array).every((value) => value === i)).toBe(true);
  expect(item['note']).toBe(`item ${String(i)}`);
}

describe.each([
  ['tiny', 4],
  ['small', 1000],
  ['of all sizes', 6000],
])('%s items', (name, longest) => {
  test('that are kept stay what they were, whatever is read after them and written into others', async () => {
    using file = await write(`${name}.syr`, longest);
    const kept = Array.from({ length: ITEMS }, (_, i) => file.getItemSync(i));
    for (const [i, item] of kept.entries()) check(item, i);
    for (let i = 0; i < ITEMS; i += 2)
      for (const array of [kept[i]?.['bytes'] as Uint8Array, kept[i]?.['numbers'] as Float64Array]) array.fill(255);
    for (let i = 1; i < ITEMS; i += 2) check(kept[i] as (typeof kept)[number], i);
    for (let i = 0; i < ITEMS; i += 1) check(file.getItemSync(i), i);
  });

  test('survive the transfer of another one', async () => {
    using file = await write(`${name}.syr`, longest);
    const [first, second] = [file.getItemSync(5), file.getItemSync(6)];
    try {
      structuredClone(first['numbers'], { transfer: [(first['numbers'] as Float64Array).buffer as ArrayBuffer] });
    } catch (error) {
      // Newer runtimes refuse what cannot be transferred, older ones copy it.
      expect((error as Error).name).toBe('DataCloneError');
    }
    check(second, 6);
    check(file.getItemSync(7), 7);
  });
});

test('what one item keeps alive is bounded', async () => {
  using file = await write('bounded.syr', 6000);
  for (let i = 0; i < ITEMS; i += 1) {
    const { numbers } = file.getItemSync(i);
    const { byteLength, buffer } = numbers as Float64Array;
    expect(buffer.byteLength).toBeLessThanOrEqual(Math.max(128 * 1024, byteLength + 64));
  }
});

test('`transferable` gives memory of its own', async () => {
  using file = await write('own.syr', 10);
  const [first, second] = [file.getItemSync(3, { transferable: true }), file.getItemSync(4, { transferable: true })];
  structuredClone(first['numbers'], { transfer: [(first['numbers'] as Float64Array).buffer as ArrayBuffer] });
  expect((first['numbers'] as Float64Array).byteLength).toBe(0);
  check(second, 4);
});

test('items that lie apart in the file, or in odd order, are read all the same', () => {
  const data = Uint8Array.from({ length: 400 }, (_, k) => k);
  using file = openSync(
    fileBytes(
      data,
      doc(
        key('a', 'float64', [22, 300, 62], [8, 8, 16]),
        key('b', 'uint8', [200, 22, 30], [5, 5, 0]),
        key('c', 'float64', [205, 50, 78], [8, 8, 8]),
      ),
    ),
  );
  for (let i = 0; i < 3; i += 1) {
    const item = file.getItemSync(i);
    for (const name of ['a', 'b', 'c']) expect(item[name]).toEqual(file.getArraySync(i, name));
  }
});

test('pieces of one slab do not overlap, and start at multiples of 8', () => {
  const memory = new ItemMemory();
  const used = new Map<ArrayBufferLike, number>();
  for (let k = 0; k < 5000; k += 1) {
    const byteLength = (k * 7919) % 20_000;
    memory.take(byteLength);
    const { buffer, byteOffset } = memory;
    expect(byteOffset % 8).toBe(0);
    expect(byteOffset).toBeGreaterThanOrEqual(used.get(buffer) ?? 0);
    expect(byteOffset + byteLength).toBeLessThanOrEqual(buffer.byteLength);
    used.set(buffer, byteOffset + byteLength);
  }
});
