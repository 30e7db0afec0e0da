// Moments -> their years, months, days, hours, minutes, seconds and weekdays, in UTC.
import type { DType } from '@colkit/io';
import { civilOfDays, floorDivide } from '../../values/calendar.ts';
import { momentOf } from '../../values/time.ts';
import type { DatePart } from '../functions.ts';
import type { Vector } from './vectors.ts';

const ATTOSECONDS_OF_SECOND = 10n ** 18n;
const SECONDS_OF_DAY = 86_400;
/** Days within which numbers are exact, and years have at most seven digits. */
const MOST_DAYS = 1_000_000_000n;

/** @param moments ticks, or NaN for NaT, whose parts are null. */
export function datePartVector(part: DatePart, dtype: DType, moments: Vector, count: number): Vector {
  const nulls = moments.nulls?.slice() ?? new Uint8Array(count);
  const values = new Float64Array(count);
  let most = 0;
  // Neighbours are often of one day.
  let [lastDay, lastPart] = [Number.NaN, 0];
  const isOfDay = part === 'year' || part === 'month' || part === 'day' || part === 'weekday';
  const ticks = moments.values as ArrayLike<bigint | number>;
  const secondsOf = secondsReader(dtype);
  for (let row = 0; row < count; row += 1) {
    const tick = ticks[row];
    if (typeof tick !== 'bigint') nulls[row] = 1;
    if (nulls[row] === 1) continue;
    const seconds = secondsOf(tick as bigint);
    const days = floorDivide(seconds, 86_400n);
    if (days > MOST_DAYS || days < -MOST_DAYS) {
      values[row] = partOfFarDay(part, days, seconds);
    } else if (isOfDay) {
      const day = Number(days);
      if (day !== lastDay) [lastDay, lastPart] = [day, partOfDay(part, day)];
      values[row] = lastPart;
    } else values[row] = partOfSecond(part, Number(seconds) - SECONDS_OF_DAY * Number(days));
    const size = Math.abs(values[row] as number);
    if (size > most) most = size;
    if (!Number.isSafeInteger(values[row])) nulls[row] = 1;
  }
  return {
    kind: 'numbers',
    values,
    most: Math.min(most, Number.MAX_SAFE_INTEGER),
    nulls: nulls.includes(1) ? nulls : null,
  };
}

/** Whole seconds since 1970 of ticks, rounded down. */
function secondsReader(dtype: DType): (ticks: bigint) => bigint {
  const unit = /\[(s|ms|us|ns)\]$/.exec(dtype)?.[1];
  const perSecond = { s: 1n, ms: 1000n, us: 1_000_000n, ns: 1_000_000_000n }[unit ?? ''];
  if (perSecond === undefined) return (ticks) => floorDivide(momentOf(ticks, dtype), ATTOSECONDS_OF_SECOND);
  return (ticks) => floorDivide(ticks, perSecond);
}

function partOfSecond(part: DatePart, second: number): number {
  if (part === 'hour') return Math.floor(second / 3600);
  return part === 'minute' ? Math.floor(second / 60) % 60 : second % 60;
}

function partOfDay(part: DatePart, day: number): number {
  // 1970 began on a Thursday, the fourth day of its week.
  if (part === 'weekday') return (((day + 3) % 7) + 7) % 7;
  const civil = civilOfDays(BigInt(day));
  return part === 'year' ? Number(civil.year) : part === 'month' ? civil.month : civil.day;
}

function partOfFarDay(part: DatePart, days: bigint, seconds: bigint): number {
  if (part === 'weekday') return Number((((days + 3n) % 7n) + 7n) % 7n);
  if (part === 'hour' || part === 'minute' || part === 'second')
    return partOfSecond(part, Number(seconds - days * 86_400n));
  const civil = civilOfDays(days);
  return part === 'year' ? Number(civil.year) : part === 'month' ? civil.month : civil.day;
}
