// A function of vectors. Nulls stay null; what else has no answer (the year of NaT) is null too.
import { assertNever } from '@colkit/io';
import type { BoundValue } from '../bound-predicate.ts';
import { columnsOf } from '../columns-of.ts';
import { isDatePart } from '../functions.ts';
import { dtypeOf } from '../value-dtype.ts';
import { castVector } from './cast-vector.ts';
import { datePartVector } from './date-parts.ts';
import { eitherNull } from './vectors.ts';
import type { Nulls, Vector } from './vectors.ts';

type Call = Extract<BoundValue, { kind: 'call' }>;
/** What vectors hold. */
type Value = number | bigint | string | Uint8Array;

/** @param labelOf how messages name a row of the vectors. */
export function computeCall(
  call: Call,
  args: readonly Vector[],
  count: number,
  labelOf: (row: number) => string,
): Vector {
  const { name } = call;
  // 64-bit integers among floats are rounded here as they are where the result is written.
  const own = call.type === 'float' && name !== 'cast' ? args.map(asDoubles) : args;
  const [first, second, third] = own as readonly [Vector, Vector, Vector];
  const from = dtypeOf(call.args[0] as BoundValue);
  if (isDatePart(name)) return datePartVector(name, from.name, first, count);
  switch (name) {
    case 'sqrt':
      return mapNumbers(first, Math.sqrt);
    case 'exp':
      return mapNumbers(first, Math.exp);
    case 'log':
      return mapNumbers(first, Math.log);
    case 'abs':
      return first.kind === 'wide'
        ? { ...first, values: first.values.map((value) => (value < 0 ? -value : value)) }
        : mapNumbers(first, Math.abs, mostOf(first));
    case 'floor':
      return call.type === 'int' ? first : mapNumbers(first, Math.floor);
    case 'ceil':
      return call.type === 'int' ? first : mapNumbers(first, Math.ceil);
    case 'round': {
      const digits = numbersOf(second)[0] ?? 0;
      if (call.type === 'int') return digits >= 0 ? first : roundIntegers(first, -digits);
      return mapNumbers(first, (value) => roundFloat(value, digits));
    }
    case 'cast':
      return castVector(first, from, call.info, count, { subject: subjectOf(call.args[0] as BoundValue), labelOf });
    case 'clip':
      return clip(call, first, second, third, count);
    case 'fillNull':
      return choose((row) => first.nulls?.[row] !== 1, first, second, count);
    case 'where': {
      const [truth, nulls] = [numbersOf(first), first.nulls];
      return choose((row) => truth[row] === 1 && nulls?.[row] !== 1, second, third, count);
    }
    default:
      return assertNever(name);
  }
}

/** How messages name what is cast. */
function subjectOf(value: BoundValue): string {
  if (value.kind === 'column') return `column ${JSON.stringify(value.column.name)}`;
  const names = [...columnsOf({ kind: 'isNullValue', value })].map(({ name }) => JSON.stringify(name));
  const columns = `column${names.length === 1 ? '' : 's'} ${names.join(', ')}`;
  return names.length === 0 ? 'cast' : `cast of values with ${columns}`;
}

/** To the even one of two neighbours, in decimal digits as numpy does: scaled, rounded, scaled back. */
function roundFloat(value: number, digits: number): number {
  const scale = 10 ** Math.abs(digits);
  const scaled = digits >= 0 ? value * scale : value / scale;
  // Without digits behind the point left, it is what it is; so are infinities and NaN.
  if (!Number.isFinite(scaled)) return value;
  const rounded = roundHalfEven(scaled);
  return digits >= 0 ? rounded / scale : rounded * scale;
}

function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const part = value - floor;
  const rounded = part < 0.5 || (part === 0.5 && floor % 2 === 0) ? floor : floor + 1;
  return rounded === 0 && (value < 0 || Object.is(value, -0)) ? -0 : rounded;
}

function roundIntegers(vector: Vector, digits: number): Vector {
  const scale = 10n ** BigInt(digits);
  const values = Array.from(vector.values as ArrayLike<number | bigint>, (value) => {
    const exact = BigInt(value);
    const rest = ((exact % scale) + scale) % scale;
    const floor = exact - rest;
    const isUp = 2n * rest > scale || (2n * rest === scale && (floor / scale) % 2n !== 0n);
    return isUp ? floor + scale : floor;
  });
  return { kind: 'wide', values, nulls: vector.nulls };
}

function clip(call: Call, value: Vector, low: Vector, high: Vector, count: number): Vector {
  // A constant null is no bound; a null of a column leaves no answer.
  const bounds = [low, high].map((each, index) => (isNullLiteral(call.args[index + 1]) ? null : each));
  const [least, most] = bounds as [Vector | null, Vector | null];
  const nulls = bounds.reduce<Nulls>((all, each) => eitherNull(all, each?.nulls ?? null), value.nulls);
  if (value.kind === 'numbers' && least?.kind !== 'wide' && most?.kind !== 'wide') {
    const out = Float64Array.from(value.values);
    const [lows, highs] = [least, most].map((each) => (each === null ? null : numbersOf(each)));
    for (let row = 0; row < count; row += 1) {
      const lower = lows === null || lows === undefined ? -Infinity : (lows[row] as number);
      const upper = highs === null || highs === undefined ? Infinity : (highs[row] as number);
      out[row] = Math.min(Math.max(out[row] as number, lower), upper);
    }
    const size = [value, least, most].reduce((all, each) => Math.max(all, each === null ? 0 : mostOf(each)), 0);
    return { kind: 'numbers', values: out, most: size, nulls };
  }
  const values = Array.from(value.values as ArrayLike<number | bigint>, (own, row) => {
    const [lower, upper] = [least?.values[row], most?.values[row]] as (number | bigint | undefined)[];
    // NaN is NaT.
    if (Number.isNaN(own) || Number.isNaN(lower) || Number.isNaN(upper)) return Number.NaN;
    const raised = lower !== undefined && own < lower ? lower : own;
    return upper !== undefined && raised > upper ? upper : raised;
  });
  return { kind: 'wide', values, nulls };
}

/** Row by row one of two. */
function choose(isFirst: (row: number) => boolean, one: Vector, other: Vector, count: number): Vector {
  let nulls: Uint8Array | null = null;
  const take = (row: number): Vector => {
    const from = isFirst(row) ? one : other;
    if (from.nulls?.[row] === 1) (nulls ??= new Uint8Array(count))[row] = 1;
    return from;
  };
  if (one.kind === 'numbers' && other.kind === 'numbers') {
    const values = new Float64Array(count);
    for (let row = 0; row < count; row += 1) values[row] = take(row).values[row] as number;
    return { kind: 'numbers', values, most: Math.max(one.most, other.most), nulls };
  }
  const values = new Array<Value>(count);
  for (let row = 0; row < count; row += 1) values[row] = take(row).values[row] as Value;
  // What is null throughout has numbers, whatever the other has.
  const kind = one.kind === 'numbers' ? other.kind : one.kind;
  const empty: Value = kind === 'texts' ? '' : kind === 'bytes' ? new Uint8Array(0) : 0n;
  for (let row = 0; row < count; row += 1) if ((nulls as Nulls)?.[row] === 1) values[row] = empty;
  return { kind, values, nulls } as Vector;
}

/** @param most what no result is larger than. */
function mapNumbers(vector: Vector, work: (value: number) => number, most = Infinity): Vector {
  const given = numbersOf(vector);
  const values = new Float64Array(given.length);
  for (let row = 0; row < given.length; row += 1) values[row] = work(given[row] as number);
  return { kind: 'numbers', values, most, nulls: vector.nulls };
}

function asDoubles(vector: Vector): Vector {
  return vector.kind === 'wide'
    ? { kind: 'numbers', values: numbersOf(vector), most: Infinity, nulls: vector.nulls }
    : vector;
}

function numbersOf(vector: Vector): Float64Array {
  return vector.kind === 'numbers'
    ? vector.values
    : Float64Array.from(vector.values as readonly (bigint | number)[], Number);
}

function mostOf(vector: Vector): number {
  return vector.kind === 'numbers' ? vector.most : Infinity;
}

function isNullLiteral(value: BoundValue | undefined): boolean {
  return value?.kind === 'literal' && value.value === null;
}
