// Casts and rounding against numpy and DuckDB: rounded once, refused with column and row where a value does not fit.
import { ArgumentError } from '@colkit/io';
import { describe, expect, it } from 'vitest';
import { col, editTable } from '../../src/index.ts';
import type { EditWriter, Table } from '../../src/index.ts';
import { tableFrom } from '../support/tables.ts';

const WRITER: EditWriter<unknown, unknown, null> = { write: async () => null, writeSync: () => null };

function assigned(table: Table, value: string): Table {
  return editTable(table, WRITER).assign({ x: value }).table;
}

function valuesOf(dtype: string, values: readonly unknown[], value: string): unknown[] {
  const made = assigned(tableFrom({ v: [dtype, values] }), value)
    .column('x')
    .toArraySync();
  return Array.from(made as Iterable<unknown>);
}

function refusalOf(run: () => unknown): ArgumentError {
  try {
    run();
  } catch (error) {
    if (error instanceof ArgumentError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('to a narrow float', () => {
  it('integers are rounded once', () => {
    const wide = [2n ** 60n + 2n ** 36n + 1n, 2n ** 60n + 2n ** 36n, -(2n ** 60n) - 2n ** 36n - 1n, 2n ** 63n - 1n, 5n];
    // What numpy's astype(float32) gives.
    const float32 = [1152921642045800448, 1152921504606846976, -1152921642045800448, 2 ** 63, 5];
    expect(valuesOf('int64', wide, "cast(v, 'float32')")).toEqual(float32);
    expect(valuesOf('uint64', [2n ** 64n - 2n ** 39n - 1n], "cast(v, 'float32')")).toEqual([2 ** 64 - 2 ** 40]);
    expect(valuesOf('int64', [2049n, 2051n], "cast(v, 'float16')")).toEqual([2048, 2052]);
  });

  it('doubles and texts are rounded once', () => {
    const doubles = [1 + 2 ** -11 + 2 ** -40, 1 + 2 ** -11, 1 + 2 ** -24 + 2 ** -50, Infinity, -Infinity, NaN, -0];
    const float16 = [1 + 2 ** -10, 1, 1, Infinity, -Infinity, NaN, -0];
    expect(valuesOf('float64', doubles, "cast(v, 'float16')")).toEqual(float16);
    // What DuckDB gives. Of each of the first three the nearest double lies half-way between two float32.
    const texts = [
      '1.00000017881393432617187499',
      '1.00000017881393432617187500',
      '1.00000017881393432617187501',
      '-1.00000017881393432617187499',
      '16777217',
      ' 16777217.0000000000001',
      '16777217.0000000000001e0',
      '7.006492321624085e-46',
      '7.006492321624086e-46',
      'inf',
      'NaN',
    ];
    const float32 = [
      1.0000001192092896,
      1.000000238418579,
      1.000000238418579,
      -1.0000001192092896,
      16777216,
      16777218,
      16777218,
      0,
      1.401298464324817e-45,
      Infinity,
      NaN,
    ];
    expect(valuesOf('string', texts, "cast(v, 'float32')")).toEqual(float32);
  });

  it.each([
    ['float64', [1, 1e300], 'float32', '1e+300 at row 1'],
    ['float64', [-1e39], 'float32', '-1e+39 at row 0'],
    ['float64', [65504, 65520], 'float16', '65520 at row 1'],
    ['int64', [2n ** 60n], 'float16', '1152921504606846976n at row 0'],
    ['int32', [1, 2, 70_000], 'float16', '70000 at row 2'],
    ['string', ['1', '1e39'], 'float32', '"1e39" at row 1'],
    ['string', ['1e400'], 'float64', '"1e400" at row 0'],
  ])('%s %s does not become infinite as %s', (dtype, values, to, found) => {
    const error = refusalOf(() => valuesOf(dtype, values, `cast(v, '${to}')`));
    expect([error.code, error.argument, error.found]).toEqual(['ERR_VALUE', 'column "v"', found]);
    expect(error.message).toContain(`a value within the range of ${to}`);
  });
});

it('an integer beyond all doubles does not become infinite', () => {
  for (const to of ['float32', 'float64'])
    expect(refusalOf(() => valuesOf('int64', [2n ** 62n], `cast(v ** 16 * v, '${to}')`)).argument).toBe(
      'cast of values with column "v"',
    );
});

describe('what does not fit is refused with its column and its row', () => {
  const table = tableFrom({
    price: ['float64', [1, 2, 3, 1e300, 5]],
    s: ['string?', ['1', null, '3', 'four', '5']],
    t: ['datetime64[s]', [0n, 1n, 2n, 2n ** 61n, 3n]],
  });
  it.each([
    ["cast(price, 'int8')", 'column "price"', '1e+300 at row 3'],
    ["cast(price, 'int64')", 'column "price"', '1e+300 at row 3'],
    ["cast(price * 2, 'int8')", 'cast of values with column "price"', '2e+300 at row 3'],
    ["cast(s, 'int32')", 'column "s"', '"four" at row 3'],
    ["cast(s, 'float64')", 'column "s"', '"four" at row 3'],
    ["cast(s, 'bool')", 'column "s"', '"1" at row 0'],
    ["cast(s, 'datetime64[s]')", 'column "s"', '"1" at row 0'],
    ["cast(s, 'S3')", 'column "s"', '4 characters at row 3'],
    ["cast(t, 'datetime64[us]')", 'column "t"', `${String(2n ** 61n * 1_000_000n)} ticks at row 3`],
  ])('%s', (value, argument, found) => {
    const error = refusalOf(() => assigned(table, value).column('x').toArraySync());
    expect([error.code, error.argument, error.found]).toEqual(['ERR_VALUE', argument, found]);
  });

  it('of a condition, behind other terms and beyond the first batch', () => {
    const long = tableFrom({
      v: ['float64', Array.from({ length: 200_000 }, (_, row) => (row === 150_001 ? 999 : 1))],
    });
    const first = refusalOf(() => long.where("cast(v, 'int8') = 1").countSync());
    expect([first.argument, first.found]).toEqual(['column "v"', '999 at row 150001']);
    const behind = refusalOf(() => long.where("v > 5 and cast(v, 'int8') = 1").countSync());
    expect(behind.found).toBe('999 at row 150001');
    const taken = refusalOf(() => assigned(long, "cast(v, 'int8')").take([3, 150_001]).column('x').toArraySync());
    expect(taken.found).toBe('999 at row 150001');
    const stepped = refusalOf(() => assigned(long, "cast(v, 'int8')").slice(1, 199_999, 5).column('x').toArraySync());
    expect(stepped.found).toBe('999 at row 150001');
  });
});

describe('as numpy has it', () => {
  it('round to tens of infinities, NaN and zeros', () => {
    const values = [Infinity, -Infinity, NaN, -0, 0, -4, 4, 15, 25, 1e300];
    const tens = [Infinity, -Infinity, NaN, -0, 0, -0, 0, 20, 20, 1e300];
    expect(valuesOf('float64', values, 'round(v, -1)')).toEqual(tens);
    expect(valuesOf('float64', values.slice(0, 9), 'round(v, -300)')).toEqual([...tens.slice(0, 7), 0, 0]);
  });

  it('// keeps the sign of a zero', () => {
    const pairs: readonly (readonly [number, number, number])[] = [
      [0, -1, -0],
      [-0, 1, -0],
      [0, 1, 0],
      [-0, -1, 0],
      [5, Infinity, 0],
      [-5, Infinity, -1],
      [-5, -Infinity, 0],
      [0, -Infinity, -0],
    ];
    const table = tableFrom({ a: ['float64', pairs.map(([a]) => a)], b: ['float64', pairs.map(([, b]) => b)] });
    expect(Array.from(assigned(table, 'a // b').column('x').toArraySync() as Iterable<number>)).toEqual(
      pairs.map(([, , quotient]) => quotient),
    );
    // Zero has no sign among integers.
    expect(valuesOf('int32', [0, 0], "cast(v // -1, 'string')")).toEqual(['0', '0']);
  });
});

it('bytes of many rows are no constant', () => {
  const table = tableFrom({ v: ['int32', [1, 2]] });
  const edit = editTable(table, WRITER);
  const error = refusalOf(() => edit.assign({ z: Uint8Array.of(1, 2) as never }));
  expect([error.code, error.message]).toEqual(['ERR_ARGUMENT', expect.stringContaining("`x'00ff'`")]);
  expect(edit.assign({ z: "x'0102'" }).table.column('z').toArraySync()).toEqual([
    Uint8Array.of(1, 2),
    Uint8Array.of(1, 2),
  ]);
});

it('and, or take any number of conditions', () => {
  const table = tableFrom({ a: ['int32', [0, 1, 2, 101, 200]] });
  const a = col('a');
  expect(
    table
      .where(a.gt(0).and(a.gt(1), a.gt(100), a.lt(200)))
      .column('a')
      .toArraySync(),
  ).toEqual(Int32Array.of(101));
  expect(
    table
      .where(a.eq(0).or(a.eq(1), a.eq(200)))
      .column('a')
      .toArraySync(),
  ).toEqual(Int32Array.of(0, 1, 200));
  expect(() => a.gt(0).and(a.gt(1), undefined as never)).toThrow(ArgumentError);
  expect(() => a.gt(0).and(...([] as never as [never]))).toThrow(ArgumentError);
});
