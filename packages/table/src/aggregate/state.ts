// What aggregates have gathered, as plain data: it travels as JSON and comes back to the last bit. Numbers that JSON
// has no form for are texts in a place where numbers are meant, and objects in a place where any value may stand.
import { ArgumentError, describeValue } from '@colkit/io';
import type { Cell } from './column-values.ts';

/** A float64 that survives JSON. */
export type JsonNumber = number | 'NaN' | '-0' | 'Infinity' | '-Infinity';

/** A value of a column that survives JSON. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | { readonly number: string }
  | { readonly int: string }
  | { readonly bytes: string };

/** What one aggregate knows, an entry for each group. */
export type AggregateState = Readonly<Record<string, readonly JsonValue[]>>;

export function jsonNumber(value: number): JsonNumber {
  if (Number.isFinite(value) && !Object.is(value, -0)) return value;
  return Object.is(value, -0) ? '-0' : (String(value) as JsonNumber);
}

export function jsonNumbers(values: Float64Array, count: number): JsonNumber[] {
  return Array.from({ length: count }, (_, group) => jsonNumber(values[group] ?? 0));
}

export function jsonValue(value: Cell): JsonValue {
  switch (typeof value) {
    case 'number': {
      const number = jsonNumber(value);
      return typeof number === 'number' ? number : { number };
    }
    case 'bigint':
      return { int: String(value) };
    case 'object':
      return value === null
        ? null
        : { bytes: Array.from(value, (byte) => byte.toString(16).padStart(2, '0')).join('') };
    default:
      return value;
  }
}

/** @throws ArgumentError ERR_ARGUMENT for what no `jsonNumber` gives. */
export function parseNumber(given: unknown): number {
  if (typeof given === 'number') return given;
  if (given === 'NaN' || given === '-0' || given === 'Infinity' || given === '-Infinity') return Number(given);
  throw stateError('a number', given);
}

/** @throws ArgumentError ERR_ARGUMENT for what no bigint prints as. */
export function parseBigInt(given: unknown): bigint {
  if (typeof given === 'string' && /^-?\d+$/.test(given)) return BigInt(given);
  throw stateError('the digits of an integer', given);
}

/** @throws ArgumentError ERR_ARGUMENT for what no `jsonValue` gives. */
export function parseValue(given: unknown): Cell {
  if (given === null || typeof given === 'boolean' || typeof given === 'number' || typeof given === 'string')
    return given;
  if (typeof given === 'object') {
    const { number, int, bytes } = given as {
      readonly number?: unknown;
      readonly int?: unknown;
      readonly bytes?: unknown;
    };
    if (typeof number === 'string') return parseNumber(number);
    if (int !== undefined) return parseBigInt(int);
    if (typeof bytes === 'string' && /^(?:[0-9a-f]{2})*$/.test(bytes)) {
      return Uint8Array.from({ length: bytes.length / 2 }, (_, index) =>
        parseInt(bytes.slice(2 * index, 2 * index + 2), 16),
      );
    }
  }
  throw stateError('a value', given);
}

/** The entries of a state under a name. @throws ArgumentError unless there are `count` of them. */
export function entriesOf(state: AggregateState, name: string, count: number | null): readonly unknown[] {
  const entries: unknown = (state as AggregateState | null | undefined)?.[name];
  if (Array.isArray(entries) && (count === null || entries.length === count)) return entries as readonly unknown[];
  throw stateError(`${name}: a list${count === null ? '' : ` of ${String(count)} entries`}`, entries);
}

export function numbersOf(state: AggregateState, name: string, count: number): Float64Array {
  return Float64Array.from(entriesOf(state, name, count), parseNumber);
}

/** Counts of rows. */
export function countsOf(state: AggregateState, name: string, count: number): Float64Array {
  const counts = numbersOf(state, name, count);
  for (const each of counts) if (!Number.isSafeInteger(each) || each < 0) throw stateError(`${name}: counts`, each);
  return counts;
}

export function stateError(expected: string, found: unknown): ArgumentError {
  return new ArgumentError('ERR_ARGUMENT', 'state', expected, describeValue(found));
}
