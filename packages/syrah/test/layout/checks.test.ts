// Files made by hand so that exactly one check of the reader stands between them and being read: what is refused, where
// and as what, and what lies just within the bounds.
import { crc32 } from '@colkit/io';
import { ReadRange } from '@colkit/io/effects';
import type { RangeSource, Work } from '@colkit/io/effects';
import { describe, expect, test } from 'vitest';
import { EntryIndex } from '../../src/layout/array-index.ts';
import { integerValue } from '../../src/layout/bson.ts';
import { BSON_INT32, BSON_INT64, KEY_LIMIT, METADATA_WHOLE_BYTES } from '../../src/layout/constants.ts';
import { isText, itemBytesOf } from '../../src/layout/dtype.ts';
import type { StoredDType } from '../../src/layout/dtype.ts';
import { readHeader } from '../../src/layout/header.ts';
import { MetadataBytes } from '../../src/layout/metadata-bytes.ts';
import { PART_MARK_BYTES, encodePartMark, partNumber, partPath, readMarkOfFile } from '../../src/layout/part-mark.ts';
import { readLayout } from '../../src/layout/read-layout.ts';
import type { FileLayout } from '../../src/layout/read-layout.ts';
import {
  binary,
  concat,
  cstring,
  doc,
  docField,
  entry,
  file,
  i32,
  i64,
  i64s,
  int32,
  int64,
  key,
  text,
} from '@colkit/testkit/syr-bytes';
import type { Part } from '@colkit/testkit/syr-bytes';

interface Asked {
  readonly byteOffset: number;
  readonly byteLength: number;
}

/** Feeds steps from bytes; a step that asks for nothing, or outside the file, fails the test. */
function runOver<T>(steps: Work<T>, bytes: Uint8Array, asked: Asked[] = []): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (!(step.value instanceof ReadRange)) throw new Error('another effect than the read of a range');
    const { byteOffset, out } = step.value;
    if (byteOffset < 0 || out.length === 0 || byteOffset + out.length > bytes.length)
      throw new Error(`asked for ${String(out.length)} bytes at ${String(byteOffset)} of ${String(bytes.length)}`);
    asked.push({ byteOffset, byteLength: out.length });
    out.set(bytes.subarray(byteOffset, byteOffset + out.length));
  }
}

/** A source that nobody reads: `runOver` fills the ranges. */
const unread = (byteLength: number): RangeSource => ({
  path: 'x.syr',
  byteLength,
  read: () => Promise.reject(new Error('read')),
  readSync: () => {
    throw new Error('read');
  },
});
const layoutOf = (bytes: Uint8Array, piecewise = false): FileLayout =>
  runOver(readLayout(unread(bytes.length), { piecewise }), bytes);
const placesOf = (bytes: Uint8Array, item: number): unknown => layoutOf(bytes).index.placesOf(item);

function errorOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

const DATA = Uint8Array.from({ length: 32 }, (_, k) => k);
/** Where the metadata of a file with that data starts. */
const AT = 22 + DATA.length;
const refused = (metadata: Part): unknown => errorOf(() => layoutOf(file(DATA, metadata)));
const metadataError = (position: number, fields: object = {}): unknown =>
  expect.objectContaining({
    name: 'CorruptFileError',
    code: 'ERR_METADATA',
    path: 'x.syr',
    region: 'metadata',
    byteOffset: AT + position,
    ...fields,
  });

describe('offsets and sizes', () => {
  test('reach from the header to the metadata, and no further, in all of their 64 bits', () => {
    expect(placesOf(file(DATA, doc(key('x', 'uint8', [22, 54, 22], [32, 0, 0]))), 0)).toEqual([
      { dtype: 'uint8', byteOffset: 22, byteLength: 32 },
    ]);
    for (const [offset, size] of [
      [21, 1],
      [22, 33],
      [54, 1],
      [55, 0],
      [-1, 1],
      [22, -1],
      [22 + 2 ** 32, 1],
      [22, 2 ** 32],
      [2n ** 53n, 1],
      [-(2n ** 62n), 1],
      [22, 2n ** 62n],
      [2n ** 63n - 1n, 2n ** 63n - 1n],
    ] as const) {
      const at = 4 + 1 + 2 + 4 + 1 + 7 + 5 + 8;
      expect(
        refused(doc(key('x', 'uint8', [22, offset, 22], [1, size, 1]))),
        `${String(offset)} ${String(size)}`,
      ).toMatchObject({
        name: 'CorruptFileError',
        code: 'ERR_METADATA',
        path: 'x.syr',
        region: 'metadata of item 1',
        column: 'x',
        byteOffset: AT + at,
      });
    }
  });

  test.each([
    ['int16', 2],
    ['float32', 4],
    ['int64', 8],
    ['float128', 16],
    ['<U0', 4],
    ['<U3', 12],
    ['str', 1],
    ['bool', 1],
  ] as const)('are of whole elements of %s', (dtype, bytes) => {
    expect(itemBytesOf(dtype as StoredDType)).toBe(bytes);
    const one = (size: number): Uint8Array =>
      file(
        DATA,
        dtype.startsWith('<')
          ? doc(docField('0', doc(entry('x', dtype, 22, size))))
          : doc(key('x', dtype, [22], [size])),
      );
    expect(layoutOf(one(bytes)).itemCount).toBe(1);
    expect(layoutOf(one(0)).itemCount).toBe(1);
    for (const size of Array.from({ length: 32 }, (_, k) => k).filter((k) => k % bytes !== 0))
      expect(
        errorOf(() => layoutOf(one(size))),
        String(size),
      ).toMatchObject({ code: 'ERR_METADATA', column: 'x' });
    expect(isText(dtype as StoredDType)).toBe(dtype === 'str' || dtype.startsWith('<'));
  });

  test('of items one by one are checked alike, as int32 and as int64', () => {
    const one = (offset: Part, size: Part): Uint8Array =>
      doc(docField('a', doc(docField('x', doc(text('dtype', 'uint8'), offset, size)))));
    expect(placesOf(file(DATA, one(int64('offset', 22), int64('size', 32))), 0)).toEqual([
      { dtype: 'uint8', byteOffset: 22, byteLength: 32 },
    ]);
    const keyAt = 4 + 3 + 4 + 3;
    for (const [offset, size] of [
      [int64('offset', 22 + 2 ** 32), int32('size', 1)],
      [int32('offset', 22), int64('size', 2 ** 32)],
      [int32('offset', -22), int32('size', 1)],
      [int32('offset', 22), int32('size', 33)],
      [int32('offset', 22), int64('size', -1)],
    ] as const) {
      expect(refused(one(offset, size))).toMatchObject({
        name: 'CorruptFileError',
        code: 'ERR_METADATA',
        region: 'metadata of item "a"',
        column: 'x',
        byteOffset: AT + keyAt,
      });
    }
  });
});

test('integers are read in all of their bits', () => {
  const values = [0, 22, -1, 2 ** 31 - 1, -(2 ** 31), 2 ** 32, 2 ** 40 + 5, 2 ** 53 - 1, -(2 ** 53) + 1];
  const bytes = concat(...values.map((value) => i64(value)));
  const metadata = new MetadataBytes(unread(Infinity), 0, bytes.length);
  runOver(metadata.fillAll(), bytes);
  values.forEach((value, k) => {
    expect(integerValue(metadata, { type: BSON_INT64, name: 'n', start: 8 * k, end: 8 * k + 8 })).toBe(value);
    expect(integerValue(metadata, { type: BSON_INT32, name: 'n', start: 8 * k, end: 8 * k + 4 })).toBe(
      Number(BigInt.asIntN(32, BigInt(value))),
    );
  });
});

describe('documents', () => {
  const fields = (...parts: Part[]): Uint8Array => doc(docField('x', doc(...parts)));
  const [offset, size, dtype] = [binary('offset', i64s([22])), binary('size', i64s([1])), text('dtype', 'int8')];

  test.each<[string, Part, number]>([
    ['no document', [4, 0, 0, 0], 0],
    ['one that says it is longer than there is', concat(i32(6), [0]), 0],
    ['one shorter than what there is', concat(doc(), [0, 0]), 0],
    ['one of four bytes', concat(i32(4), [0]), 0],
    ['another end than its length says', concat(i32(8), [0, 0, 0, 0]), 4],
    ['no end', concat(i32(6), [3, 3]), 5],
    ['an element of a type that none has here', doc(concat([7], cstring('x'), new Uint8Array(12))), 4],
    ['a document in a key that leaves it', doc(concat([3], cstring('x'), i32(100), [0])), 7],
    ['a document in a key of four bytes', doc(concat([3], cstring('x'), i32(4), [0])), 7],
    ['no room for a length', doc(concat([3], cstring('xyz'), [1, 2, 3])), 9],
    ['no room for anything', doc(concat([3], cstring('xyz'))), 9],
    ['another byte where it ends', doc(concat([3], cstring('x'), i32(13), int32('ab', 7), [3])), 4 + 3 + 12],
  ])('with %s', (_, metadata, at) => {
    expect(refused(metadata)).toEqual(metadataError(at));
  });

  /** Positions of the first field's type and of its value, whose name has six letters. */
  const [TYPE, VALUE] = [4 + 3 + 4, 4 + 3 + 4 + 1 + 7];
  const binaryOf = (declared: number, bytes: Part, subtype = 0): Uint8Array =>
    concat([5], cstring('offset'), i32(declared), [subtype], bytes);
  const stringOf = (declared: number, bytes: Part): Uint8Array => concat([2], cstring('offset'), i32(declared), bytes);
  test.each<[string, Part, number, object?]>([
    ['a binary of negative length', fields(binaryOf(-1, i64s([22]))), VALUE],
    ['a binary longer than its document', fields(binaryOf(9, i64s([22]))), VALUE],
    ['a binary of another subtype', fields(binaryOf(8, i64s([22]), 2), size, dtype), VALUE + 4],
    ['a string of no bytes', fields(stringOf(0, [0])), VALUE],
    ['a string of negative length', fields(stringOf(-4, [0])), VALUE],
    ['a string that leaves its document', fields(stringOf(3, [65, 0])), VALUE],
    ['a string that does not end in zero', fields(stringOf(2, [65, 66])), VALUE + 5],
    ['a string beyond 256 bytes', fields(stringOf(257, new Uint8Array(257))), VALUE],
    ['an int32 cut short', fields(concat([0x10], cstring('offset'), [1, 2, 3])), VALUE],
    ['an int64 cut short', fields(concat([0x12], cstring('offset'), i32(1), [1, 2, 3])), VALUE],
    ['a field of a type that none has', fields(concat([1], cstring('offset'), new Uint8Array(8))), TYPE],
    ['a field twice', fields(offset, offset), TYPE + offset.length + 1],
    ['offsets that are no binary', fields(int32('offset', 1), size, dtype), VALUE, { column: 'x' }],
    ['no offsets', fields(size, dtype), 7, { column: 'x', found: '"size", "dtype"' }],
    [
      'no fields',
      doc(key('x', 'int8', [22], [1]), docField('y', doc())),
      4 + key('x', 'int8', [22], [1]).length + 3,
      { column: 'y', found: 'none' },
    ],
    [
      'offsets that are no multiple of 8',
      fields(binary('offset', new Uint8Array(12)), binary('size', new Uint8Array(12)), dtype),
      VALUE + 5,
      { column: 'x', found: '12' },
    ],
    [
      'more sizes than offsets',
      fields(offset, binary('size', i64s([1, 1])), dtype),
      VALUE + 5 + 8 + 1 + 5 + 5,
      { column: 'x', found: '16' },
    ],
  ])('with %s', (_, metadata, at, more = {}) => {
    expect(refused(metadata)).toEqual(metadataError(at, more));
  });

  test('with names and strings as long as they may be', () => {
    const named = (length: number): Uint8Array => file(DATA, doc(key('n'.repeat(length), 'int8', [22], [1])));
    expect(layoutOf(named(16 * 1024)).fields[0]?.name).toHaveLength(16 * 1024);
    expect(errorOf(() => layoutOf(named(16 * 1024 + 1)))).toEqual(metadataError(5));
    expect(layoutOf(file(DATA, fields(offset, size, dtype, text('note', 'n'.repeat(255))))).itemCount).toBe(1);
    expect(layoutOf(file(DATA, fields(offset, size, dtype, text('note', '')))).itemCount).toBe(1);
    expect(errorOf(() => layoutOf(file(DATA, doc(key('x', 'f'.repeat(255), [22], [1])))))).toMatchObject({
      name: 'UnsupportedError',
      code: 'ERR_DTYPE',
    });
    expect(refused(doc(key('x', '<U3', [22], [12])))).toMatchObject({
      name: 'CorruptFileError',
      code: 'ERR_METADATA',
      path: 'x.syr',
      region: 'metadata',
    });
  });

  test('with as many fields as they may have', () => {
    const extra = (count: number): Uint8Array =>
      fields(offset, size, dtype, ...Array.from({ length: count }, (_, k) => int32(`f${String(k)}`, k)));
    expect(layoutOf(file(DATA, extra(29))).itemCount).toBe(1);
    expect(refused(extra(30))).toMatchObject({ name: 'LimitError', code: 'ERR_LIMIT', limit: 32, value: 33 });
    expect(KEY_LIMIT).toBe(65_536);
  });

  test('of items: empty ones, and keys whose dtype is the same, or is not', () => {
    const two = (second: string): FileLayout =>
      layoutOf(
        file(
          DATA,
          doc(
            docField('0', doc(entry('x', 'int8', 22, 2))),
            docField('1', doc(entry('x', second, 22, 2))),
            docField('2', doc()),
          ),
        ),
      );
    expect(two('int8')).toMatchObject({
      form: 'item-by-item',
      itemCount: 3,
      fields: [{ name: 'x', dtype: 'int8' }],
      itemNames: ['0', '1', '2'],
    });
    expect(two('int16').fields).toEqual([{ name: 'x', dtype: null }]);
    expect(layoutOf(file(DATA, doc(docField('0', doc())))).form).toBe('item-by-item');
    expect(layoutOf(file(DATA, doc())).form).toBe('current');
  });

  test('of an item have the keys of that item only', () => {
    const place = { dtype: 'int8', byteOffset: 22, byteLength: 1 } as const;
    const index = new EntryIndex(
      [0, 1, 3],
      ['a', 'b', 'c'],
      [place, { ...place, byteOffset: 23 }, { ...place, byteOffset: 24 }],
    );
    expect([index.itemCount, index.keysOf(0), index.keysOf(1), index.isReady()]).toEqual([2, ['a'], ['b', 'c'], true]);
    expect([index.place(0, 'a'), index.place(0, 'b'), index.place(1, 'a'), index.place(1, 'c')?.byteOffset]).toEqual([
      place,
      null,
      null,
      24,
    ]);
    expect(index.placesOf(1)).toHaveLength(2);
  });
});

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

  test('is refused at a place, for a key or for none', () => {
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
  const placeAt = (item: number, k: number): object => ({ dtype: 'uint8', byteOffset: 22 + item + k, byteLength: 1 });

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
      expect([index.isReady(item, 'b'), index.place(item, 'b')]).toEqual([true, placeAt(item, 1)]);
    }
    expect([index.isReady(0, 'none'), index.place(0, 'none')]).toEqual([true, null]);
    runOver(index.prepare(0, 'none'), sound);
    for (const item of [69_999, 5000, 0]) {
      expect(index.isReady(item, null)).toBe(false);
      runOver(index.prepare(item, null), sound);
      expect([index.isReady(item, null), index.placesOf(item)]).toEqual([true, [placeAt(item, 0), placeAt(item, 1)]]);
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
    expect([0, 4096, 69_999].map((item) => index.placesOf(item))).toEqual(
      [0, 4096, 69_999].map((item) => [placeAt(item, 0), placeAt(item, 1)]),
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
    expect([5, 6, 7].map((item) => index.place(item, 'b')?.byteLength)).toEqual([0, ITEMS + 1, 0]);
  });
});
