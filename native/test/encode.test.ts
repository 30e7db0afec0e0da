// The loops of writers: what they answer, and arguments that they refuse. (That files are the same without them is
// tested where they are written.)
import { describe, expect, test } from 'vitest';
import { errorOf, hasNative, native } from './support.ts';

describe.skipIf(!hasNative)('numbers and texts to be written', () => {
  const facts = new Float64Array(3);
  const words = (...numbers: number[]): Uint32Array => Uint32Array.from(numbers);

  test('normalizeItems gives numbers without their least and divisor', () => {
    const normal = new Uint32Array(4);
    expect(native().normalizeItems(Float64Array.of(2 ** 53, 2 ** 53 - 2 ** 40, 2 ** 53 - 2 ** 41), normal, facts)).toBe(
      true,
    );
    expect([...normal, ...facts]).toEqual([2, 1, 0, 0, 2 ** 53 - 2 ** 41, 2 ** 53, 2 ** 40]);
    expect(native().normalizeItems(BigInt64Array.of(-7n, 2n ** 53n), normal, facts)).toBe(false);
    expect(native().normalizeItems(BigUint64Array.of(0n, 2n ** 32n), normal, facts)).toBe(true);
    expect(native().normalizeItems(Float64Array.of(0.5, NaN), normal, facts)).toBe(false);
    expect(native().normalizeItems(words(9, 5), null, facts)).toBe(true);
    expect([...facts]).toEqual([5, 9, 4]);
    const refusal = (items: ArrayBufferView, out: Uint32Array, to: Float64Array): unknown =>
      errorOf(() => native().normalizeItems(items, out, to));
    expect(refusal(Float32Array.of(1), normal, facts)).toMatchObject({ code: 'ERR_ARGUMENT', argument: 'items' });
    expect(refusal(new Uint32Array(5), normal, facts)).toMatchObject({ code: 'ERR_OUT_BUFFER', argument: 'normal' });
    expect(refusal(words(1), normal, new Float64Array(2))).toMatchObject({ code: 'ERR_OUT_BUFFER', argument: 'facts' });
  });

  test('ranges, buckets, runs, outliers', () => {
    const [least, most] = [new Uint32Array(2), new Uint32Array(2)];
    native().blockRanges(words(3, 1, 2, 9, 8), 2, least, most);
    expect([...least, ...most]).toEqual([1, 8, 9, 8]);
    expect(errorOf(() => native().blockRanges(words(3, 1, 2, 9, 8), 1, least, most))).toMatchObject({
      code: 'ERR_OUT_BUFFER',
    });
    const counts = words(1, 0);
    native().countBuckets(words(0, 1, 2), 1, counts);
    expect([...counts]).toEqual([3, 1]);
    expect(errorOf(() => native().countBuckets(words(4), 1, counts))).toMatchObject({
      code: 'ERR_ARGUMENT',
      argument: 'values',
    });
    const starts = new Uint32Array(2);
    expect(native().runStarts(words(5, 5, 6), starts)).toBe(2);
    expect([...starts]).toEqual([0, 2]);
    expect(native().runStarts(words(5, 4, 6), starts)).toBe(3);
    const [inner, positions] = [new Uint32Array(3), new Uint32Array(3)];
    expect(native().splitOutside(words(5, 100, 4), 5, 10, inner, positions)).toBe(2);
    expect([...inner, ...positions.subarray(0, 2)]).toEqual([5, 5, 5, 1, 2]);
    expect(errorOf(() => native().splitOutside(words(1, 2, 3, 4), 5, 10, inner, positions))).toMatchObject({
      code: 'ERR_OUT_BUFFER',
      argument: 'inner',
    });
  });

  test('codeTexts numbers texts as they first occur', () => {
    const bytes = new TextEncoder().encode('-abcab');
    const [codes, firsts] = [new Uint32Array(4), new Uint32Array(4)];
    expect(native().codeTexts(bytes, 1, words(3, 4, 6, 6), null, codes, firsts)).toBe(3);
    expect([...codes, ...firsts.subarray(0, 3)]).toEqual([0, 1, 0, 2, 0, 1, 3]);
    expect(native().codeTexts(bytes, 1, words(3, 4, 6, 6), Uint8Array.of(0b1110), codes, firsts)).toBe(3);
    expect([...codes, ...firsts.subarray(0, 3)]).toEqual([0, 0, 1, 2, 1, 2, 3]);
    expect(native().codeTexts(bytes, 1, words(3, 4, 6, 6), null, codes, firsts.subarray(0, 2))).toBe(3);
    const refusal = (ends: Uint32Array, validity: Uint8Array | null, start = 0): unknown =>
      errorOf(() => native().codeTexts(bytes, start, ends, validity, codes, firsts));
    expect(refusal(words(3, 2), null)).toMatchObject({ code: 'ERR_ARGUMENT', argument: 'ends' });
    expect(refusal(words(7), null)).toMatchObject({ code: 'ERR_ARGUMENT', argument: 'ends' });
    expect(refusal(words(2), null, 3)).toMatchObject({ code: 'ERR_ARGUMENT', argument: 'ends' });
    expect(refusal(words(2), new Uint8Array(0))).toMatchObject({ code: 'ERR_ARGUMENT', argument: 'validity' });
    expect(refusal(words(1, 1, 1, 1, 1), null)).toMatchObject({ code: 'ERR_OUT_BUFFER', argument: 'codes' });
    // Memory that is written to is not what was checked.
    const shared = words(1, 2, 3, 4);
    expect(native().codeTexts(bytes, 0, shared, null, shared, shared)).toBe(4);
  });
});
