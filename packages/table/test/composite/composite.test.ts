// A table of parts: which parts are opened and how many stay open, where rows are looked for, what does not fit
// together, and what a predicate on the values of a path skips.
import { run } from '@colkit/io/effects';
import type { Table as ArrowTable } from 'apache-arrow';
import { expect, test } from 'vitest';
import { Table, col, uniteFields } from '../../src/index.ts';
import { PartStarts } from '../../src/composite/part-starts.ts';
import { oracleOf, upTo } from '../support/tables.ts';
import type { Utf8Form } from '../support/memory-table.ts';
import { cut } from './parts.ts';

const TABLE = oracleOf({
  id: ['int32', upTo(1000)],
  price: ['float64', upTo(1000).map((row) => (row * 37) % 100)],
  name: ['string?', upTo(1000).map((row) => (row % 10 === 0 ? null : `n${String(row % 7)}`))],
  region: ['string', upTo(1000).map((row) => (row < 300 ? 'EMEA' : row < 700 ? 'APAC' : 'AMER'))],
});
const TENTHS = upTo(9).map((part) => (part + 1) * 100);

test.each([
  ['equal parts', [100, 100, 100, 40]],
  ['unequal parts', [3, 100, 1, 1, 50, 7]],
  ['empty ones among them', [0, 5, 0, 0, 5, 1, 0]],
  ['one', [7]],
  ['many', upTo(1000).map((part) => part % 3)],
])('the part of every row: %s', (_, counts) => {
  const starts = new PartStarts(counts);
  const expected = counts.flatMap((count, part) => upTo(count).map(() => part));
  expect(starts.rowCount).toBe(expected.length);
  const found = upTo(expected.length).map((row) => starts.numbers[starts.find(row)]);
  expect(found).toEqual(expected);
  const rows = Float64Array.from(upTo(expected.length));
  const ascending = starts.findAll(rows);
  expect(ascending.isAscending).toBe(true);
  expect(Array.from(ascending.ordinals, (index) => starts.numbers[index])).toEqual(expected);
  const sparse = starts.findAll(rows.filter((row) => row % 3 === 2));
  expect(Array.from(sparse.ordinals, (index) => starts.numbers[index])).toEqual(
    expected.filter((_part, row) => row % 3 === 2),
  );
  const descending = starts.findAll(rows.toReversed());
  expect(descending.isAscending).toBe(expected.length < 2);
  expect(Array.from(descending.ordinals, (index) => starts.numbers[index])).toEqual(expected.toReversed());
});

test('a row far behind 2^32 is found by division and by search', () => {
  const even = new PartStarts([2 ** 40, 2 ** 40, 2 ** 40]);
  expect([2 ** 40 - 1, 2 ** 40, 2 ** 41, 3 * 2 ** 40 - 1].map((row) => even.find(row))).toEqual([0, 1, 2, 2]);
  const odd = new PartStarts([2 ** 40 + 1, 2 ** 41, 5]);
  expect([2 ** 40, 2 ** 40 + 1, 3 * 2 ** 40, 3 * 2 ** 40 + 1].map((row) => odd.find(row))).toEqual([0, 1, 1, 2]);
});

test('only parts that have the rows are opened, and few stay open', async () => {
  const { table: source, opened } = cut(TABLE, { cuts: TENTHS, mostOpen: 3 });
  const table = new Table(source);
  expect(opened).toMatchObject({ count: 0, open: 0, most: 0 });
  expect(table.schema.map(({ name }) => name)).toEqual(['id', 'price', 'name', 'region']);
  expect(table.head(10).select('id').toColumnsSync()).toEqual({ id: Int32Array.from(upTo(10)) });
  expect(opened.count).toBe(1);
  expect(await table.select('id').slice(95, 105).toColumns()).toEqual({ id: Int32Array.from(upTo(105).slice(95)) });
  expect(opened.count).toBe(2);
  await table.toColumns();
  expect(opened.open).toBe(3);
  table.toColumnsSync();
  expect(opened).toMatchObject({ joined: 0, open: 3 });
  // Eight are read at the same time.
  expect(opened.most).toBeLessThanOrEqual(3 + 8);
  table.close();
  expect(opened.open).toBe(0);
  await expect(table.toColumns()).rejects.toMatchObject({ code: 'ERR_CLOSED' });
  expect(() => table.toColumnsSync()).toThrow(expect.objectContaining({ code: 'ERR_CLOSED' }));
});

test('two reads of a part at the same time open it once, and closing waits for nobody', async () => {
  const { table: source, opened } = cut(TABLE, { cuts: TENTHS });
  const table = new Table(source).select('id');
  const both = await Promise.all([table.slice(0, 5).toColumns(), table.slice(5, 9).toColumns()]);
  expect(both.map(({ id }) => Array.from(id as Int32Array))).toEqual([upTo(5), upTo(9).slice(5)]);
  expect(opened.count).toBe(1);
  const late = table.slice(500, 510).toColumns();
  source.close();
  await expect(late).rejects.toMatchObject({ code: 'ERR_CLOSED' });
  expect(opened.open).toBe(0);
});

test('a part that cannot be opened is told by each that asks, and asked again', async () => {
  const good = cut(TABLE, { cuts: [500] }).table.parts;
  let failures = 2;
  const parts = good.map((part) => ({
    ...part,
    *open() {
      if (part.name === 'part 1' && failures-- > 0) throw new Error('gone');
      return yield* part.open();
    },
  }));
  const { table: source } = cut(TABLE, { cuts: [] });
  const { CompositeTable } = await import('../../src/index.ts');
  const table = new Table(new CompositeTable('parts', parts, uniteFields(parts, 'strict')));
  await expect(table.toColumns()).rejects.toThrow('gone');
  expect(() => table.toColumnsSync()).toThrow('gone');
  expect(await table.toColumns()).toEqual(await new Table(source).toColumns());
});

test('an index outside is refused with its position before anything is opened or written', async () => {
  const { table: source, opened } = cut(TABLE, { cuts: TENTHS });
  const table = new Table(source).select('id');
  const id = new Int32Array(3).fill(7);
  await expect(table.take([1, 1000, 2]).toColumns({ out: { id } })).rejects.toMatchObject({
    code: 'ERR_INDEX_OUT_OF_RANGE',
    index: 1000,
    length: 1000,
    position: 1,
  });
  expect(() => table.take([-1001]).toColumnsSync()).toThrow(expect.objectContaining({ index: -1001, position: 0 }));
  expect(Array.from(id)).toEqual([7, 7, 7]);
  expect(opened.count).toBe(0);
  expect(Array.from(table.take([-1, 0, -1000, 999]).toColumnsSync().id as Int32Array)).toEqual([999, 0, 0, 999]);
});

test('an abort ends a read of many parts', async () => {
  const { table: source } = cut(TABLE, { cuts: TENTHS });
  const control = new AbortController();
  const read = new Table(source).toColumns({ signal: control.signal });
  control.abort(new Error('enough'));
  await expect(read).rejects.toThrow('enough');
});

test('no part, and parts without rows', async () => {
  const { CompositeTable } = await import('../../src/index.ts');
  const none = new Table(new CompositeTable('none', [], uniteFields([], 'strict')));
  expect([none.rowCount, none.columnNames, none.toColumnsSync()]).toEqual([0, [], {}]);
  const empty = oracleOf({ id: ['int32', []], name: ['string', []] });
  const table = new Table(cut(empty, { cuts: [0, 0] }).table);
  expect(table.rowCount).toBe(0);
  expect(await table.toColumns()).toEqual({ id: new Int32Array(0), name: [] });
  expect(table.toColumnsSync({ strings: 'dictionary' })['name']).toMatchObject({ dictionary: [] });
  expect(await table.where(col('id').gt(1)).count()).toBe(0);
});

test('other columns are refused by name, or dropped', () => {
  const [one] = cut(TABLE, { cuts: [] }).table.parts;
  const [other] = cut(oracleOf({ price: ['float32', [1]], id: ['int32', [2]], more: ['bool', [true]] }), { cuts: [] })
    .table.parts;
  const parts = [one!, { ...other!, name: 'late' }];
  expect(() => uniteFields(parts, 'strict')).toThrow(expect.objectContaining({ code: 'ERR_SCHEMA' }));
  expect(() => uniteFields(parts, 'strict')).toThrow(
    /late: "price" float32 \(float64 there\), "more" more, no "name", no "region"/u,
  );
  const { fields, dropped, columns } = uniteFields(parts, 'drop');
  expect(fields.map(({ name }) => name)).toEqual(['id']);
  expect([...dropped].sort()).toEqual(['more', 'name', 'price', 'region']);
  expect(columns).toEqual([[0], [1]]);
  const [foreign] = cut(oracleOf({ other: ['bool', [true]] }), { cuts: [] }).table.parts;
  expect(() => uniteFields([one!, foreign!], 'drop')).toThrow(expect.objectContaining({ code: 'ERR_SCHEMA' }));
});

test('values of paths skip parts, which are not opened', async () => {
  const { table: source, opened } = cut(TABLE, { cuts: [300, 700], constant: ['region'] });
  const table = new Table(source);
  const emea = table.where(col('region').eq('EMEA'));
  expect(await emea.count()).toBe(300);
  expect(opened.count).toBe(0);
  expect(await emea.select('id').head(3).toColumns()).toEqual({ id: Int32Array.of(0, 1, 2) });
  expect(opened.count).toBe(1);
  const mixed = table.where("region == 'APAC' and id < 305 or region == 'NONE'");
  expect(await mixed.select('id', 'region').toColumns()).toEqual({
    id: Int32Array.of(300, 301, 302, 303, 304),
    region: ['APAC', 'APAC', 'APAC', 'APAC', 'APAC'],
  });
  expect(opened.count).toBe(2);
  expect((await table.groupBy('region').agg({ n: 'count', least: { min: 'id' } })).columns).toEqual({
    region: ['EMEA', 'APAC', 'AMER'],
    n: [300, 400, 300],
    least: [0, 300, 700],
  });
  const explained = await mixed.explain();
  expect(explained).toContain('files: 3, skipped by their paths and statistics: 2');
  expect(explained).toMatch(/part 0: skipped, region: /u);
});

test('a view of a column reaches within one part', () => {
  const { table: source } = cut(TABLE, { cuts: TENTHS });
  const code = (of: () => unknown): unknown => {
    try {
      return of();
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  expect(code(() => new Table(source).column('id').viewArray())).toBe('ERR_NOT_CONTIGUOUS');
  // These parts are in memory.
  expect(code(() => new Table(source).column('id').slice(100, 200).viewArray())).toBe('ERR_NOT_MAPPED');
});

test('parts that know more are asked, the others are read together', async () => {
  const { table: source, opened } = cut(TABLE, { cuts: TENTHS, knows: [false, false, true] });
  const table = new Table(source);
  expect(await table.where(col('id').ge(150)).agg({ n: 'count', sum: { sum: 'id' } })).toEqual({
    n: 850,
    sum: upTo(1000)
      .slice(150)
      .reduce((sum, id) => sum + id, 0),
  });
  expect(opened.count).toBe(10);
  expect(await table.where(col('id').lt(10)).explain()).toContain('id < 10 is known');
  const plans = source.execute({
    rows: { kind: 'range', rowCount: 1000, start: 0, step: 2, count: 5 },
    where: null,
    order: null,
    limit: Infinity,
    want: { kind: 'rows' },
  });
  expect((await run(plans)).kind).toBe('rest');
});

test('parts that fit are asked as one: whole ones, whose predicate is the same', async () => {
  const knows = upTo(10).map(() => true);
  const { table: source, opened } = cut(TABLE, { cuts: TENTHS, knows, fits: true, mostOpen: 1 });
  const table = new Table(source);
  const sumOf = (ids: readonly number[]): number => ids.reduce((sum, id) => sum + id, 0);
  expect(await table.column('id').sum()).toBe(sumOf(upTo(1000)));
  expect(opened).toMatchObject({ count: 1, joined: 1, open: 0, most: 1 });
  // Of the first and the last one some rows.
  const slice = table.slice(150, 850).where(col('id').ge(3));
  expect(slice.aggSync({ n: 'count', s: { sum: 'id' } })).toEqual({ n: 700, s: sumOf(upTo(850).slice(150)) });
  expect(opened).toMatchObject({ count: 2, joined: 2, open: 0, most: 1 });
  expect(await slice.select('id').slice(99, 102).toColumns()).toEqual({ id: Int32Array.of(249, 250, 251) });
  expect(opened.open).toBeLessThanOrEqual(1);
  expect((await table.groupBy('region').agg({ least: { min: 'id' } })).columns).toEqual({
    region: ['EMEA', 'APAC', 'AMER'],
    least: [0, 300, 700],
  });
  // Where few rows are enough, the others are left alone.
  const before = opened.joined;
  expect(await table.where(col('id').ge(150)).select('id').head(2).toColumns()).toEqual({
    id: Int32Array.of(150, 151),
  });
  expect(opened.joined).toBe(before);
  source.close();
  expect(opened.open).toBe(0);
});

test('parts that are open as one are closed with the table', async () => {
  const knows = upTo(10).map(() => true);
  const { table: source, opened } = cut(TABLE, { cuts: TENTHS, knows, fits: true });
  const late = new Table(source).column('id').sum();
  source.close();
  await expect(late).rejects.toMatchObject({ code: 'ERR_CLOSED' });
  expect(opened.open).toBe(0);
});

test('values of paths are those of all parts that are asked as one', async () => {
  const knows = upTo(10).map(() => true);
  const { table: source, opened } = cut(TABLE, { cuts: TENTHS, knows, fits: true, constant: ['region'] });
  const table = new Table(source);
  expect(await table.where(col('region').eq('APAC').and(col('price').ge(0))).agg({ s: { sum: 'id' } })).toEqual({
    s: upTo(700)
      .slice(300)
      .reduce((sum, id) => sum + id, 0),
  });
  expect(opened).toMatchObject({ count: 1, joined: 1 });
  expect(await table.column('id').sum()).toBe(499_500);
  expect(opened).toMatchObject({ count: 4, joined: 4, open: 0 });
});

// A region is of the path, not in the file.
test.each<[string, readonly Utf8Form[]]>([
  ['as a text for each row', ['each', 'each', 'each']],
  ['as codes', ['coded', 'coded', 'coded']],
  ['in either form', ['each', 'coded', 'each']],
  ['in any form', ['each', 'coded', 'values']],
])('texts of several files as Arrow, %s', async (_, utf8) => {
  const { table: source } = cut(TABLE, { cuts: [300, 700], utf8, constant: ['region'] });
  const table = new Table(source).select('name', 'region');
  for (const rows of [upTo(1000), [999, 0, 10, 350, 11, 340, 999, 5, 701], [], [720]]) {
    const arrow = await table.take(rows).toArrow<ArrowTable>();
    for (const [at, name] of ['name', 'region'].entries()) {
      const { values } = TABLE.columns.find((column) => column.name === name)!;
      expect(Array.from({ length: rows.length }, (_row, row) => arrow.getChildAt(at)?.get(row) as unknown)).toEqual(
        rows.map((row) => values[row]),
      );
    }
  }
});
