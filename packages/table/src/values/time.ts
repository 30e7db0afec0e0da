// Ticks of a datetime64 dtype <-> ISO 8601 text (as numpy writes it, but that years beyond four digits have a sign and
// six), and JavaScript dates. Any unit and multiple ('25s'), NaT included. Nothing is rounded unless it is asked for.
import { ArgumentError, assertNever, checkOptions, isMoment, isTime, option, parseDType } from '@colkit/io';
import type { DType, OptionSet, TimeUnit } from '@colkit/io';
import { NAT } from './nat.ts';
import { FRACTION_DIGITS, plainDateTicks, plainTicks } from './plain-moment.ts';
import { civilOfDays, daysInMonth, daysOfCivil, daysOfMonths, floorDivide } from './calendar.ts';

const LARGEST_TICK = 2n ** 63n - 1n;
/** Most milliseconds that a Date holds, both ways from 1970. */
const DATE_LIMIT = 8_640_000_000_000_000n;
const ATTOSECONDS_OF_MILLISECOND = 10n ** 15n;
const ATTOSECONDS_OF_DAY = 86_400n * 10n ** 18n;

/** Attoseconds of one unit; null for the calendar units, whose length varies. */
export const ATTOSECONDS: Readonly<Record<TimeUnit, bigint | null>> = {
  Y: null,
  M: null,
  W: 7n * ATTOSECONDS_OF_DAY,
  D: ATTOSECONDS_OF_DAY,
  h: 3600n * 10n ** 18n,
  m: 60n * 10n ** 18n,
  s: 10n ** 18n,
  ms: 10n ** 15n,
  us: 10n ** 12n,
  ns: 10n ** 9n,
  ps: 10n ** 6n,
  fs: 10n ** 3n,
  as: 1n,
};
interface DatetimeType {
  readonly unit: TimeUnit;
  readonly step: bigint;
}

/**
 * ISO 8601 text, as long as the unit asks ('1980-10-29' for days, '1980-10-29T05:15:15.226181046' for nanoseconds),
 * 'NaT' for not-a-time. UTC, without a zone: what numpy writes from the year 0 to 9999; beyond, years have a sign and
 * at least six digits ('-000001-12-31', '+010000-01-01').
 * @throws ArgumentError ERR_VALUE for a generic datetime64, whose ticks have no meaning; ERR_ARGUMENT for a dtype that
 * is not a datetime64.
 */
export function toISO(ticks: bigint, dtype: DType): string {
  const type = datetimeType(dtype);
  if (ticks === NAT) return 'NaT';
  const { unit, step } = known(type, dtype);
  const count = ticks * step;
  if (unit === 'Y') return yearText(count + 1970n);
  if (unit === 'M') {
    const year = floorDivide(count, 12n);
    return `${yearText(year + 1970n)}-${twoDigits(Number(count - year * 12n) + 1)}`;
  }
  const total = count * linear(unit);
  const days = floorDivide(total, ATTOSECONDS_OF_DAY);
  const { year, month, day } = civilOfDays(days);
  return `${yearText(year)}-${twoDigits(month)}-${twoDigits(day)}${timeText(total - days * ATTOSECONDS_OF_DAY, unit)}`;
}

interface ToDateOptions {
  /** Drop what is finer than a millisecond (towards the past) instead of refusing it. */
  readonly truncate?: boolean;
}

const TO_DATE_OPTIONS: OptionSet<ToDateOptions> = { truncate: option.flag };

/**
 * Ticks -> Date. NaT becomes an invalid Date.
 * @throws ArgumentError ERR_VALUE where a Date cannot hold the moment exactly (finer than a millisecond, beyond the
 * years +-271821) or the datetime64 is generic.
 */
export function toDate(ticks: bigint, dtype: DType, options: ToDateOptions = {}): Date {
  checkOptions('toDate', TO_DATE_OPTIONS, options);
  return datesOfTicks(dtype, options)(ticks);
}

/** As `toDate`, for many ticks of one dtype. */
export function datesOfTicks(dtype: DType, { truncate = false }: ToDateOptions): (ticks: bigint) => Date {
  const type = datetimeType(dtype);
  const perMillisecond = type === null ? null : ticksPerMillisecond(type);
  return (ticks) => {
    if (ticks === NAT) return new Date(Number.NaN);
    if (perMillisecond !== null) {
      const milliseconds = floorDivide(ticks, perMillisecond);
      const isExact = truncate || milliseconds * perMillisecond === ticks;
      if (isExact && milliseconds <= DATE_LIMIT && milliseconds >= -DATE_LIMIT) return new Date(Number(milliseconds));
    }
    return exactDate(attoseconds(ticks, known(type, dtype)), truncate, () => toISO(ticks, dtype));
  };
}

/** For the units that tables have most; null: go by attoseconds. */
function ticksPerMillisecond({ unit, step }: DatetimeType): bigint | null {
  const length = ATTOSECONDS[unit];
  if (length === null || ATTOSECONDS_OF_MILLISECOND % (length * step) !== 0n) return null;
  return ATTOSECONDS_OF_MILLISECOND / (length * step);
}

function exactDate(moment: bigint, truncate: boolean, shown: () => string): Date {
  const milliseconds = floorDivide(moment, ATTOSECONDS_OF_MILLISECOND);
  if (!truncate && milliseconds * ATTOSECONDS_OF_MILLISECOND !== moment) {
    throw new ArgumentError(
      'ERR_VALUE',
      'ticks',
      'whole milliseconds, the finest that a Date holds ({ truncate: true } cuts them off)',
      shown(),
    );
  }
  if (milliseconds > DATE_LIMIT || milliseconds < -DATE_LIMIT)
    throw new ArgumentError('ERR_VALUE', 'ticks', 'a moment that a Date can hold', shown());
  return new Date(Number(milliseconds));
}

/**
 * Date -> ticks. An invalid Date becomes NaT.
 * @throws ArgumentError ERR_VALUE where the dtype's unit cannot hold the date exactly.
 */
export function fromDate(date: Date, dtype: DType): bigint {
  const plain = plainDateTicks(date, parseDType(dtype));
  if (plain !== null) return plain;
  const type = datetimeType(dtype);
  const milliseconds = date.getTime();
  if (Number.isNaN(milliseconds)) return NAT;
  return ticksOf(BigInt(milliseconds) * ATTOSECONDS_OF_MILLISECOND, known(type, dtype), dtype, () =>
    date.toISOString(),
  );
}

/**
 * ISO 8601 text -> ticks: a year, a month, a date, or a date and a time with up to 18 digits of fraction, and `Z` or an
 * offset (`+02:00`, `+0200`, `+02`). Without a zone it is UTC, never local. 'NaT' is not-a-time.
 * @throws ArgumentError ERR_VALUE for other text, for a day that does not exist, and where the dtype's unit cannot hold
 * the moment exactly.
 */
export function fromISO(text: string, dtype: DType): bigint {
  const plain = plainTicks(text, parseDType(dtype));
  if (plain !== null) return plain;
  const type = datetimeType(dtype);
  if (text === 'NaT') return NAT;
  return ticksOf(parseMoment(text), known(type, dtype), dtype, () => JSON.stringify(text));
}

/**
 * The last tick at or before a moment, in the unit of a datetime64, and whether it is that moment exactly: what a
 * comparison with a column of coarser ticks needs. Not limited to int64. Null for an invalid Date and 'NaT'.
 * @throws ArgumentError ERR_VALUE as `fromISO`.
 */
export function ticksAtOrBefore(
  value: string | Date,
  dtype: DType,
): { readonly ticks: bigint; readonly exact: boolean } | null {
  const type = datetimeType(dtype);
  if (value === 'NaT' || (value instanceof Date && Number.isNaN(value.getTime()))) return null;
  const moment = typeof value === 'string' ? parseMoment(value) : BigInt(value.getTime()) * ATTOSECONDS_OF_MILLISECOND;
  const { unit, step } = known(type, dtype);
  const ticks = floorDivide(unitsOf(moment, unit), step);
  return { ticks, exact: attoseconds(ticks, { unit, step }) === moment };
}

/**
 * Attoseconds since 1970: moments of columns of different units on one scale. Not for NaT, nor for a datetime64 without
 * a unit.
 */
export function momentOf(ticks: bigint, dtype: DType): bigint {
  return attoseconds(ticks, known(datetimeType(dtype), dtype));
}

/**
 * The last tick at or before a moment in attoseconds since 1970: the inverse of `momentOf`.
 * @throws ArgumentError ERR_VALUE for a moment beyond 64 bits of ticks.
 */
export function ticksOfMoment(moment: bigint, dtype: DType): bigint {
  const { unit, step } = known(datetimeType(dtype), dtype);
  const ticks = floorDivide(unitsOf(moment, unit), step);
  if (ticks > LARGEST_TICK || ticks <= NAT)
    throw new ArgumentError('ERR_VALUE', 'value', `a moment within the range of ${dtype}`, `${String(ticks)} ticks`);
  return ticks;
}

/**
 * How long a tick is, on a scale that ticks of other units are on too: attoseconds, or months for years and months. Not
 * for a timedelta64 without a unit.
 */
export function tickLength(dtype: DType): bigint {
  const info = parseDType(dtype);
  if (!isTime(info) || isMoment(info) || info.unit === null)
    throw new ArgumentError('ERR_ARGUMENT', 'dtype', 'a timedelta64 with a unit', dtype);
  return (ATTOSECONDS[info.unit] ?? (info.unit === 'Y' ? 12n : 1n)) * BigInt(info.step);
}

const ISO =
  /^(-?\d{4,18}|\+\d{4,18}|-\d{3})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d)(?::?(\d\d)(?::?(\d\d)(?:\.(\d{1,18}))?)?)?(Z|[+-]\d\d(?::?\d\d)?)?)?)?)?$/;

/** Attoseconds since 1970 of a text. */
function parseMoment(text: string): bigint {
  const match = ISO.exec(text);
  if (match === null) throw invalidText(text);
  const part = (index: number, absent: number): number => (match[index] === undefined ? absent : Number(match[index]));
  const year = BigInt((match[1] ?? '').replace('+', ''));
  const [month, day, hour, minute, second] = [part(2, 1), part(3, 1), part(4, 0), part(5, 0), part(6, 0)];
  // What is no month has no days.
  const days = daysInMonth(Number(year % 400n), month);
  if (day < 1 || day > days || hour > 23 || minute > 59 || second > 59) throw invalidText(text);
  const fraction = BigInt((match[7] ?? '').padEnd(18, '0'));
  const seconds =
    daysOfCivil(year, month, day) * 86_400n + BigInt(hour * 3600 + minute * 60 + second - zoneSeconds(match[8], text));
  return seconds * 10n ** 18n + fraction;
}

function zoneSeconds(zone: string | undefined, text: string): number {
  if (zone === undefined || zone === 'Z') return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), zone.length === 3 ? 0 : Number(zone.slice(-2))];
  if (hours > 23 || minutes > 59) throw invalidText(text);
  return (zone.startsWith('-') ? -1 : 1) * (hours * 3600 + minutes * 60);
}

/** Attoseconds since 1970 of ticks. */
function attoseconds(ticks: bigint, { unit, step }: DatetimeType): bigint {
  const count = ticks * step;
  if (unit === 'Y') return daysOfMonths(count * 12n) * ATTOSECONDS_OF_DAY;
  if (unit === 'M') return daysOfMonths(count) * ATTOSECONDS_OF_DAY;
  return count * linear(unit);
}

/** The inverse of `attoseconds`, exact or refused. */
function ticksOf(moment: bigint, type: DatetimeType, dtype: DType, shown: () => string): bigint {
  const ticks = floorDivide(unitsOf(moment, type.unit), type.step);
  if (attoseconds(ticks, type) !== moment)
    throw new ArgumentError('ERR_VALUE', 'value', `a moment that ${dtype} holds exactly`, shown());
  if (ticks > LARGEST_TICK || ticks <= NAT)
    throw new ArgumentError('ERR_VALUE', 'value', `a moment within the range of ${dtype}`, shown());
  return ticks;
}

function unitsOf(moment: bigint, unit: TimeUnit): bigint {
  if (unit !== 'Y' && unit !== 'M') return floorDivide(moment, linear(unit));
  const { year, month } = civilOfDays(floorDivide(moment, ATTOSECONDS_OF_DAY));
  return unit === 'Y' ? year - 1970n : (year - 1970n) * 12n + BigInt(month - 1);
}

function timeText(ofDay: bigint, unit: TimeUnit): string {
  if (unit === 'W' || unit === 'D') return '';
  const seconds = Number(ofDay / 10n ** 18n);
  const hour = twoDigits(Math.floor(seconds / 3600));
  const minute = twoDigits(Math.floor(seconds / 60) % 60);
  switch (unit) {
    case 'h':
      return `T${hour}`;
    case 'm':
      return `T${hour}:${minute}`;
    case 's':
      return `T${hour}:${minute}:${twoDigits(seconds % 60)}`;
    case 'ms':
    case 'us':
    case 'ns':
    case 'ps':
    case 'fs':
    case 'as': {
      const fraction = String(ofDay % 10n ** 18n)
        .padStart(18, '0')
        .slice(0, FRACTION_DIGITS[unit]);
      return `T${hour}:${minute}:${twoDigits(seconds % 60)}.${fraction}`;
    }
    case 'Y':
    case 'M':
      return '';
    default:
      return assertNever(unit);
  }
}

function datetimeType(dtype: DType): DatetimeType | null {
  const info = parseDType(dtype);
  if (!isMoment(info)) throw new ArgumentError('ERR_ARGUMENT', 'dtype', 'a datetime64', dtype);
  return info.unit === null ? null : { unit: info.unit, step: BigInt(info.step) };
}

function known(type: DatetimeType | null, dtype: DType): DatetimeType {
  if (type === null)
    throw new ArgumentError(
      'ERR_VALUE',
      'dtype',
      'a datetime64 with a unit: the ticks of a generic one name no moment',
      dtype,
    );
  return type;
}

function linear(unit: TimeUnit): bigint {
  return ATTOSECONDS[unit] ?? 0n;
}

function invalidText(text: string): ArgumentError {
  return new ArgumentError(
    'ERR_VALUE',
    'value',
    'ISO 8601 text such as 2024-05-01T12:30:00.5Z',
    JSON.stringify(text.slice(0, 80)),
  );
}

/**
 * Four digits from 0000 to 9999, as numpy has them; beyond a sign and at least six, as ISO 8601 and JavaScript's dates
 * demand, so that others read them.
 */
function yearText(year: bigint): string {
  if (year >= 0n && year <= 9999n) return String(year).padStart(4, '0');
  return `${year < 0n ? '-' : '+'}${String(year < 0n ? -year : year).padStart(6, '0')}`;
}

/** Of a whole number below 100. */
export function twoDigits(value: number): string {
  return `${value < 10 ? '0' : ''}${String(value)}`;
}
