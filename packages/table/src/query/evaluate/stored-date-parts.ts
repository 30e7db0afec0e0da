// Parts of moments that lie in a column as 64-bit ticks, computed in doubles: bigints are made of those alone that are
// so far from 1970 that a double does not hold them.
import { arrayOf } from '../../chunk/chunk.ts';
import type { Chunk } from '../../chunk/chunk.ts';
import { civilOfNearDays } from '../../values/calendar.ts';
import { NAT } from '../../values/nat.ts';
import type { ColumnRef } from '../bound-predicate.ts';
import type { DatePart } from '../functions.ts';
import { datePartOf, partOfSecond, secondsReader, weekdayOf } from './date-parts.ts';
import type { RowSet } from './select-leaf.ts';
import type { VectorRoom } from './vector-room.ts';
import { nullsOf, rowAt } from './vectors.ts';
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
  D: { shift: 0, most: 2 ** 50, perDay: 1, perSecond: 1 },
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
  const upper = 2 ** (32 - unit.shift);
  const secondsOf = secondsReader(ref.info.name);
  const partOf = part === 'hour' || part === 'minute' || part === 'second' ? timePart(part, unit) : dayPart(part, unit);
  let [lastLow, lastHigh] = [0, 0];
  let value: number | null = partOf(0);
  for (let index = 0; index < from.count; index += 1) {
    values[index] = 0;
    if (known !== null && known[index] === 1) continue;
    const row = rowAt(from, index);
    const [low, high] = [words[2 * row] as number, words[2 * row + 1] as number];
    // Rows that follow one another often have the same moment.
    if (low !== lastLow || high !== lastHigh) {
      lastLow = low;
      lastHigh = high;
      const near = high * upper + (low >>> unit.shift);
      value = Math.abs(near) <= unit.most ? partOf(near) : farPart(part, ticks[row] ?? NAT, secondsOf);
    }
    if (value === null) {
      if (nulls === known) nulls = known?.slice() ?? new Uint8Array(from.count);
      (nulls as Uint8Array)[index] = 1;
      continue;
    }
    values[index] = value;
    const size = Math.abs(value);
    if (size > most) most = size;
  }
  return { kind: 'numbers', values, most, nulls };
}

function timePart(part: 'hour' | 'minute' | 'second', { perDay, perSecond }: Unit): (ticks: number) => number {
  return (ticks) => partOfSecond(part, Math.floor((ticks - perDay * floorDivide(ticks, perDay)) / perSecond));
}

type DayPart = 'year' | 'month' | 'day' | 'weekday';

/** Columns have few days beside their rows: the part of a day is kept until another one takes its place. */
const keptDays = new Map<DayPart, { readonly days: Float64Array; readonly parts: Float64Array }>();

function dayPart(part: DayPart, { perDay }: Unit): (ticks: number) => number {
  const kept = keptDays.get(part) ?? {
    days: new Float64Array(KEPT_DAYS).fill(Number.NaN),
    parts: new Float64Array(KEPT_DAYS),
  };
  keptDays.set(part, kept);
  const { days, parts } = kept;
  return (ticks) => {
    const day = floorDivide(ticks, perDay);
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
