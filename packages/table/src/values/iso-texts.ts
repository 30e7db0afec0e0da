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

const ZERO = 0x30;

/**
 * As `toISO` writes each, with what is to stand behind each moment (and behind no NaT).
 * @throws as `toISO` does, where a text is asked for.
 */
export function isoTexts(dtype: DType, end = ''): (ticks: bigint) => string {
  const info: DTypeInfo = parseDType(dtype);
  const theLongWay = (ticks: bigint): string => toISO(ticks, dtype) + (ticks === NAT ? '' : end);
  const digits = tickDigits(info);
  if (digits === null) return theLongWay;
  if (digits === OF_DAYS) {
    const days = new DayTexts();
    return (ticks) => {
      const text = ticks === NAT ? null : days.textOf(Number(ticks));
      return text === null ? theLongWay(ticks) : text + end;
    };
  }
  const perSecond = 10 ** digits;
  const wholeSecond = BigInt(perSecond);
  // Each text is made of its characters at once: one that is joined of pieces stays a tree of strings, whose collection
  // takes several times as long.
  const pattern = `0000-00-00T00:00:00${digits === 0 ? '' : `.${'0'.repeat(digits)}`}${end}`;
  const codes = Array.from(pattern, (character) => character.charCodeAt(0));
  let dayOfCodes = Number.NaN;
  return (ticks) => {
    if (ticks === NAT) return 'NaT';
    const number = Number(ticks);
    const isSafe = Number.isSafeInteger(number);
    let seconds = isSafe ? Math.floor(number / perSecond) : Number(ticks / wholeSecond);
    let fraction = isSafe ? number - seconds * perSecond : Number(ticks % wholeSecond);
    // A rounded quotient may be one too large, and division of bigints rounds towards zero.
    if (fraction < 0) [seconds, fraction] = [seconds - 1, fraction + perSecond];
    const day = Math.floor(seconds / SECONDS_OF_DAY);
    if (!(day >= FIRST_DAY && day < END_DAY)) return theLongWay(ticks);
    if (day !== dayOfCodes) {
      const date = civilOfNearDays(day);
      putDigits(codes, 0, 4, date.year);
      putDigits(codes, 5, 2, date.month);
      putDigits(codes, 8, 2, date.day);
      dayOfCodes = day;
    }
    const ofDay = seconds - day * SECONDS_OF_DAY;
    const minutes = Math.floor(ofDay / 60);
    const hours = Math.floor(minutes / 60);
    putDigits(codes, 11, 2, hours);
    putDigits(codes, 14, 2, minutes - 60 * hours);
    putDigits(codes, 17, 2, ofDay - 60 * minutes);
    putDigits(codes, 20, digits, fraction);
    // eslint-disable-next-line no-restricted-syntax -- thirty at most
    return String.fromCharCode.apply(null, codes);
  };
}

function putDigits(codes: number[], at: number, count: number, value: number): void {
  for (let place = at + count - 1, rest = value; place >= at; place--) {
    const tens = Math.floor(rest / 10);
    codes[place] = ZERO + rest - 10 * tens;
    rest = tens;
  }
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
