// Metadata of megabytes: opening reads its structure only, items read a block of offsets, and each block is checked
// before anything of it is used.
import { MemorySource } from '@colkit/io';
import { CountingSource } from '@colkit/testkit';
import { describe, expect, test } from 'vitest';
import { open, openSync } from '../../src/index.ts';
import { binary, concat, doc, docField, file, text } from '@colkit/testkit/syr-bytes';

const ITEMS = 200_000;
const KEYS = ['label', 'features', 'a name that is long enough to be no accident of alignment'];
const offsetOf = (item: number, key: number): number => 22 + item + key;

/** One byte an array: item + key, modulo 256. */
function largeFile(change: (offsets: BigInt64Array, key: number) => void = () => undefined): Uint8Array {
  const sizes = new Uint8Array(new BigInt64Array(ITEMS).fill(1n).buffer);
  const keys = KEYS.map((name, key) => {
    const offsets = BigInt64Array.from({ length: ITEMS }, (_, item) => BigInt(offsetOf(item, key)));
    change(offsets, key);
    return docField(
      name,
      doc(binary('offset', new Uint8Array(offsets.buffer)), binary('size', sizes), text('dtype', 'uint8')),
    );
  });
  return file(
    Uint8Array.from({ length: ITEMS + KEYS.length }, (_, k) => k),
    concat(doc(...keys)),
  );
}

const whole = largeFile();
const counting = (bytes: Uint8Array): CountingSource => new CountingSource(new MemorySource(bytes));

describe.each(['open', 'openSync'] as const)('%s', (form) => {
  const opened = async (source: CountingSource) => (form === 'open' ? open(source) : openSync(source));

  test('reads a few pages of 10 MB', async () => {
    const source = counting(whole);
    const large = await opened(source);
    expect(large.itemCount).toBe(ITEMS);
    expect(large.keys).toEqual(KEYS);
    expect(source.bytesRead).toBeLessThan(64 * 1024);
  });

  test('an item reads the offsets of its block, once', async () => {
    const source = counting(whole);
    const large = await opened(source);
    const before = source.reads.length;
    expect(large.getArraySync(150_000, 'features')).toEqual(Uint8Array.of((150_000 + 1) % 256));
    expect(source.reads.slice(before).map(({ byteLength }) => byteLength)).toEqual([32_768, 32_768, 1]);
    expect(await large.getArray(150_001, 'features')).toEqual(Uint8Array.of((150_001 + 1) % 256));
    expect(source.reads.length).toBe(before + 4);
    expect(await large.getItem(-1)).toEqual({
      [KEYS[0]!]: Uint8Array.of((ITEMS - 1) % 256),
      [KEYS[1]!]: Uint8Array.of(ITEMS % 256),
      [KEYS[2]!]: Uint8Array.of((ITEMS + 1) % 256),
    });
  });

  test('every item is right', async () => {
    const large = await opened(counting(whole));
    const { data, shape } = await large.gatherItems(
      Array.from({ length: ITEMS }, (_, item) => item),
      KEYS[2]!,
    );
    expect(shape).toEqual([ITEMS, 1]);
    expect((data as Uint8Array).every((byte, item) => byte === (item + 2) % 256)).toBe(true);
    expect(large.lengths('label').every((length) => length === 1)).toBe(true);
  });
});

test('a bad offset is refused before anything of its block is read, and other blocks are fine', async () => {
  const bad = 123_456;
  const source = counting(
    largeFile((offsets, key) => {
      if (key === 1) offsets[bad] = BigInt(ITEMS + 22 + KEYS.length);
    }),
  );
  const large = await open(source);
  const expected: unknown = expect.objectContaining({
    name: 'CorruptFileError',
    code: 'ERR_METADATA',
    column: 'features',
    region: `metadata of item ${String(bad)}`,
  });
  expect(() => large.getItemSync(bad + 1)).toThrow(expected);
  await expect(large.getArray(bad, 'features')).rejects.toEqual(expected);
  expect(() => large.gatherItemsSync([0, bad], 'features')).toThrow(expected);
  expect(() => large.lengths('features')).toThrow(expected);
  expect(() => large.viewArray(bad, 'features')).toThrow(expected);
  expect(large.getArraySync(bad, 'label')).toEqual(Uint8Array.of(bad % 256));
  expect(large.getArraySync(0, 'features')).toEqual(Uint8Array.of(1));
});

test('a structure that is damaged far into the metadata is refused when opening', () => {
  const bytes = whole.slice();
  const at = 22 + ITEMS + KEYS.length + 16 * ITEMS + 60;
  bytes.fill(0xff, at, at + 40);
  expect(() => openSync(counting(bytes))).toThrow(expect.objectContaining({ code: 'ERR_METADATA' }));
});
