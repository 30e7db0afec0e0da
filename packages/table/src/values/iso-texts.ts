// `toISO` for many ticks of one dtype: days to nanoseconds of years with four digits in numbers, a day's text kept for
// the ticks that follow; what is rarer goes the long way.
import type { DType, DTypeInfo, TimeUnit } from '@colkit/io';
import { isMoment, parseDType } from '@colkit/io';
import { civilOfNearDays } from './calendar.ts';
import { NAT } from './nat.ts';
import { toISO } from './time.ts';

const SECONDS_OF_DAY = 86_400;
/** Days from 1970 to the first one of the years 0 and 10000. */
const [FIRST_DAY, END_DAY] = [-719_528, 2_932_897];
const NANOSECONDS = 1_000_000_000;
const DIGITS: Readonly<Partial<Record<TimeUnit, number>>> = { s: 0, ms: 3, us: 6, ns: 9 };
const TWO_DIGITS: readonly string[] = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));

/**
 * As `toISO` writes each.
 * @throws as `toISO` does, where a text is asked for.
 */
export function isoTexts(dtype: DType): (ticks: bigint) => string {
  const info: DTypeInfo = parseDType(dtype);
  const theLongWay = (ticks: bigint): string => toISO(ticks, dtype);
  if (!isMoment(info) || info.unit === null || info.step !== 1) return theLongWay;
  const days = new DayTexts();
  if (info.unit === 'D') return (ticks) => (ticks === NAT ? 'NaT' : (days.textOf(Number(ticks)) ?? theLongWay(ticks)));
  const digits = DIGITS[info.unit];
  if (digits === undefined) return theLongWay;
  const perSecond = 10 ** digits;
  return (ticks) => {
    if (ticks === NAT) return 'NaT';
    const number = Number(ticks);
    let seconds: number;
    let fraction: number;
    if (Number.isSafeInteger(number)) {
      // The quotient is rounded, and may be one too large.
      seconds = Math.floor(number / perSecond);
      fraction = number - seconds * perSecond;
      if (fraction < 0) [seconds, fraction] = [seconds - 1, fraction + perSecond];
    } else if (perSecond === NANOSECONDS) {
      // Towards zero.
      fraction = Number(ticks % BigInt(NANOSECONDS));
      seconds = Number(ticks / BigInt(NANOSECONDS));
      if (fraction < 0) [seconds, fraction] = [seconds - 1, fraction + perSecond];
    } else return theLongWay(ticks);
    const day = Math.floor(seconds / SECONDS_OF_DAY);
    const text = days.textOf(day);
    if (text === null) return theLongWay(ticks);
    const ofDay = seconds - day * SECONDS_OF_DAY;
    const minutes = Math.floor(ofDay / 60);
    const time = `T${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(ofDay % 60)}`;
    return digits === 0 ? text + time : `${text}${time}.${String(perSecond + fraction).slice(1)}`;
  };
}

function two(number: number): string {
  return TWO_DIGITS[number] as string;
}

class DayTexts {
  #day = Number.NaN;
  #text = '';

  /** Null for a year that has not four digits. */
  textOf(day: number): string | null {
    if (day === this.#day) return this.#text;
    if (!(day >= FIRST_DAY && day < END_DAY)) return null;
    const { year, month, day: ofMonth } = civilOfNearDays(day);
    this.#day = day;
    this.#text = `${String(year).padStart(4, '0')}-${two(month)}-${two(ofMonth)}`;
    return this.#text;
  }
}
