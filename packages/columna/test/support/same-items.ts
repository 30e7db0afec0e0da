// Comparison of many values at once: `toEqual` looks at every element in ways of its own, which costs more than the
// reads that are tested. Only where something differs is it asked, for its message.
import { expect } from 'vitest';

type Items = ArrayLike<unknown>;

/** The same kind of array, of the same items: -0 is not 0, and NaN is NaN. */
export function isSame(actual: Items, expected: Items): boolean {
  if (actual.constructor !== expected.constructor || actual.length !== expected.length) return false;
  for (let i = 0; i < actual.length; i++) if (!Object.is(actual[i], expected[i])) return false;
  return true;
}

/** As `expect(actual, message).toEqual(expected)`, of arrays of strings, numbers, bigints and nulls. */
export function expectSame(actual: Items, expected: Items, message?: string): void {
  if (!isSame(actual, expected)) expect(actual, message).toEqual(expected);
}
