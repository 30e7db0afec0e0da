// The range in which a computed value lies in one stretch of rows, worked out from the statistics of its columns. A
// sum, product or quotient of bounds is rounded as those of the values are. Rounding keeps order, so it is a bound too.
import { assertNever } from '@colkit/io';
import type { DType } from '@colkit/io';
import { civilOfDays, floorDivide } from '../../values/calendar.ts';
import type { BoundValue, ColumnRef } from '../bound-predicate.ts';
import { SECONDS_OF_DAY, datePartOf, secondsReader } from '../evaluate/date-parts.ts';
import { wideFloorDivide, wideModulo } from '../evaluate/exact-arithmetic.ts';
import { isDatePart } from '../functions.ts';
import type { DatePart } from '../functions.ts';
import type { StatisticsOf } from './column-statistics.ts';
import { knownValues } from './known-values.ts';

/** Of the values that are neither null nor NaN. */
export interface ValueRange {
  readonly low: number | bigint;
  readonly high: number | bigint;
  /** The dtype of moments and durations, which are ticks of it; null: numbers. */
  readonly ticksOf: DType | null;
  readonly mayBeNull: boolean;
  /** NaN or NaT. */
  readonly mayBeNaN: boolean;
}

/** A range of doubles, or of integers that doubles hold. */
interface NumberRange extends ValueRange {
  readonly low: number;
  readonly high: number;
}

/** Null: unknown. */
export function rangeOf(value: BoundValue, statisticsOf: StatisticsOf): ValueRange | null {
  switch (value.kind) {
    case 'literal':
      return literalRange(value);
    case 'column':
      return columnRange(value.column, statisticsOf);
    case 'arithmetic': {
      const left = numbersOf(rangeOf(value.left, statisticsOf));
      const right = left === null ? null : numbersOf(rangeOf(value.right, statisticsOf));
      return left === null || right === null ? null : computedRange(value, left, right);
    }
    case 'call':
      return callRange(value, statisticsOf);
    case 'truth':
      return null;
    default:
      return assertNever(value);
  }
}

/** Moments and durations of literals are on another scale than those of columns. */
function literalRange({ type, value }: Extract<BoundValue, { kind: 'literal' }>): ValueRange | null {
  if ((type !== 'int' && type !== 'float' && type !== 'bool') || value === null) return null;
  const number = typeof value === 'boolean' ? Number(value) : value;
  if (typeof number !== 'number' && typeof number !== 'bigint') return null;
  return Number.isNaN(number) ? null : { low: number, high: number, ticksOf: null, mayBeNull: false, mayBeNaN: false };
}

function columnRange(column: ColumnRef, statisticsOf: StatisticsOf): ValueRange | null {
  const statistics = statisticsOf(column.number);
  if (statistics === null) return null;
  const { min, max, nulls, nans } = knownValues(column.info, statistics);
  const [low, high] = [min, max].map((bound) => (typeof bound === 'boolean' ? Number(bound) : bound));
  const isOrdered = (bound: typeof low): bound is number | bigint =>
    typeof bound === 'number' || typeof bound === 'bigint';
  if (!isOrdered(low) || !isOrdered(high)) return null;
  const { kind, name } = column.info;
  const ticksOf = kind === 'datetime' || kind === 'timedelta' ? name : null;
  return { low, high, ticksOf, mayBeNull: nulls !== 0, mayBeNaN: nans !== 0 };
}

/** Null where a bound is infinite (what is computed may be NaN), or an integer that no double is sure to hold. */
function numbersOf(range: ValueRange | null): NumberRange | null {
  if (range === null || range.ticksOf !== null) return null;
  const [low, high] = [Number(range.low), Number(range.high)];
  const isExact = (bound: number | bigint, number: number): boolean =>
    typeof bound === 'bigint' ? Number.isSafeInteger(number) : Number.isFinite(number);
  return isExact(range.low, low) && isExact(range.high, high) ? { ...range, low, high } : null;
}

type Arithmetic = Extract<BoundValue, { kind: 'arithmetic' }>;

function computedRange(value: Arithmetic, left: NumberRange, right: NumberRange): ValueRange | null {
  const ends = endsOf(value, left, right);
  if (ends === null) return null;
  const low = ends.reduce((least, end) => Math.min(least, end));
  const high = ends.reduce((most, end) => Math.max(most, end));
  // Integers beyond are exact where they are computed, but not here.
  if (value.type === 'int' && !(Number.isSafeInteger(low) && Number.isSafeInteger(high))) return null;
  return {
    low,
    high,
    ticksOf: null,
    mayBeNull: left.mayBeNull || right.mayBeNull,
    mayBeNaN: left.mayBeNaN || right.mayBeNaN,
  };
}

/** Numbers of which the smallest and the largest are bounds. */
function endsOf({ op, type }: Arithmetic, left: NumberRange, right: NumberRange): readonly number[] | null {
  switch (op) {
    case 'add':
      return [left.low + right.low, left.high + right.high];
    case 'sub':
      return [left.low - right.high, left.high - right.low];
    case 'mul':
      return [left.low * right.low, left.low * right.high, left.high * right.low, left.high * right.high];
    case 'div':
      if (right.low <= 0 && right.high >= 0) return null;
      return [left.low / right.low, left.low / right.high, left.high / right.low, left.high / right.high];
    case 'mod':
    case 'floorDiv':
      return type === 'int' && right.low === right.high ? dividedEnds(op, left, right.low) : null;
    case 'pow':
    case 'bitAnd':
    case 'bitOr':
    case 'bitXor':
      return null;
    default:
      return assertNever(op);
  }
}

/** Of integers, by a positive one. */
function dividedEnds(op: 'mod' | 'floorDiv', { low, high }: NumberRange, by: number): readonly number[] | null {
  if (by <= 0) return null;
  const divide = (bound: number): number => Number(wideFloorDivide(BigInt(bound), BigInt(by)));
  if (op === 'floorDiv') return [divide(low), divide(high)];
  if (divide(low) !== divide(high)) return [0, by - 1];
  return [low, high].map((bound) => Number(wideModulo(BigInt(bound), BigInt(by))));
}

type Call = Extract<BoundValue, { kind: 'call' }>;

function callRange({ name, args }: Call, statisticsOf: StatisticsOf): ValueRange | null {
  const [first] = args;
  const range = first === undefined ? null : rangeOf(first, statisticsOf);
  if (range === null) return null;
  if (isDatePart(name)) return datePartRange(name, range);
  const numbers = numbersOf(range);
  if (numbers === null) return null;
  const { low, high } = numbers;
  switch (name) {
    case 'abs': {
      const [one, other] = [Math.abs(low), Math.abs(high)];
      return { ...numbers, low: low <= 0 && high >= 0 ? 0 : Math.min(one, other), high: Math.max(one, other) };
    }
    case 'floor':
      return { ...numbers, low: Math.floor(low), high: Math.floor(high) };
    case 'ceil':
      return { ...numbers, low: Math.ceil(low), high: Math.ceil(high) };
    case 'sqrt':
      return low < 0 ? null : { ...numbers, low: Math.sqrt(low), high: Math.sqrt(high) };
    default:
      return null;
  }
}

const WHOLE_RANGE: Readonly<Record<Exclude<DatePart, 'year'>, readonly [number, number]>> = {
  month: [1, 12],
  day: [1, 31],
  weekday: [0, 6],
  hour: [0, 23],
  minute: [0, 59],
  second: [0, 59],
};

function datePartRange(part: DatePart, { low, high, ticksOf, mayBeNull, mayBeNaN }: ValueRange): ValueRange | null {
  if (ticksOf === null) return null;
  const secondsOf = secondsReader(ticksOf);
  const [from, to] = [secondsOf(BigInt(low)), secondsOf(BigInt(high))];
  const [first, last] =
    part === 'year' || periodOf(part, from) === periodOf(part, to)
      ? [datePartOf(part, from), datePartOf(part, to)]
      : WHOLE_RANGE[part];
  // NaT has no parts.
  const missing = mayBeNull || mayBeNaN;
  return first === null || last === null
    ? null
    : { low: first, high: last, ticksOf: null, mayBeNull: missing, mayBeNaN: false };
}

/** While this stays the same, a part of the moments only grows. */
function periodOf(part: Exclude<DatePart, 'year'>, seconds: bigint): bigint {
  const days = floorDivide(seconds, SECONDS_OF_DAY);
  switch (part) {
    case 'month':
      return civilOfDays(days).year;
    case 'day': {
      const { year, month } = civilOfDays(days);
      return 12n * year + BigInt(month);
    }
    case 'weekday':
      // 1970 began on a Thursday.
      return floorDivide(days + 3n, 7n);
    case 'hour':
      return days;
    case 'minute':
      return floorDivide(seconds, 3600n);
    case 'second':
      return floorDivide(seconds, 60n);
    default:
      return assertNever(part);
  }
}
