// Files that the original wrote: every value read back through every way of reading, and the current form written
// again, byte for byte.
import { bytesOfArray } from '@colkit/io';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { create, createSync, open, openSync } from '../src/index.ts';
import type { SyrahFile, SyrahValue } from '../src/index.ts';
import { CURRENT, RELEASES, loadGolden } from './golden.ts';
import type { GoldenFile } from './golden.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();

function bytesOf(value: SyrahValue): Uint8Array {
  return typeof value === 'string' ? new TextEncoder().encode(value) : bytesOfArray(value);
}

/** Values as the golden text has them. */
function readable(value: SyrahValue, dtype: string): (string | boolean)[] {
  if (typeof value === 'string') return [value];
  if (dtype === 'bool') return Array.from(value as Uint8Array, (flag) => flag === 1);
  return Array.from(value as ArrayLike<number | bigint>, (element) => String(element));
}

async function expectSame(file: SyrahFile, golden: GoldenFile): Promise<void> {
  expect(file.itemCount).toBe(golden.itemCount);
  expect(file.keys).toEqual(golden.keys.map(({ name }) => name));
  expect(file.schema).toEqual(golden.keys.map(({ name, dtype }) => ({ name, dtype })));
  expect(file.itemNames).toEqual(
    golden.hasNames ? Array.from({ length: golden.itemCount }, (_, i) => String(i)) : null,
  );
  for (let item = 0; item < golden.itemCount; item += 1) {
    const entries = await file.getEntries(item);
    expect(entries.map(([key]) => key)).toEqual(file.keys);
    const record = file.getItemSync(item - golden.itemCount);
    expect(Object.getPrototypeOf(record)).toBeNull();
    for (const [k, { name, dtype, bytes, values }] of golden.keys.entries()) {
      const expected = Array.from(bytes[item]!);
      expect(Array.from(bytesOf(entries[k]![1])), `${golden.label} item ${String(item)} ${name}`).toEqual(expected);
      expect(Array.from(bytesOf(record[name]!))).toEqual(expected);
      expect(Array.from(bytesOf(await file.getArray(item, name)))).toEqual(expected);
      expect(Array.from(bytesOf(file.getArraySync(item, name)))).toEqual(expected);
      if (dtype === 'str' || dtype === 'bool' || dtype.includes('int'))
        expect(readable(entries[k]![1], dtype)).toEqual(values[item]);
      if (dtype === 'float16' || dtype === 'float32' || dtype === 'float64')
        expect(Array.from(entries[k]![1] as Float64Array)).toEqual(values[item]!.map(pythonFloat));
      if (dtype === 'float128')
        expect(Array.from(file.getArraySync(item, name, { dtype: 'float64' }) as Float64Array)).toEqual(
          values[item]!.map(pythonFloat),
        );
    }
  }
}

function pythonFloat(text: string | boolean): number {
  return text === 'inf' ? Infinity : text === '-inf' ? -Infinity : text === 'nan' ? NaN : Number(text);
}

describe.each(RELEASES)('written by %s', (release) => {
  test.each(loadGolden(release).map((golden) => [golden.label, golden] as const))(
    '%s reads back, from disk, by position and from memory',
    async (_, golden) => {
      for (const file of [
        await open(golden.path),
        openSync(golden.path),
        await open(golden.path, { io: 'pread' }),
        await open(golden.file),
      ]) {
        await expectSame(file, golden);
        file.close();
      }
    },
  );
});

describe('written again', () => {
  test.each(loadGolden(CURRENT).map((golden) => [golden.label, golden] as const))(
    '%s has the same bytes',
    async (label, golden) => {
      const file = await open(golden.path);
      const path = folder.path(`${label.replace('/', '-')}.syr`);
      await using writer = await create(path, { schema: file.schema });
      const syncPath = folder.path(`${label.replace('/', '-')}-sync.syr`);
      const syncWriter = createSync(syncPath, { schema: file.schema });
      for (let item = 0; item < file.itemCount; item += 1) {
        const entries = await file.getEntries(item);
        await writer.addItem(entries);
        syncWriter.addItemSync(new Map(entries));
      }
      const [written] = await writer.close();
      expect(written).toEqual({ path, itemCount: golden.itemCount, byteLength: golden.file.length });
      syncWriter.closeSync();
      expect(Array.from(readFileSync(path))).toEqual(Array.from(golden.file));
      expect(Array.from(readFileSync(syncPath))).toEqual(Array.from(golden.file));
      file.close();
    },
  );

  test('old files become current ones with the same items', async () => {
    for (const release of RELEASES) {
      for (const golden of loadGolden(release)) {
        const file = await open(golden.path);
        const path = folder.path(`${golden.label.replace('/', '-')}-current.syr`);
        const writer = await create(path, { schema: file.schema });
        for (let item = 0; item < file.itemCount; item += 1) await writer.addItem(await file.getEntries(item));
        await writer.close();
        await expectSame(await open(path), { ...golden, hasNames: false });
        file.close();
      }
    }
  });
});
