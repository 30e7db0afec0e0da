// Parts of moments that lie in a column as 64-bit ticks, computed in doubles: bigints are made of those alone that are
// so far from 1970 that a double does not hold them.
import { arrayOf } from '../../chunk/chunk.ts';
import type { Chunk } from '../../chunk/chunk.ts';
import { civilOfNearDays } from '../../values/calendar.ts';
import { NAT } from '../../values/nat.ts';
import type { ColumnRef } from '../bound-predicate.ts';
import type { DatePart } from '../functions.ts';
import { PERIOD_SECONDS, datePartOf, secondsReader, weekdayOf } from './date-parts.ts';
import type { RowSet } from './select-leaf.ts';
import type { VectorRoom } from './vector-room.ts';
import { nullsOf } from './vectors.ts';
import type { Vector } from './vectors.ts';

/** How many ticks, without their `shift` lowest bits, a day and a second have; up to `most` a calendar is exact. */
interface Unit {
  readonly shift: number;
  readonly most: number;
  readonly perDay: number;
  readonly perSecond: number;
}

/** A power of two. */
const KEPT_DAYS = 4096;
const EXACT = Number.MAX_SAFE_INTEGER;

const UNITS: Readonly<Record<string, Unit>> = {
  D: { shift: 0, most: 2 ** 50, perDay: 1, perSecond: 1 / 86_400 },
  s: { shift: 0, most: EXACT, perDay: 86_400, perSecond: 1 },
  ms: { shift: 0, most: EXACT, perDay: 86_400_000, perSecond: 1000 },
  us: { shift: 0, most: EXACT, perDay: 86_400_000_000, perSecond: 1_000_000 },
  // A second has 2^9 times as many: without those bits the moments of nearly three centuries are exact doubles.
  ns: { shift: 9, most: EXACT, perDay: 86_400 * 1_953_125, perSecond: 1_953_125 },
};

/** Null where the column's unit, or its form, is another one. NaT has no parts: they are null. */
export function storedDatePart(
  part: DatePart,
  ref: ColumnRef,
  column: Chunk,
  from: RowSet,
  room: VectorRoom,
): Vector | null {
  const unit = UNITS[/\[(D|s|ms|us|ns)\]$/.exec(ref.info.name)?.[1] ?? ''];
  if (unit === undefined || column.kind !== 'fixed') return null;
  const ticks = arrayOf(ref.info, column.bytes) as BigInt64Array;
  const words = new Int32Array(ticks.buffer, ticks.byteOffset, 2 * ticks.length);
  const values = room.doubles(from.count);
  const known = nullsOf(column, from);
  let nulls = known;
  let most = 0;
  const { shift } = unit;
  const upper = 2 ** (32 - shift);
  const secondsOf = secondsReader(ref.info.name);
  const { perPeriod, partOf } = periods(part, unit);
  const { rows, count } = from;
  // Rows that follow one another often lie in the same period, of which the part is known.
  let start = 0;
  let end = 0;
  let value = 0;
  let isMissing = false;
  for (let index = 0; index < count; index += 1) {
    if (known !== null && known[index] === 1) {
      values[index] = 0;
      continue;
    }
    const row = rows === null ? index : (rows[index] as number);
    const near = (words[2 * row + 1] as number) * upper + ((words[2 * row] as number) >>> shift);
    if (near < start || near >= end) {
      const isNear = Math.abs(near) <= unit.most;
      const period = isNear ? floorDivide(near, perPeriod) : 0;
      start = isNear ? period * perPeriod : 0;
      end = isNear ? start + perPeriod : 0;
      const found = isNear ? partOf(period) : farPart(part, ticks[row] ?? NAT, secondsOf);
      isMissing = found === null;
      value = found ?? 0;
      if (Math.abs(value) > most) most = Math.abs(value);
    }
    values[index] = value;
    if (isMissing) {
      if (nulls === known) nulls = known?.slice() ?? new Uint8Array(count);
      (nulls as Uint8Array)[index] = 1;
    }
  }
  return { kind: 'numbers', values, most, nulls };
}

/** Ticks of a period within which a part stays the same, and the part of a period by its number since 1970. */
interface Periods {
  readonly perPeriod: number;
  readonly partOf: (period: number) => number;
}

function periods(part: DatePart, { perDay, perSecond }: Unit): Periods {
  switch (part) {
    case 'hour':
    case 'minute':
    case 'second': {
      // Days have no time.
      if (perDay === 1) return { perPeriod: 1, partOf: () => 0 };
      const periodsAround = part === 'hour' ? 24 : 60;
      return {
        perPeriod: Number(PERIOD_SECONDS[part]) * perSecond,
        partOf: (period) => ((period % periodsAround) + periodsAround) % periodsAround,
      };
    }
    default:
      return { perPeriod: perDay, partOf: dayPart(part) };
  }
}

type DayPart = 'year' | 'month' | 'day' | 'weekday';

/** Columns have few days beside their rows: the part of a day is kept until another one takes its place. */
const keptDays = new Map<DayPart, { readonly days: Float64Array; readonly parts: Float64Array }>();

function dayPart(part: DayPart): (day: number) => number {
  const kept = keptDays.get(part) ?? {
    days: new Float64Array(KEPT_DAYS).fill(Number.NaN),
    parts: new Float64Array(KEPT_DAYS),
  };
  keptDays.set(part, kept);
  const { days, parts } = kept;
  return (day) => {
    const place = day & (KEPT_DAYS - 1);
    if (days[place] !== day) {
      days[place] = day;
      parts[place] = part === 'weekday' ? weekdayOf(day) : civilOfNearDays(day)[part];
    }
    return parts[place] as number;
  };
}

function farPart(part: DatePart, tick: bigint, secondsOf: (tick: bigint) => bigint): number | null {
  return tick === NAT ? null : datePartOf(part, secondsOf(tick));
}

/** Of exact integers. The rounded quotient may be the next integer, but none below. */
function floorDivide(value: number, divisor: number): number {
  const quotient = Math.floor(value / divisor);
  return quotient * divisor > value ? quotient - 1 : quotient;
}
