// The texts of many moments beside those of each alone: every unit, ticks about all the edges of the short way.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isoTexts } from '../../src/values/iso-texts.ts';
import { NAT } from '../../src/values/nat.ts';
import { toISO } from '../../src/values/time.ts';

const UNITS = ['Y', 'M', 'W', 'D', 'h', 'm', 's', 'ms', 'us', 'ns', 'ps', 'fs', 'as'] as const;
const PER_SECOND: Readonly<Record<string, bigint>> = { s: 1n, ms: 1000n, us: 1_000_000n, ns: 1_000_000_000n };
const [LEAST, MOST] = [-(2n ** 63n) + 1n, 2n ** 63n - 1n];
/** Seconds, or days, of where a text changes its form: 1970, the years 0 and 10000, a leap day, ends of days. */
const DAYS = [0n, -719_528n, 2_932_897n, 11_016n, 11_017n, -25_508n, 20_000n, -1n, 1n];
const EDGES = [2n ** 53n, -(2n ** 53n), 2n ** 31n, LEAST, MOST, 0n];

function edgesOf(unit: string): bigint[] {
  const perSecond = PER_SECOND[unit];
  const scaled = perSecond === undefined ? DAYS : DAYS.map((day) => day * 86_400n * perSecond);
  const near = [-1n, 0n, 1n, -(perSecond ?? 1n), (perSecond ?? 1n) - 1n];
  return [...scaled, ...EDGES]
    .flatMap((edge) => near.map((by) => edge + by))
    .filter((ticks) => ticks >= LEAST && ticks <= MOST);
}

describe.each(UNITS)('moments in %s', (unit) => {
  const dtype = `datetime64[${unit}]` as const;

  it('are written as each alone, about the edges', () => {
    const textOf = isoTexts(dtype);
    const endedOf = isoTexts(dtype, ':00Z');
    for (const ticks of [NAT, ...edgesOf(unit)]) {
      const text = toISO(ticks, dtype);
      expect(textOf(ticks), String(ticks)).toBe(text);
      expect(endedOf(ticks), String(ticks)).toBe(ticks === NAT ? text : `${text}:00Z`);
    }
  });

  it('are written as each alone, in any order', () => {
    const textOf = isoTexts(dtype);
    const day = fc.bigInt({ min: -800_000n, max: 3_000_000n });
    const ofDay = fc.bigInt({ min: 0n, max: 86_400n * (PER_SECOND[unit] ?? 1n) });
    const near = fc.tuple(day, ofDay).map(([days, rest]) => days * 86_400n * (PER_SECOND[unit] ?? 1n) + rest);
    const ticks = fc.oneof(near, fc.bigInt({ min: LEAST, max: MOST }), fc.constant(NAT));
    fc.assert(
      fc.property(fc.array(ticks, { maxLength: 50 }), (all) => {
        for (const each of all)
          if (each === NAT || (each >= LEAST && each <= MOST)) expect(textOf(each)).toBe(toISO(each, dtype));
      }),
    );
  });
});

it('several ticks at a time, and no unit, go the way of each alone', () => {
  expect(isoTexts('datetime64[25s]')(3n)).toBe(toISO(3n, 'datetime64[25s]'));
  expect(() => isoTexts('datetime64')(3n)).toThrow(expect.objectContaining({ code: 'ERR_VALUE' }));
  expect(() => isoTexts('int32')(3n)).toThrow(expect.objectContaining({ code: 'ERR_ARGUMENT' }));
});

it('texts of many moments take less time than texts that are joined of pieces', () => {
  const joined = (ticks: bigint): string => {
    const date = new Date(Number(ticks / 1000n));
    const two = (value: number) => String(value).padStart(2, '0');
    const day = `${String(date.getUTCFullYear())}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
    const time = `T${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
    return `${day}${time}.${String(1_000_000n + (ticks % 1_000_000n)).slice(1)}Z`;
  };
  const all = Array.from({ length: 100_000 }, (_, i) => 1_700_000_000_000_000n + 7_919_000_123n * BigInt(i));
  const least = (textOf: (ticks: bigint) => string): number => {
    const times = Array.from({ length: 5 }, () => {
      const start = process.cpuUsage();
      expect(all.map((ticks) => ({ text: textOf(ticks) }))).toHaveLength(all.length);
      const { user, system } = process.cpuUsage(start);
      return user + system;
    });
    return Math.min(...times);
  };
  const textOf = isoTexts('datetime64[us]', 'Z');
  for (const ticks of all.slice(0, 1000)) expect(textOf(ticks)).toBe(joined(ticks));
  expect(least(textOf) / least(joined)).toBeLessThan(0.6);
});
