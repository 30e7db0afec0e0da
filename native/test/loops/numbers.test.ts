// The loops over packed numbers, and arguments that they refuse.
import { describe, expect, test } from 'vitest';
import { errorOf, hasNative, native } from '../support.ts';

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

  test('spreadTexts gives each row the bytes of its text', () => {
    const texts = [...'żółw', 'a'.repeat(33), '', 'ab'.repeat(16)];
    const bytes = Buffer.from(`.${texts.join('')}`);
    const ends = Uint32Array.from(texts, (_, i) => Buffer.byteLength(`.${texts.slice(0, i + 1).join('')}`));
    const codes = Uint32Array.of(5, 0, 4294967295, 4, 6, 3, 5, 1, 4294967295, 2);
    const rows = Array.from(codes, (code) => texts[code] ?? '');
    const expected = Buffer.from(rows.join(''));
    const [out, outEnds] = [new Uint8Array(7 + expected.length), new Uint32Array(codes.length)];
    expect(native().spreadTexts(bytes, 1, ends, codes, out, 7, outEnds)).toBe(7 + expected.length);
    expect(Buffer.from(out.subarray(7)).toString()).toBe(rows.join(''));
    expect([...out.subarray(0, 7)]).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect([...outEnds]).toEqual(rows.map((_, i) => 7 + Buffer.byteLength(rows.slice(0, i + 1).join(''))));
    expect(native().spreadTexts(bytes, 1, ends, codes, out, 4294967290, outEnds)).toBe(4294967290 + expected.length);
    // Where there is no room it says how much there must be.
    outEnds.fill(0);
    expect(native().spreadTexts(bytes, 1, ends, codes, new Uint8Array(10), 7, outEnds)).toBe(7 + expected.length);
    expect(outEnds.at(-1)).toBe(7 + expected.length);
  });

  test('spreadTexts gives the same whatever the lengths of texts, how many there are and what room there is', () => {
    for (const lengths of [
      [0, 0],
      [0, 1, 15],
      [15, 16],
      [0, 16, 17],
      [30, 31],
      [16, 31, 32, 33],
      [63, 64],
      [3, 64, 65, 63],
      // Many of them, and many bytes.
      Array.from({ length: 260 }, (_, i) => 1 + (i % 64)).concat(Array<number>(130).fill(64)),
      Array.from({ length: 2049 }, (_, i) => i % 8),
    ]) {
      const texts = lengths.map((length, i) => String.fromCharCode(97 + (i % 26)).repeat(length));
      const bytes = Buffer.from(`...${texts.join('')}`);
      let end = 3;
      const ends = Uint32Array.from(lengths, (length) => (end += length));
      // With fewer than four rows a text, and with more.
      for (const count of [3, 4 * lengths.length, 4 * lengths.length + 100]) {
        const codes = Uint32Array.from({ length: count }, (_, i) =>
          i % 5 === 4 ? 4294967295 : (i * 7) % lengths.length,
        );
        const rows = Array.from(codes, (code) => texts[code] ?? '');
        const expected = rows.join('');
        let expectedEnd = 2;
        const expectedEnds = rows.map(({ length }) => (expectedEnd += length));
        for (const spare of [0, 1, 15, 16, 64, 100]) {
          const [out, outEnds] = [new Uint8Array(2 + expected.length + spare), new Uint32Array(count)];
          expect(native().spreadTexts(bytes, 3, ends, codes, out, 2, outEnds)).toBe(2 + expected.length);
          expect(Buffer.from(out.subarray(0, 2 + expected.length)).toString()).toBe(`\0\0${expected}`);
          expect([...outEnds]).toEqual(expectedEnds);
        }
        const measured = new Uint32Array(count);
        expect(native().spreadTexts(bytes, 3, ends, codes, new Uint8Array(0), 2, measured)).toBe(2 + expected.length);
        expect([...measured]).toEqual(expectedEnds);
        expect(
          errorOf(() =>
            native().spreadTexts(
              bytes,
              3,
              ends,
              codes.with(-1, lengths.length),
              new Uint8Array(99),
              0,
              new Uint32Array(count),
            ),
          ),
        ).toMatchObject({ code: 'ERR_ARGUMENT', argument: 'codes' });
      }
    }
  });

  test.each([
    ['a code without a text', [4], [1, 2, 3], 0],
    ['ends that fall', [1], [3, 2], 0],
    ['ends beyond the bytes', [0], [4], 0],
    ['a start behind the first end', [0], [1], 2],
  ])('spreadTexts refuses %s', (_, codes, ends, start) => {
    const out = new Uint8Array(9);
    expect(
      errorOf(() =>
        native().spreadTexts(
          new Uint8Array(3),
          start,
          Uint32Array.from(ends),
          Uint32Array.from(codes),
          out,
          3,
          new Uint32Array(1),
        ),
      ),
    ).toMatchObject({ code: 'ERR_ARGUMENT', argument: 'codes' });
    expect(out).toEqual(new Uint8Array(9));
  });

  test('spreadTexts refuses arrays of other types, and too few ends', () => {
    const one = new Uint32Array(1);
    const call = (...given: unknown[]) =>
      errorOf(() => (native().spreadTexts as (...args: unknown[]) => number)(...given));
    expect(call(new Uint8Array(1), 0, one, new Int32Array(1), new Uint8Array(1), 0, one)).toMatchObject({
      argument: 'codes',
    });
    expect(call(new Uint8Array(1), 0, one, new Uint32Array(2), new Uint8Array(1), 0, one)).toMatchObject({
      argument: 'outEnds',
    });
    expect(call(new Uint8Array(1), -1, one, one, new Uint8Array(1), 0, one)).toMatchObject({ argument: 'start' });
  });
});
