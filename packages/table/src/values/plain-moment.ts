// Moments as programs write them, 2024-05-01 and 2024-05-01T12:30:59.250Z, in numbers: a regular expression and bigints
// for each take twenty times as long. What is written in another way goes the long way (time.ts).
import { isMoment } from '@colkit/io';
import type { DTypeInfo, TimeUnit } from '@colkit/io';
import { daysInMonth, daysOfNearCivil } from './calendar.ts';
import { NAT } from './nat.ts';

/** Of a second, by unit. */
export const FRACTION_DIGITS: Readonly<Partial<Record<TimeUnit, number>>> = {
  ms: 3,
  us: 6,
  ns: 9,
  ps: 12,
  fs: 15,
  as: 18,
};

const [ZERO, DASH, COLON, POINT, SPACE, LETTER_T, LETTER_Z] = [0x30, 0x2d, 0x3a, 0x2e, 0x20, 0x54, 0x5a];
const DATE_LENGTH = 10;
const MINUTES_LENGTH = 16;
const SECONDS_LENGTH = 19;
/** More digits of a second are no safe integers beside the others. */
const MOST_DIGITS = 9;
export const SECONDS_OF_DAY = 86_400;

export interface PlainMoment {
  /** Since 1970. */
  days: number;
  /** Of the day. */
  seconds: number;
  /** In units of the last digit. */
  fraction: number;
  /** Of the fraction. */
  digits: number;
  /** What stands behind the date: nothing, a space or a T. */
  separator: '' | ' ' | 'T';
}

/** Used again for each text. */
const FOUND: PlainMoment = { days: 0, seconds: 0, fraction: 0, digits: 0, separator: '' };

/** Years 0001 to 9999, in UTC, with or without `Z`. Null for any other text. Good until the next call. */
export function plainMoment(text: string): PlainMoment | null {
  const { length } = text;
  if (length < DATE_LENGTH || text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH) return null;
  const year = 100 * twoDigits(text, 0) + twoDigits(text, 2);
  const [month, day] = [twoDigits(text, 5), twoDigits(text, 8)];
  if (!(year >= 1 && day >= 1 && day <= daysInMonth(year, month))) return null;
  FOUND.days = daysOfNearCivil(year, month, day);
  FOUND.seconds = FOUND.fraction = FOUND.digits = 0;
  FOUND.separator = '';
  if (length === DATE_LENGTH) return FOUND;
  const separator = text.charCodeAt(DATE_LENGTH);
  if ((separator !== LETTER_T && separator !== SPACE) || length < MINUTES_LENGTH) return null;
  FOUND.separator = separator === SPACE ? ' ' : 'T';
  const [hour, minute] = [twoDigits(text, 11), twoDigits(text, 14)];
  if (!(text.charCodeAt(13) === COLON && hour <= 23 && minute <= 59)) return null;
  const end = text.charCodeAt(length - 1) === LETTER_Z ? length - 1 : length;
  if (end === MINUTES_LENGTH) {
    FOUND.seconds = 3600 * hour + 60 * minute;
    return FOUND;
  }
  const second = twoDigits(text, 17);
  if (!(text.charCodeAt(16) === COLON && second <= 59) || end < SECONDS_LENGTH) return null;
  FOUND.seconds = 3600 * hour + 60 * minute + second;
  if (end === SECONDS_LENGTH) return FOUND;
  const digits = end - SECONDS_LENGTH - 1;
  if (text.charCodeAt(SECONDS_LENGTH) !== POINT || digits < 1 || digits > MOST_DIGITS) return null;
  for (let at = SECONDS_LENGTH + 1; at < end; at += 1) {
    const digit = text.charCodeAt(at) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return null;
    FOUND.fraction = 10 * FOUND.fraction + digit;
  }
  FOUND.digits = digits;
  return FOUND;
}

/** In place of digits: ticks are days. */
export const OF_DAYS = -1;

/** How many digits of a second ticks have that are looked at in numbers; null: the long way has to. */
export function tickDigits(info: DTypeInfo): number | null {
  if (!isMoment(info) || info.unit === null || info.step !== 1) return null;
  if (info.unit === 'D') return OF_DAYS;
  const digits = info.unit === 's' ? 0 : FRACTION_DIGITS[info.unit];
  return digits === undefined || digits > MOST_DIGITS ? null : digits;
}

/** The tick of a plain moment; null where the long way has to find it, or what is wrong with it. */
export function plainTicks(text: string, info: DTypeInfo): bigint | null {
  const most = tickDigits(info);
  const found = most === null ? null : plainMoment(text);
  if (most === null || found === null) return null;
  if (most === OF_DAYS) return found.seconds === 0 && found.digits === 0 ? BigInt(found.days) : null;
  if (found.digits > most) return null;
  const seconds = SECONDS_OF_DAY * found.days + found.seconds;
  const fraction = found.fraction * 10 ** (most - found.digits);
  const ticks = seconds * 10 ** most + fraction;
  if (Number.isSafeInteger(ticks)) return BigInt(ticks);
  const exact = BigInt(seconds) * 10n ** BigInt(most) + BigInt(fraction);
  return BigInt.asIntN(64, exact) === exact && exact !== NAT ? exact : null;
}

/** The tick of a date, in milliseconds or finer; null where the long way has to find it, or what is wrong with it. */
export function plainDateTicks(date: Date, info: DTypeInfo): bigint | null {
  const digits = tickDigits(info);
  const milliseconds = date.getTime();
  if (digits === null || digits < 3 || Number.isNaN(milliseconds)) return null;
  const exact = BigInt(milliseconds) * BigInt(10 ** (digits - 3));
  return BigInt.asIntN(64, exact) === exact && exact !== NAT ? exact : null;
}

/** NaN where there are none. */
function twoDigits(text: string, at: number): number {
  const [tens, ones] = [text.charCodeAt(at) - ZERO, text.charCodeAt(at + 1) - ZERO];
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? 10 * tens + ones : Number.NaN;
}
