// What a user sees of aggregates: answers of known numbers, the table of an answer, limits, and what is refused.
import { parseDType } from '@colkit/io';
import { runSync } from '@colkit/io/effects';
import { codeOf } from '@colkit/testkit';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { Table, col } from '../../src/index.ts';
import { aggregateRows } from '../../src/aggregate/aggregate-rows.ts';
import { Aggregation } from '../../src/aggregate/aggregation.ts';
import type { PartialAggregates } from '../../src/aggregate/aggregation.ts';
import type { ColumnValues } from '../../src/aggregate/column-values.ts';
import { DistinctCounts } from '../../src/aggregate/distinct-counts.ts';
import { GroupKeys } from '../../src/aggregate/keys/group-keys.ts';
import { parseAggregates } from '../../src/aggregate/spec.ts';
import type { ColumnRef } from '../../src/query/bound-predicate.ts';
import { columnRefs } from '../../src/views/column-refs.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { oracleOf, tableFrom, upTo } from '../support/tables.ts';

const open = (): Table =>
  tableFrom({
    region: ['string?', ['EMEA', null, 'APAC', 'EMEA', null, 'APAC', 'EMEA']],
    status: ['bool', [true, true, false, false, true, false, true]],
    amount: ['float64?', [1.5, 2, null, 4, Number.NaN, -0, 10]],
    id: ['int64', [1n, 2n, 3n, 4n, 5n, 6n, 2n ** 62n]],
    day: ['datetime64[D]?', [3n, null, -5n, -(2n ** 63n), 7n, 7n, 3n]],
    raw: ['binary', upTo(7).map((row) => Uint8Array.of(row % 2))],
  });

describe('agg', () => {
  test('gives several answers in one pass', async () => {
    const found = await open().agg({
      n: 'count',
      known: { count: 'amount' },
      ids: { sum: 'id' },
      least: { min: 'amount' },
      most: { max: 'day' },
      regions: { countDistinct: 'region' },
      days: { countDistinct: 'day' },
      first: { first: 'day' },
      last: { last: 'region' },
      raw: { last: 'raw' },
      share: { mean: 'status' },
      yes: { sum: 'status' },
    });
    expect(found).toEqual(
      Object.assign(Object.create(null), {
        n: 7,
        known: 6,
        ids: 21n + 2n ** 62n,
        least: -0,
        most: 7n,
        regions: 2,
        days: 4,
        first: 3n,
        last: 'EMEA',
        raw: Uint8Array.of(0),
        share: 4 / 7,
        yes: 4,
      }),
    );
    expect(Object.getPrototypeOf(found)).toBeNull();
  });

  test('reads nothing to count rows, and each column once', async () => {
    const source = new MemoryTable(oracleOf({ a: ['int32', upTo(100)], b: ['int32?', upTo(100)] }));
    const table = new Table(source);
    expect(await table.agg({ n: 'count', a: { count: 'a' } })).toEqual({ n: 100, a: 100 });
    expect(source.requests).toEqual([]);
    table.aggSync({ s: { sum: 'a' }, m: { mean: 'a' }, v: { var: 'a' }, d: { std: 'a' }, b: { count: 'b' } });
    expect(source.requests.map(({ columns }) => columns)).toEqual([[0, 1]]);
  });

  test('of no rows', () => {
    const found = open()
      .where('id < 0')
      .aggSync({
        n: 'count',
        s: { sum: 'amount' },
        i: { sum: 'id' },
        m: { mean: 'id' },
        v: { std: 'id' },
        min: { min: 'day' },
        f: { first: 'raw' },
      });
    expect(found).toEqual({ n: 0, s: 0, i: 0n, m: Number.NaN, v: Number.NaN, min: null, f: null });
  });

  test('variances keep their digits far from 0, however the rows are cut', () => {
    const rows = upTo(70_000);
    const table = tableFrom({
      wide: ['int64', rows.map((row) => 2n ** 62n + BigInt(row % 2))],
      far: ['float64', rows.map((row) => 1e15 + (row % 2))],
      narrow: ['uint32', rows.map((row) => 4_294_967_294 + (row % 2))],
    });
    const wanted = 0.25 * (70_000 / 69_999);
    for (const name of ['wide', 'far', 'narrow']) {
      expect(table.column(name).varSync()).toBeCloseTo(wanted, 13);
      expect(table.groupBy('narrow').aggSync({ v: { var: name } }).columns['v']).toEqual([0, 0]);
    }
    expect(table.column('wide').head(1).varSync()).toBeNaN();
  });

  test('variances beyond what a double holds are infinite, as in numpy; of what is not finite there is none', () => {
    const most = Number.MAX_VALUE;
    const varianceOf = (...values: number[]): unknown => {
      const table = tableFrom({ x: ['float64', values], first: ['int32', values.map((_, row) => Number(row > 0))] });
      const joined = tableFrom({ x: ['float64', upTo(70_000).map((row) => values[row % values.length] as number)] });
      const found = table.column('x').varSync();
      expect(Object.is(found, 0) || Object.is(joined.column('x').varSync(), found)).toBe(true);
      expect(table.groupBy('first').aggSync({ v: { var: 'x' } }).columns['v']).toEqual([NaN, expect.any(Number)]);
      return found;
    };
    expect(varianceOf(1e200, -1e200, 3)).toBe(Infinity);
    expect(varianceOf(most, -most, 1)).toBe(Infinity);
    expect(varianceOf(most, most, most)).toBe(0);
    expect(varianceOf(1, 2, Infinity)).toBeNaN();
    expect(varianceOf(most, -most, NaN)).toBeNaN();
    expect(varianceOf(-Infinity, most, -most)).toBeNaN();
  });

  test('columns have all of them', async () => {
    const amount = open().column('amount');
    expect([
      await amount.countDistinct(),
      amount.countDistinctSync(),
      await amount.first(),
      amount.firstSync(),
      await amount.last(),
      amount.lastSync(),
    ]).toEqual([6, 6, 1.5, 1.5, 10, 10]);
    const id = open().column('id').head(6);
    expect([await id.var(), id.varSync(), await id.std(), id.stdSync()]).toEqual([
      3.5,
      3.5,
      Math.sqrt(3.5),
      Math.sqrt(3.5),
    ]);
  });
});

describe('groupBy', () => {
  test('several columns, in order of first appearance, null being one', async () => {
    const found = await open()
      .groupBy('region', 'status')
      .agg({ n: 'count', total: { sum: 'amount' }, last: { last: 'id' } });
    expect(found.rowCount).toBe(4);
    expect(found.columns).toEqual({
      region: ['EMEA', null, 'APAC', 'EMEA'],
      status: [true, true, false, false],
      n: [2, 2, 2, 1],
      total: [11.5, Number.NaN, 0, 4],
      last: [2n ** 62n, 5n, 6n, 4n],
    });
  });

  test('its table is one like any other', async () => {
    const { table } = open()
      .where(col('id').lt(7))
      .groupBy(['region'])
      .aggSync({ n: 'count', ids: { sum: 'id' }, day: { max: 'day' }, mean: { mean: 'id' } });
    expect(table.schema).toEqual([
      { name: 'region', dtype: 'string', nullable: true },
      { name: 'n', dtype: 'float64', nullable: false },
      { name: 'ids', dtype: 'int64', nullable: false },
      { name: 'day', dtype: 'datetime64[D]', nullable: true },
      { name: 'mean', dtype: 'float64', nullable: false },
    ]);
    const top = table.orderBy({ column: 'ids', descending: true }).head(2);
    expect(await top.toRows()).toEqual([
      { region: 'APAC', n: 2, ids: 9n, day: 7n, mean: 4.5 },
      { region: null, n: 2, ids: 7n, day: 7n, mean: 3.5 },
    ]);
    expect(table.slice(undefined, undefined, -1).column('region').toArraySync()).toEqual(['APAC', null, 'EMEA']);
    expect(table.filter([true, false, true]).take([-1]).toRowsSync()).toEqual([
      { region: 'APAC', n: 2, ids: 9n, day: 7n, mean: 4.5 },
    ]);
    expect(await codeOf(() => table.take([3]).toColumnsSync())).toBe('ERR_INDEX_OUT_OF_RANGE');
    expect(await codeOf(() => table.select('mean').viewColumns())).toBe('ERR_NOT_MAPPED');
    table.close();
    expect(await codeOf(() => table.toColumns())).toBe('ERR_CLOSED');
  });

  test('binary, moments, NaN and -0 as keys; text of fixed width becomes text', () => {
    const table = tableFrom({
      f: ['float32', [0, -0, Number.NaN, Number.NaN]],
      s: ['S3', ['ab', 'ab', '', 'abc']],
      b: ['binary?', [Uint8Array.of(1), Uint8Array.of(1), null, Uint8Array.of()]],
    });
    expect(table.groupBy('f').aggSync({ n: 'count' }).columns).toEqual({ f: [0, Number.NaN], n: [2, 2] });
    const { table: texts } = table.groupBy('s').aggSync({ b: { first: 'b' }, most: { max: 's' } });
    expect(texts.schema.map(({ dtype }) => dtype)).toEqual(['string', 'binary', 'string']);
    expect(texts.toRowsSync()).toEqual([
      { s: 'ab', b: Uint8Array.of(1), most: 'ab' },
      { s: '', b: null, most: '' },
      { s: 'abc', b: Uint8Array.of(), most: 'abc' },
    ]);
    expect(table.groupBy('b').aggSync({ n: 'count' }).columns['b']).toEqual([Uint8Array.of(1), null, Uint8Array.of()]);
  });

  test('sums that no 64-bit integer holds are in the columns, not in a table', async () => {
    const found = tableFrom({ x: ['uint64', [2n ** 64n - 1n, 1n]] })
      .groupBy('x')
      .aggSync({ s: { sum: 'x' } });
    expect(found.table.column('s').maxSync()).toBe(2n ** 64n - 1n);
    const wide = tableFrom({ g: ['bool', [true, true]], x: ['uint64', [2n ** 64n - 1n, 1n]] })
      .groupBy('g')
      .aggSync({ s: { sum: 'x' } });
    expect(wide.columns['s']).toEqual([2n ** 64n]);
    expect(await codeOf(() => wide.table)).toBe('ERR_LIMIT');
  });

  test.each(['int32', 'string'] as const)('at most so many groups by %s', async (dtype) => {
    const most = 5000;
    const items = upTo(most + 1).map((row) => (dtype === 'string' ? `${String(row)} of many` : row));
    const add = (values: readonly unknown[]): Aggregation<ColumnRef> => {
      const { view } = tableFrom({ x: [`${dtype}?`, values] });
      const keys = GroupKeys.of([parseDType(dtype)], 'groupBy', 'groups', most);
      const aggregation = new Aggregation<ColumnRef>([], columnRefs(view.projection), keys);
      runSync(aggregateRows(view.source, view.rows, aggregation));
      return aggregation;
    };
    expect(add(items.slice(1)).groupCount).toBe(most);
    // Null is a group like any other.
    for (const values of [items, [null, ...items.slice(1)]])
      expect(() => add(values)).toThrow('groups: expected at most 5000 but found 5001');
  });

  test.each(['int32', 'string'] as const)('at most so many different values of %s', (dtype) => {
    const [most, rows] = [5000, 6000];
    const items = Array.from({ length: rows }, (_, row) => (dtype === 'string' ? `${String(row)} of many` : row));
    const groups = Uint32Array.from({ length: rows }, (_, row) => row % 3);
    let end = 0;
    const ends = Uint32Array.from(items, (item) => (end += String(item).length));
    const values = (count: number): ColumnValues =>
      dtype === 'string'
        ? {
            kind: 'utf8',
            texts: {
              bytes: Buffer.from(items.join('')),
              start: 0,
              ends: ends.subarray(0, count),
            },
            codes: null,
            validity: null,
          }
        : {
            kind: 'numbers',
            numbers: Float64Array.from(items.slice(0, count) as number[]),
            stored: null,
            validity: null,
          };
    for (const of of [null, groups]) {
      const counts = new DistinctCounts(parseDType(dtype), most);
      counts.add(values(most), most, of, 3);
      expect(counts.result(0) + (of === null ? 0 : counts.result(1) + counts.result(2))).toBe(most);
      expect(() => {
        counts.add(values(rows), rows, of, 3);
      }).toThrow(`different values that countDistinct tells apart: expected at most ${String(most)} but found 5001`);
    }
  });
});

describe('refused', () => {
  test.each([
    [
      { n: 'cuont' },
      `aggregates.n: expected 'count' or an object of one of count, sum, min, max, mean, std, var, countDistinct, ` +
        'first and last with a column but found "cuont"; did you mean "count"?',
    ],
    [{ n: 'sum' }, 'found "sum"; did you mean { sum: \'a column\' }?'],
    [{ n: { countdistinct: 'id' } }, 'found { countdistinct: "id" }; did you mean "countDistinct"?'],
    [{ n: {} }, 'but found {}'],
    [{ n: { sum: 'id', min: 'id' } }, 'but found { sum: "id", min: "id" }'],
    [{ n: { sum: 3 } }, 'but found { sum: 3 }'],
    [{ n: ['sum', 'id'] }, 'but found an array (["sum", "id"])'],
    [
      { n: { sum: 'idd' } },
      'unknown column "idd"; available: "region", "status", "amount", "id", "day", "raw"; did you mean "id"?',
    ],
    [{ n: { var: 'day' } }, 'var: datetime64[D] values do not add up'],
    [{ n: { max: 'raw' } }, 'max: binary values have no order'],
    [[], 'aggregates: expected an object of aggregates by name but found an empty array'],
  ])('%j', (specs, message) => {
    expect(() => open().aggSync(specs as never)).toThrow(message);
    expect(() =>
      open()
        .groupBy('region')
        .aggSync(specs as never),
    ).toThrow(message);
  });

  test('groups', async () => {
    expect(() => open().groupBy()).toThrow('groupBy: expected a column at least but found an empty array');
    expect(() => open().groupBy('region', 'region')).toThrow(
      'groupBy: expected each column once but found "region" twice',
    );
    expect(() => open().groupBy('regoin')).toThrow('did you mean "region"?');
    expect(() => open().groupBy('region').aggSync({ region: 'count' })).toThrow(
      'aggregates.region: expected a name other than that of a column grouped by',
    );
    expect(await codeOf(() => tableFrom({ q: ['float128', [0n]] }).groupBy('q'))).toBe('ERR_DTYPE');
    expect(
      await codeOf(() =>
        tableFrom({ q: ['float128', [0n]] })
          .column('q')
          .countDistinctSync(),
      ),
    ).toBe('ERR_DTYPE');
  });

  test('sums that no number holds, closed tables, and what is given up', async () => {
    const rows = upTo(4000);
    const table = tableFrom({ x: ['uint32', rows.map(() => 4_294_967_295)], g: ['int8', rows.map(() => 1)] });
    const many = table.take(upTo(2_200_000).map((row) => row % 4000));
    expect(await codeOf(() => many.groupBy('g').agg({ s: { sum: 'x' } }))).toBe('ERR_UNSAFE_INTEGER');
    expect((await many.agg({ m: { mean: 'x' } })).m).toBe(4_294_967_295);
    expect(() => table.aggSync({ s: { sum: 'x' } }, { signal: AbortSignal.abort(new Error('enough')) })).toThrow(
      'enough',
    );
    await expect(
      table.groupBy('g').agg({ n: 'count' }, { signal: AbortSignal.abort(new Error('enough')) }),
    ).rejects.toThrow('enough');
    table.close();
    for (const call of [
      () => table.agg({ n: 'count' }),
      () => table.groupBy('g').aggSync({ n: 'count' }),
      () => table.orderBy('x').resolve(),
    ])
      expect(await codeOf(call)).toBe('ERR_CLOSED');
  });
});

test('states of others are refused', () => {
  const refs = columnRefs(open().view.projection);
  const [, , , id] = refs;
  const aggregation = () => new Aggregation(parseAggregates({ s: { sum: 'id' }, l: { last: 'id' } }, refs), [id!]);
  const good = aggregation().toJSON();
  aggregation().merge(good);
  const bad: readonly unknown[] = [
    { ...good, version: 2 },
    { ...good, by: [] },
    { ...good, states: [] },
    { ...good, groupCount: 1 },
    { ...good, keys: [['a']], groupCount: 1 },
    { ...good, states: [{ ...good.states[0], state: {} }, good.states[1]] },
    {
      ...good,
      states: [{ ...good.states[0], state: { counts: [-1], totals: ['x'] } }, good.states[1]],
      keys: [[{ int: '1' }]],
      groupCount: 1,
    },
  ];
  for (const state of bad) expect(() => aggregation().merge(state as PartialAggregates)).toThrow('state: expected');
});

test('types follow from the specs', async () => {
  const table = open().expectSchema({ region: { dtype: 'string', nullable: true }, id: 'int64', status: 'bool' });
  const one = await table.agg({
    n: 'count',
    s: { sum: 'id' },
    m: { mean: 'id' },
    last: { max: 'region' },
    any: { first: 'status' },
    yes: { sum: 'status' },
  });
  expectTypeOf(one).toEqualTypeOf<{
    readonly n: number;
    readonly s: bigint;
    readonly m: number;
    readonly last: string | null;
    readonly any: boolean | null;
    readonly yes: number;
  }>();
  const { columns } = table.groupBy('region', 'status').aggSync({ s: { sum: 'id' }, n: { countDistinct: 'region' } });
  expectTypeOf(columns.region).toEqualTypeOf<readonly (string | null)[]>();
  expectTypeOf(columns.s).toEqualTypeOf<readonly bigint[]>();
  expectTypeOf(columns.n).toEqualTypeOf<readonly number[]>();
  // @ts-expect-error -- not a column of the schema
  expect(() => table.aggSync({ s: { sum: 'amount' } })).toThrow();
  // @ts-expect-error -- not a column of the schema
  expect(() => table.orderBy('amount')).toThrow();
});
