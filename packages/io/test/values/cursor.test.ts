import { describe, expect, test } from 'vitest';
import { Cursor } from '@colkit/io';
import { thrownBy } from '../support/thrown.ts';

// prettier-ignore
const BYTES = Uint8Array.of(
  0x80,
  0x80,
  0x34,
  0x12,
  0xfe,
  0xff,
  0x78,
  0x56,
  0x34,
  0x12,
  0xff,
  0xff,
  0xff,
  0xff,
  0x00,
  0x00,
  0x80,
  0x3f,
  0x00,
  0x00,
  0x00,
  0x00,
  0x00,
  0x00,
  0xf0,
  0x3f,
  0x01,
  0x00,
  0x00,
  0x00,
  0x00,
  0x00,
  0x00,
  0x80,
  0xff,
  0xff,
  0xff,
  0xff,
  0xff,
  0xff,
  0xff,
  0xff,
  0x05,
  0x00,
  0x00,
  0x00,
  0x01,
  0x00,
  0x00,
  0x00,
  0xfe,
  0xff,
  0xff,
  0xff,
  0xff,
  0xff,
  0xff,
  0xff,
  0xc3,
  0xa9,
  0x21,
);
const CONTEXT = { path: 'a.bin', region: 'header', byteOffset: 1000 };

describe.each([
  ['aligned', BYTES],
  ['unaligned', Uint8Array.of(0, ...BYTES).subarray(1)],
])('over %s bytes', (_, bytes) => {
  test('reads each type, little-endian, moving forward', () => {
    const cursor = new Cursor(bytes, CONTEXT);
    expect([cursor.u8(), cursor.i8(), cursor.u16(), cursor.i16(), cursor.u32(), cursor.i32()]).toEqual([
      0x80, -128, 0x1234, -2, 0x12345678, -1,
    ]);
    expect([cursor.f32(), cursor.f64(), cursor.bigU64(), cursor.bigI64(), cursor.u64(), cursor.i64()]).toEqual([
      1,
      1,
      0x8000000000000001n,
      -1n,
      2 ** 32 + 5,
      -2,
    ]);
    expect([cursor.position, cursor.fileOffset, cursor.remaining]).toEqual([58, 1058, 3]);
    expect(cursor.utf8(2)).toBe('é');
    const last = cursor.take(1);
    expect([last[0], last.buffer === bytes.buffer, cursor.remaining]).toEqual([0x21, true, 0]);
  });

  test('stops at the end, with the offset in the file', () => {
    for (const read of ['u8', 'u16', 'i32', 'f32', 'f64', 'u64', 'i64', 'bigU64', 'bigI64'] as const) {
      const cursor = new Cursor(bytes.subarray(0, 1), CONTEXT);
      if (read === 'u8') cursor.u8();
      expect(thrownBy(() => cursor[read]())).toMatchObject({
        name: 'CorruptFileError',
        code: 'ERR_TRUNCATED',
        path: 'a.bin',
        region: 'header',
        byteOffset: read === 'u8' ? 1001 : 1000,
      });
      expect(cursor.position).toBe(read === 'u8' ? 1 : 0);
    }
  });
});

test('moves only within the bytes', () => {
  const cursor = new Cursor(BYTES, CONTEXT);
  cursor.seek(BYTES.length);
  cursor.seek(2);
  cursor.skip(2);
  expect(cursor.i16()).toBe(-2);
  for (const position of [-1, BYTES.length + 1, 0.5, NaN])
    expect(thrownBy(() => cursor.seek(position))).toMatchObject({ code: 'ERR_TRUNCATED' });
  for (const byteLength of [-1, 1000, 2.5, NaN, Infinity]) {
    expect(thrownBy(() => cursor.take(byteLength))).toMatchObject({ code: 'ERR_TRUNCATED' });
    expect(thrownBy(() => cursor.skip(byteLength))).toMatchObject({ code: 'ERR_TRUNCATED' });
  }
  expect(cursor.position).toBe(6);
});

test('64-bit integers that no number holds, and bad UTF-8, make the file corrupt', () => {
  const bytes = Uint8Array.of(0, 0, 0, 0, 0, 0, 0x20, 0);
  expect(thrownBy(() => new Cursor(bytes, CONTEXT).u64())).toMatchObject({
    name: 'CorruptFileError',
    code: 'ERR_LAYOUT',
    byteOffset: 1000,
    found: String(2n ** 53n),
  });
  expect(thrownBy(() => new Cursor(bytes, { ...CONTEXT, code: 'ERR_METADATA' }).i64())).toMatchObject({
    code: 'ERR_METADATA',
  });
  const cursor = new Cursor(Uint8Array.of(0x41, 0xff, 0xfe), CONTEXT);
  cursor.skip(1);
  expect(thrownBy(() => cursor.utf8(2))).toMatchObject({ name: 'CorruptFileError', byteOffset: 1001 });
  expect(new Cursor(Uint8Array.of(0xef, 0xbb, 0xbf, 0x41), CONTEXT).utf8(4)).toBe('\ufeffA');
});

test('fail gives an error to throw, at the current offset or another', () => {
  const cursor = new Cursor(BYTES, { path: 'a.bin', region: 'magic' });
  cursor.skip(4);
  expect(cursor.fail('CSTORE', 'PK', 'ERR_MAGIC')).toMatchObject({
    code: 'ERR_MAGIC',
    byteOffset: 4,
    message: 'a.bin: magic at byte 4: expected CSTORE but found PK',
  });
  expect(cursor.fail('x', 'y', 'ERR_CRC', 0)).toMatchObject({ code: 'ERR_CRC', byteOffset: 0 });
});

test('signed integers are little-endian whatever their bytes', () => {
  const of = (...bytes: number[]): Cursor => new Cursor(Uint8Array.of(...bytes), CONTEXT);
  expect([of(1, 2).i16(), of(1, 2, 3, 4).i32(), of(1, 2, 3, 4, 5, 6, 7, 8).bigI64()]).toEqual([
    0x0201,
    0x04030201,
    0x0807060504030201n,
  ]);
});

test('the start can be gone back to, and no bytes are some', () => {
  const cursor = new Cursor(Uint8Array.of(7, 8), CONTEXT);
  cursor.skip(2);
  expect([cursor.take(0).length, cursor.utf8(0)]).toEqual([0, '']);
  cursor.seek(0);
  expect([cursor.position, cursor.u8()]).toEqual([0, 7]);
});
