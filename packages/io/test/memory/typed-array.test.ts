import { runInNewContext } from 'node:vm';
import { Float16Array as Ponyfill } from '@petamoriken/float16';
import { expect, test } from 'vitest';
import { Float16ArrayOfRuntime, bytesOfArray, dtypeOfArray, parseDType, typedArrayOver } from '@colkit/io';
import { patternBytes } from '../support/folder.ts';
import { thrownBy } from '../support/thrown.ts';

const BYTES = new Uint8Array(patternBytes(48));

test.each([
  ['bool', Uint8Array, 48],
  ['int8', Int8Array, 48],
  ['uint8', Uint8Array, 48],
  ['int16', Int16Array, 24],
  ['uint16', Uint16Array, 24],
  ['int32', Int32Array, 12],
  ['uint32', Uint32Array, 12],
  ['int64', BigInt64Array, 6],
  ['uint64', BigUint64Array, 6],
  ['float16', Float16ArrayOfRuntime, 24],
  ['float32', Float32Array, 12],
  ['float64', Float64Array, 6],
  ['float128', Uint8Array, 48],
  ['datetime64[ms]', BigInt64Array, 6],
  ['timedelta64', BigInt64Array, 6],
  ['S3', Uint8Array, 48],
  ['U4', Uint8Array, 48],
] as const)('the array of %s over bytes, without a copy', (name, type, length) => {
  const array = typedArrayOver(parseDType(name), BYTES);
  expect(array).toBeInstanceOf(type);
  expect([array.length, array.buffer === BYTES.buffer, array.byteOffset]).toEqual([length, true, BYTES.byteOffset]);
});

test.each([
  ['int16', 2],
  ['float16', 2],
  ['float32', 4],
  ['int64', 8],
  ['datetime64[s]', 8],
])('the array of %s over unaligned bytes is refused', (name, width) => {
  expect(thrownBy(() => typedArrayOver(parseDType(name), BYTES.subarray(1, 1 + width)))).toMatchObject({
    name: 'CannotViewError',
    code: 'ERR_MISALIGNED',
  });
});

test.each(['int16', 'float64', 'float128', 'S5', 'U2', 'timedelta64[s]'])(
  'the array of %s needs whole items',
  (name) => {
    expect(thrownBy(() => typedArrayOver(parseDType(name), BYTES.subarray(0, 47)))).toMatchObject({
      name: 'ArgumentError',
      found: '47',
    });
  },
);

test('items of one byte may start anywhere, a Buffer becomes a Uint8Array, and text of any length has no array', () => {
  expect(typedArrayOver(parseDType('S2'), BYTES.subarray(1, 5)).byteOffset).toBe(BYTES.byteOffset + 1);
  const plain = typedArrayOver(parseDType('bool'), Buffer.from([1, 0]));
  expect([plain.constructor, ...plain]).toEqual([Uint8Array, 1, 0]);
  for (const name of ['string', 'binary'])
    expect(thrownBy(() => typedArrayOver(parseDType(name), BYTES))).toMatchObject({
      name: 'UnsupportedError',
      code: 'ERR_DTYPE',
    });
});

test('a typed array says its dtype, also from another realm', () => {
  const arrays: [unknown, string | null][] = [
    [new Int8Array(1), 'int8'],
    [new Uint8Array(1), 'uint8'],
    [new Uint8ClampedArray(1), 'uint8'],
    [Buffer.from('a'), 'uint8'],
    [new Int16Array(1), 'int16'],
    [new Uint16Array(1), 'uint16'],
    [new Int32Array(1), 'int32'],
    [new Uint32Array(1), 'uint32'],
    [new BigInt64Array(1), 'int64'],
    [new BigUint64Array(1), 'uint64'],
    [new Ponyfill(1), 'float16'],
    [new Float32Array(1), 'float32'],
    [new Float64Array(1), 'float64'],
    [runInNewContext('new Float64Array(1)'), 'float64'],
    [[1], null],
    [new DataView(new ArrayBuffer(1)), null],
    [null, null],
    [undefined, null],
    [{ [Symbol.toStringTag]: 'Int32Array' }, null],
    ['Int32Array', null],
  ];
  for (const [array, dtype] of arrays) expect(dtypeOfArray(array)).toBe(dtype);
});

test('the bytes of an array are its own', () => {
  const array = Float32Array.of(1, 2, 3).subarray(1);
  const bytes = bytesOfArray(array);
  expect([bytes.byteOffset, bytes.byteLength, bytes.buffer === array.buffer]).toEqual([4, 8, true]);
  expect(bytesOfArray(new Ponyfill([1.5]))).toEqual(Uint8Array.of(0, 0x3e));
  expect(thrownBy(() => bytesOfArray([1] as unknown as Int8Array, 'values'))).toMatchObject({
    name: 'ArgumentError',
    argument: 'values',
  });
});
