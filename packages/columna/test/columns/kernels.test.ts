// The unrolled kernels and the digit planes against arithmetic on one large integer.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createRandom } from '@colkit/testkit';
import { describe, expect, it } from 'vitest';
import { backendInfo } from '@colkit/io';
import { RECIPROCAL_BELOW, decimalQuotient, reciprocalOf } from '../../src/columns/decimal.ts';
import {
  addFivesUnchecked,
  addThreesUnchecked,
  fivesWords,
  groupFives,
  packThrees,
  threesWords,
} from '../../src/columns/kernels/digits.ts';
import { decodeSlotsUnchecked, encodeSymbols, slotTable } from '../../src/columns/kernels/rans.ts';
import { unpackGroups } from '../../src/columns/kernels/unpack-groups.ts';
import { unpackGroups as unpackGroupsInBrowsers } from '../../src/columns/kernels/unpack-groups-browser.ts';
import { pack, streamWords, unpackUnchecked } from '../../src/columns/kernels/unpack.ts';
import { fractionalPlan, parsePlan, planCode, planWords, wholePlan } from '../../src/columns/plans.ts';

it('runs on the backend that this project is for', () =>
  expect(backendInfo().backend).toBe(process.env['COLKIT_BACKEND']));

/** Number `index` of a bit stream, by the definition. */
function fromStream(words: Uint32Array, index: number, width: number): number {
  let whole = 0n;
  for (let word = words.length - 1; word >= 0; word--) whole = (whole << 32n) | BigInt(words[word]!);
  return Number((whole >> BigInt(index * width)) & ((1n << BigInt(width)) - 1n));
}

describe('bit streams', () => {
  it.each(Array.from({ length: 32 }, (_, i) => i + 1))('of %i bits a value come back, whole and in ranges', (width) => {
    const random = createRandom(width);
    const count = 137;
    const values = Uint32Array.from({ length: count }, (_, i) =>
      i === 0 ? 2 ** width - 1 : random.uint32() % 2 ** width,
    );
    const words = new Uint32Array(3 + streamWords(count, width));
    pack(values, 0, count, width, words, 3);
    for (const index of [0, 1, 31, 32, 63, 136])
      expect(fromStream(words.subarray(3), index, width)).toBe(values[index]);
    for (const [first, length] of [
      [0, count],
      [1, 1],
      [31, 2],
      [32, 64],
      [5, 100],
      [96, 41],
      [136, 1],
    ] as const) {
      const out = new Uint32Array(length + 2).fill(7);
      unpackUnchecked(words, 3, width, first, length, out, 1, 0);
      expect([...out]).toEqual([7, ...values.subarray(first, first + length), 7]);
    }
  });

  it('come back the same from the loop for browsers', () => {
    const words = Uint32Array.from({ length: 3 + 3 * 32 }, (_, i) => Math.imul(i + 1, 0x9e3779b1));
    for (let width = 1; width <= 32; width++) {
      const [kernels, loop] = [new Uint32Array(98).fill(7), new Uint32Array(98).fill(7)];
      unpackGroups(words, 3, width, 3, kernels, 1, 0xfffffffe);
      unpackGroupsInBrowsers(words, 3, width, 3, loop, 1, 0xfffffffe);
      expect(loop).toEqual(kernels);
      expect(loop[97]).toBe(7);
    }
  });

  it('add a number to every value, modulo 2^32', () => {
    const values = Uint32Array.from({ length: 70 }, (_, i) => i % 8);
    const words = new Uint32Array(streamWords(70, 3));
    pack(values, 0, 70, 3, words, 0);
    const out = new Uint32Array(70);
    unpackUnchecked(words, 0, 3, 0, 70, out, 0, 0xfffffffe);
    expect([...out]).toEqual(Array.from(values, (value) => (value + 0xfffffffe) % 2 ** 32));
  });

  it('pack the same bytes as the definition', () => {
    const words = new Uint32Array(1);
    pack(Uint32Array.of(0, 2, 1, 7), 0, 4, 3, words, 0);
    expect(words[0]).toBe(0b111_001_010_000);
  });

  it('the kernels are what their generator writes', () => {
    execFileSync(process.execPath, [
      fileURLToPath(new URL('../../scripts/generate-unpack-kernels.mjs', import.meta.url)),
      '--check',
    ]);
  });
});

describe('digit planes', () => {
  it.each([
    [1, 1],
    [4, 3],
    [5, 9],
    [243, 27],
    [1000, 2],
  ])('of base 3: %i values, scale %i', (count, scale) => {
    const random = createRandom(count);
    const values = Uint32Array.from({ length: count }, () => random.integer(3) * scale + random.integer(scale));
    const bytes = new Uint8Array(4 * threesWords(count) + 4);
    packThrees(values, 0, count, scale, bytes, 4);
    for (const [first, length] of [
      [0, count],
      [Math.min(3, count - 1), Math.max(1, count - 5)],
    ] as const) {
      const out = new Uint32Array(length).fill(11);
      expect(addThreesUnchecked(bytes, 4, first, length, scale, out, 0)).toBe(true);
      expect([...out]).toEqual(
        [...values.subarray(first, first + length)].map((value) => 11 + Math.floor(value / scale) * scale),
      );
    }
  });

  it.each([
    [1, 1],
    [2, 5],
    [3, 25],
    [125, 64],
    [1000, 2],
  ])('of base 5: %i values, scale %i', (count, scale) => {
    const random = createRandom(count);
    const values = Uint32Array.from({ length: count }, () => random.integer(5) * scale + random.integer(scale));
    const words = new Uint32Array(1 + fivesWords(count));
    const groups = groupFives(values, 0, count, scale);
    pack(groups, 0, groups.length, 7, words, 1);
    for (const [first, length] of [
      [0, count],
      [Math.min(1, count - 1), Math.max(1, count - 4)],
    ] as const) {
      const out = new Uint32Array(length).fill(11);
      expect(addFivesUnchecked(words, 1, first, length, scale, out, 0, new Uint32Array(count))).toBe(true);
      expect([...out]).toEqual(
        [...values.subarray(first, first + length)].map((value) => 11 + Math.floor(value / scale) * scale),
      );
    }
  });

  it('refuse groups that no digits give', () => {
    for (let group = 0; group < 256; group++)
      expect(addThreesUnchecked(Uint8Array.of(group), 0, 0, 5, 1, new Uint32Array(5), 0)).toBe(group < 243);
    for (let group = 0; group < 128; group++)
      expect(addFivesUnchecked(Uint32Array.of(group), 0, 0, 3, 1, new Uint32Array(3), 0, new Uint32Array(2))).toBe(
        group < 125,
      );
  });
});

describe('plans', () => {
  it('hold every range they are chosen for, and never take more than whole bits', () => {
    const random = createRandom(3);
    for (let i = 0; i < 3000; i++) {
      const below = i < 300 ? i + 1 : Math.floor(2 ** (random.number() * 32));
      const [whole, fractional] = [wholePlan(below), fractionalPlan(below, 4096)];
      expect(whole.capacity).toBeGreaterThanOrEqual(below);
      expect(whole.capacity / 2).toBeLessThan(Math.max(below, 1));
      expect(fractional.capacity).toBeGreaterThanOrEqual(below);
      expect(planWords(fractional, 4096)).toBeLessThanOrEqual(planWords(whole, 4096));
      expect(parsePlan(planCode(fractional))).toEqual(fractional);
    }
    expect(wholePlan(2 ** 32).lowBits).toBe(32);
    // 17.2 bits for 142,800 values; 3.6 for 12; 7 bits for three base-5 digits.
    expect(fractionalPlan(142_800, 65536)).toMatchObject({ lowBits: 14, threes: 2, fives: 0 });
    expect(fractionalPlan(12, 65536)).toMatchObject({ lowBits: 2, threes: 1, fives: 0 });
    expect(fractionalPlan(5, 65536)).toMatchObject({ lowBits: 0, threes: 0, fives: 1 });
  });

  it('outside the format are none', () => {
    for (const [lowBits, threes, fives] of [
      [65, 0, 0],
      [0, 4, 0],
      [0, 0, 3],
      [32, 1, 0],
      [31, 1, 0],
      [27, 3, 1],
    ] as const)
      expect(parsePlan(lowBits | (threes << 8) | (fives << 12))).toBeNull();
    expect(parsePlan(64)?.lowBits).toBe(64);
    expect(parsePlan(25 | (3 << 8))?.capacity).toBe(27 * 2 ** 25);
  });
});

describe('the entropy coder', () => {
  it.each([
    [1, 1],
    [2, 3],
    [7, 5],
    [1000, 2],
    [4099, 300],
  ])('brings back %i symbols of %i kinds, and notices a stream of another length', (count, kinds) => {
    const random = createRandom(count);
    const symbols = Uint16Array.from({ length: count }, () => Math.min(random.integer(kinds), random.integer(kinds)));
    const frequencies = new Uint32Array(kinds).fill(1);
    frequencies[0]! += 4096 - kinds;
    const { states, stream } = encodeSymbols(symbols, frequencies);
    const { symbols: table, steps } = slotTable(frequencies);
    const decode = (from: Uint16Array, howMany: number) => {
      const out = new Uint32Array(howMany);
      return { whole: decodeSlotsUnchecked(states, from, steps, new Uint32Array(table), howMany, out), out: [...out] };
    };
    expect(decode(stream, count)).toEqual({ whole: true, out: [...symbols] });
    expect(decode(Uint16Array.of(...stream, 1), count).whole).toBe(false);
    if (stream.length > 0) expect(decode(stream.subarray(1), count).whole).toBe(false);
    if (kinds > 1) expect(decode(stream, count + 1).whole).toBe(false);
  });
});

describe('decimals', () => {
  // Every integer takes seconds an exponent (COLKIT_EXHAUSTIVE=1 does it).
  const stride = process.env['COLKIT_EXHAUSTIVE'] === '1' ? 1 : 97;

  it.each(Array.from({ length: 12 }, (_, i) => i + 1))('two products are the division by 10^%i', (exponent) => {
    const { high, low } = reciprocalOf(exponent)!;
    const power = Number(`1e${exponent}`);
    let wrong = 0;
    for (let integer = 0; integer < RECIPROCAL_BELOW; integer += stride)
      if (integer * high + integer * low !== integer / power) wrong++;
    expect(wrong).toBe(0);
    expect(-12345 * high + -12345 * low).toBe(decimalQuotient(-12345, exponent));
  });

  it('have no products for other exponents', () => {
    for (const exponent of [0, 13, 22]) expect(reciprocalOf(exponent)).toBeNull();
  });
});
