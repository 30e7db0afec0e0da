// Columns that a function computes, against the same done by hand: forms of what it gets and gives, batches, names, and
// what is refused.
import { expect, test } from 'vitest';
import { editTable } from '../../src/index.ts';
import type { ColumnFunction, DerivedValues, EditWriter, Table, TableEdit } from '../../src/index.ts';
import { tableFrom } from '../support/tables.ts';

const COLUMNS = {
  n: ['int32', [7, -7, 0, 12]],
  d: ['int64', [2n, 0n, 2n ** 53n + 1n, -1n]],
  f: ['float64', [0.5, 1.5, -0, NaN]],
  g: ['float32?', [1.25, null, -1.5, null]],
  h: ['float16', [1, 2, 3, 4]],
  s: ['string?', ['a', null, '', 'é😀']],
  S: ['S4', ['ab', '', '12', 'zzzz']],
  ok: ['bool', [true, false, true, false]],
  t: ['datetime64[ms]', [0n, -1n, -(2n ** 63n), 5n]],
} as const;

const WRITER: EditWriter<string, object, string> = {
  write: () => Promise.resolve(''),
  writeSync: () => '',
};
const table = tableFrom(COLUMNS);
const edit = (given: Table = table): TableEdit<string, object, string> => editTable(given, WRITER);
const applied = (
  columns: readonly string[],
  compute: ColumnFunction<never[]>,
  options?: Parameters<TableEdit['apply']>[3],
): unknown => edit().apply('x', columns, compute, options).table.column('x').toArraySync();

test('a function gets what toArray gives', () => {
  for (const name of table.columnNames) {
    const seen: unknown[] = [];
    const keep = (values: readonly unknown[]): Int8Array => {
      seen.push(values);
      return new Int8Array(values.length);
    };
    applied([name], keep as never);
    // First the question for the type.
    expect(seen[0]).toHaveLength(0);
    expect(seen[1]).toEqual(table.column(name).toArraySync());
    expect((seen[0] as object).constructor.name).toBe(name === 'g' ? 'Array' : (seen[1] as object).constructor.name);
  }
});

test('what it gives is a column: typed arrays say its type, dtype says it of others', () => {
  expect(applied(['n', 'f'], (n: Int32Array, f: Float64Array) => f.map((value, row) => value * (n[row] ?? 0)))).toEqual(
    Float64Array.of(3.5, -10.5, -0, NaN),
  );
  expect(applied(['n'], (n: Int32Array) => Array.from(n, (value) => value / 2), { dtype: 'float32' })).toEqual(
    Float32Array.of(3.5, -3.5, 0, 6),
  );
  expect(applied(['n'], (n: Int32Array) => Array.from(n, String), { dtype: 'string' })).toEqual(['7', '-7', '0', '12']);
  expect(applied(['n'], (n: Int32Array) => Array.from(n, String), { dtype: 'U3' })).toEqual(['7', '-7', '0', '12']);
  expect(applied(['n'], (n: Int32Array) => Array.from(n, (value) => value > 0), { dtype: 'bool' })).toEqual(
    Uint8Array.of(1, 0, 0, 1),
  );
  expect(applied(['t'], (t: BigInt64Array) => t, { dtype: 'datetime64[us]' })).toEqual(
    BigInt64Array.of(0n, -1n, -(2n ** 63n), 5n),
  );
  const nullable = { dtype: 'string', nullable: true } as const;
  expect(applied(['s'], (s: readonly (string | null)[]) => s.map((text) => text && `${text}!`), nullable)).toEqual([
    'a!',
    null,
    '',
    'é😀!',
  ]);
});

test('it composes: with other columns, conditions, orders, names, and rows at random', () => {
  const change = edit()
    .apply('twice', ['n'], (n: Int32Array) => n.map((value) => 2 * value))
    .assign({ more: 'twice + d' } as DerivedValues)
    .apply('n', ['twice', 'more'], (twice: Int32Array, more: BigInt64Array) =>
      twice.map((value, row) => value + Number(more[row]! % 10n)),
    )
    .rename({ twice: 'two' });
  expect(change.columnNames.join()).toBe('n,d,f,g,h,s,S,ok,t,two,more');
  const all = change.table.select('two', 'more', 'n').toColumnsSync();
  expect(all).toEqual({
    two: Int32Array.of(14, -14, 0, 24),
    more: BigInt64Array.of(16n, -14n, 2n ** 53n + 1n, 23n),
    n: Int32Array.of(20, -18, 3, 27),
  });
  expect(change.where('two > 0 and n < 25').table.column('more').toArraySync()).toEqual(BigInt64Array.of(16n));
  expect(change.table.take([3, 0]).column('n').toArraySync()).toEqual(Int32Array.of(27, 20));
  expect(change.table.orderBy('n').column('two').toArraySync()).toEqual(Int32Array.of(-14, 0, 14, 24));
  expect(change.table.column('two').sumSync()).toBe(24);
  expect(change.where('two > 0').where('ok', { label: 'ok' }).reportSync().toString()).toMatch(/ok +2 +1/);
});

test('what it is given is its own', () => {
  const change = edit()
    .apply('x', ['n', 's'], (n: Int32Array, s: unknown[]) => {
      s.fill('gone');
      return n.fill(5);
    })
    .assign({ y: 'n + 1' } as DerivedValues);
  expect(change.table.select('x', 'n', 'y', 's').toColumnsSync()).toEqual({
    x: Int32Array.of(5, 5, 5, 5),
    n: Int32Array.of(7, -7, 0, 12),
    y: BigInt64Array.of(8n, -6n, 1n, 13n),
    s: ['a', null, '', 'é😀'],
  });
});

test.each<[string, () => unknown, RegExp]>([
  ['no columns', () => edit().apply('x', [], () => []), /array of names/],
  ['an unknown column', () => edit().apply('x', ['m'], () => []), /"m"/],
  ['a type that is not told', () => applied(['n'], (n: Int32Array) => [...n]), /column "x": .*\{ dtype \}.*array/],
  ['one value for all', () => applied(['f'], (f: Float64Array) => f.at(0) as never), /gives an array but found/],
  ['values for no rows', () => applied(['f'], () => Float64Array.of(1)), /0 rows .* but found 1 values/],
  ['too few values', () => applied(['f'], (f: Float64Array) => f.subarray(1), { dtype: 'float64' }), /4 rows .* 3 val/],
  ['null', () => applied(['g'], (g: (number | null)[]) => g, { dtype: 'float64' }), /value in every row/],
  ['what does not fit', () => applied(['f'], (f: Float64Array) => f, { dtype: 'int8' }), /integers for int8.*0\.5/],
  ['mixed values', () => applied(['f'], () => [1, 'a', 2, 3], { dtype: 'float64' }), /"x".*numbers.*row 1/],
  ['an odd dtype', () => applied(['f'], (f: Float64Array) => f, { dtype: 'float' as never }), /float/],
  ['an error of its own', () => applied(['f'], () => JSON.parse('{') as never), SyntaxError.prototype as never],
])('%s: refused', (_, call, error) => {
  expect(call).toThrow(error instanceof RegExp ? error : SyntaxError);
});
