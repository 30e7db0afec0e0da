// Moments -> their years, months, days, hours, minutes, seconds and weekdays, in UTC.
import type { DType } from '@colkit/io';
import { civilOfDays, floorDivide } from '../../values/calendar.ts';
import { momentOf } from '../../values/time.ts';
import type { DatePart } from '../functions.ts';
import type { Vector } from './vectors.ts';

export const ATTOSECONDS_OF_SECOND = 10n ** 18n;
export const SECONDS_OF_DAY = 86_400n;
/** So many seconds, from each multiple of that on, have the same part. */
export const PERIOD_SECONDS: Readonly<Record<DatePart, bigint>> = {
  year: SECONDS_OF_DAY,
  month: SECONDS_OF_DAY,
  day: SECONDS_OF_DAY,
  weekday: SECONDS_OF_DAY,
  hour: 3600n,
  minute: 60n,
  second: 1n,
};

/** @param moments ticks, or NaN for NaT, whose parts are null. */
export function datePartVector(part: DatePart, dtype: DType, moments: Vector, count: number): Vector {
  const nulls = moments.nulls?.slice() ?? new Uint8Array(count);
  const values = new Float64Array(count);
  let most = 0;
  const ticks = moments.values as ArrayLike<bigint | number>;
  const secondsOf = secondsReader(dtype);
  for (let row = 0; row < count; row += 1) {
    const tick = ticks[row];
    const value = typeof tick === 'bigint' && nulls[row] === 0 ? datePartOf(part, secondsOf(tick)) : null;
    if (value === null) nulls[row] = 1;
    else {
      values[row] = value;
      most = Math.max(most, Math.abs(value));
    }
  }
  return { kind: 'numbers', values, most, nulls: nulls.includes(1) ? nulls : null };
}

/** @param seconds since 1970. @returns null for a year that no double holds. */
export function datePartOf(part: DatePart, seconds: bigint): number | null {
  const days = floorDivide(seconds, SECONDS_OF_DAY);
  switch (part) {
    case 'year': {
      const year = Number(civilOfDays(days).year);
      return Number.isSafeInteger(year) ? year : null;
    }
    case 'month':
      return civilOfDays(days).month;
    case 'day':
      return civilOfDays(days).day;
    case 'weekday':
      return weekdayOf(Number(days % 7n));
    default:
      return partOfSecond(part, Number(seconds - SECONDS_OF_DAY * days));
  }
}

/** 1970 began on a Thursday, the fourth day of its week. @param day since then, or that modulo 7. */
export function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}

/** @param second of the day. */
function partOfSecond(part: 'hour' | 'minute' | 'second', second: number): number {
  if (part === 'hour') return Math.floor(second / 3600);
  return part === 'minute' ? Math.floor(second / 60) % 60 : second % 60;
}

/** Ticks of a dtype -> whole seconds since 1970, rounded down. */
export function secondsReader(dtype: DType): (ticks: bigint) => bigint {
  const unit = /\[(s|ms|us|ns)\]$/.exec(dtype)?.[1];
  const perSecond = { s: 1n, ms: 1000n, us: 1_000_000n, ns: 1_000_000_000n }[unit ?? ''];
  if (perSecond === undefined) return (ticks) => floorDivide(momentOf(ticks, dtype), ATTOSECONDS_OF_SECOND);
  return (ticks) => floorDivide(ticks, perSecond);
}
