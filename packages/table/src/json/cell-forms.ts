// In which forms the values of JSON are written: a bit each, of which a column has those of all of its cells. The
// numbers are those of the addon (native/src/json/json_members.h).
import type { JsonScalar } from './parse-record.ts';

/** `null`, or false or true. */
export const NULL = 1;
export const BOOL = 2;
/** An integer of up to fifteen digits, or one with zeros behind its point; not a negative zero. */
export const WHOLE = 4;
/** Such a one below zero. */
export const NEGATIVE = 8;
/** A number with other digits behind its point, or a negative zero. */
export const FRACTION = 16;
/** A number that has to be looked at: of more digits, or with an exponent. */
export const OTHER_NUMBER = 32;
/** Text that begins as numbers, moments and words for numbers do. */
export const SPECIAL_TEXT = 64;
export const OTHER_TEXT = 128;

export const NUMBERS = WHOLE | NEGATIVE | FRACTION | OTHER_NUMBER;
export const TEXTS = SPECIAL_TEXT | OTHER_TEXT;

const EXACT = 1e15;
const SPECIAL = /^[-+0-9IN]/u;

/** Of a value as it is written again. */
export function formOf(value: JsonScalar): number {
  if (value === null) return NULL;
  if (typeof value === 'boolean') return BOOL;
  if (typeof value === 'string') return SPECIAL.test(value) ? SPECIAL_TEXT : OTHER_TEXT;
  if (typeof value === 'bigint' || Math.abs(value) >= EXACT) return OTHER_NUMBER;
  if (!Number.isInteger(value) || Object.is(value, -0)) return FRACTION;
  return value < 0 ? WHOLE | NEGATIVE : WHOLE;
}
