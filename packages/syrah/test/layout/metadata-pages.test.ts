// Metadata that is read in parts, and headers: what is refused, where and as what.
import { ReadRange } from '@colkit/io/effects';
import { describe, expect, test } from 'vitest';
import { METADATA_WHOLE_BYTES } from '../../src/layout/constants.ts';
import { readHeader } from '../../src/layout/header.ts';
import { MetadataBytes } from '../../src/layout/metadata-bytes.ts';
import { readLayout } from '../../src/layout/read-layout.ts';
import { binary, concat, doc, docField, file, i64, text } from '@colkit/testkit/syr-bytes';
import type { Part } from '@colkit/testkit/syr-bytes';
import { DATA, errorOf, layoutOf, metadataError, runOver, unread } from './layout-of.ts';
import type { Asked } from './layout-of.ts';

describe('metadata in pages', () => {
  const LENGTH = METADATA_WHOLE_BYTES + 5000;
  const bytes = Uint8Array.from({ length: 100 + LENGTH }, (_, k) => (k * 7) % 251);

  test('is read by pages, each once, and let go of', () => {
    const metadata = new MetadataBytes(unread(Infinity), 100, LENGTH);
    const asked: Asked[] = [];
    runOver(metadata.fill(4095, 4097), bytes, asked);
    runOver(metadata.fill(0, 8192), bytes, asked);
    runOver(metadata.fill(LENGTH - 10, LENGTH + 1000), bytes, asked);
    const last = Math.floor((LENGTH - 1) / 4096) * 4096;
    expect(asked).toEqual([
      { byteOffset: 100, byteLength: 4096 },
      { byteOffset: 4196, byteLength: 4096 },
      { byteOffset: 100 + last, byteLength: LENGTH - last },
    ]);
    expect([...metadata.bytes.subarray(4000, 4200)]).toEqual([...bytes.subarray(4100, 4300)]);
    expect([metadata.complete, metadata.bytes.buffer instanceof SharedArrayBuffer]).toEqual([false, true]);
    metadata.release();
    expect([metadata.bytes.length, metadata.view.byteLength]).toEqual([0, 0]);
  });

  test('is read at once where it is small, once, and stays', () => {
    const metadata = new MetadataBytes(unread(Infinity), 100, METADATA_WHOLE_BYTES);
    const asked: Asked[] = [];
    runOver(metadata.fillAll(), bytes, asked);
    runOver(metadata.fillAll(), bytes, asked);
    runOver(metadata.fill(0, 5000), bytes, asked);
    expect(asked).toEqual([{ byteOffset: 100, byteLength: METADATA_WHOLE_BYTES }]);
    metadata.release();
    expect([metadata.complete, metadata.bytes.length, metadata.bytes.buffer instanceof SharedArrayBuffer]).toEqual([
      true,
      METADATA_WHOLE_BYTES,
      false,
    ]);
  });

  test('is refused at an item, for a key or for none', () => {
    const metadata = new MetadataBytes(unread(Infinity), 100, 10);
    expect(metadata.corrupt(3, 'a', 'b')).toMatchObject({
      code: 'ERR_METADATA',
      path: 'x.syr',
      region: 'metadata',
      byteOffset: 103,
      column: undefined,
    });
    expect(metadata.corrupt(3, 'a', 'b', 'k')).toMatchObject({ byteOffset: 103, column: 'k' });
  });

  test('that no header may tell is refused before memory is taken for it', () => {
    const header = concat([0x47, 0x53, 0, 0, 2, 0], i64(22), i64(2 ** 31));
    const steps = readLayout(unread(22 + 2 ** 31), { piecewise: true });
    const asked = steps.next().value as ReadRange;
    asked.out.set(header);
    expect(errorOf(() => steps.next())).toMatchObject({
      name: 'LimitError',
      code: 'ERR_LIMIT',
      limit: 2 ** 31 - 1,
      value: 2 ** 31,
    });
  });

  test('of no bytes, and files of less than a header', () => {
    for (const length of [0, 1, 21])
      expect(errorOf(() => layoutOf(new Uint8Array(length)))).toMatchObject({
        code: 'ERR_TRUNCATED',
        region: 'header',
        byteOffset: 0,
      });
    for (const piecewise of [true, false])
      expect(errorOf(() => layoutOf(file(DATA, []), piecewise))).toEqual(metadataError(0));
  });
});

describe('a header', () => {
  const headerOf = (magic: Part, offset: number, length: number): unknown =>
    errorOf(() => readHeader(concat(magic, [0, 0, 2, 0], i64(offset), i64(length)), 100, 'x.syr'));
  const at = (code: string, byteOffset: number, found: unknown): unknown =>
    expect.objectContaining({ name: 'CorruptFileError', code, path: 'x.syr', region: 'header', byteOffset, found });

  test('has both bytes of its magic, and tells what it has instead', () => {
    expect(headerOf([0x46, 0x53], 30, 70)).toEqual(
      at('ERR_MAGIC', 0, '46 53 00 00 02 00 1e 00 00 00 00 00 00 00 46 00 00 00 00 00 00 00'),
    );
    expect(headerOf([0x47, 0x54], 30, 70)).toEqual(at('ERR_MAGIC', 0, expect.stringMatching(/^47 54 /)));
    expect(errorOf(() => readHeader(new Uint8Array(22), 100, 'x.syr'))).toEqual(
      at('ERR_MAGIC', 0, expect.stringMatching(/^zeros/)),
    );
  });

  test('points behind itself, into the file, and to its end', () => {
    expect(headerOf([0x47, 0x53], 21, 79)).toEqual(at('ERR_METADATA', 6, '21'));
    expect(headerOf([0x47, 0x53], 101, -1)).toEqual(at('ERR_TRUNCATED', 6, '101'));
    expect(headerOf([0x47, 0x53], 30, 69)).toEqual(at('ERR_METADATA', 14, '69'));
    expect(headerOf([0x47, 0x53], 30, 71)).toEqual(at('ERR_TRUNCATED', 14, '71'));
    expect(readHeader(concat([0x47, 0x53], [0, 0, 2, 0], i64(100), i64(0)), 100, 'x.syr')).toMatchObject({
      metadataOffset: 100,
      metadataLength: 0,
    });
  });
});

describe('metadata beyond a megabyte', () => {
  const ITEMS = 70_000;
  /** Two keys, one byte an array, at `22 + item` and `23 + item`: 2.2 MB of metadata. */
  const large = (change: (offsets: BigInt64Array, sizes: BigInt64Array) => void = () => undefined): Uint8Array => {
    const keys = ['a', 'b'].map((name, k) => {
      const offsets = BigInt64Array.from({ length: ITEMS }, (_, item) => BigInt(22 + item + k));
      const sizes = new BigInt64Array(ITEMS).fill(1n);
      if (k === 1) change(offsets, sizes);
      return docField(
        name,
        doc(
          binary('offset', new Uint8Array(offsets.buffer)),
          binary('size', new Uint8Array(sizes.buffer)),
          text('dtype', 'uint8'),
        ),
      );
    });
    return file(new Uint8Array(ITEMS + 1), concat(doc(...keys)));
  };
  const sound = large();
  const arrayAt = (item: number, k: number): object => ({ dtype: 'uint8', byteOffset: 22 + item + k, byteLength: 1 });

  test('is read by pages of its structure, then by blocks of items, or of one key, each once', () => {
    const asked: Asked[] = [];
    const { index, itemCount } = runOver(readLayout(unread(sound.length), { piecewise: true }), sound, asked);
    expect(itemCount).toBe(ITEMS);
    expect(asked.reduce((sum, { byteLength }) => sum + byteLength, 0)).toBeLessThan(64 * 1024);
    for (const item of [69_999, 0, 4095, 4096, 8191, 8192]) {
      expect(index.isReady(item, 'b')).toBe([4095, 8191].includes(item));
      asked.length = 0;
      runOver(index.prepare(item, 'b'), sound, asked);
      runOver(index.prepare(item, 'b'), sound, asked);
      expect(asked).toHaveLength([4095, 8191].includes(item) ? 0 : 2);
      expect([index.isReady(item, 'b'), index.arrayOf(item, 'b')]).toEqual([true, arrayAt(item, 1)]);
    }
    expect([index.isReady(0, 'none'), index.arrayOf(0, 'none')]).toEqual([true, null]);
    runOver(index.prepare(0, 'none'), sound);
    for (const item of [69_999, 5000, 0]) {
      expect(index.isReady(item, null)).toBe(false);
      runOver(index.prepare(item, null), sound);
      expect([index.isReady(item, null), index.arraysOf(item)]).toEqual([true, [arrayAt(item, 0), arrayAt(item, 1)]]);
      asked.length = 0;
      runOver(index.prepare(item, null), sound, asked);
      expect(asked).toEqual([]);
    }
  });

  test('is read whole where a read is a request, and every block of it checked', () => {
    const asked: Asked[] = [];
    const { index } = runOver(readLayout(unread(sound.length), { piecewise: false }), sound, asked);
    expect(asked).toEqual([
      { byteOffset: 0, byteLength: 22 },
      { byteOffset: 22 + ITEMS + 1, byteLength: sound.length - 22 - ITEMS - 1 },
    ]);
    expect([0, 4096, 69_999].map((item) => index.arraysOf(item))).toEqual(
      [0, 4096, 69_999].map((item) => [arrayAt(item, 0), arrayAt(item, 1)]),
    );
    for (const item of [0, 4095, 4096, 69_999]) {
      const bad = large((offsets) => {
        offsets[item] = 21n;
      });
      expect(
        errorOf(() => layoutOf(bad, false)),
        String(item),
      ).toMatchObject({ code: 'ERR_METADATA', region: `metadata of item ${String(item)}`, column: 'b' });
      const { index: later } = layoutOf(bad, true);
      expect(
        errorOf(() => runOver(later.prepare(item, 'b'), bad)),
        String(item),
      ).toMatchObject({ code: 'ERR_METADATA', region: `metadata of item ${String(item)}`, column: 'b' });
      expect(later.isReady(item, 'b')).toBe(false);
    }
  });

  test('may be empty arrays and whole ones', () => {
    const bytes = large((offsets, sizes) => {
      sizes[5] = 0n;
      offsets[6] = 22n;
      sizes[6] = BigInt(ITEMS + 1);
      offsets[7] = BigInt(22 + ITEMS + 1);
      sizes[7] = 0n;
    });
    const { index } = layoutOf(bytes, true);
    runOver(index.prepare(5, 'b'), bytes);
    expect([5, 6, 7].map((item) => index.arrayOf(item, 'b')?.byteLength)).toEqual([0, ITEMS + 1, 0]);
  });
});
