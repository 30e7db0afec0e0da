// Metadata of all forms by hand, and hostile metadata: what is refused, with which code, and that nothing large is
// allocated first.
import { isColkitError } from '@colkit/io';
import { describe, expect, test } from 'vitest';
import { openSync } from '../../src/index.ts';
import {
  binary,
  concat,
  cstring,
  doc,
  docField,
  entry,
  file,
  i32,
  i64s,
  int32,
  int64,
  key,
  text,
} from '@colkit/testkit/syr-bytes';
import type { Part } from '@colkit/testkit/syr-bytes';

function codeOf(bytes: Uint8Array): string {
  try {
    const opened = openSync(bytes);
    for (let item = 0; item < opened.itemCount; item += 1) opened.getEntriesSync(item);
    return 'no error';
  } catch (error) {
    return isColkitError(error) ? error.code : `not ours: ${String(error)}`;
  }
}
const data = Uint8Array.from({ length: 32 }, (_, k) => k);
const good = key('x', 'uint8', [22, 24], [2, 3]);

describe('the current form', () => {
  test('arrays by offset and size, in any order, overlapping or empty', () => {
    const opened = openSync(
      file(data, doc(key('x', 'uint8', [24, 22, 54], [3, 4, 0]), key('y', 'int16', [22, 25, 22], [2, 4, 0]))),
    );
    expect(opened.form).toBe('current');
    expect(opened.itemCount).toBe(3);
    expect(opened.getItemSync(0)).toEqual({ x: Uint8Array.of(2, 3, 4), y: Int16Array.of(0x0100) });
    expect(opened.getItemSync(1)).toEqual({ x: Uint8Array.of(0, 1, 2, 3), y: Int16Array.of(0x0403, 0x0605) });
    expect(opened.getItemSync(2)).toEqual({ x: new Uint8Array(0), y: new Int16Array(0) });
  });

  test('fields in any order, and fields that a later version may add', () => {
    const extended = docField(
      'x',
      doc(
        text('dtype', 'uint8'),
        int64('checksum', 5),
        binary('size', i64s([2])),
        docField('more', doc()),
        binary('offset', i64s([22])),
      ),
    );
    expect(openSync(file(data, doc(extended))).getItemSync(0)).toEqual({ x: Uint8Array.of(0, 1) });
  });

  test('no item at all, with and without keys', () => {
    expect(openSync(file([], doc())).itemCount).toBe(0);
    const opened = openSync(file([], doc(key('x', 'str', [], []))));
    expect([opened.itemCount, opened.keys]).toEqual([0, ['x']]);
  });

  test.each<[string, Part, string]>([
    ['an empty metadata', [], 'ERR_METADATA'],
    ['four bytes', [4, 0, 0, 0], 'ERR_METADATA'],
    ['a document that says it is longer', concat(i32(6), [0]), 'ERR_METADATA'],
    ['a document that says it is shorter', concat(doc(), [0, 0]), 'ERR_METADATA'],
    ['a document of negative length', concat(i32(-1), [0]), 'ERR_METADATA'],
    ['a document without its end', concat(i32(6), [1, 1]), 'ERR_METADATA'],
    ['another BSON type on top', doc(int32('x', 5)), 'ERR_METADATA'],
    ['a key twice', doc(good, good), 'ERR_METADATA'],
    ['a name that is not UTF-8', doc(concat([3, 0xff, 0], good.subarray(3))), 'ERR_METADATA'],
    ['a name without end', concat(i32(5 + 6), [3], [65, 65, 65, 65, 65], [65]), 'ERR_METADATA'],
    [
      'a field twice',
      doc(docField('x', doc(text('dtype', 'int8'), text('dtype', 'int8'), binary('size', []), binary('offset', [])))),
      'ERR_METADATA',
    ],
    ['no offsets', doc(docField('x', doc(binary('size', i64s([1])), text('dtype', 'int8')))), 'ERR_METADATA'],
    [
      'offsets as text',
      doc(docField('x', doc(text('offset', 'a'), binary('size', i64s([1])), text('dtype', 'int8')))),
      'ERR_METADATA',
    ],
    [
      'a dtype as a number',
      doc(docField('x', doc(binary('offset', i64s([22])), binary('size', i64s([1])), int32('dtype', 1)))),
      'ERR_METADATA',
    ],
    [
      'a binary of another subtype',
      doc(docField('x', doc(binary('offset', i64s([22]), 2), binary('size', i64s([1])), text('dtype', 'int8')))),
      'ERR_METADATA',
    ],
    [
      'a blob that is no multiple of 8',
      doc(
        docField(
          'x',
          doc(binary('offset', new Uint8Array(12)), binary('size', new Uint8Array(12)), text('dtype', 'int8')),
        ),
      ),
      'ERR_METADATA',
    ],
    ['more sizes than offsets', doc(key('x', 'int8', [22], [1, 1])), 'ERR_METADATA'],
    ['keys of different item counts', doc(good, key('y', 'int8', [22], [1])), 'ERR_METADATA'],
    ['a dtype that is none', doc(key('x', 'float8', [22], [1])), 'ERR_DTYPE'],
    ['a dtype of the older forms', doc(key('x', '<U3', [22], [12])), 'ERR_METADATA'],
    ['a dtype of 300 bytes', doc(key('x', 'f'.repeat(300), [22], [1])), 'ERR_METADATA'],
    [
      'a string without its end',
      doc(
        docField('x', doc(binary('offset', []), binary('size', []), concat([2], cstring('dtype'), i32(2), [65, 66]))),
      ),
      'ERR_METADATA',
    ],
    [
      'a binary that says it is longer',
      doc(docField('x', doc(concat([5], cstring('offset'), i32(9), [0], i64s([22]))))),
      'ERR_METADATA',
    ],
    [
      'a binary of negative length',
      doc(docField('x', doc(concat([5], cstring('offset'), i32(-5), [0], i64s([22]))))),
      'ERR_METADATA',
    ],
    ['a document in a key that says it is longer', doc(concat([3], cstring('x'), i32(100), [0])), 'ERR_METADATA'],
    ['a negative offset', doc(key('x', 'int8', [-1], [1])), 'ERR_METADATA'],
    ['a negative size', doc(key('x', 'int8', [30], [-1])), 'ERR_METADATA'],
    ['an array in the header', doc(key('x', 'int8', [21], [1])), 'ERR_METADATA'],
    ['an array that reaches into the metadata', doc(key('x', 'int8', [50], [5])), 'ERR_METADATA'],
    ['an empty array beyond the data', doc(key('x', 'int8', [55], [0])), 'ERR_METADATA'],
    ['an offset of 2^62', doc(key('x', 'int8', [2n ** 62n], [1])), 'ERR_METADATA'],
    ['a sum that would overflow', doc(key('x', 'int8', [2n ** 63n - 1n], [2n ** 63n - 1n])), 'ERR_METADATA'],
    ['half an element', doc(key('x', 'float64', [22], [12])), 'ERR_METADATA'],
  ])('refuses %s', (_, metadata, code) => {
    expect(codeOf(file(data, metadata))).toBe(code);
  });

  test('the error of an array tells file, item, key and offset', () => {
    const bad = file(data, doc(key('x', 'int8', [22, 22, 60], [1, 1, 1])));
    expect(() => openSync(bad)).toThrow(
      expect.objectContaining({
        name: 'CorruptFileError',
        code: 'ERR_METADATA',
        column: 'x',
        region: 'metadata of item 2',
      }),
    );
  });
});

describe('items one by one', () => {
  test('names, dtypes that differ by item, keys that differ by item, both headers', () => {
    const metadata = doc(
      docField('b', doc(entry('x', 'uint8', 22, 2), entry('y', 'int16', 24, 2))),
      docField('a', doc(entry('x', 'int16', 26, 4))),
      docField('', doc()),
    );
    for (const magicLast of [false, true]) {
      const opened = openSync(file(data, metadata, { version: [0, 0, 1, 1], magicLast }));
      expect(opened.form).toBe(magicLast ? 'item-by-item-magic-last' : 'item-by-item');
      expect(opened.itemNames).toEqual(['b', 'a', '']);
      expect(opened.schema).toEqual([
        { name: 'x', dtype: null },
        { name: 'y', dtype: 'int16' },
      ]);
      expect(opened.getItemSync('b')).toEqual({ x: Uint8Array.of(0, 1), y: Int16Array.of(0x0302) });
      expect(opened.getItemSync('a')).toEqual({ x: Int16Array.of(0x0504, 0x0706) });
      expect(opened.getItemSync('')).toEqual({});
      expect(opened.getItemSync(-1)).toEqual({});
      expect(opened.lengths('y')).toEqual(Float64Array.of(1, NaN, NaN));
      expect(() => opened.getArraySync('a', 'y')).toThrow(/item 1: unknown key "y"; available: "x"/);
    }
  });

  test('int64 and int32 offsets', () => {
    const metadata = doc(
      docField('0', doc(docField('x', doc(int64('offset', 23), text('dtype', 'uint8'), int32('size', 1))))),
    );
    expect(openSync(file(data, metadata)).getArraySync('0', 'x')).toEqual(Uint8Array.of(1));
  });

  test('text as numpy stored it then: UCS-4, padded, joined', () => {
    const codePoints = [...'é😀', '\0', ...'ab', '\0'].map((point) => point.codePointAt(0) ?? 0);
    const bytes = new Uint8Array(Uint32Array.from(codePoints).buffer);
    const opened = openSync(file(bytes, doc(docField('0', doc(entry('t', '<U3', 22, 24))))));
    expect(opened.getItemSync(0)).toEqual({ t: 'é😀ab' });
    expect(codeOf(file(Uint8Array.of(0, 0, 0x11, 0), doc(docField('0', doc(entry('t', '<U1', 22, 4))))))).toBe(
      'ERR_LAYOUT',
    );
  });

  test.each<[string, Part, string]>([
    ['an item twice', doc(docField('0', doc()), docField('0', doc())), 'ERR_METADATA'],
    ['a key twice', doc(docField('0', doc(entry('x', 'int8', 22, 1), entry('x', 'int8', 22, 1)))), 'ERR_METADATA'],
    ['deeper documents', doc(docField('0', doc(docField('x', doc(docField('deep', doc())))))), 'ERR_METADATA'],
    [
      'an offset as a double',
      doc(
        docField(
          '0',
          doc(
            docField(
              'x',
              doc(text('dtype', 'int8'), concat([1], cstring('offset'), new Uint8Array(8)), int32('size', 1)),
            ),
          ),
        ),
      ),
      'ERR_METADATA',
    ],
    [
      'no size',
      doc(docField('0', doc(docField('x', doc(text('dtype', 'int8'), int32('offset', 22)))))),
      'ERR_METADATA',
    ],
    ['a size beyond the data', doc(docField('0', doc(entry('x', 'int8', 22, 33)))), 'ERR_METADATA'],
    ['a negative offset', doc(docField('0', doc(entry('x', 'int8', -22, 1)))), 'ERR_METADATA'],
    ['half an element', doc(docField('0', doc(entry('x', 'int16', 22, 1)))), 'ERR_METADATA'],
    ['a dtype that is none', doc(docField('0', doc(entry('x', 'object', 22, 1)))), 'ERR_DTYPE'],
    [
      'an item of the current form among them',
      doc(docField('0', doc(entry('x', 'int8', 22, 1))), key('x', 'int8', [22], [1])),
      'ERR_METADATA',
    ],
  ])('refuses %s', (_, metadata, code) => {
    expect(codeOf(file(data, metadata))).toBe(code);
  });
});

describe('more than any file has', () => {
  /** Many elements of one kind, cheaply. */
  const many = (count: number, make: (k: number) => Part): Uint8Array =>
    doc(concat(...Array.from({ length: count }, (_, k) => make(k))));

  test('too many keys are refused when they are counted', () => {
    const keys = many(65_537, (k) => concat([3], cstring(k.toString(36)), doc(binary('offset', []))));
    expect(codeOf(file([], keys))).toBe('ERR_LIMIT');
  });

  test('too many fields of a key', () => {
    expect(codeOf(file([], doc(docField('x', concat(many(40, (k) => binary(`offset${String(k)}`, [])))))))).toBe(
      'ERR_LIMIT',
    );
  });

  test('a deep nest is not followed', () => {
    const depth = 20_000;
    const openings = Array.from({ length: depth }, (_, k) => concat(i32(5 + 8 * (depth - k)), [3, 97, 0]));
    expect(codeOf(file([], concat(...openings, doc(), new Uint8Array(depth))))).toBe('ERR_METADATA');
  });

  test('a name of a megabyte', () => {
    expect(codeOf(file([], doc(docField('n'.repeat(1 << 20), doc(binary('offset', []))))))).toBe('ERR_METADATA');
  });
});
