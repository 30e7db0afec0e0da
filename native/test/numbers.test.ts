// The loops over packed numbers, and arguments that they refuse.
import { describe, expect, test } from 'vitest';
import { errorOf, hasNative, native } from './support.ts';

describe.skipIf(!hasNative)('numbers', () => {
  test('selectWithin gives indices, modulo 2^32', () => {
    const indices = new Uint32Array(5).fill(9);
    expect(native().selectWithin(Uint32Array.of(5, 0, 4294967295, 7, 6), 5, 1, indices)).toBe(2);
    expect([...indices.subarray(0, 2)]).toEqual([0, 4]);
    expect(native().selectWithin(Uint32Array.of(5, 0, 4294967295, 7, 6), 4294967295, 1, indices)).toBe(2);
    expect([...indices.subarray(0, 2)]).toEqual([1, 2]);
    expect(errorOf(() => native().selectWithin(new Uint32Array(3), 0, 0, new Uint32Array(2)))).toMatchObject({
      code: 'ERR_OUT_BUFFER',
      argument: 'indices',
    });
    expect(errorOf(() => native().selectWithin(new Int32Array(3) as never, 0, 0, indices))).toMatchObject({
      code: 'ERR_ARGUMENT',
      argument: 'numbers',
    });
    expect(errorOf(() => native().selectWithin(new Uint32Array(3), -1, 0, indices))).toMatchObject({
      code: 'ERR_ARGUMENT',
      argument: 'first',
    });
    expect(errorOf(() => native().selectWithin(new Uint32Array(3), 0, 2 ** 32, indices))).toMatchObject({
      code: 'ERR_ARGUMENT',
      argument: 'above',
    });
  });

  test('sumByCode adds to what is there', () => {
    const [sums, counts] = [Float64Array.of(1, 0), Float64Array.of(0, 0)];
    native().sumByCode(Uint32Array.of(4294967295, 4294967295, 3), Uint32Array.of(0, 0, 1), sums, counts);
    expect([...sums, ...counts]).toEqual([2 * 4294967295 + 1, 3, 2, 1]);
    expect(errorOf(() => native().sumByCode(new Uint32Array(1), Uint32Array.of(2), sums, counts))).toMatchObject({
      code: 'ERR_ARGUMENT',
      argument: 'codes',
    });
    expect(errorOf(() => native().sumByCode(new Uint32Array(2), Uint32Array.of(0), sums, counts))).toMatchObject({
      code: 'ERR_ARGUMENT',
      argument: 'codes',
    });
    expect(
      errorOf(() => native().sumByCode(new Uint32Array(65537), new Uint32Array(65537), sums, counts)),
    ).toMatchObject({ code: 'ERR_ARGUMENT', argument: 'codes' });
    expect(
      errorOf(() =>
        native().sumByCode(new Uint32Array(1), new Uint32Array(1), new Float64Array(1025), new Float64Array(1025)),
      ),
    ).toMatchObject({ code: 'ERR_ARGUMENT', argument: 'sums' });
    expect(
      errorOf(() => native().sumByCode(new Uint32Array(1), new Uint32Array(1), sums, new Float64Array(1))),
    ).toMatchObject({ code: 'ERR_ARGUMENT', argument: 'sums' });
  });
});
