import { crc32 as zlibCrc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { crc32 } from '@colkit/io';
import { crc32InTables } from '../../src/values/crc32.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

test.each([
  ['', 0],
  ['a', 0xe8b7be43],
  ['123456789', 0xcbf43926],
  ['The quick brown fox jumps over the lazy dog', 0x414fa339],
])('of %j is known', (text, expected) => {
  expect(crc32(bytesOf(text))).toBe(expected);
  expect(crc32InTables(bytesOf(text))).toBe(expected);
});

test('of no bytes goes on as if there were none, wherever they are not', () => {
  for (const none of [new Uint8Array(0), new Uint8Array(new ArrayBuffer(0)), Uint8Array.of(1).subarray(1)]) {
    expect([crc32(none, 123), crc32InTables(none, 123), crc32(none)]).toEqual([123, 123, 0]);
  }
});

test('in tables is that of zlib, in one piece and in two', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 100 }),
      fc.nat(100),
      fc.integer({ min: 0, max: 0xffffffff }),
      (bytes, cut, before) => {
        const expected = zlibCrc32(bytes, before);
        expect(crc32InTables(bytes, before)).toBe(expected);
        expect(crc32(bytes, before)).toBe(expected);
        expect(crc32InTables(bytes.subarray(cut), crc32InTables(bytes.subarray(0, cut), before))).toBe(expected);
      },
    ),
  );
});
