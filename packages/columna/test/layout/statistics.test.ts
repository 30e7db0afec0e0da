// Statistics, by hand: eight-byte slots in both directions, what two sets of rows have together, and bounds of long
// byte strings, whose only promise is on which side of the value they lie.
import { describe, expect, it } from 'vitest';
import { columnType } from '../../src/layout/column-type.ts';
import { STATISTICS_STRING_BYTES } from '../../src/layout/constants.ts';
import {
  StatisticsStrings,
  compareBytes,
  compareValues,
  lowerBound,
  mergeStatistics,
  readStatistics,
  statisticsFlags,
  upperBound,
  writeBound,
} from '../../src/layout/statistics.ts';
import type { Bound, Statistics, StatisticsValue } from '../../src/layout/statistics.ts';
import { LOCATION, codeOf, text } from './layout-codes.ts';

const exact = (value: StatisticsValue): Bound => ({ value, exact: true });
const about = (value: StatisticsValue): Bound => ({ value, exact: false });
const of = (min: Bound | null, max: Bound | null, nanCount: number | null = 0, nullCount = 0): Statistics => ({
  nullCount,
  nanCount,
  min,
  max,
});
const M = STATISTICS_STRING_BYTES;

/** Written at an odd offset of a block, behind other bytes, and read back. */
function stored(type: Parameters<typeof columnType>[0], statistics: Statistics): Statistics {
  const slots = 5;
  const strings = new StatisticsStrings(slots + 16);
  const fixed = new DataView(new ArrayBuffer(slots + 16));
  writeBound(fixed, slots, statistics.min, strings);
  writeBound(fixed, slots + 8, statistics.max, strings);
  const block = new Uint8Array(3 + slots + 16 + strings.byteLength);
  const inner = block.subarray(3);
  inner.set(new Uint8Array(fixed.buffer));
  strings.copyTo(inner);
  const { nullCount, nanCount } = statistics;
  return readStatistics(
    new DataView(block.buffer, 3),
    { nullCount, nanCount: nanCount ?? 77, flags: statisticsFlags(statistics), slots },
    columnType(type),
    LOCATION,
  );
}

describe('slots of eight bytes', () => {
  it.each<[Parameters<typeof columnType>[0], Statistics]>([
    ['int64', of(exact(-(2n ** 63n)), about(2n ** 63n - 1n), 0, 3)],
    ['uint64', of(about(2n ** 53n + 1n), exact(2n ** 64n - 1n))],
    ['int8', of(exact(-128n), exact(-1n))],
    ['float64', of(exact(-Infinity), about(5e-324), 4)],
    ['float64', of(exact(-0), exact(0), null)],
    ['string', of(exact(text('')), about(text('zażółć')))],
    ['binary', of(about(Uint8Array.of(0)), exact(Uint8Array.of(255, 0)))],
    ['string', of(exact(text('same')), exact(text('same')))],
    ['int32', of(null, exact(4n))],
    ['float32', of(exact(0.5), null)],
    ['bool', of(null, null, null, 9)],
  ])('%s: %o comes back', (type, statistics) => {
    expect(stored(type, statistics)).toEqual(statistics);
    expect(Object.is(stored(type, statistics).min?.value, -0)).toBe(Object.is(statistics.min?.value, -0));
  });

  it('have the flags of the specification', () => {
    expect(
      [
        of(null, null, null),
        of(about(1n), null, null),
        of(null, about(1n), null),
        of(exact(1n), null, null),
        of(null, exact(1n), null),
        of(null, null, 0),
      ].map(statisticsFlags),
    ).toEqual([0, 1, 2, 1 | 4, 2 | 8, 16]);
  });

  it('hold no NaN: such a bound is none', () => {
    expect(stored('float64', of(exact(NaN), exact(1)))).toEqual(of(null, exact(1)));
  });

  it('share the bytes of equal strings', () => {
    const strings = new StatisticsStrings(10);
    expect([strings.add(text('ab')), strings.add(text('')), strings.add(text('b')), strings.add(text('ab'))]).toEqual([
      10, 12, 12, 10,
    ]);
    expect(strings.byteLength).toBe(3);
    const block = new Uint8Array(13);
    strings.copyTo(block);
    expect([...block.subarray(10)]).toEqual([...text('abb')]);
  });

  it('point to strings of at most 64 bytes inside the block', () => {
    const read = (start: number, length: number, blockBytes: number): unknown => {
      const view = new DataView(new ArrayBuffer(blockBytes));
      view.setUint32(0, start, true);
      view.setUint32(4, length, true);
      return readStatistics(view, { nullCount: 0, nanCount: 0, flags: 1, slots: 0 }, columnType('binary'), LOCATION)
        .min;
    };
    expect(read(16, M, 16 + M)).toEqual(about(new Uint8Array(M)));
    expect(read(16, 0, 16)).toEqual(about(new Uint8Array(0)));
    // What is kept of them does not keep the block.
    expect(((read(16, 3, 200) as Bound).value as Uint8Array).buffer.byteLength).toBe(3);
    for (const [start, length, blockBytes, at] of [
      [16, M + 1, 200, 4],
      [16, M, 15 + M, 0],
      [2 ** 32 - 1, 1, 64, 0],
    ] as const) {
      expect(codeOf(() => read(start, length, blockBytes))).toBe('ERR_METADATA');
      expect(() => read(start, length, blockBytes)).toThrow(
        expect.objectContaining({ name: 'CorruptFileError', byteOffset: LOCATION.byteOffset + at }),
      );
    }
  });
});

describe('two sets of rows together', () => {
  it('count what both have, and nothing of NaN where one did not', () => {
    expect(mergeStatistics(of(null, null, 2, 3), of(null, null, 5, 7))).toEqual(of(null, null, 7, 10));
    for (const [a, b] of [
      [null, 5],
      [5, null],
      [null, null],
    ] as const)
      expect(mergeStatistics(of(null, null, a), of(null, null, b)).nanCount).toBeNull();
  });

  it('have the lower minimum and the higher maximum, whichever comes first', () => {
    const [low, high] = [of(exact(1n), exact(5n)), of(about(3n), about(9n))];
    for (const pair of [
      [low, high],
      [high, low],
    ] as const)
      expect(mergeStatistics(...pair)).toEqual(of(exact(1n), about(9n)));
  });

  it('know a bound that one of them has, whichever comes first', () => {
    const [sure, unsure] = [of(exact(3n), exact(3n)), of(about(3n), about(3n))];
    for (const pair of [
      [sure, unsure],
      [unsure, sure],
    ] as const)
      expect(mergeStatistics(...pair)).toEqual(sure);
  });

  it('have the bounds of the one that has values, where the other has none', () => {
    const [some, none] = [of(exact(1n), about(2n)), of(null, null)];
    for (const pair of [
      [some, none],
      [none, some],
    ] as const)
      expect(mergeStatistics(...pair)).toEqual(some);
    expect(mergeStatistics(none, none)).toEqual(none);
  });

  it('have no bound on a side on which one of them has values and no bound', () => {
    const [open, closed] = [of(exact(text('a')), null), of(exact(text('b')), exact(text('c')))];
    for (const pair of [
      [open, closed],
      [closed, open],
    ] as const)
      expect(mergeStatistics(...pair)).toEqual(of(exact(text('a')), null));
    const [below, both] = [of(null, exact(2)), of(exact(0), exact(1))];
    for (const pair of [
      [below, both],
      [both, below],
    ] as const)
      expect(mergeStatistics(...pair)).toEqual(of(null, exact(2)));
  });
});

describe('order', () => {
  it('is that of numbers, with −0 before 0, and of bytes without a sign', () => {
    const ascending: readonly (readonly StatisticsValue[])[] = [
      [-(2n ** 63n), -1n, 0n, 2n ** 53n, 2n ** 53n + 1n],
      [-Infinity, -1, -0, 0, 5e-324, Infinity],
      [[], [0], [0, 0], [1], [9], [10], [127, 255], [128], [255]].map((bytes) => Uint8Array.from(bytes)),
    ];
    for (const values of ascending)
      for (const [i, a] of values.entries())
        for (const [k, b] of values.entries()) {
          expect(Math.sign(compareValues(a, b)), `${String(a)} ${String(b)}`).toBe(Math.sign(i - k));
          if (a instanceof Uint8Array && b instanceof Uint8Array)
            expect(Math.sign(compareBytes(a, b))).toBe(Math.sign(i - k));
        }
  });
});

describe('bounds of long byte strings', () => {
  const bytesOf = (bound: Bound | null): unknown => (bound === null ? null : [...(bound.value as Uint8Array)]);
  const long = (byte: number, length = M + 1): Uint8Array => new Uint8Array(length).fill(byte);

  it('are the strings themselves up to 64 bytes', () => {
    for (const isText of [true, false])
      for (const bytes of [long(65, M), text('')]) {
        expect([lowerBound(bytes, isText), upperBound(bytes, isText)]).toEqual([exact(bytes), exact(bytes)]);
        expect(lowerBound(bytes, isText).value).not.toBe(bytes);
        expect(upperBound(bytes, isText)!.value).not.toBe(bytes);
      }
  });

  it('are the first 64 bytes, and above them the least that is higher', () => {
    expect(lowerBound(long(65), false)).toEqual(about(long(65, M)));
    expect(bytesOf(upperBound(long(65), false))).toEqual([...long(65, M - 1), 66]);
    const ends = Uint8Array.of(...long(65, M - 2), 255, 255, 1);
    expect(bytesOf(upperBound(ends, false))).toEqual([...long(65, M - 3), 66]);
    expect(upperBound(long(255), false)).toBeNull();
    expect(bytesOf(upperBound(Uint8Array.of(254, ...long(255)), false))).toEqual([255]);
  });

  it('end on a code point, and step over what UTF-8 does not have', () => {
    for (const point of ['é', '語', '𝄞']) {
      const bytes = text(point.repeat(M));
      const whole = Math.floor(M / text(point).length);
      expect(lowerBound(bytes, true)).toEqual(about(text(point.repeat(whole))));
      const next = String.fromCodePoint(point.codePointAt(0)! + 1);
      expect(upperBound(bytes, true)).toEqual(about(text(point.repeat(whole - 1) + next)));
    }
    // The last before the surrogates, and the last of all.
    expect(upperBound(text('\u{d7ff}'.repeat(M)), true)).toEqual(about(text(`${'\u{d7ff}'.repeat(20)}\u{e000}`)));
    expect(upperBound(text(`a${'\u{10ffff}'.repeat(M)}`), true)).toEqual(about(text('b')));
    expect(upperBound(text('\u{10ffff}'.repeat(M)), true)).toBeNull();
    expect(upperBound(text('\u{10fffe}'.repeat(M)), true)).toEqual(about(text(`${'\u{10fffe}'.repeat(15)}\u{10ffff}`)));
    // What decoders drop in front of a text unless they are told not to.
    const marked = `\uFEFF${'a'.repeat(M)}`;
    expect(upperBound(text(marked), true)).toEqual(about(text(`\uFEFF${'a'.repeat(M - 4)}b`)));
    // Bytes that are no text at all have no code point to end on.
    expect(lowerBound(long(0x80), true)).toEqual(about(new Uint8Array(0)));
    // A text of exactly one code point more than fits.
    expect(bytesOf(lowerBound(text(`${'a'.repeat(M - 1)}é`), true))).toEqual([...long(97, M - 1)]);
  });

  it('of bytes end anywhere', () => {
    expect(lowerBound(text('é'.repeat(M)).subarray(1), false)).toEqual(about(text('é'.repeat(M)).slice(1, M + 1)));
  });
});
