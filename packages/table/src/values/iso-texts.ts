// `toISO` for many ticks of one dtype: days to nanoseconds of years with four digits in numbers, a day's text kept for
// the ticks that follow; what is rarer goes the long way.
import { parseDType } from '@colkit/io';
import type { DType, DTypeInfo } from '@colkit/io';
import { civilOfNearDays } from './calendar.ts';
import { NAT } from './nat.ts';
import { OF_DAYS, SECONDS_OF_DAY, tickDigits } from './plain-moment.ts';
import { toISO, twoDigits } from './time.ts';

/** Days from 1970 to the first one of the years 0 and 10000. */
const [FIRST_DAY, END_DAY] = [-719_528, 2_932_897];

/**
 * As `toISO` writes each.
 * @throws as `toISO` does, where a text is asked for.
 */
export function isoTexts(dtype: DType): (ticks: bigint) => string {
  const info: DTypeInfo = parseDType(dtype);
  const theLongWay = (ticks: bigint): string => toISO(ticks, dtype);
  const digits = tickDigits(info);
  if (digits === null) return theLongWay;
  const days = new DayTexts();
  if (digits === OF_DAYS) return (ticks) => (ticks === NAT ? 'NaT' : (days.textOf(Number(ticks)) ?? theLongWay(ticks)));
  const perSecond = 10 ** digits;
  const wholeSecond = BigInt(perSecond);
  return (ticks) => {
    if (ticks === NAT) return 'NaT';
    const number = Number(ticks);
    const isSafe = Number.isSafeInteger(number);
    let seconds = isSafe ? Math.floor(number / perSecond) : Number(ticks / wholeSecond);
    let fraction = isSafe ? number - seconds * perSecond : Number(ticks % wholeSecond);
    // A rounded quotient may be one too large, and division of bigints rounds towards zero.
    if (fraction < 0) [seconds, fraction] = [seconds - 1, fraction + perSecond];
    const day = Math.floor(seconds / SECONDS_OF_DAY);
    const text = days.textOf(day);
    if (text === null) return theLongWay(ticks);
    const ofDay = seconds - day * SECONDS_OF_DAY;
    const minutes = Math.floor(ofDay / 60);
    const time = `T${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}:${twoDigits(ofDay % 60)}`;
    return digits === 0 ? text + time : `${text}${time}.${String(perSecond + fraction).slice(1)}`;
  };
}

/** A day, a month and a year are UTC already to whoever reads them; an hour alone is no time to JavaScript's Date. */
const ENDS: Readonly<Record<string, string>> = { Y: '', M: '', W: '', D: '', h: ':00Z' };

/** What has to stand behind the text of a moment, so that others read it as UTC. */
export function endInUTC(info: DTypeInfo): string {
  return ('unit' in info && info.unit !== null ? ENDS[info.unit] : null) ?? 'Z';
}

/** The text of a day, kept for the next one. */
export class DayTexts {
  #day = Number.NaN;
  #text = '';

  /** Null for a year that has not four digits. */
  textOf(day: number): string | null {
    if (day === this.#day) return this.#text;
    if (!(day >= FIRST_DAY && day < END_DAY)) return null;
    const { year, month, day: ofMonth } = civilOfNearDays(day);
    this.#day = day;
    this.#text = `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(ofMonth)}`;
    return this.#text;
  }
}
