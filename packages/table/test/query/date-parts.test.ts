// Parts of moments beside Date's, which counts milliseconds of some 270,000 years; beyond those beside a calendar of
// bigints. Ticks are drawn from edges of days, of exact doubles and of the words that they consist of.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { civilOfDays, floorDivide } from '../../src/values/calendar.ts';
import { NAT } from '../../src/values/nat.ts';
import { col, editTable } from '../../src/index.ts';
import type { EditWriter } from '../../src/index.ts';
import { tableFrom } from '../support/tables.ts';

const PARTS = ['year', 'month', 'day', 'hour', 'minute', 'second', 'weekday'] as const;
const TICKS_OF_DAY = { D: 1n, s: 86_400n, ms: 86_400_000n, us: 86_400_000_000n, ns: 86_400_000_000_000n } as const;
const MOST_OF_DATE = 8_640_000_000_000_000n;
const writer: EditWriter<string, object, string> = { write: async () => '', writeSync: () => '' };

function partsOf(tick: bigint, ticksOfDay: bigint): readonly (number | null)[] {
  if (tick === NAT) return PARTS.map(() => null);
  const days = floorDivide(tick, ticksOfDay);
  const milliseconds = floorDivide(tick * 86_400_000n, ticksOfDay);
  if (milliseconds <= MOST_OF_DATE && milliseconds >= -MOST_OF_DATE) {
    const date = new Date(Number(milliseconds));
    return [
      date.getUTCFullYear(),
      date.getUTCMonth() + 1,
      date.getUTCDate(),
      date.getUTCHours(),
      date.getUTCMinutes(),
      date.getUTCSeconds(),
      (date.getUTCDay() + 6) % 7,
    ];
  }
  const { year, month, day } = civilOfDays(days);
  const second = Number(floorDivide((tick - days * ticksOfDay) * 86_400n, ticksOfDay));
  const weekday = Number((((days + 3n) % 7n) + 7n) % 7n);
  // No double holds the last ones.
  const shown = Number.isSafeInteger(Number(year)) ? Number(year) : null;
  return [shown, month, day, Math.floor(second / 3600), Math.floor(second / 60) % 60, second % 60, weekday];
}

function computed(unit: string, ticks: readonly (bigint | null)[]): readonly (readonly unknown[])[] {
  const table = tableFrom({ t: [`datetime64[${unit}]?`, ticks] });
  // Years far away are no int32.
  const assigned = new Map(PARTS.map((part) => [part, col('t')[part]().cast('int64')]));
  const rows = editTable(table, writer).assign(assigned).table.toRowsSync() as readonly Record<string, unknown>[];
  return rows.map((row) => PARTS.map((part) => numberOf(row[part])));
}

const numberOf = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);

describe.each(Object.entries(TICKS_OF_DAY))('of ticks of %s', (unit, ticksOfDay) => {
  const edges = [0n, NAT, ticksOfDay, 2n ** 31n, 2n ** 32n, 2n ** 53n, 2n ** 54n, 2n ** 62n, 2n ** 63n - 1n];
  const near = fc.tuple(
    fc.constantFrom(...edges, ...edges.map((edge) => -edge)),
    fc.bigInt({ min: -20_000n, max: 20_000n }),
    fc.constantFrom(0n, 1n, -1n, ticksOfDay - 1n, ticksOfDay / 2n, ticksOfDay / 86_400n),
  );
  const tick = fc
    .oneof(
      near.map(([edge, days, more]) => edge + days * ticksOfDay + more),
      near.map(([edge, , more]) => edge + more),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    )
    .map((value) => BigInt.asIntN(64, value));

  test('each part is what a calendar says, of NaT and of null nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.option(tick), { minLength: 1, maxLength: 40 }), (ticks) => {
        expect(computed(unit, ticks)).toEqual(
          ticks.map((each) => (each === null ? PARTS.map(() => null) : partsOf(each, ticksOfDay))),
        );
      }),
      { numRuns: 300 },
    );
  });
});
