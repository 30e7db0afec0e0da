// Arrays of items <-> JSON values. Numbers that JSON text cannot hold, or loses, travel as text: NaN, Infinity,
// -Infinity, -0, and integers beyond 2^53.
import { ArgumentError, dtypeFacts, parseDType } from '@colkit/io';
import { saidBool, saidFloat, saidInteger } from '@colkit/table/csv';
import { isFlags, isText } from './dtypes.ts';
import type { StoredDType, SyrahDType, SyrahValue } from './dtypes.ts';
import type { SyrahInput } from 'syrah';

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

const AS_TEXT: ReadonlyMap<string, number> = new Map([
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
  ['-0', -0],
]);

/** A list of numbers, booleans or text; one string for `str`. float128 must have been read as float64. */
export function toJsonValue(value: SyrahValue, dtype: StoredDType): JsonValue {
  if (typeof value === 'string') return value;
  const list = Array.from(value as ArrayLike<number | bigint>);
  return list.map((element) => {
    if (typeof element === 'bigint') return Number.isSafeInteger(Number(element)) ? Number(element) : String(element);
    if (isFlags(dtype)) return element !== 0;
    if (Object.is(element, -0)) return '-0';
    return Number.isFinite(element) ? element : String(element);
  });
}

/**
 * What a writer takes for a key of `dtype`. A single number or boolean is an array of one.
 * @throws ArgumentError ERR_VALUE.
 */
export function fromJsonValue(value: unknown, dtype: SyrahDType, where: string): SyrahInput {
  if (typeof value === 'string' && isText(dtype)) return value;
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.map((element, position) => {
    // JSON has no infinite numbers: they travel as text.
    if (typeof element === 'boolean' || Number.isFinite(element)) return element;
    if (typeof element === 'string') return isText(dtype) ? element : valueFromText(element, dtype, where, position);
    throw new ArgumentError(
      'ERR_VALUE',
      where,
      `${dtype} values`,
      `${describeJson(element)} at position ${String(position)}`,
    );
  }) as SyrahInput;
}

/** What people write for a value of a dtype that was said; the range is checked where it is encoded. */
function valueFromText(text: string, dtype: SyrahDType, where: string, position: number): number | bigint | boolean {
  const { domain, toFloats } = dtypeFacts(parseDType(dtype));
  const value = domain === 'bool' ? saidBool(text) : toFloats ? saidInteger(text) : saidFloat(text);
  if (value !== null) return typeof value === 'bigint' && domain !== 'wide' ? Number(value) : value;
  throw new ArgumentError(
    'ERR_VALUE',
    where,
    `${dtype} values`,
    `${JSON.stringify(text)} at position ${String(position)}`,
  );
}

export function isNumberAsText(text: string): boolean {
  return AS_TEXT.has(text);
}

export function describeJson(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number beyond float64';
  return value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value;
}
