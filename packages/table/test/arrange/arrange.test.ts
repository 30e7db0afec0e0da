// What a user sees of orders, distinct rows and resolved views; and that the first k rows of many cost the memory of k.
import type { DType } from '@colkit/io';
import { codeOf, createRandom } from '@colkit/testkit';
import { describe, expect, test } from 'vitest';
import type { Cell } from '../../src/aggregate/column-values.ts';
import { MemoryRows } from '../../src/aggregate/memory-rows.ts';
import { Table, col } from '../../src/index.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { oracleOf, tableFrom, upTo } from '../support/tables.ts';

const open = (): Table =>
  tableFrom({
    name: ['string?', ['b', 'a', null, '😀', '\uFF61', 'a', '']],
    x: ['float64?', [2, Number.NaN, 1, null, -0, 0, -Infinity]],
    day: ['datetime64[D]', [5n, -(2n ** 63n), -1n, 5n, 0n, 1n, 2n]],
    raw: ['binary', upTo(7).map((row) => Uint8Array.of(row % 2))],
  });

const rowsOf = (table: Table): number[] => Array.from(table.resolveSync().rowNumbers());

describe('orderBy', () => {
  test('nulls last, NaN and NaT before them, in both directions; text by code point; equal rows as they were', () => {
    expect(rowsOf(open().orderBy('x'))).toEqual([6, 4, 5, 2, 0, 1, 3]);
    expect(rowsOf(open().orderBy({ column: 'x', descending: true }))).toEqual([0, 2, 4, 5, 6, 1, 3]);
    expect(rowsOf(open().orderBy('day'))).toEqual([2, 4, 5, 6, 0, 3, 1]);
    expect(rowsOf(open().orderBy('name'))).toEqual([6, 1, 5, 0, 4, 3, 2]);
    expect(rowsOf(open().orderBy({ column: 'name', descending: true }, 'x'))).toEqual([3, 4, 0, 5, 1, 6, 2]);
    expect(rowsOf(open().orderBy('day', { column: 'name', descending: true }).head(5))).toEqual([2, 4, 5, 6, 3]);
    expect(
      rowsOf(
        open()
          .orderBy(['day', { column: 'name', descending: true }])
          .head(5),
      ),
    ).toEqual([2, 4, 5, 6, 3]);
  });

  test('composes with every other step', async () => {
    const table = open();
    expect(await table.where('x >= 0').orderBy('x').select('day').toColumns()).toEqual({
      day: BigInt64Array.of(0n, 1n, -1n, 5n),
    });
    expect(rowsOf(table.orderBy('x').where('x < 1').take([0, -1]))).toEqual([6, 5]);
    expect(rowsOf(table.orderBy('x').orderBy('name').tail(3))).toEqual([4, 3, 2]);
    expect(rowsOf(table.orderBy('x').slice(1, 4))).toEqual([4, 5, 2]);
    expect(rowsOf(table.orderBy('x').take([3, 1]))).toEqual([2, 4]);
    expect(rowsOf(table.slice(undefined, undefined, -1).orderBy('name').head(3))).toEqual([6, 5, 1]);
    expect(await table.orderBy('x').column('x').at(1)).toBe(-0);
    expect(table.orderBy('x').rowCount).toBe(7);
    expect(await table.where('x >= 0').orderBy('x').count()).toBe(4);
    expect(await table.orderBy('name').agg({ first: { first: 'name' }, last: { last: 'name' } })).toEqual({
      first: '',
      last: '😀',
    });
    const seen: unknown[] = [];
    for await (const row of table.orderBy({ column: 'day', descending: true }).head(2).select('day').rows())
      seen.push({ ...row });
    expect(seen).toEqual([{ day: 5n }, { day: 5n }]);
  });

  test('refuses what has no order, and what it does not know', async () => {
    expect(() => open().orderBy()).toThrow('orderBy: expected a column at least but found an empty array');
    expect(() => open().orderBy('nmae')).toThrow('did you mean "name"?');
    expect(() => open().orderBy('raw')).toThrow('orderBy: binary values have no order');
    expect(() => open().orderBy({ column: 'x', desc: true } as never)).toThrow('orderBy: unknown option "desc"');
    expect(() => open().orderBy({ column: 'x', descending: 1 } as never)).toThrow(
      'descending: expected true or false but found 1',
    );
    for (const odd of [3, null, [['x']], {}, Symbol('x'), col('x')])
      expect([odd, await codeOf(() => open().orderBy(odd as never))]).toEqual([odd, 'ERR_ARGUMENT']);
    expect(() => open().orderBy(col('x') as never)).toThrow('expected column names, or { column, descending }');
    expect(await codeOf(() => tableFrom({ q: ['float128', [0n]] }).orderBy('q'))).toBe('ERR_DTYPE');
  });

  test('the first of many are those of the whole order, whatever is looked at between', () => {
    const random = createRandom(5);
    // More than are kept at a time of those that may be the first.
    const rows = upTo(200_000);
    const columns: Record<string, readonly [string, readonly unknown[]]> = {
      many: ['float64', rows.map(() => Math.floor(random.number() * 1000) - 500)],
      few: ['uint32?', rows.map((row) => (row % 7 === 0 ? null : Math.floor(random.number() * 5)))],
      text: ['string', rows.map((row) => `t${String((row * 7919) % 1013)}`)],
      wide: ['uint64', rows.map((row) => 2n ** 63n + BigInt((row * 31) % 50_000))],
    };
    const fields = Object.entries(columns).map(([name, [dtype]]) => ({
      name,
      dtype: dtype.replace('?', '') as DType,
      nullable: dtype.endsWith('?'),
    }));
    const table = new Table(
      new MemoryRows(
        'many',
        fields,
        Object.values(columns).map(([, values]) => values as Cell[]),
        rows.length,
      ),
    );
    for (const keys of [
      ['many'],
      ['few', 'many'],
      ['text', 'wide'],
      ['few', { column: 'text', descending: true }],
      [{ column: 'wide', descending: true }],
    ] as const) {
      const all = table
        .orderBy(...keys)
        .resolveSync()
        .rowNumbers();
      for (const first of [1, 20_000])
        expect(
          table
            .orderBy(...keys)
            .head(first)
            .resolveSync()
            .rowNumbers(),
        ).toEqual(all.subarray(0, first));
    }
  });
});

describe('distinct', () => {
  test('the first row of each combination', async () => {
    expect(rowsOf(open().distinct('name'))).toEqual([0, 1, 2, 3, 4, 6]);
    expect(await open().select('x').distinct().toColumns()).toEqual({ x: [2, Number.NaN, 1, null, -0, -Infinity] });
    expect(rowsOf(open().distinct('raw'))).toEqual([0, 1]);
    expect(rowsOf(open().orderBy('x').distinct(['raw']))).toEqual([6, 5]);
    expect(rowsOf(open().distinct('day', 'raw').orderBy('day').head(2))).toEqual([2, 4]);
    expect(await open().distinct('name').count()).toBe(6);
  });

  test('stops where the first are enough', () => {
    const source = new MemoryTable(oracleOf({ x: ['int32', upTo(300_000)] }));
    expect(new Table(source).distinct('x').head(3).toColumnsSync()).toEqual({ x: Int32Array.of(0, 1, 2) });
    expect(source.requests.length).toBeLessThan(4);
  });

  test('refuses what it does not know', async () => {
    expect(() => open().distinct('nmae')).toThrow('did you mean "name"?');
    expect(() => open().distinct(3 as never)).toThrow(
      'distinct: expected column names, or one array of them but found 3',
    );
    expect(await codeOf(() => tableFrom({ q: ['float128', [0n]] }).distinct('q'))).toBe('ERR_DTYPE');
    expect(await codeOf(() => open().distinct('name').rowCount)).toBe('ERR_FEATURE');
  });
});

describe('resolve', () => {
  test('what was found is not looked for again', async () => {
    const source = new MemoryTable(oracleOf({ x: ['int32', upTo(100)], y: ['int32', upTo(100)] }));
    const found = await new Table(source).where('x > 96').orderBy({ column: 'x', descending: true }).resolve();
    expect(found.rowCount).toBe(3);
    expect(found.rowNumbers()).toEqual(Int32Array.of(99, 98, 97));
    const before = source.requests.length;
    expect(found.select('y').toColumnsSync()).toEqual({ y: Int32Array.of(99, 98, 97) });
    expect(await found.count()).toBe(3);
    expect(source.requests.slice(before).map(({ columns }) => columns)).toEqual([[1]]);
  });

  test('row numbers of any view, in its order', async () => {
    const table = tableFrom({ x: ['int32', upTo(10)] });
    expect(table.rowNumbers()).toEqual(Int32Array.from(upTo(10)));
    expect(table.slice(8, 2, -3).rowNumbers()).toEqual(Int32Array.of(8, 5));
    expect(table.take([-1, 2, 2]).rowNumbers()).toEqual(Int32Array.of(9, 2, 2));
    expect(table.filter(upTo(10).map((row) => row > 7)).rowNumbers()).toEqual(Int32Array.of(8, 9));
    expect(table.take(BigInt64Array.of(1n, -2n)).slice(1).rowNumbers()).toEqual(Int32Array.of(8));
    expect(await codeOf(() => table.take([10]).rowNumbers())).toBe('ERR_INDEX_OUT_OF_RANGE');
    expect(() => table.where('x > 3').rowNumbers()).toThrow('use (await resolve()).rowNumbers(), or resolveSync()');
    const own = table.rowNumbers();
    own.fill(0);
    expect(table.toColumnsSync()).toEqual({ x: Int32Array.from(upTo(10)) });
  });
});

test('at most so many rows are asked for at a time, and only of the columns that matter', () => {
  const rows = upTo(150_000);
  const source = new MemoryTable(oracleOf({ x: ['int32', rows], y: ['int8', rows.map((row) => row % 100)] }));
  const table = new Table(source);
  table.groupBy('y').aggSync({ n: 'count' });
  table.orderBy('y').head(3).resolveSync();
  table.distinct('y').resolveSync();
  expect(source.requests.map(({ columns }) => columns)).toEqual(source.requests.map(() => [1]));
  for (const { rows: asked } of source.requests)
    expect(asked.kind === 'range' ? asked.count : Infinity).toBeLessThanOrEqual(65_536);
});

test('explain and inspect tell of them', async () => {
  const view = open().where('x >= 0').orderBy('name', { column: 'x', descending: true }).head(3).distinct('day');
  expect((await view.explain()).split('\n').slice(3)).toEqual([
    'where x >= 0',
    '  no statistics: nothing can be skipped',
    '  reads x of every row',
    'then in the order of name, x descending',
    '  reads name, x of every row so far, and keeps the keys of the first 3',
    'then slice(0, 3)',
    'then the first row of each combination of day',
    '  reads day of every row so far',
  ]);
  expect(open().orderBy('x').explainSync()).toContain('keeps the keys of all of them');
  expect(open().distinct('x').head(2).explainSync()).toContain('stops after 2 combinations');
  const inspect = Symbol.for('nodejs.util.inspect.custom');
  const shown = (table: Table): string => (table as unknown as Record<symbol, () => string>)[inspect]!.call(table);
  expect(shown(view)).toContain('rows where x >= 0 and then orderBy(name, x …');
  expect(shown(open().orderBy('x'))).toContain('rows by orderBy(x) x 4 columns');
  expect(() => open().orderBy('x').viewColumns()).toThrow('an order');
});
