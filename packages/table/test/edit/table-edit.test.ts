// Edits of a table in memory against the same done by hand, row by row: values, nulls, NaN, NaT, widths, names, rows.
import { ArgumentError } from '@colkit/io';
import { expect, test } from 'vitest';
import { CutFlow, TableEdit, col, editTable } from '../../src/index.ts';
import type { EditWriter, Table } from '../../src/index.ts';
import { tableFrom } from '../support/tables.ts';

const NAT = -(2n ** 63n);
const DAY = 86_400_000n;
const COLUMNS = {
  n: ['int32', [7, -7, 0, 2_147_483_647, -2_147_483_648, 12]],
  d: ['int64', [2n, 0n, 3n, 2n ** 53n + 1n, -(2n ** 63n), 2n ** 63n - 1n]],
  u: ['uint64', [0n, 1n, 2n ** 53n, 2n ** 64n - 1n, 5n, 6n]],
  f: ['float64', [0.5, 1.5, -0, NaN, Infinity, -2.5]],
  g: ['float32?', [1.25, null, -1.5, 2.5, null, 3]],
  s: ['string?', ['a', null, '', 'a', 'é😀', '42']],
  S: ['S4', ['ab', '', '12', '-3', 'zzzz', '1e3']],
  ok: ['bool?', [true, false, null, true, false, true]],
  t: ['datetime64[ms]', [0n, -1n, NAT, DAY * 365n, 1_709_164_799_999n, -62_135_596_800_000n]],
} as const;

const table = (): Table => tableFrom(COLUMNS);

/** What a writer was given. */
const WRITER: EditWriter<string, object, string> = {
  write: async (target, given) => `${target}: ${given.columnNames.join()} ${String(await given.count())}`,
  writeSync: (target, given) => `${target}: ${given.columnNames.join()} ${String(given.countSync())}`,
};
const edit = (given: Table = table()): TableEdit<string, object, string> => editTable(given, WRITER);
const valuesOf = (value: unknown): unknown[] =>
  Array.from(
    edit()
      .assign(new Map([['x', value as never]]))
      .table.column('x')
      .toArraySync() as Iterable<unknown>,
  );
const dtypeOf = (value: unknown): string => {
  const field = edit()
    .assign(new Map([['x', value as never]]))
    .schema.at(-1);
  return `${String(field?.dtype)}${field?.nullable === true ? '?' : ''}`;
};

test.each<[text: string, dtype: string, values: readonly unknown[]]>([
  ['n + 1', 'int64', [8n, -6n, 1n, 2_147_483_648n, -2_147_483_647n, 13n]],
  ['n * n', 'int64', [49n, 49n, 0n, 4_611_686_014_132_420_609n, 4_611_686_018_427_387_904n, 144n]],
  ['u + 0', 'uint64', [0n, 1n, 2n ** 53n, 2n ** 64n - 1n, 5n, 6n]],
  ['n // 2', 'int64', [3n, -4n, 0n, 1_073_741_823n, -1_073_741_824n, 6n]],
  ['n / 2', 'float64', [3.5, -3.5, 0, 1_073_741_823.5, -1_073_741_824, 6]],
  ['n // d', 'int64?', [3n, null, 0n, 0n, 0n, 0n]],
  ['g * 2', 'float32?', [2.5, null, -3, 5, null, 6]],
  ['g * f', 'float64?', [0.625, null, 0, NaN, null, -7.5]],
  ['round(f)', 'float64', [0, 2, -0, NaN, Infinity, -2]],
  ['round(n, -1)', 'int32', null as never],
  ['abs(f)', 'float64', [0.5, 1.5, 0, NaN, Infinity, 2.5]],
  ['clip(f, -1, 1)', 'float64', [0.5, 1, -0, NaN, 1, -1]],
  ['clip(n, null, 5)', 'int32', [5, -7, 0, 5, -2_147_483_648, 5]],
  ['clip(d, n, null)', 'int64', [7n, 0n, 3n, 2n ** 53n + 1n, -2_147_483_648n, 2n ** 63n - 1n]],
  ['where(ok, n, 1e300)', 'float64', [7, 1e300, 1e300, 2_147_483_647, 1e300, 12]],
  ["s like '%' and n < 0", 'bool?', [false, null, false, false, true, false]],
  ['(n == null and n < 0) or n > 10', 'bool?', [false, null, false, true, null, true]],
  ['s is not null and n in (7, null)', 'bool', [1, 0, 0, 0, 0, 0]],
  ["t >= '1970-01-01' or not (n between -9 and 0)", 'bool', [1, 0, 0, 1, 1, 1]],
  ['clip(n, -1e19, 5)', 'float64', [5, -7, 0, 5, -2_147_483_648, 5]],
  ['fillNull(g, 0)', 'float32', [1.25, 0, -1.5, 2.5, 0, 3]],
  ["fillNull(s, '-')", 'string', ['a', '-', '', 'a', 'é😀', '42']],
  ['where(ok, n, -1)', 'int32', [7, -1, -1, 2_147_483_647, -1, 12]],
  ['where(f > 1, f, null)', 'float64?', [null, 1.5, null, null, Infinity, null]],
  ['where(n > 0, 0.5, n)', 'float64', [0.5, -7, 0, 0.5, -2_147_483_648, 0.5]],
  ['where(n > 0, s, S)', 'string?', ['a', '', '12', 'a', 'zzzz', '42']],
  ["where(n > 0, S, 'other')", 'S5', ['ab', 'other', 'other', '-3', 'other', '1e3']],
  ["where(n > 0, S, 'o')", 'S4', ['ab', 'o', 'o', '-3', 'o', '1e3']],
  ["where(n > 0, cast(S, 'U4'), 'other😀')", 'U6', ['ab', 'other😀', 'other😀', '-3', 'other😀', '1e3']],
  ["where(n > 0, S, '\u0142')", 'string', ['ab', 'ł', 'ł', '-3', 'ł', '1e3']],
  ['f > 1', 'bool', [0, 1, 0, 0, 1, 0]],
  ['g > 1', 'bool?', [true, null, false, true, null, true]],
  ['not ok', 'bool?', [false, true, null, false, true, false]],
  ['1 + 1', 'int64', [2n, 2n, 2n, 2n, 2n, 2n]],
  ["'it''s'", 'string', ["it's", "it's", "it's", "it's", "it's", "it's"]],
  ["cast(f, 'bool')", 'bool', [1, 1, 0, 1, 1, 1]],
  ["cast(n, 'string')", 'string', ['7', '-7', '0', '2147483647', '-2147483648', '12']],
  ["cast(f, 'string')", 'string', ['0.5', '1.5', '-0', 'NaN', 'Infinity', '-2.5']],
  ["cast(g, 'int8')", 'int8?', [1, null, -1, 2, null, 3]],
  ["cast(u, 'float64')", 'float64', [0, 1, 2 ** 53, 2 ** 64, 5, 6]],
  ["cast(f, 'float16')", 'float16', [0.5, 1.5, -0, NaN, Infinity, -2.5]],
  ["cast(t, 'datetime64[D]')", 'datetime64[D]', [0n, -1n, NAT, 365n, 19_781n, -719_162n]],
  [
    "cast(cast(t, 'datetime64[D]'), 'string')",
    'string',
    ['1970-01-01', '1969-12-31', 'NaT', '1971-01-01', '2024-02-28', '0001-01-01'],
  ],
  ['year(t)', 'int32?', [1970, 1969, null, 1971, 2024, 1]],
  ['month(t)', 'int32?', [1, 12, null, 1, 2, 1]],
  ['day(t)', 'int32?', [1, 31, null, 1, 28, 1]],
  ['hour(t)', 'int32?', [0, 23, null, 0, 23, 0]],
  ['minute(t)', 'int32?', [0, 59, null, 0, 59, 0]],
  ['second(t)', 'int32?', [0, 59, null, 0, 59, 0]],
  ['weekday(t)', 'int32?', [3, 2, null, 4, 2, 0]],
  ["clip(t, '1970-01-01', '2000-01-01')", 'datetime64[ms]', [0n, 0n, NAT, DAY * 365n, DAY * 10_957n, 0n]],
])('%s is %s', (text, dtype, values) => {
  if ((values as unknown) === null) {
    // 2147483647 to tens is beyond int32: exact, or refused.
    expect(() => valuesOf(text)).toThrow(/int32/);
    expect(valuesOf("round(cast(n, 'int64'), -1)")).toEqual([10n, -10n, 0n, 2_147_483_650n, -2_147_483_650n, 10n]);
    return;
  }
  expect(dtypeOf(text)).toBe(dtype);
  expect(valuesOf(text)).toEqual(values);
});

test.each([
  ['where(ok, d, f)', [2n, 2n ** 53n, 2n ** 63n]],
  ['clip(d, f, null)', [2n, 2n ** 63n]],
  ['where(not ok, f, clip(d, -1e19, null))', [2n, 2n ** 53n, 2n ** 63n]],
] as const)('%s is the same doubles in a condition as in a column', (text, found) => {
  const kept = (value: bigint): number => table().where(`${text} = @value`, { value }).countSync();
  for (const value of found) expect(kept(value), String(value)).toBe(1);
  for (const value of [2n ** 53n + 1n, 2n ** 63n - 1n]) expect(kept(value), String(value)).toBe(0);
  const assigned = edit().assign({ x: text }).table;
  expect(assigned.where(`x = ${text}`).countSync()).toBe(assigned.where('x = x').countSync());
});

test('methods of col() are the functions of the text form', () => {
  const pairs: readonly [unknown, string][] = [
    [col('f').round(1), 'round(f, 1)'],
    [col('f').floor().add(col('f').ceil()), 'floor(f) + ceil(f)'],
    [col('g').fillNull(1).sqrt(), 'sqrt(fillNull(g, 1))'],
    [col('f').exp().log(), 'log(exp(f))'],
    [col('n').clip(-9, 3).abs(), 'abs(clip(n, -9, 3))'],
    [col('ok').where(col('n'), 'd'.length), 'where(ok, n, 1)'],
    [col('n').gt(0).where(1, 2), 'where(n > 0, 1, 2)'],
    [col('n').cast('float32'), "cast(n, 'float32')"],
    [col('t').weekday(), 'weekday(t)'],
  ];
  for (const [built, text] of pairs) expect(valuesOf(built)).toEqual(valuesOf(text));
  // They are conditions and values in where, too.
  expect(table().where('year(t) = 2024 or abs(n) = 7').column('n').toArraySync()).toEqual(
    Int32Array.of(7, -7, -2_147_483_648),
  );
  expect(
    table()
      .where(col('n').cast('string').eq('0').or(col('t').year().isNull()))
      .countSync(),
  ).toBe(1);
  expect(table().where("cast(f, 'bool')").countSync()).toBe(5);
  expect(table().where('where(ok, n > 10, f > 0)').countSync()).toBe(4);
});

test('an integer that does not fit is refused, with what helps', () => {
  expect(() => valuesOf('d + d')).toThrow(ArgumentError);
  expect(() => valuesOf('d * 2')).toThrow(/int64/);
  expect(() => valuesOf('u - 6')).toThrow(/int64/);
  expect(() => valuesOf('abs(n)')).toThrow(/int32/);
  expect(() => valuesOf("cast(f, 'int8')")).toThrow(/clip and where/);
  expect(valuesOf("cast(clip(where(f = f, f, 0), -100, 100), 'int8')")).toEqual([0, 1, 0, 0, 100, -2]);
  expect(() => valuesOf("cast(s, 'int32')")).toThrow(/int32/);
  expect(() => valuesOf("cast(n, 'S3')")).toThrow(/S3/);
  expect(() => valuesOf("cast(t, 'int64')")).toThrow(/NaT/);
});

test.each([
  ['nope(n)', /unknown function/],
  ['round()', /round\(number, digits\)/],
  ['round(s)', /expected a number/],
  ['round(f, n)', /whole number of digits/],
  ['year(n)', /expected a datetime/],
  ['where(n, 1, 2)', /condition/],
  ['where(ok, n, s)', /expected/],
  ["where(ok, n, 'x')", /expected a value that|expected a number/],
  ["cast(n, 'int33')", /element type/],
  ["cast(f, 'datetime64[s]')", /can become/],
  ["clip(s, 'a', 'b')", /numbers or times/],
  ["clip(t, 'tomorrow', null)", /ISO 8601/],
  ['missing + 1', /unknown column/],
  ['n +', /but found the end/],
])('%s is refused when it is described', (text, message) => {
  expect(() => edit().assign({ x: text })).toThrow(message);
});

test('columns take their places: new ones behind, known ones where they are; each sees those before it', () => {
  const done = edit()
    .assign({ f: 'f * 2', twice: 'f + n', n: col('d'), last: 'n' })
    .drop('u', 's', 'S', 'ok', 't', 'g');
  expect(done.columnNames).toEqual(['n', 'd', 'f', 'twice', 'last']);
  const { n, d, f, twice, last } = done.table.toColumnsSync() as Record<string, ArrayLike<unknown>>;
  expect(n).toEqual(d);
  expect(last).toEqual(d);
  expect(f).toEqual(Float64Array.of(1, 3, -0, NaN, Infinity, -5));
  expect(twice?.[0]).toBe(8);
});

test('rename, cast and select go by the names that are there', () => {
  const done = edit().rename({ n: 'f', f: 'n' }).cast({ f: 'int64', n: 'float32' }).select('n', 'f');
  expect(done.schema).toEqual([
    { name: 'n', dtype: 'float32', nullable: false },
    { name: 'f', dtype: 'int64', nullable: false },
  ]);
  expect(done.table.where('f < 0').toRowsSync()).toEqual([
    { n: 1.5, f: -7n },
    { n: Infinity, f: -2_147_483_648n },
  ]);
  expect(() => edit().rename({ n: 'f' })).toThrow(/"f" twice/);
  expect(() => edit().rename({ x: 'y' })).toThrow(/"x"/);
  expect(() => edit().cast({ x: 'int8' })).toThrow(/"x"/);
  expect(() => edit().rename({ n: 5 as never })).toThrow(/column names/);
});

test('every way to look at it knows computed columns', async () => {
  const given = edit().assign({ x: 'n % 2', label: "where(n > 0, 'up', 'down')" }).where('n < 100').table;
  expect((await given.groupBy('label').agg({ rows: 'count', sum: { sum: 'x' } })).columns).toEqual({
    label: ['up', 'down'],
    rows: [2, 3],
    sum: [1n, 1n],
  });
  expect(given.orderBy('x', 'n').column('n').toArraySync()).toEqual(Int32Array.of(-2_147_483_648, 0, 12, -7, 7));
  expect(given.distinct('label').countSync()).toBe(2);
  expect(await given.column('label').toArray({ strings: 'dictionary' })).toEqual({
    codes: Int32Array.of(0, 1, 1, 1, 0),
    dictionary: ['up', 'down'],
  });
  const records = given.select('x', 'n', 'f').toRecordsSync();
  expect([records.at(0), records.at(1)]).toMatchObject([
    { x: 1n, n: 7 },
    { x: 1n, n: -7 },
  ]);
  expect(given.take([4, 0, 0]).column('x').toArraySync()).toEqual(BigInt64Array.of(0n, 1n, 1n));
  const batches = [];
  for await (const batch of given.select('x').batches({ rows: 2 })) batches.push(...(batch['x'] as BigInt64Array));
  expect(batches).toEqual([1n, 1n, 0n, 0n, 0n]);
  expect(() => edit().assign({ x: 'n + 1' }).table.column('x').viewArray()).toThrow(/computed/);
  expect(given.column('n').sumSync()).toBe(-2_147_483_636);
});

test('edits of edits, and of views with rows of their own', () => {
  const view = table().where('n > -100').slice(1);
  const done = edit(view).assign({ a: 'n + 1' }).where('a > 0').assign({ b: 'a * a', a: 'a - 1' });
  expect(done.table.select('n', 'a', 'b').where('b < 1000').toRowsSync()).toEqual([
    { n: 0, a: 0n, b: 1n },
    { n: 12, a: 12n, b: 169n },
  ]);
  expect(editTable(done as never, WRITER).columnNames).toEqual(done.columnNames);
});

test('the report tells what each condition left, in order', async () => {
  const done = edit(table().slice(0, 5))
    .where('n != 0')
    .assign({ positive: 'n > 0' })
    .where('positive', { label: 'above zero' })
    .filter([true, false], { label: 'first' });
  const flow = await done.report({ weight: 'n' });
  expect(flow).toBeInstanceOf(CutFlow);
  expect([flow.rowsBefore, flow.rowsAfter]).toEqual([5, 1]);
  expect(flow.steps).toEqual([
    { label: 'n != 0', rowsBefore: 5, rowsAfter: 4, share: 0.8, weightBefore: -1, weightAfter: -1 },
    { label: 'above zero', rowsBefore: 4, rowsAfter: 2, share: 0.5, weightBefore: -1, weightAfter: 2_147_483_654 },
    { label: 'first', rowsBefore: 2, rowsAfter: 1, share: 0.5, weightBefore: 2_147_483_654, weightAfter: 7 },
  ]);
  expect(done.reportSync().steps.map(({ label }) => label)).toEqual(['n != 0', 'above zero', 'first']);
  expect(String(flow).split('\n')).toHaveLength(4);
  expect(done.writeSync('here')).toBe('here: n,d,u,f,g,s,S,ok,t,positive 1');
  expect(await done.write('there')).toBe('there: n,d,u,f,g,s,S,ok,t,positive 1');
  const none = edit().where('n > 5 and n < 5');
  expect(none.reportSync().steps[0]).toMatchObject({ rowsBefore: 6, rowsAfter: 0, share: 0 });
  expect(none.where('n = 1').reportSync().steps[1]).toMatchObject({ rowsBefore: 0, rowsAfter: 0, share: 1 });
});

test('parameters, and what is no table', () => {
  expect(valuesOf('n').length).toBe(6);
  expect(edit().assign({ x: 'n * @k' }, { k: 2 }).table.column('x').toArraySync()).toEqual(
    BigInt64Array.of(14n, -14n, 0n, 4_294_967_294n, -4_294_967_296n, 24n),
  );
  expect(
    edit()
      .where('n = @k', { params: new Map([['k', 12]]) })
      .table.countSync(),
  ).toBe(1);
  for (const odd of [null, undefined, {}, 'a.cstore', 5])
    expect(() => editTable(odd as never, WRITER)).toThrow(/a table of columns/);
  for (const odd of [null, [], 'x', { x: {} }, { x: new Date() }, { x: {} }])
    expect(() => edit().assign(odd as never), String(odd)).toThrow();
});
