// Marks of the parts of a set: what is one, and what is not.
import { crc32 } from '@colkit/io';
import { describe, expect, test } from 'vitest';
import { PART_MARK_BYTES, encodePartMark, partNumber, partPath, readMarkOfFile } from '../../src/layout/part-mark.ts';
import { concat, doc, file, key } from '@colkit/testkit/syr-bytes';
import { errorOf, layoutOf, runOver, unread } from './layout-of.ts';

describe('a part mark', () => {
  const set = '000102030405060708090a0b0c0d0e0f';
  const metadata = doc(key('x', 'uint8', [22], [1]));
  const withMark = (mark: Uint8Array, before = 1): Uint8Array => file(concat(new Uint8Array(before), mark), metadata);
  const markOf = (bytes: Uint8Array): unknown => runOver(readMarkOfFile(unread(bytes.length)), bytes);
  /** A mark that says anything, with the checksum that belongs to it. */
  const sealed = (change: (bytes: Uint8Array, view: DataView) => void): Uint8Array => {
    const mark = encodePartMark({ set, number: 2, count: null });
    const view = new DataView(mark.buffer);
    change(mark, view);
    view.setUint32(32, crc32(mark.subarray(0, 32)), true);
    return mark;
  };

  test('says the set, the number, and the count in the last part', () => {
    for (const mark of [
      { set, number: 0, count: null },
      { set, number: 258, count: null },
      { set, number: 258, count: 259 },
      { set, number: 0, count: 1 },
    ]) {
      expect(markOf(withMark(encodePartMark(mark)))).toEqual(mark);
      expect(layoutOf(withMark(encodePartMark(mark)), true).mark).toEqual(mark);
      expect(layoutOf(withMark(encodePartMark(mark)), false).mark).toBeNull();
    }
    expect(Array.from(encodePartMark({ set, number: 258, count: 259 }).subarray(0, 32))).toEqual([
      0x53,
      0x59,
      0x52,
      0x50,
      0x41,
      0x52,
      0x54,
      1,
      ...Array.from({ length: 16 }, (_, k) => k),
      2,
      1,
      0,
      0,
      3,
      1,
      0,
      0,
    ]);
  });

  test('may be all that there is of data, and is none with a byte less', () => {
    const mark = encodePartMark({ set, number: 1, count: null });
    const bytes = file(mark, doc());
    expect(markOf(bytes)).toMatchObject({ number: 1 });
    expect(markOf(file(mark.subarray(1), doc()))).toBeNull();
    expect(PART_MARK_BYTES).toBe(40);
  });

  test('is none with any other byte, and none that contradicts itself', () => {
    const mark = encodePartMark({ set, number: 2, count: 3 });
    for (let at = 0; at < 36; at += 1) {
      const damaged = mark.slice();
      damaged[at]! ^= 0x20;
      expect(markOf(withMark(damaged)), String(at)).toBeNull();
    }
    for (let at = 0; at < 8; at += 1)
      expect(
        markOf(
          withMark(
            sealed((bytes) => {
              bytes[at]! ^= 0x20;
            }),
          ),
        ),
        String(at),
      ).toBeNull();
    for (const count of [1, 2, 4, 0xffffffff])
      expect(markOf(withMark(sealed((_, view) => view.setUint32(28, count, true)))), String(count)).toBeNull();
    expect(markOf(withMark(sealed((_, view) => view.setUint32(28, 3, true))))).toEqual({ set, number: 2, count: 3 });
  });

  test('is of a .syr file only', () => {
    for (const length of [0, 21])
      expect(errorOf(() => markOf(new Uint8Array(length)))).toMatchObject({ code: 'ERR_TRUNCATED', region: 'header' });
    expect(errorOf(() => markOf(new Uint8Array(200)))).toMatchObject({ code: 'ERR_MAGIC' });
  });

  test('belongs to a name', () => {
    expect(
      ['train.syr', 'a.b/train', '/d/.syr', 'C:\\d.e\\train', 'x.y.syr'].map((path) => [
        partPath(path, 0),
        partPath(path, 12),
        partPath(path, 1_234_567),
      ]),
    ).toEqual([
      ['train.syr', 'train.00012.syr', 'train.1234567.syr'],
      ['a.b/train', 'a.b/train.00012', 'a.b/train.1234567'],
      ['/d/.syr', '/d/.syr.00012', '/d/.syr.1234567'],
      ['C:\\d.e\\train', 'C:\\d.e\\train.00012', 'C:\\d.e\\train.1234567'],
      ['x.y.syr', 'x.y.00012.syr', 'x.y.1234567.syr'],
    ]);
    for (const number of [1, 99_999, 100_000, 4_294_967_295])
      expect(partNumber('train.syr', partPath('train.syr', number))).toBe(number);
    for (const name of [
      'train.syr',
      'train.00000.syr',
      'train.1.syr',
      'train.0001.syr',
      'train.000001.syr',
      'train.00001.syrx',
      'xtrain.00001.syr',
      'train.00001',
      'train.00001.txt',
      'train.x00001.syr',
      'train.00001x.syr',
      'train00001.syr',
      'other.00001.syr',
      'train.12345678901.syr',
    ]) {
      expect(partNumber('train.syr', name), name).toBeNull();
    }
    expect(partNumber('train', 'train.00003')).toBe(3);
  });
});
