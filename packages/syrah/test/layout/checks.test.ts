// Files made by hand so that exactly one check of the reader stands between them and being read: what is refused, where
// and as what, and what lies just within the bounds.
import { describe, expect, test } from 'vitest';
import { EntryIndex } from '../../src/layout/item-by-item/read-item-by-item.ts';
import { integerValue } from '../../src/layout/bson.ts';
import { BSON_INT32, BSON_INT64, KEY_LIMIT } from '../../src/layout/constants.ts';
import { isText, itemBytesOf } from '../../src/layout/dtype.ts';
import type { StoredDType } from '../../src/layout/dtype.ts';
import { MetadataBytes } from '../../src/layout/metadata-bytes.ts';
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
import { AT, DATA, errorOf, layoutOf, metadataError, arraysOf, refused, runOver, unread } from './layout-of.ts';

describe('offsets and sizes', () => {
  test('reach from the header to the metadata, and no further, in all of their 64 bits', () => {
    expect(arraysOf(file(DATA, doc(key('x', 'uint8', [22, 54, 22], [32, 0, 0]))), 0)).toEqual([
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
    expect(arraysOf(file(DATA, one(int64('offset', 22), int64('size', 32))), 0)).toEqual([
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
    const array = { dtype: 'int8', byteOffset: 22, byteLength: 1 } as const;
    const index = new EntryIndex(
      [0, 1, 3],
      ['a', 'b', 'c'],
      [array, { ...array, byteOffset: 23 }, { ...array, byteOffset: 24 }],
    );
    expect([index.itemCount, index.keysOf(0), index.keysOf(1), index.isReady()]).toEqual([2, ['a'], ['b', 'c'], true]);
    expect([
      index.arrayOf(0, 'a'),
      index.arrayOf(0, 'b'),
      index.arrayOf(1, 'a'),
      index.arrayOf(1, 'c')?.byteOffset,
    ]).toEqual([array, null, null, 24]);
    expect(index.arraysOf(1)).toHaveLength(2);
  });
});
