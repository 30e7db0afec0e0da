// Values of one element type as those of another, exactly or refused: floats to integers towards zero, moments to
// coarser units downwards, text parsed and printed.
import { ArgumentError, describeValue, isFixedText, isMoment } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import { floorDivide } from '../../values/calendar.ts';
import { fixedStringFault } from '../../values/fixed-strings.ts';
import { isoTexts } from '../../values/iso-texts.ts';
import { doubleOfWide, floatOfText } from '../../values/floats/narrow-floats.ts';
import { rounderOf } from '../../values/floats/short-floats.ts';
import { NAT } from '../../values/nat.ts';
import { ATTOSECONDS, fromISO, momentOf, ticksOfMoment } from '../../values/time.ts';
import { valueTypeOf } from '../bind/bind-leaf.ts';
import type { Vector } from './vectors.ts';

const INTEGER = /^[+-]?\d+$/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const SPECIAL: ReadonlyMap<string, number> = new Map([
  ['nan', Number.NaN],
  ['inf', Infinity],
  ['infinity', Infinity],
  ['-inf', -Infinity],
  ['-infinity', -Infinity],
]);

type Moments = Extract<DTypeInfo, { readonly kind: 'datetime' }>;

/** How messages name what is cast, and a row of it. */
export interface CastPlace {
  readonly subject: string;
  readonly labelOf: (row: number) => string;
}

/** @throws ArgumentError ERR_VALUE for a value that the type cannot hold, with column and row. */
export function castVector(vector: Vector, from: DTypeInfo, to: DTypeInfo, count: number, place: CastPlace): Vector {
  switch (valueTypeOf(to)) {
    case 'bool':
      return toBools(vector, from, count, place);
    case 'int':
      return toIntegers(vector, from, to, count, place);
    case 'float':
      return toFloats(vector, to, count, place);
    case 'text':
      return toTexts(vector, from, to, count, place);
    case 'moment':
      return toMoments(vector, from, to, count, place);
    default:
      return vector;
  }
}

function toBools(vector: Vector, from: DTypeInfo, count: number, place: CastPlace): Vector {
  const values = new Float64Array(count);
  each(vector, count, place, (value, row) => {
    if (typeof value !== 'string') values[row] = Number(Number(value) !== 0);
    else if (/^(true|false)$/i.test(value)) values[row] = Number(value.toLowerCase() === 'true');
    else throw refused(from, "'true' or 'false'", value);
  });
  return { kind: 'numbers', values, most: 1, nulls: vector.nulls };
}

function toIntegers(vector: Vector, from: DTypeInfo, to: DTypeInfo, count: number, place: CastPlace): Vector {
  const bits = BigInt(8 * to.itemBytes);
  const [low, high] = to.kind === 'uint' ? [0n, 2n ** bits - 1n] : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
  const wanted = `a value that ${to.name} holds (clip and where bound them)`;
  if (to.itemBytes < 8 && vector.kind === 'numbers') {
    const [least, most] = [Number(low), Number(high)];
    const values = new Float64Array(count);
    each(vector, count, place, (value, row) => {
      // Adding 0 turns -0 into 0.
      const whole = Math.trunc(value as number) + 0;
      if (!(whole >= least && whole <= most)) throw refused(from, wanted, value);
      values[row] = whole;
    });
    return { kind: 'numbers', values, most: Math.max(-least, most), nulls: vector.nulls };
  }
  const values = new Array<bigint>(count).fill(0n);
  each(vector, count, place, (value, row) => {
    let whole: bigint | null = null;
    if (typeof value === 'string') whole = INTEGER.test(value.trim()) ? BigInt(value.trim().replace('+', '')) : null;
    else if (typeof value === 'bigint') whole = value;
    else if (Number.isFinite(value)) whole = BigInt(Math.trunc(value as number));
    if (whole === null || whole < low || whole > high) throw refused(from, wanted, value);
    values[row] = whole;
  });
  return { kind: 'wide', values, nulls: vector.nulls };
}

function toFloats(vector: Vector, to: DTypeInfo, count: number, place: CastPlace): Vector {
  const values = new Float64Array(count);
  const isNarrow = to.itemBytes < 8;
  const round = rounderOf(to);
  each(vector, count, place, (value, row) => {
    if (typeof value === 'string') {
      const nearest = parsedFloat(value);
      values[row] = isNarrow ? floatOfText(value.trim(), nearest, round) : nearest;
    } else values[row] = round(isNarrow && typeof value === 'bigint' ? doubleOfWide(value) : Number(value));
    // What is infinite or NaN already stays so.
    if (!Number.isFinite(values[row]) && isFiniteValue(value)) {
      const wanted = `a value within the range of ${to.name} (clip and where bound them)`;
      throw new ArgumentError('ERR_VALUE', 'cast', wanted, describeValue(value));
    }
  });
  return { kind: 'numbers', values, most: Infinity, nulls: vector.nulls };
}

function isFiniteValue(value: unknown): boolean {
  if (typeof value === 'string') return !SPECIAL.has(value.trim().toLowerCase());
  return typeof value === 'bigint' || Number.isFinite(value);
}

function parsedFloat(text: string): number {
  const trimmed = text.trim();
  const special = SPECIAL.get(trimmed.toLowerCase());
  if (special !== undefined) return special;
  if (!NUMBER.test(trimmed))
    throw new ArgumentError('ERR_VALUE', 'cast', 'a text that is a number', describeValue(text));
  return Number(trimmed);
}

function toTexts(vector: Vector, from: DTypeInfo, to: DTypeInfo, count: number, place: CastPlace): Vector {
  const values = new Array<string>(count).fill('');
  const textOf = textsOf(from);
  each(vector, count, place, (value, row) => {
    const text = textOf(value);
    const fault = isFixedText(to) ? fixedStringFault(text, to) : null;
    if (fault !== null) throw new ArgumentError('ERR_VALUE', 'cast', `a text that ${to.name} holds`, fault);
    values[row] = text;
  });
  return { kind: 'texts', values, nulls: vector.nulls };
}

function textsOf(from: DTypeInfo): (value: unknown) => string {
  if (from.kind === 'bool') return (value) => (value === 0 ? 'false' : 'true');
  if (from.kind !== 'datetime') return (value) => (Object.is(value, -0) ? '-0' : String(value));
  const momentText = isoTexts(from.name);
  return (value) => (typeof value === 'bigint' ? momentText(value) : 'NaT');
}

function toMoments(vector: Vector, from: DTypeInfo, to: DTypeInfo, count: number, place: CastPlace): Vector {
  const values = new Array<bigint | number>(count).fill(0n);
  const ticksOf = isMoment(from) && isMoment(to) ? ticksBetween(from, to) : null;
  each(vector, count, place, (value, row) => {
    values[row] = momentTicks(value, from, to, ticksOf);
  });
  return { kind: 'wide', values, nulls: vector.nulls };
}

/** NaN for NaT. */
function momentTicks(
  value: unknown,
  from: DTypeInfo,
  to: DTypeInfo,
  ticksOf: ((ticks: bigint) => bigint) | null,
): bigint | number {
  if (typeof value === 'string') {
    const ticks = fromISO(value, to.name);
    return ticks === NAT ? Number.NaN : ticks;
  }
  if (typeof value === 'number' && Number.isNaN(value)) return value;
  const exact = BigInt(value as bigint | number);
  if (from.name === to.name) return exact;
  if (ticksOf !== null) return ticksOf(exact);
  if (exact < NAT || exact >= -NAT) throw refused(from, 'ticks of 64 bits', value);
  return exact === NAT ? Number.NaN : exact;
}

/**
 * The last tick of one dtype at or before the moment of a tick of another, for many ticks; not for NaT. One operation
 * for each where one tick is so many of the other.
 * @throws as `momentOf` and `ticksOfMoment` do, where a tick is asked for.
 */
export function ticksBetween(from: Moments, to: Moments): (ticks: bigint) => bigint {
  const theLongWay = (ticks: bigint): bigint => ticksOfMoment(momentOf(ticks, from.name), to.name);
  const [own, wanted] = [from, to].map(
    ({ unit, step }) => ((unit === null ? null : ATTOSECONDS[unit]) ?? 0n) * BigInt(step),
  ) as [bigint, bigint];
  if (own === 0n || wanted === 0n) return theLongWay;
  const each = wanted / own;
  if (each * own === wanted) return (ticks) => floorDivide(ticks, each);
  if (own % wanted !== 0n) return theLongWay;
  const times = own / wanted;
  const most = -(NAT + 1n) / times;
  return (ticks) => (ticks <= most && ticks >= -most ? ticks * times : theLongWay(ticks));
}

/** What the work throws gets column and row. */
function each(vector: Vector, count: number, place: CastPlace, work: (value: unknown, row: number) => void): void {
  const { values, nulls } = vector;
  let row = 0;
  try {
    for (; row < count; row += 1) if (nulls?.[row] !== 1) work(values[row], row);
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    const found = `${error.found} at ${place.labelOf(row)}`;
    throw new ArgumentError('ERR_VALUE', place.subject, error.expected, found);
  }
}

function refused(from: DTypeInfo, expected: string, found: unknown): ArgumentError {
  const shown = typeof found === 'number' && Number.isNaN(found) && 'unit' in from ? 'NaT' : describeValue(found);
  return new ArgumentError('ERR_VALUE', 'cast', expected, shown);
}
