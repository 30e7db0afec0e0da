import { isColkitError } from '@colkit/io';
import { describe, expect, test } from 'vitest';
import { encodeHeader, readHeader, readInt64 } from '../../src/layout/header.ts';
import { concat, i64 } from '@colkit/testkit/syr-bytes';

const codeOf = (action: () => unknown): string => {
  try {
    action();
  } catch (error) {
    return isColkitError(error) ? error.code : String(error);
  }
  return 'no error';
};
const first = (offset: number | bigint, length: number | bigint, version = [0, 0, 2, 0]): Uint8Array =>
  concat([0x47, 0x53], version, i64(offset), i64(length));
const last = (offset: number, length: number): Uint8Array =>
  concat([0, 0, 1, 1], i64(offset), i64(length), [0x47, 0x53]);

describe('readHeader', () => {
  test('the current form and the one before it: the magic first', () => {
    expect(readHeader(first(30, 70), 100, 'f')).toEqual({
      form: 'magic-first',
      version: '0.2.0',
      metadataOffset: 30,
      metadataLength: 70,
    });
    expect(readHeader(first(30, 70, [0, 0, 1, 1]), 100, 'f').version).toBe('0.1.1');
  });

  test('the oldest form: the magic last', () => {
    expect(readHeader(last(22, 5), 27, 'f')).toEqual({
      form: 'magic-last',
      version: '0.1.1',
      metadataOffset: 22,
      metadataLength: 5,
    });
  });

  test.each([
    ['fewer bytes than a header', first(30, 70).subarray(0, 21), 21, 'ERR_TRUNCATED'],
    ['zeros', new Uint8Array(22), 100, 'ERR_MAGIC'],
    ['another magic', concat([0x47, 0x54], first(30, 70).subarray(2)), 100, 'ERR_MAGIC'],
    ['a major version', first(30, 70, [0, 1, 0, 0]), 100, 'ERR_VERSION'],
    ['a first version byte', first(30, 70, [1, 0, 2, 0]), 100, 'ERR_VERSION'],
    ['metadata within the header', first(21, 79), 100, 'ERR_METADATA'],
    ['a negative offset', first(-1, 101), 100, 'ERR_METADATA'],
    ['an offset beyond the file', first(101, 0), 100, 'ERR_TRUNCATED'],
    ['an offset beyond 2^53', first(2n ** 60n, 1), 100, 'ERR_TRUNCATED'],
    ['metadata that ends early', first(30, 69), 100, 'ERR_METADATA'],
    ['metadata that ends late', first(30, 71), 100, 'ERR_TRUNCATED'],
    ['a negative length', first(30, -70), 100, 'ERR_METADATA'],
  ])('refuses %s', (_, bytes, fileBytes, code) => {
    expect(codeOf(() => readHeader(bytes, fileBytes, 'f'))).toBe(code);
  });

  test('says how to go on with the zeros of a dead writer', () => {
    expect(() => readHeader(new Uint8Array(22), 100, 'dead.syr')).toThrow(/dead\.syr: header at byte 0: .*recover/);
  });
});

test('encodeHeader writes what readHeader reads', () => {
  expect(Array.from(encodeHeader(2 ** 40 + 3, 77))).toEqual(Array.from(first(2 ** 40 + 3, 77)));
  expect(readHeader(encodeHeader(2 ** 40 + 3, 77), 2 ** 40 + 80, 'f').metadataOffset).toBe(2 ** 40 + 3);
});

test.each([0n, -1n, 2n ** 53n - 1n, -(2n ** 53n) + 1n, 2n ** 32n, -(2n ** 32n)])(
  'readInt64 of %s is exact',
  (value) => {
    expect(readInt64(new DataView(i64(value).buffer), 0)).toBe(Number(value));
  },
);
