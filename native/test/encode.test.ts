// The loops of writers: what they answer, and arguments that they refuse. (That files are the same without them is
// tested where they are written.)
import { inflateRawSync } from 'node:zlib';
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
    const [normal, positions] = [new Uint32Array(3), new Uint32Array(3)];
    expect(native().packInside(words(5, 100, 9), 5, 10, normal, facts)).toBe(1);
    expect([...normal, ...facts]).toEqual([0, 0, 1, 5, 9, 4]);
    expect(native().findOthers(words(5, 100, 9), normal, 5, 4, positions)).toBe(1);
    expect(positions[0]).toBe(1);
    expect(errorOf(() => native().packInside(words(1, 2, 3, 4), 5, 10, normal, facts))).toMatchObject({
      code: 'ERR_OUT_BUFFER',
      argument: 'normal',
    });
    expect(errorOf(() => native().findOthers(words(1, 2, 3, 4), words(1, 2, 3, 4), 5, 1, positions))).toMatchObject({
      code: 'ERR_OUT_BUFFER',
      argument: 'positions',
    });
  });

  test('splitDecimals, floatRange, distinctNumbers', () => {
    const [integers, exceptions] = [new Float64Array(4), new Uint32Array(2)];
    expect(native().splitDecimals(Float64Array.of(-0, 0.1, 1 / 3, 2.5), 10, integers, exceptions)).toBe(2);
    expect([...integers, ...exceptions]).toEqual([0, 1, 1, 25, 0, 2]);
    expect(native().splitDecimals(Float32Array.of(0.1, 2.5), 10, integers, exceptions)).toBe(0);
    expect(native().splitDecimals(Float64Array.of(NaN, Infinity, 1e300, 1), 1, integers, exceptions)).toBe(3);
    const refusal = (values: Float64Array, to: Float64Array): unknown =>
      errorOf(() => native().splitDecimals(values, 10, to, exceptions));
    expect(refusal(new Float64Array(5), integers)).toMatchObject({ code: 'ERR_OUT_BUFFER', argument: 'integers' });
    expect(refusal(words(1) as never, integers)).toMatchObject({ code: 'ERR_ARGUMENT', argument: 'values' });

    const range = new Float64Array(3);
    native().floatRange(Float32Array.of(NaN, 1.5, -2), range);
    expect([...range]).toEqual([-2, 1.5, 1]);
    native().floatRange(Float64Array.of(NaN), range);
    expect([...range]).toEqual([Infinity, -Infinity, 1]);

    const [entries, codes] = [new Uint32Array(3), new Uint32Array(5)];
    expect(native().distinctNumbers(words(7, 4294967295, 7, 0, 7), entries, codes)).toBe(3);
    expect([...entries, ...codes]).toEqual([0, 7, 4294967295, 1, 2, 1, 0, 1]);
    expect(native().distinctNumbers(words(1, 2, 3, 4), entries, codes)).toBe(4);
    expect(errorOf(() => native().distinctNumbers(new Uint32Array(6), entries, codes))).toMatchObject({
      code: 'ERR_OUT_BUFFER',
      argument: 'codes',
    });
  });

  test('spreadCodes, scatterCodes, mapCodes', () => {
    const rows = new Uint32Array(4);
    native().spreadCodes(words(5, 6), Uint8Array.of(0b1010), 9, rows);
    expect([...rows]).toEqual([9, 5, 9, 6]);
    const run = (call: () => void): unknown => errorOf(call);
    const { spreadCodes, scatterCodes, mapCodes } = native();
    for (const codes of [words(5), words(5, 6, 7)])
      expect(run(() => spreadCodes(codes, Uint8Array.of(0b1010), 9, rows))).toMatchObject({ argument: 'codes' });
    expect(run(() => spreadCodes(words(), new Uint8Array(0), 9, rows))).toMatchObject({ argument: 'validity' });
    const to = new Uint32Array(3);
    scatterCodes(words(2, 0, 2), words(7, 8, 9), to);
    expect([...to]).toEqual([8, 0, 9]);
    expect(run(() => scatterCodes(words(3), words(1), to))).toMatchObject({ argument: 'codes' });
    expect(run(() => scatterCodes(words(1), words(1, 2), to))).toMatchObject({ argument: 'values' });
    mapCodes(words(1, 0, 1), words(8, 9), to);
    expect([...to]).toEqual([9, 8, 9]);
    expect(run(() => mapCodes(words(2), words(8, 9), to))).toMatchObject({ argument: 'codes' });
    expect(run(() => mapCodes(words(0, 0, 0, 0), words(8), to))).toMatchObject({ argument: 'to' });
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

  test('trainSymbols and spellTexts: few codes for what repeats', () => {
    const bytes = new TextEncoder().encode(`--${'abcdefgh'.repeat(40)}z`);
    const ends = words(2 + 160, 2 + 160, 2 + 320, 2 + 321);
    const [halves, lengths] = [new Uint32Array(510), new Uint8Array(255)];
    const count = native().trainSymbols(bytes, 2, ends, halves, lengths);
    expect(count).toBeGreaterThan(0);
    expect(Math.max(...lengths)).toBe(8);
    const [codes, counts] = [new Uint8Array(2 * 321), new Uint32Array(4)];
    const spell = (
      ...[from = bytes, start = 2, at = ends, of = lengths, to = codes, told = counts]: readonly [
        Uint8Array?,
        number?,
        Uint32Array?,
        Uint8Array?,
        Uint8Array?,
        Uint32Array?,
      ]
    ): number => native().spellTexts(from, start, at, halves.subarray(0, 2 * of.length), of, to, told);
    const own = lengths.subarray(0, count);
    expect(spell(bytes, 2, ends, own)).toBeLessThan(50);
    expect(counts[1]).toBe(0);
    // Without any symbol each byte takes two codes.
    expect(spell(bytes, 2, ends, new Uint8Array(0))).toBe(2 * 321);
    expect([...codes.subarray(0, 4)]).toEqual([255, 97, 255, 98]);
    const refusal = (run: () => unknown): unknown => errorOf(run);
    expect(refusal(() => spell(bytes, 2, words(9, 8), own))).toMatchObject({ code: 'ERR_ARGUMENT', argument: 'ends' });
    expect(refusal(() => spell(bytes, 2, ends, Uint8Array.of(9)))).toMatchObject({ argument: 'lengths' });
    expect(refusal(() => spell(bytes, 2, ends, Uint8Array.of(0)))).toMatchObject({ argument: 'lengths' });
    expect(refusal(() => spell(bytes, 2, ends, new Uint8Array(256)))).toMatchObject({ argument: 'lengths' });
    expect(refusal(() => spell(bytes, 2, ends, own, new Uint8Array(641)))).toMatchObject({ argument: 'codes' });
    expect(refusal(() => spell(bytes, 2, ends, own, codes, words(1, 2, 3)))).toMatchObject({ argument: 'counts' });
    const trained = (room: number, lengthsRoom: number): unknown =>
      errorOf(() => native().trainSymbols(bytes, 2, ends, new Uint32Array(room), new Uint8Array(lengthsRoom)));
    expect(trained(509, 255)).toMatchObject({ code: 'ERR_OUT_BUFFER', argument: 'halves' });
    expect(trained(510, 254)).toMatchObject({ code: 'ERR_OUT_BUFFER', argument: 'lengths' });
    expect(native().trainSymbols(new Uint8Array(0), 0, words(), halves, lengths)).toBe(0);
  });

  test('printTexts, joinCodes and packBits', () => {
    const prints = new Uint32Array(2);
    native().printTexts(new TextEncoder().encode('-ab'), 1, words(1, 3), 8, prints);
    expect([...prints]).toEqual([0x81, 0x4d]);
    const printed = (bits: number, to: Uint32Array): unknown =>
      errorOf(() => {
        native().printTexts(Uint8Array.of(1, 2), 0, words(1, 2), bits, to);
      });
    expect(printed(0, prints)).toMatchObject({ code: 'ERR_ARGUMENT', argument: 'bits' });
    expect(printed(9, prints)).toMatchObject({ code: 'ERR_ARGUMENT', argument: 'bits' });
    expect(printed(8, words(1))).toMatchObject({ code: 'ERR_OUT_BUFFER', argument: 'prints' });

    const codes = new Uint32Array(4);
    expect(native().joinCodes(words(5, 5, 6, 5), words(1, 2, 1, 1), 3, codes)).toBe(3);
    expect([...codes]).toEqual([0, 1, 2, 0]);
    expect(native().joinCodes(words(5, 5, 6, 5), words(1, 2, 1, 1), 2, null)).toBe(3);
    const joined = (second: Uint32Array, to: Uint32Array): unknown =>
      errorOf(() => native().joinCodes(words(1, 2), second, 9, to));
    expect(joined(words(1), codes)).toMatchObject({ code: 'ERR_ARGUMENT', argument: 'second' });
    expect(joined(words(1, 2), words(1))).toMatchObject({ code: 'ERR_OUT_BUFFER', argument: 'codes' });

    const packed = new Uint32Array(2);
    native().packBits(words(11, 12, 10), 12, 10, packed);
    expect([...packed]).toEqual([1 | (2 << 12), 0]);
    const refusal = (width: number, to: Uint32Array): unknown =>
      errorOf(() => {
        native().packBits(words(1, 2), width, 0, to);
      });
    expect(refusal(0, packed)).toMatchObject({ code: 'ERR_ARGUMENT', argument: 'width' });
    expect(refusal(33, packed)).toMatchObject({ code: 'ERR_ARGUMENT', argument: 'width' });
    expect(refusal(32, words(1))).toMatchObject({ code: 'ERR_OUT_BUFFER', argument: 'words' });
  });

  test('deflateBlocks: streams that zlib inflates', () => {
    const bytes = new TextEncoder().encode('import os\n'.repeat(300));
    const history = bytes.slice(0, 100);
    const [out, sizes] = [new Uint8Array(3000), new Uint32Array(2)];
    const used = native().deflateBlocks(bytes, 11, history, out, sizes);
    expect(used).toBe((sizes[0] as number) + (sizes[1] as number));
    expect(used).toBeLessThan(100);
    const second = inflateRawSync(out.subarray(sizes[0], used), { dictionary: history });
    expect(second.equals(bytes.subarray(2048))).toBe(true);
    // What gets no shorter stays what it is.
    expect(native().deflateBlocks(Uint8Array.of(1, 2, 3), 13, null, out, sizes)).toBe(3);
    expect([...out.subarray(0, 3)]).toEqual([1, 2, 3]);
    const refusal = (log2: number, front: Uint8Array | null, to: Uint8Array, told: Uint32Array): unknown =>
      errorOf(() => native().deflateBlocks(bytes, log2, front, to, told));
    expect(refusal(16, null, out, sizes)).toMatchObject({ code: 'ERR_ARGUMENT', argument: 'log2' });
    expect(refusal(11, new Uint8Array(32_768 - 2047), out, sizes)).toMatchObject({ argument: 'history' });
    expect(refusal(11, null, out.subarray(1), sizes)).toMatchObject({ code: 'ERR_OUT_BUFFER', argument: 'out' });
    expect(refusal(10, null, out, sizes)).toMatchObject({ code: 'ERR_OUT_BUFFER', argument: 'sizes' });
  });
});
