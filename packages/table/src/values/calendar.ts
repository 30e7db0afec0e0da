// Days and months since 1970-01-01 <-> year, month, day of the proleptic Gregorian calendar, for any bigint: numpy's
// datetime64 reaches far beyond what a Date holds.

interface CivilDay {
  readonly year: bigint;
  /** 1 to 12. */
  readonly month: number;
  /** 1 to 31. */
  readonly day: number;
}

/** Days from 0000-03-01, where the leap day is the last of its year, to 1970-01-01. */
const DAYS_TO_1970 = 719_468n;
const DAYS_OF_ERA = 146_097n;
const YEARS_OF_ERA = 400n;
const DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** Rounds towards minus infinity, as calendars need it (bigint division rounds towards zero). */
export function floorDivide(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  return value % divisor < 0n ? quotient - 1n : quotient;
}

/** The day that is `days` after 1970-01-01. */
export function civilOfDays(days: bigint): CivilDay {
  const shifted = days + DAYS_TO_1970;
  const era = floorDivide(shifted, DAYS_OF_ERA);
  const { year, month, day } = civilOfEra(Number(shifted - era * DAYS_OF_ERA));
  return { year: era * YEARS_OF_ERA + BigInt(year), month, day };
}

/** The same of days near enough for numbers: up to 2^50 of them. */
export function civilOfNearDays(days: number): { readonly year: number; readonly month: number; readonly day: number } {
  const shifted = days + Number(DAYS_TO_1970);
  const era = Math.floor(shifted / Number(DAYS_OF_ERA));
  const { year, month, day } = civilOfEra(shifted - era * Number(DAYS_OF_ERA));
  return { year: era * Number(YEARS_OF_ERA) + year, month, day };
}

/** Within an era of 400 years, which begins on the first of March of its year 0. */
function civilOfEra(dayOfEra: number): { readonly year: number; readonly month: number; readonly day: number } {
  // 1460, 36524 and 146096: the last days of a leap cycle of 4, 100 and 400 years.
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return { year: yearOfEra + (month <= 2 ? 1 : 0), month, day };
}

/** Days from 1970-01-01 to the day; the inverse of `civilOfDays`. */
export function daysOfCivil(year: bigint, month: number, day: number): bigint {
  const era = floorDivide(year, YEARS_OF_ERA);
  return era * DAYS_OF_ERA + BigInt(daysOfNearCivil(Number(year - era * YEARS_OF_ERA), month, day));
}

/** The same of years near enough for numbers (Howard Hinnant's days_from_civil). */
export function daysOfNearCivil(year: number, month: number, day: number): number {
  const shiftedYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(shiftedYear / Number(YEARS_OF_ERA));
  const yearOfEra = shiftedYear - era * Number(YEARS_OF_ERA);
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * Number(DAYS_OF_ERA) + dayOfEra - Number(DAYS_TO_1970);
}

/** 0 of what is no month. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)) return 29;
  return DAYS_OF_MONTH[month - 1] ?? 0;
}

/** Days from 1970-01-01 to the first of the month that is `months` after January 1970. */
export function daysOfMonths(months: bigint): bigint {
  const years = floorDivide(months, 12n);
  return daysOfCivil(years + 1970n, Number(months - years * 12n) + 1, 1);
}
