// Bitmaps from bytes and from other bitmaps, at every offset and length, against a loop over the rows.
import { createRandom } from '@colkit/testkit';
import { expect, test } from 'vitest';
import { findNoBit, packBits, sliceValidity, unpackBits } from '../../src/validity.ts';

const random = createRandom(8);
const bitsOf = (bitmap: Uint8Array, count: number): number[] =>
  Array.from({ length: count }, (_, row) => ((bitmap[row >> 3] as number) >> (row & 7)) & 1);

test.each([
  ['zeros and ones', [0, 1]],
  ['any bytes', [0, 1, 2, 0x80, 0xff]],
])('bits of %s', (_, pool) => {
  for (let length = 0; length < 70; length++)
    for (const offset of [0, 1, 4]) {
      const bytes = new Uint8Array(new ArrayBuffer(offset + length), offset);
      for (let row = 0; row < length; row++) bytes[row] = random.pick(pool);
      for (const start of [0, 8, 24].filter((each) => each <= length)) {
        const bitmap = new Uint8Array((length + 7) >> 3);
        packBits(bytes, start, length, bitmap);
        const wanted = Array.from({ length: 8 * bitmap.length }, (_, row) =>
          row < start || row >= length || bytes[row] === 0 ? 0 : 1,
        );
        expect(bitsOf(bitmap, 8 * bitmap.length)).toEqual(wanted);
      }
    }
});

test('slices of a bitmap', () => {
  const bitmap = Uint8Array.from({ length: 6 }, () => random.integer(256));
  const bits = bitsOf(bitmap, 48);
  for (let start = 0; start <= 48; start++)
    for (let end = start; end <= 48; end++) {
      const found = sliceValidity(bitmap, start, end);
      expect(found.length).toBe((end - start + 7) >> 3);
      const spare = 8 * found.length - (end - start);
      expect(bitsOf(found, 8 * found.length)).toEqual([...bits.slice(start, end), ...new Array<number>(spare).fill(0)]);
    }
});

test('bits as bytes', () => {
  const bitmap = Uint8Array.from({ length: 6 }, () => random.integer(256));
  const bits = bitsOf(bitmap, 48);
  for (let start = 0; start <= 48; start++)
    for (let count = 0; start + count <= 48; count++)
      for (const at of [0, 3]) {
        const bytes = new Uint8Array(at + count + 2).fill(9);
        unpackBits(bitmap, start, count, bytes, at);
        const around = [...new Array<number>(at).fill(9), ...bits.slice(start, start + count), 9, 9];
        expect([...bytes]).toEqual(around);
      }
});

test('bytes that are no bits', () => {
  expect(findNoBit(new Uint8Array(0))).toBe(-1);
  expect(findNoBit(Uint8Array.of(0, 1, 1, 0))).toBe(-1);
  expect(findNoBit(Uint8Array.of(0, 1, 2, 255))).toBe(2);
  expect(findNoBit(Uint8Array.of(128))).toBe(0);
});
