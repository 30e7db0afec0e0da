// What pages are folded to at the edges of their types, against sums without a rounding: the largest integers, sums
// that cross 2^53 and 2^64, doubles that only an exact sum gets right, -0, what is not finite, nothing but nulls, one
// row. In all modes, over all rows, matching ones, and groups.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { DType } from '@colkit/io';
import { openSync, typed, writeSync } from '../../../src/index.ts';
import type { AggregateValue } from '../../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-folds-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Value = number | bigint | null;
const SAFE = 2n ** 53n;
const repeat = (values: readonly Value[], times: number): Value[] =>
  new Array<readonly Value[]>(times).fill(values).flat();

const CASES: readonly (readonly [name: string, type: DType, values: readonly Value[]])[] = [
  ['the largest uint64', 'uint64', repeat([2n ** 64n - 1n], 40)],
  ['uint64 around its middle', 'uint64', repeat([2n ** 63n - 1n, 2n ** 63n, 2n ** 63n + 1n, 0n], 9)],
  ['both ends of int64', 'int64', repeat([-(2n ** 63n), 2n ** 63n - 1n, -1n], 12)],
  ['the smallest int64', 'int64', repeat([-(2n ** 63n)], 33)],
  ['around 2^53', 'int64', repeat([SAFE - 1n, SAFE, SAFE + 1n], 11)],
  ['a sum that crosses 2^53', 'int64', repeat([SAFE / 3n + 1n], 3)],
  ['a sum that crosses 2^53, with nulls', 'int64', repeat([SAFE - 1n, null, 2n], 10)],
  ['below -2^53', 'int64', repeat([-SAFE - 1n, -SAFE + 1n], 9)],
  ['int32 whose sum leaves 32 bits', 'int32', repeat([2 ** 31 - 1, -(2 ** 31), 2 ** 31 - 1], 20)],
  ['uint16 at its end', 'uint16', repeat([65535, 0, 65535], 20)],
  ['doubles that cancel', 'float64', repeat([1e308, 1, -1e308, 2 ** -1074], 8)],
  ['doubles that pass the largest on their way', 'float64', [1.7e308, 1.7e308, -1.7e308, -1.7e308, 3]],
  ['tenths', 'float64', repeat([0.1, 0.2, 0.3], 30)],
  ['denormals', 'float64', repeat([2 ** -1074, -(2 ** -1073)], 15)],
  ['2^53 and ones', 'float64', [2 ** 53, 1, 1, 1, -(2 ** 53), 1]],
  ['NaN and infinity', 'float64', [1, NaN, Infinity, 2, null]],
  ['infinity', 'float64', [1, Infinity, Infinity, 2]],
  ['both infinities', 'float64', [1, Infinity, -Infinity, 2]],
  ['nothing but NaN', 'float64', repeat([NaN], 20)],
  ['zeros of both signs', 'float64', [-0, 0, -0, 0]],
  ['nothing but -0', 'float64', repeat([-0], 10)],
  ['float32 at their end', 'float32', repeat([3.4028234663852886e38, 1.401298464324817e-45], 20)],
  ['nothing but nulls', 'float64', repeat([null], 30)],
  ['nothing but nulls, of integers', 'int64', repeat([null], 30)],
  ['one row', 'float64', [-0]],
  ['one row of an integer', 'uint64', [2n ** 64n - 1n]],
  ['one null', 'int32', [null]],
];

/** A double in units of 2^-1074. */
function unitsOf(value: number): bigint {
  const bits = new BigUint64Array(Float64Array.of(value).buffer)[0] ?? 0n;
  const exponent = (bits >> 52n) & 0x7ffn;
  const fraction = bits & (2n ** 52n - 1n);
  const size = exponent === 0n ? fraction : (fraction + 2n ** 52n) << (exponent - 1n);
  return bits >> 63n === 1n ? -size : size;
}

/** Rounded once, to the nearest double, ties to the even one. */
function doubleOf(units: bigint): number {
  const size = units < 0n ? -units : units;
  const extra = Math.max(0, size.toString(2).length - 53);
  const unit = 1n << BigInt(extra);
  let digits = size / unit;
  const [rest, half] = [size % unit, unit / 2n];
  if (extra > 0 && (rest > half || (rest === half && digits % 2n === 1n))) digits++;
  let result = Number(digits);
  let left = extra - 1074;
  while (left !== 0) {
    const step = Math.max(-500, Math.min(500, left));
    result *= 2 ** step;
    left -= step;
  }
  return units < 0n ? -result : result;
}

function sumOf(type: string, values: readonly (number | bigint)[]): number | bigint {
  if (!type.startsWith('float')) {
    const sum = values.reduce<bigint>((all, value) => all + BigInt(value), 0n);
    return type.endsWith('64') ? sum : Number(sum);
  }
  const numbers = values.map(Number);
  const special = numbers.filter((value) => !Number.isFinite(value));
  if (special.length > 0) return special.reduce((all, value) => all + value, 0);
  return doubleOf(numbers.reduce((all, value) => all + unitsOf(value), 0n));
}

function extremesOf(type: string, values: readonly (number | bigint)[]): readonly (number | bigint | null)[] {
  const told = values.filter((value) => !Number.isNaN(value));
  if (told.length === 0) return values.length > 0 && type.startsWith('float') ? [NaN, NaN] : [null, null];
  return [told.reduce((a, b) => (b < a ? b : a)), told.reduce((a, b) => (b > a ? b : a))];
}

/** Zeros are equal, NaN is itself. */
const plain = (value: unknown): unknown => (value === 0 ? 0 : value);

const SPECS = { n: { count: 'x' }, sum: { sum: 'x' }, least: { min: 'x' }, most: { max: 'x' } } as const;

function expected(type: string, values: readonly Value[]): unknown[] {
  const present = values.filter((value) => value !== null);
  return [present.length, sumOf(type, present), ...extremesOf(type, present)].map(plain);
}

const found = (answer: Readonly<Record<string, AggregateValue>>): unknown[] =>
  Object.keys(SPECS).map((name) => plain(answer[name]));

describe.each(['default', 'smallest', 'plain'] as const)('in mode %s', (mode) => {
  it.each(CASES)('%s', (name, type, values) => {
    const path = join(folder, `${mode} ${name}.cna`);
    const rows = values.map((_, row) => row);
    const [keys, marks] = [rows.map((row) => row % 3), rows.map((row) => (row * 7) % 5)];
    writeSync(
      path,
      { x: typed(type, values), key: Int32Array.from(keys), mark: Int32Array.from(marks) },
      { mode, rowGroupSize: 16 },
    );
    using table = openSync(path);
    expect(found(table.aggSync(SPECS))).toEqual(expected(type, values));
    const kept = values.filter((_, row) => marks[row] !== 1);
    expect(found(table.where('mark != 1').aggSync(SPECS))).toEqual(expected(type, kept));
    const groups = table.where('mark != 4').groupBy('key').aggSync(SPECS).columns as Readonly<
      Record<string, ArrayLike<AggregateValue>>
    >;
    const order = [...new Set(keys.filter((_, row) => marks[row] !== 4))];
    expect(Array.from(groups['key'] ?? [])).toEqual(order);
    for (const [index, key] of order.entries()) {
      const own = Object.fromEntries(Object.keys(SPECS).map((each) => [each, groups[each]?.[index] ?? null]));
      expect(found(own)).toEqual(
        expected(
          type,
          values.filter((_, row) => keys[row] === key && marks[row] !== 4),
        ),
      );
    }
  });
});
