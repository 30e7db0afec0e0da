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

  test('distinctWords numbers pairs as they first occur', () => {
    const pairs = words(7, 1, 7, 2, 7, 1, 0, 4294967295, 7, 2);
    const [entries, codes] = [new Uint32Array(6), new Uint32Array(5)];
    expect(native().distinctWords(pairs, entries, codes)).toBe(3);
    expect([...entries, ...codes]).toEqual([7, 1, 7, 2, 0, 4294967295, 0, 1, 0, 2, 1]);
    expect(native().distinctWords(pairs, entries.subarray(0, 5), codes)).toBe(3);
    const many = Uint32Array.from({ length: 8000 }, (_, i) => (i % 2 === 0 ? (i % 3000) * 2 ** 20 : i % 6));
    const room = new Uint32Array(8000);
    const found = native().distinctWords(many, room, new Uint32Array(4000));
    expect(found).toBe(new Set(Array.from({ length: 4000 }, (_, i) => `${many[2 * i]} ${many[2 * i + 1]}`)).size);
    expect(errorOf(() => native().distinctWords(pairs, entries, codes.subarray(1)))).toMatchObject({
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

  test('packPresent and mapPresent pass nulls over', () => {
    const { packPresent, mapPresent } = native();
    for (const width of [1, 2, 4, 8]) {
      const rows = 21;
      const items = Uint8Array.from({ length: rows * width }, (_, i) => i + 1);
      const validity = Uint8Array.of(0xff, 0b10010110, 0b10001);
      const expected = Array.from({ length: rows }, (_, row) => row)
        .filter((row) => ((validity[row >> 3]! >> (row & 7)) & 1) === 1)
        .flatMap((row) => [...items.subarray(row * width, (row + 1) * width)]);
      const to = new Uint8Array(expected.length);
      expect(packPresent(items, width, validity, to)).toBe(expected.length / width);
      expect([...to]).toEqual(expected);
      expect(packPresent(items, width, validity, to.subarray(width))).toBe(expected.length / width);
      expect(errorOf(() => packPresent(items, width, validity.subarray(1), to))).toMatchObject({
        argument: 'validity',
      });
    }
    expect(errorOf(() => packPresent(new Uint8Array(3), 3, new Uint8Array(1), new Uint8Array(3)))).toMatchObject({
      argument: 'width',
    });
    const to = new Uint32Array(3);
    expect(mapPresent(Uint16Array.of(1, 0, 9, 1), 4, Uint8Array.of(0b1011), words(7, 8), to)).toBe(3);
    expect([...to]).toEqual([8, 7, 8]);
    expect(mapPresent(words(1, 0, 1), 3, null, words(7, 8), to)).toBe(3);
    expect([...to]).toEqual([8, 7, 8]);
    expect(mapPresent(null, 3, Uint8Array.of(0b101), words(4, 5, 6), to)).toBe(2);
    expect([...to.subarray(0, 2)]).toEqual([4, 6]);
    expect(mapPresent(null, 4, null, words(4, 5, 6, 7), to)).toBe(4);
    expect(errorOf(() => mapPresent(words(2), 1, null, words(7, 8), to))).toMatchObject({ argument: 'codes' });
    expect(errorOf(() => mapPresent(words(2), 2, null, words(7, 8), to))).toMatchObject({ argument: 'codes' });
    expect(errorOf(() => mapPresent(null, 9, Uint8Array.of(1), words(7, 8), to))).toMatchObject({
      argument: 'validity',
    });
    expect(errorOf(() => mapPresent(new Int32Array(1) as never, 1, null, words(1), to))).toMatchObject({
      argument: 'codes',
    });
  });

  test('entropyBits, joinBuckets, codeBins, packBinOffsets', () => {
    const { entropyBits, joinBuckets, codeBins, packBinOffsets } = native();
    const logs = Float64Array.from({ length: 4097 }, (_, number) => Math.log2(number));
    expect(entropyBits(words(2, 0, 1, 1), 3, logs)).toBe(4 * 3 + 2 + 2 * 2);
    expect(errorOf(() => entropyBits(words(2, 3), 0, logs.subarray(0, 5)))).toMatchObject({ argument: 'logs' });
    expect(errorOf(() => entropyBits(words(2, 3, 4), 31, logs))).toMatchObject({ argument: 'counts' });

    const [lows, widths, weights] = [new Uint32Array(10), new Uint32Array(10), new Uint32Array(10)];
    const facts = new Float64Array(1);
    const join = (most: number, table = logs): number =>
      joinBuckets(words(0, 3000, 0, 100, 100, 100, 100), 2, most, table, lows, widths, weights, facts);
    const bins = join(4);
    expect([...lows.subarray(0, bins)]).toEqual([4, 12]);
    expect([...widths.subarray(0, bins)]).toEqual([2, 4]);
    expect([...weights.subarray(0, bins)]).toEqual([3000, 400]);
    expect(facts[0]).toBeGreaterThan(3000 * 2 + 400 * 4);
    expect(errorOf(() => join(5))).toMatchObject({ code: 'ERR_OUT_BUFFER' });
    expect(errorOf(() => join(0))).toMatchObject({ argument: 'most' });
    expect(errorOf(() => join(4, logs.subarray(0, 3400)))).toMatchObject({ argument: 'logs' });

    const [stream, states] = [new Uint16Array(4), new Uint32Array(4)];
    const values = words(5, 13, 5, 7);
    const code = (frequencies: Uint32Array, to = stream, at = words(4, 12)): number =>
      codeBins(values, 2, at, frequencies, to, states);
    expect(code(words(4000, 96))).toBe(0);
    expect([...states]).toEqual(
      [0, 1, 2, 3].map((lane) => {
        const [frequency, start] = lane === 1 ? ([96, 4000] as const) : ([4000, 0] as const);
        return Math.floor(65536 / frequency) * 4096 + (65536 % frequency) + start;
      }),
    );
    for (const frequencies of [words(4000, 95), words(4096, 0), words(4096)])
      expect(errorOf(() => code(frequencies))).toMatchObject({ argument: 'frequencies' });
    expect(errorOf(() => code(words(4000, 96), new Uint16Array(3)))).toMatchObject({ argument: 'stream' });
    expect(errorOf(() => code(words(), stream, words()))).toMatchObject({ argument: 'lows' });

    const offsets = new Uint32Array(1);
    packBinOffsets(values, 2, words(4, 12), words(2, 4), offsets);
    expect(offsets[0]).toBe(1 | (1 << 2) | (1 << 6) | (3 << 8));
    expect(errorOf(() => packBinOffsets(values, 2, words(4, 12), words(2, 4), new Uint32Array(0)))).toMatchObject({
      code: 'ERR_OUT_BUFFER',
      argument: 'words',
    });
  });

  test('cheapestRange, blockLayouts, packBlocks', () => {
    const { cheapestRange, blockLayouts, packBlocks } = native();
    const logs = Float64Array.from({ length: 513 }, (_, number) => Math.log2(number));
    const values = Uint32Array.from({ length: 4000 }, (_, i) => (i % 200 === 0 ? 60000 : 1000 + (i % 50)));
    const range = new Uint32Array(2);
    expect(cheapestRange(values, 7, 9, 16, logs, range)).toBe(true);
    expect([...range]).toEqual([7, 9]);
    expect(cheapestRange(values, 7, 9, 1, logs, range)).toBe(false);
    expect(errorOf(() => cheapestRange(values, 6, 9, 16, logs, range))).toMatchObject({ argument: 'values' });
    expect(errorOf(() => cheapestRange(values, 7, 10, 16, logs, range))).toMatchObject({ argument: 'logs' });
    expect(errorOf(() => cheapestRange(values, 7, 17, 16, logs, range))).toMatchObject({ argument: 'log2' });

    const [least, most, facts] = [new Uint32Array(16), new Uint32Array(16), new Float64Array(6)];
    const plans = Float64Array.of(1, 0, 0, 0, 64, 6, 0, 0, 75, 0, 1, 2, 2 ** 32, 32, 0, 0);
    blockLayouts(values.subarray(1, 51), 8, 16, 24, plans, least, most, facts);
    expect([least[0], most[0]]).toEqual([1000, 1049]);
    // 50 numbers of 6 bits: 10 words, with one plan, and a reference of 11 bits in a word.
    expect([...facts]).toEqual([24 + 4 + 4 + 40, 8, 1, 24 + 4 + 4 + 40, 8, 1]);
    const refusal = (...given: readonly [Uint32Array, Float64Array, Uint32Array]): unknown =>
      errorOf(() => blockLayouts(given[0], 8, 16, 24, given[1], given[2], most, facts));
    expect(refusal(words(), plans, least)).toMatchObject({ argument: 'values' });
    expect(refusal(values, plans.subarray(0, 3), least)).toMatchObject({ argument: 'plans' });
    expect(refusal(values, plans, new Uint32Array(15))).toMatchObject({ argument: 'least' });

    const to = new Uint32Array(2);
    expect(packBlocks(words(7, 9, 8, 20), 1, words(7, 8), words(2, 4), to)).toBe(2);
    expect([...to]).toEqual([2 << 2, 12 << 4]);
    for (const [codes, room] of [
      [words(2, 4), 1],
      [words(33, 4), 2],
    ] as const)
      expect(errorOf(() => packBlocks(words(7, 9, 8, 20), 1, words(7, 8), codes, new Uint32Array(room)))).toMatchObject(
        { code: 'ERR_OUT_BUFFER', argument: 'words' },
      );
    expect(errorOf(() => packBlocks(words(7, 9, 8), 1, words(7), words(2, 4), to))).toMatchObject({
      argument: 'references',
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

  test('trainSymbols and spellTexts: few codes for what repeats', () => {
    const bytes = new TextEncoder().encode(`--${'abcdefgh'.repeat(40)}z`);
    const ends = words(2 + 160, 2 + 160, 2 + 320, 2 + 321);
    const [symbols, lengths] = [new Uint8Array(131_072), new Uint8Array(4096)];
    const count = native().trainSymbols(bytes, 2, ends, 6, symbols, lengths);
    expect(count).toBeGreaterThan(256);
    expect(Math.max(...lengths)).toBe(32);
    expect([...lengths.subarray(0, 256)]).toEqual(new Array(256).fill(1));
    const [codes, counts, ranks] = [new Uint32Array(321), new Uint32Array(4), new Uint32Array(count)];
    const spell = (
      ...[
        from = bytes,
        start = 2,
        at = ends,
        own = lengths.subarray(0, count),
        to = codes,
        told = counts,
        ranked = ranks,
      ]: readonly [Uint8Array?, number?, Uint32Array?, Uint8Array?, Uint32Array?, Uint32Array?, Uint32Array?]
    ): number => native().spellTexts(from, start, at, symbols, own, to, told, ranked);
    expect(spell()).toBeLessThan(50);
    expect(counts[1]).toBe(0);
    // By single bytes alone each is a code: its rank among those that there are.
    const single = lengths.subarray(0, 256);
    expect(spell(bytes, 2, ends, single)).toBe(321);
    expect([...codes.subarray(0, 9), codes[320]]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 0, 8]);
    expect([...ranks.subarray(95, 106), ranks[122]]).toEqual([
      ...[0xffffffff, 0xffffffff, 0, 1, 2, 3, 4, 5, 6, 7, 0xffffffff],
      8,
    ]);
    const refusal = (run: () => unknown): unknown => errorOf(run);
    const longer = lengths.slice(0, 257);
    const ofLength = (length: number): Uint8Array => ((longer[256] = length), longer);
    expect(refusal(() => spell(bytes, 2, words(9, 8)))).toMatchObject({ code: 'ERR_ARGUMENT', argument: 'ends' });
    expect(refusal(() => spell(bytes, 2, ends, ofLength(33)))).toMatchObject({ argument: 'symbols' });
    expect(refusal(() => spell(bytes, 2, ends, ofLength(1)))).toMatchObject({ argument: 'symbols' });
    expect(refusal(() => spell(bytes, 2, ends, new Uint8Array(255)))).toMatchObject({ argument: 'lengths' });
    expect(refusal(() => spell(bytes, 2, ends, new Uint8Array(4097)))).toMatchObject({ argument: 'lengths' });
    expect(refusal(() => spell(bytes, 2, ends, single, new Uint32Array(320)))).toMatchObject({ argument: 'codes' });
    expect(refusal(() => spell(bytes, 2, ends, single, codes, words(1, 2, 3)))).toMatchObject({ argument: 'counts' });
    const few = new Uint32Array(255);
    expect(refusal(() => spell(bytes, 2, ends, single, codes, counts, few))).toMatchObject({ argument: 'ranks' });
    const trained = (room: number, lengthsRoom: number): unknown =>
      errorOf(() => native().trainSymbols(bytes, 2, ends, 6, new Uint8Array(room), new Uint8Array(lengthsRoom)));
    expect(trained(131_071, 4096)).toMatchObject({ code: 'ERR_OUT_BUFFER', argument: 'symbols' });
    expect(errorOf(() => native().trainSymbols(bytes, 2, ends, 7, symbols, lengths))).toMatchObject({
      argument: 'rounds',
    });
    expect(trained(131_072, 4095)).toMatchObject({ code: 'ERR_OUT_BUFFER', argument: 'lengths' });
    expect(native().trainSymbols(new Uint8Array(0), 0, words(), 6, symbols, lengths)).toBe(256);
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
