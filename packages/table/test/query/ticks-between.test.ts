// Ticks of one datetime64 as those of another: as by way of attoseconds, for every two units, about all the edges.
import { isMoment, parseDType } from '@colkit/io';
import type { DType } from '@colkit/io';
import { expect, it } from 'vitest';
import { ticksBetween } from '../../src/query/evaluate/cast-vector.ts';
import { momentOf, ticksOfMoment } from '../../src/values/time.ts';

const DTYPES = ['Y', 'M', 'W', 'D', 'h', 'm', 's', '25s', 'ms', '7ms', 'us', 'ns', 'ps', 'fs', 'as'].map(
  (unit) => `datetime64[${unit}]` as DType,
);
const [LEAST, MOST] = [-(2n ** 63n) + 1n, 2n ** 63n - 1n];

function typeOf(dtype: DType) {
  const info = parseDType(dtype);
  if (!isMoment(info)) throw new Error(dtype);
  return info;
}

/** The ticks, or the code of the error. */
function answerOf(ask: () => bigint): bigint | string {
  try {
    return ask();
  } catch (error) {
    return String(error);
  }
}

it.each(DTYPES)('of %s', (from) => {
  for (const to of DTYPES) {
    const ticksOf = ticksBetween(typeOf(from), typeOf(to));
    const edges = [0n, 1n, 999n, 1000n, 86_399n, 86_400n, 2n ** 53n, MOST, LEAST];
    for (let scale = 1n; scale < 10n ** 18n; scale *= 1000n)
      edges.push(MOST / scale, LEAST / scale, 1_700_000_000n * scale);
    for (const edge of edges)
      for (const ticks of [edge, -edge, edge + 1n, edge - 1n])
        if (ticks >= LEAST && ticks <= MOST)
          expect([from, to, ticks, answerOf(() => ticksOf(ticks))]).toEqual([
            from,
            to,
            ticks,
            answerOf(() => ticksOfMoment(momentOf(ticks, from), to)),
          ]);
  }
});

it('a generic datetime64 has no moments', () => {
  const [generic, seconds] = [typeOf('datetime64'), typeOf('datetime64[s]')];
  expect(() => ticksBetween(generic, seconds)(1n)).toThrow(expect.objectContaining({ code: 'ERR_VALUE' }));
  expect(() => ticksBetween(seconds, generic)(1n)).toThrow(expect.objectContaining({ code: 'ERR_VALUE' }));
});

it('takes a small part of the time that attoseconds take', () => {
  const ticks = Array.from({ length: 50_000 }, (_, i) => 1_700_000_000_000n + 7_919_003n * BigInt(i));
  const least = (ticksOf: (ticks: bigint) => bigint): number => {
    const times = Array.from({ length: 7 }, () => {
      const start = process.cpuUsage();
      ticks.map(ticksOf);
      const { user, system } = process.cpuUsage(start);
      return user + system;
    });
    return Math.min(...times);
  };
  for (const to of ['datetime64[s]', 'datetime64[us]'] as const) {
    const ticksOf = ticksBetween(typeOf('datetime64[ms]'), typeOf(to));
    const long = least((each) => ticksOfMoment(momentOf(each, 'datetime64[ms]'), to));
    expect(least(ticksOf) / long).toBeLessThan(0.6);
  }
});
