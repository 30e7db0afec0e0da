import { isColkitError, parseDType, typedArrayOver } from '@colkit/io';
import { typed } from '@colkit/table';
import { describe, expect, test } from 'vitest';
import { encodeArray } from '../../src/write/encode-array.ts';
import type { SyrahInput } from '../../src/write/encode-array.ts';
import type { SyrahDType } from '../../src/layout/dtype.ts';

const encode = (value: unknown, expected: SyrahDType | null = null) => {
  const { dtype, bytes } = encodeArray(value as SyrahInput, expected, 'key "x" of item 0');
  return [dtype, Array.from(bytes)];
};
const refusal = (value: unknown, expected: SyrahDType | null = null): string => {
  try {
    encode(value, expected);
    return 'no error';
  } catch (error) {
    return isColkitError(error) ? error.code : `not ours: ${String(error)}`;
  }
};
const halves = typedArrayOver(parseDType('float16'), new Uint8Array([0, 0x3c, 0, 0xc0]));

describe('what values say of their type', () => {
  test.each<[unknown, SyrahDType, number[]]>([
    [Int8Array.of(-1), 'int8', [255]],
    [Uint8Array.of(1, 2), 'uint8', [1, 2]],
    [new Uint8ClampedArray([3]), 'uint8', [3]],
    [Buffer.from([4]), 'uint8', [4]],
    [Int16Array.of(-2), 'int16', [254, 255]],
    [Uint16Array.of(258), 'uint16', [2, 1]],
    [Int32Array.of(1), 'int32', [1, 0, 0, 0]],
    [Uint32Array.of(2 ** 31), 'uint32', [0, 0, 0, 128]],
    [BigInt64Array.of(-1n), 'int64', [255, 255, 255, 255, 255, 255, 255, 255]],
    [BigUint64Array.of(1n), 'uint64', [1, 0, 0, 0, 0, 0, 0, 0]],
    [Float32Array.of(1), 'float32', [0, 0, 128, 63]],
    [Float64Array.of(-0), 'float64', [0, 0, 0, 0, 0, 0, 0, 128]],
    [halves, 'float16', [0, 0x3c, 0, 0xc0]],
    [Float64Array.of(9, 1, 9).subarray(1, 2), 'float64', [0, 0, 0, 0, 0, 0, 240, 63]],
    [[true, false], 'bool', [1, 0]],
    [[1], 'float64', [0, 0, 0, 0, 0, 0, 240, 63]],
    [[1n], 'int64', [1, 0, 0, 0, 0, 0, 0, 0]],
    ['é', 'str', [0xc3, 0xa9]],
    ['', 'str', []],
    [['a', '', 'b\0'], 'str', [97, 98, 0]],
  ])('value %#', (value, dtype, bytes) => {
    expect(encode(value)).toEqual([dtype, bytes]);
  });

  test('typed arrays are not copied', () => {
    const array = Float32Array.of(1, 2);
    expect(encodeArray(array, null, 'x').bytes.buffer).toBe(array.buffer);
  });

  test.each([
    null,
    undefined,
    5,
    true,
    {},
    new Date(0),
    new DataView(new ArrayBuffer(4)),
    new ArrayBuffer(4),
    Symbol('x'),
    () => 1,
  ])('value %# is no array', (value) => {
    expect(refusal(value)).toBe('ERR_ARGUMENT');
  });

  test.each([[[]], [[null]], [[new Date(0)]], [[{}]]])('list %# does not say its type', (value) => {
    expect(refusal(value)).toBe('ERR_SCHEMA');
  });
});

describe('values with a dtype', () => {
  test.each<[ReturnType<typeof typed>, SyrahDType, number[]]>([
    [typed('bool', Uint8Array.of(1, 0)), 'bool', [1, 0]],
    [typed('bool', [true]), 'bool', [1]],
    [typed('int8', [-128, 127]), 'int8', [128, 127]],
    [typed('uint8', [0, 255n]), 'uint8', [0, 255]],
    [typed('int16', Int8Array.of(-1)), 'int16', [255, 255]],
    [typed('uint16', [65535]), 'uint16', [255, 255]],
    [typed('int32', [-(2 ** 31)]), 'int32', [0, 0, 0, 128]],
    [typed('uint32', [2 ** 32 - 1]), 'uint32', [255, 255, 255, 255]],
    [typed('int64', [-(2n ** 63n), 5]), 'int64', [0, 0, 0, 0, 0, 0, 0, 128, 5, 0, 0, 0, 0, 0, 0, 0]],
    [typed('uint64', [2n ** 64n - 1n]), 'uint64', Array<number>(8).fill(255)],
    [typed('float16', [1, -2, 65504]), 'float16', [0, 0x3c, 0, 0xc0, 0xff, 0x7b]],
    [typed('float16', [Infinity, NaN]), 'float16', [0, 0x7c, 0, 0x7e]],
    [typed('float32', [1.5]), 'float32', [0, 0, 192, 63]],
    [typed('float64', []), 'float64', []],
    [typed('float128', [1]), 'float128', [0, 0, 0, 0, 0, 0, 0, 128, 255, 63, 0, 0, 0, 0, 0, 0]],
    [typed('float128', Float64Array.of(1)), 'float128', [0, 0, 0, 0, 0, 0, 0, 128, 255, 63, 0, 0, 0, 0, 0, 0]],
    [typed('float128', new Uint8Array(16).fill(7)), 'float128', Array<number>(16).fill(7)],
    [typed('string', ['a', 'b']), 'str', [97, 98]],
  ])('value %#', (value, dtype, bytes) => {
    expect(encode(value)).toEqual([dtype, bytes]);
    expect(encode(value, dtype)).toEqual([dtype, bytes]);
  });

  test.each<[string, unknown, SyrahDType | null, string]>([
    ['a byte too large', typed('uint8', [256]), null, 'ERR_VALUE'],
    ['a negative unsigned', typed('uint32', [-1]), null, 'ERR_VALUE'],
    ['half an integer', typed('int32', [0.5]), null, 'ERR_VALUE'],
    ['an int64 beyond', typed('int64', [2n ** 63n]), null, 'ERR_VALUE'],
    ['an unsafe number', typed('int64', [2 ** 53]), null, 'ERR_VALUE'],
    ['a bool of 2', typed('bool', Uint8Array.of(0, 2)), null, 'ERR_VALUE'],
    ['a half that overflows', typed('float16', [65520]), null, 'ERR_VALUE'],
    ['a single that overflows', typed('float32', [3.5e38]), null, 'ERR_VALUE'],
    ['text as number', typed('float64', ['1'] as never), null, 'ERR_VALUE'],
    ['a null', typed('float64', [1, null]), null, 'ERR_VALUE'],
    ['broken text', ['a', '\ud800'], null, 'ERR_VALUE'],
    ['raw float128 of 15 bytes', typed('float128', new Uint8Array(15)), null, 'ERR_VALUE'],
    ['another dtype than the key', Float64Array.of(1), 'float32', 'ERR_SCHEMA'],
    ['typed as another dtype', typed('int8', [1]), 'float32', 'ERR_SCHEMA'],
    ['text for a key of numbers', 'a', 'int8', 'ERR_SCHEMA'],
    ['a dtype that files do not have', typed('datetime64[s]', [1n]), null, 'ERR_SCHEMA'],
    ['numbers for a key of text', Float64Array.of(1), 'str', 'ERR_SCHEMA'],
    ['an invalid list for a key', ['a'], 'int8', 'ERR_VALUE'],
  ])('refuses %s', (_, value, expected, code) => {
    expect(refusal(value, expected)).toBe(code);
  });

  test('the key of the first item decides how lists and bytes are taken', () => {
    expect(encode([1, 2], 'uint8')).toEqual(['uint8', [1, 2]]);
    expect(encode([], 'float32')).toEqual(['float32', []]);
    expect(encode(Uint8Array.of(1, 0), 'bool')).toEqual(['bool', [1, 0]]);
    expect(encode([1, 0, true], 'bool')).toEqual(['bool', [1, 0, 1]]);
    expect(encode(Float64Array.of(2), 'float128')).toEqual([
      'float128',
      [0, 0, 0, 0, 0, 0, 0, 128, 0, 64, 0, 0, 0, 0, 0, 0],
    ]);
  });

  test('the error names item, key, value and index', () => {
    expect(() => encode(typed('uint8', [1, 300]))).toThrow(
      'key "x" of item 0: expected uint8 but found 300 at position 1',
    );
  });
});
