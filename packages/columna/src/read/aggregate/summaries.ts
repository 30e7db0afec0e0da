// Packed numbers -> how many there are, their sums, their extremes, without a value being made: what aggregates take in
// place of values where it is exact. Decimals are added up as values: each is a quotient that was rounded, so that the
// sum of their integers, divided, is another number than their sum.
import { isExactResult } from '@colkit/io';
import type { Accumulator } from '@colkit/table';
import { POWERS_OF_TEN } from '../../columns/decimal.ts';
import { safeLine } from '../../columns/vector.ts';
import type { Narrow, Vector } from '../../columns/vector.ts';
import type { ColumnType } from '../../layout/column-type.ts';
import { addNumbers, addSquares } from './add-numbers.ts';
import type { RowGroups } from './row-groups.ts';

/** value = base + step * number, exactly. */
interface Line {
  readonly base: number;
  readonly step: number;
}

/**
 * Gives an accumulator what it wants to know of values as they are packed, none of them null.
 * @param groups null: all are of group 0.
 * @returns false where they are not in a form of which that is known: nothing was given then.
 */
export function addPacked(
  accumulator: Accumulator,
  vector: Vector,
  type: ColumnType,
  groups: RowGroups | null,
): boolean {
  const narrow = vector.kind === 'decimal' ? vector.integers : vector;
  if (narrow.kind !== 'narrow' || vector.count === 0) return false;
  const exponent = vector.kind === 'decimal' ? vector.exponent : null;
  switch (accumulator.summary) {
    case 'sum': {
      const line = exponent === null ? lineOf(narrow, type) : null;
      if (line === null) return false;
      const { sums, counts } = addNumbers(narrow, groups?.codes ?? null, groups?.codeCount ?? 1);
      addSums(
        accumulator,
        line,
        sums,
        (code) => counts[code] as number,
        (code) => groups?.groupOf(code) ?? 0,
      );
      return true;
    }
    case 'moments': {
      const line = exponent === null ? lineOf(narrow, type) : null;
      const moments = line === null ? null : addSquares(narrow, groups?.codes ?? null, groups?.codeCount ?? 1);
      if (line === null || moments === null) return false;
      addMoments(accumulator, line, moments, (code) => groups?.groupOf(code) ?? 0);
      return true;
    }
    case 'min':
    case 'max': {
      // Of one group the packed extremes are enough; per group they are worth no code of their own.
      const value = groups === null ? extremeOf(narrow, exponent, type, accumulator.summary) : null;
      if (value !== null) accumulator.addSummary?.(0, vector.count, value);
      return value !== null;
    }
    default:
      return false;
  }
}

function addSums(
  accumulator: Accumulator,
  { base, step }: Line,
  sums: Float64Array,
  countOf: (code: number) => number,
  groupOf: (code: number) => number,
): void {
  for (let code = 0; code < sums.length; code++) {
    const count = countOf(code);
    if (count > 0) accumulator.addSummary?.(groupOf(code), count, base * count + step * (sums[code] as number));
  }
}

/** From sums that are exact, around an integer near the mean, so that nothing is lost where they nearly cancel. */
function addMoments(
  accumulator: Accumulator,
  { base, step }: Line,
  moments: Float64Array,
  groupOf: (code: number) => number,
): void {
  for (let code = 0; 3 * code < moments.length; code++) {
    const count = moments[3 * code] as number;
    if (count === 0) continue;
    const sum = moments[3 * code + 1] as number;
    const squares = moments[3 * code + 2] as number;
    const near = Math.round(sum / count);
    const rest = sum - count * near;
    const around = squares - near * (sum + rest) - (rest * rest) / count;
    accumulator.addMoments?.(groupOf(code), count, base + step * near, step * (rest / count), step * step * around);
  }
}

/**
 * Null where a value could wrap around the type's range, or the sum of a page leave the exact numbers: then the items
 * themselves are added.
 */
function lineOf(numbers: Narrow, type: ColumnType): Line | null {
  const { count, below } = numbers;
  if (!areValues(type, false)) return null;
  const line = safeLine(numbers);
  if (line === null) return null;
  const reach = line.step * (below - 1);
  const last = line.base + reach;
  // What is added up is base * count and step * (the sum of the numbers): both must be exact, not their sum alone.
  const isExact = isExactResult(Math.max(Math.abs(line.base), Math.abs(last), Math.abs(reach)) * count);
  return isExact && fits(type, line.base, last) ? line : null;
}

/** Null where it is not known to be a value of the type. */
function extremeOf(narrow: Narrow, exponent: number | null, type: ColumnType, wanted: 'min' | 'max') {
  const line = areValues(type, exponent !== null) ? safeLine(narrow) : null;
  if (line === null) return null;
  let [least, most] = [2 ** 32, 0];
  for (let i = 0; i < narrow.count; i++) {
    const value = narrow.values[i] as number;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  const [first, last] = [line.base + line.step * least, line.base + line.step * most];
  const number = wanted === 'max' ? Math.max(first, last) : Math.min(first, last);
  if (exponent !== null) return number / (POWERS_OF_TEN[exponent] as number);
  return fits(type, line.base, line.base + line.step * (narrow.below - 1)) ? number : null;
}

/** Whether all integers between two are values of a type. */
function fits({ itemBytes, signed }: ColumnType, a: number, b: number): boolean {
  const bits = 8 * itemBytes;
  const [low, high] = signed ? [-(2 ** (bits - 1)), 2 ** (bits - 1)] : [0, 2 ** bits];
  return Math.min(a, b) >= low && Math.max(a, b) < high;
}

/** Whether packed numbers are the values of a type, and not bit patterns of floats; small integers are not worth it. */
function areValues({ domain, itemBytes }: ColumnType, areDecimals: boolean): boolean {
  return domain === (areDecimals ? 'float64' : 'integers') && itemBytes >= 4;
}
