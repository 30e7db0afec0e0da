// Arguments that cannot be meant, for each method of tables and columns: refused with an error of the family that says
// what was given. What can be meant works.
import { isColkitError } from '@colkit/io';
import { oddArguments, saysWhatWasGiven } from '@colkit/testkit/odd-arguments';
import { describe, expect, test } from 'vitest';
import { Table, col, editTable, toInputColumns } from '../src/index.ts';
import { MemoryTable } from './support/memory-table.ts';
import { oracleOf } from './support/tables.ts';

const NAMES = ['a', 'b'];
const table = new Table(
  new MemoryTable(
    oracleOf({ a: ['int32', [10, 20, 30, 40]], b: ['float64', [1, 2, 3, 4]], t: ['datetime64[ms]', [0n, 1n, 2n, 3n]] }),
  ),
);
const behind = table.where('a > 0');
const column = table.column('a');
const change = editTable(table, { write: () => Promise.resolve(0), writeSync: () => 0 });

/** A method with one odd argument, and for which of them there is a meaning. */
const CALLS: Readonly<Record<string, readonly [call: (odd: never) => unknown, works: readonly string[]]>> = {
  'column(…)': [(odd) => table.column(odd), []],
  'select(…)': [(odd) => table.select(odd), ['empty array']],
  'select([…])': [(odd) => table.select([odd]), []],
  'select(a, …)': [(odd) => table.select('a', odd), []],
  'drop(…)': [(odd) => table.drop(odd), ['empty array']],
  'slice(…)': [(odd) => table.slice(odd), ['bigint', '-0', 'undefined']],
  'slice(0, …)': [(odd) => table.slice(0, odd), ['bigint', '-0', 'undefined']],
  'slice(0, 1, …)': [(odd) => table.slice(0, 1, odd), ['bigint', 'undefined']],
  'where.slice(…)': [(odd) => behind.slice(odd), ['bigint', '-0', 'undefined']],
  'head(…)': [(odd) => table.head(odd), ['bigint', '-0', 'undefined']],
  'tail(…)': [(odd) => table.tail(odd), ['bigint', '-0', 'undefined']],
  'where.tail(…)': [(odd) => behind.tail(odd), ['bigint', '-0', 'undefined']],
  'take(…)': [(odd) => table.take(odd).toColumnsSync(), ['empty array']],
  'take([…])': [(odd) => table.take([odd]).toColumnsSync(), ['bigint', '-0']],
  'where.take([…])': [(odd) => behind.take([odd]).toColumnsSync(), ['bigint', '-0']],
  'filter(…)': [(odd) => table.filter(odd), []],
  'filter([…])': [(odd) => table.filter([odd, true, true, true] as never), ['boolean']],
  'where.filter(…)': [(odd) => behind.filter(odd).toColumnsSync(), []],
  'where(…)': [(odd) => table.where(odd), []],
  'where(text, …)': [(odd) => table.where('a > 1', odd), ['undefined', 'object']],
  'where(a > @p)': [
    (odd) => table.where('a > @p', { p: odd }),
    ['null', 'NaN', '1.5', 'bigint', '2^53', 'bigint beyond 2^53', '-0'],
  ],
  'where(t > @p)': [(odd) => table.where('t > @p', { p: odd }), ['null', 'bigint', 'bigint beyond 2^53', 'Date']],
  'expectSchema({ a: … })': [(odd) => table.expectSchema({ a: odd }), ['undefined']],
  'column([…])': [(odd) => table.column([odd] as never), []],
  'col(…)': [(odd) => col(odd), ['text']],
  'gt(…)': [
    (odd) => col('a').gt(odd),
    ['null', 'NaN', '1.5', 'text', 'bigint', 'Date', '2^53', 'bigint beyond 2^53', '-0', 'boolean'],
  ],
  'isIn(…)': [(odd) => table.where(col('a').isIn(odd)), ['empty array']],
  'Column.take(…)': [(odd) => column.take(odd).toArraySync(), ['empty array']],
  'Column.slice(…)': [(odd) => column.slice(odd), ['bigint', '-0', 'undefined']],
  'Column.filter(…)': [(odd) => column.filter(odd), []],
  'Column.head(…)': [(odd) => column.head(odd), ['bigint', '-0', 'undefined']],
  'Column.tail(…)': [(odd) => column.tail(odd), ['bigint', '-0', 'undefined']],
  'atSync(…)': [(odd) => column.atSync(odd), ['bigint', '-0']],
  'where.atSync(…)': [(odd) => behind.column('a').atSync(odd), ['bigint', '-0']],
  'sumSync(…)': [(odd) => column.sumSync(odd), ['undefined', 'object']],
  'minSync(…)': [(odd) => column.minSync(odd), ['undefined', 'object']],
  'maxSync(…)': [(odd) => column.maxSync(odd), ['undefined', 'object']],
  'meanSync(…)': [(odd) => column.meanSync(odd), ['undefined', 'object']],
  'Column.countSync(…)': [(odd) => column.countSync(odd), ['undefined', 'object']],
  'countSync(…)': [(odd) => table.countSync(odd), ['undefined', 'object']],
  'edit.assign(…)': [(odd) => change.assign(odd), ['object']],
  'edit.assign({ x: … })': [
    (odd) => change.assign({ x: odd }).table.column('x').toArraySync(),
    ['null', 'NaN', '1.5', 'text', 'bigint', '2^53', 'bigint beyond 2^53', '-0', 'boolean'],
  ],
  'edit.assign({}, …)': [(odd) => change.assign({ x: 'a + 1' }, odd), ['undefined', 'object']],
  'edit.apply(…)': [(odd) => change.apply(odd, ['a'], (a: Int32Array) => a), ['text']],
  'edit.apply(x, …)': [(odd) => change.apply('x', odd, (a: Int32Array) => a), []],
  'edit.apply(x, [a, …])': [(odd) => change.apply('x', ['a', odd], (a: Int32Array) => a), []],
  'edit.apply(x, [a], …)': [(odd) => change.apply('x', ['a'], odd), []],
  'edit.apply(x, [a], function of …)': [
    (odd) =>
      change
        .apply('x', ['a'], () => odd, { dtype: 'string' })
        .table.column('x')
        .toArraySync(),
    [],
  ],
  'edit.rename(…)': [(odd) => change.rename(odd), ['object']],
  'edit.rename({ a: … })': [(odd) => change.rename({ a: odd }), ['text', 'undefined', 'null']],
  'edit.cast(…)': [(odd) => change.cast(odd), ['object']],
  'edit.cast({ a: … })': [(odd) => change.cast({ a: odd }), []],
  'edit.drop(…)': [(odd) => change.drop(odd), ['empty array']],
  'edit.select(…)': [(odd) => change.select(odd), ['empty array']],
  'edit.where(…)': [(odd) => change.where(odd), []],
  'edit.where(text, …)': [(odd) => change.where('a > 1', odd), ['undefined', 'object']],
  'edit.filter(…)': [(odd) => change.filter(odd), []],
  'edit.report(…)': [(odd) => change.reportSync(odd), ['undefined', 'object']],
  'edit.report({ weight })': [(odd) => change.where('a > 1').reportSync({ weight: odd }), ['undefined']],
  'round(…)': [(odd) => table.where(col('b').round(odd).gt(0)), ['undefined', '-0']],
  'cast(…)': [(odd) => table.where(col('b').cast(odd).eq(0)), []],
  'clip(…, 5)': [
    (odd) => table.where(col('b').clip(odd, 5).gt(0)),
    ['null', 'NaN', '1.5', 'bigint', '2^53', 'bigint beyond 2^53', '-0'],
  ],
  'orderBy(…)': [(odd) => table.orderBy(odd), []],
  'orderBy({ column })': [(odd) => table.orderBy({ column: odd }), []],
  'orderBy({ column, descending })': [
    (odd) => table.orderBy({ column: 'a', descending: odd }),
    ['undefined', 'boolean'],
  ],
  'distinct(…)': [(odd) => table.distinct(odd), ['empty array']],
  'groupBy(…)': [(odd) => table.groupBy(odd), []],
  'groupBy([…])': [(odd) => table.groupBy([odd]), []],
  'aggSync(…)': [(odd) => table.aggSync(odd), ['object']],
  'aggSync({ x: … })': [(odd) => table.aggSync({ x: odd }), []],
  'aggSync({ x: { sum } })': [(odd) => table.aggSync({ x: { sum: odd } }), []],
  'aggSync({}, …)': [(odd) => table.aggSync({}, odd), ['undefined', 'object']],
  'groupBy.aggSync(…)': [(odd) => table.groupBy('a').aggSync(odd), ['object']],
  'resolveSync(…)': [(odd) => table.resolveSync(odd), ['undefined', 'object']],
  'stdSync(…)': [(odd) => column.stdSync(odd), ['undefined', 'object']],
  'expectSchema(…)': [(odd) => table.expectSchema(odd), ['object']],
};

describe.each(Object.entries(CALLS))('%s', (_, [call, works]) => {
  test.each(oddArguments())('%s', (name, odd) => {
    let thrown: unknown = null;
    try {
      call(odd as never);
    } catch (error) {
      thrown = error;
    }
    if (works.includes(name)) {
      expect(thrown).toBeNull();
      return;
    }
    if (!isColkitError(thrown))
      throw new Error(`not an error of the family: ${thrown === null ? 'none' : String(thrown)}`);
    // In the printed form of a predicate texts and dates have quotes of their own, and bigints no n.
    const alsoSaid = [
      '1970-01-01',
      "'3'",
      "'a'",
      '9007199254740993',
      '9.007199254740992e+15',
      'found nan',
      '0 entries',
      'an array of 1',
      'expected "a"',
    ];
    if (!saysWhatWasGiven(thrown, odd, alsoSaid)) throw new Error(`does not say what was given: ${thrown.message}`);
  });
});

test('names as one array, and rows as bigints, are what they say', async () => {
  expect(table.select(['b', 'a']).columnNames).toEqual(['b', 'a']);
  expect(
    table
      .select(['b', 'a'] as const)
      .column('b')
      .atSync(0),
  ).toBe(1);
  expect(table.select(NAMES).columnNames).toEqual(NAMES);
  expect(table.drop(['b', 'a']).columnNames).toEqual(['t']);
  expect([column.atSync(1n), await column.at(-1n)]).toEqual([20, 40]);
  expect(table.slice(1n, -1n).head(1n).column('a').atSync(0n)).toBe(20);
  expect(behind.tail(2n).slice(-1n).column('a').toArraySync()).toEqual(Int32Array.of(40));
  expect(() => column.atSync(4n)).toThrow('rows: expected integers in [-4, 4) but found 4n');
  expect(() => column.take([0n, 2n ** 64n])).toThrow(`but found ${String(2n ** 64n)}n at position 1`);
  expect(() => column.take(BigInt64Array.of(2n ** 53n + 1n)).toArraySync()).toThrow(
    'rows: expected integers in [-4, 4) but found 9007199254740993n at position 0',
  );
  expect(() => table.head('3' as never)).toThrow('head: expected a count of rows, an integer from 0 on but found "3"');
  expect(() => table.select(NAMES.values() as never)).toThrow(
    'select: expected column names, or one array of them but found an object (Array Iterator)',
  );
});

test('Sync methods take the options of their twins', () => {
  expect([column.sumSync({ workers: 0 }), table.countSync({ workers: 0 })]).toEqual([100, 4]);
  expect(() => column.sumSync({ signal: AbortSignal.abort(new Error('enough')) })).toThrow('enough');
  expect(() => column.sumSync({ wokers: 1 } as never)).toThrow(
    'sumSync: unknown option "wokers"; did you mean "workers"?',
  );
});

describe('an invalid Date is refused, and named', () => {
  const invalid = new Date(NaN);
  test.each([
    ['gt', () => col('t').gt(invalid), 'operand: expected a valid Date'],
    ['between', () => col('t').between(new Date(0), invalid), 'operand: expected a valid Date'],
    ['isIn', () => col('t').isIn([new Date(0), invalid]), 'found an invalid Date at index 1'],
    ['isDistinctFrom', () => col('t').isDistinctFrom(invalid), 'operand: expected a valid Date'],
    ['fillNull', () => col('t').fillNull(invalid), 'operand: expected a valid Date'],
    ['where of edit', () => change.where(col('t').ge(invalid)), 'operand: expected a valid Date'],
    ['in parameters', () => table.where('t in (@a, @b)', { a: new Date(0), b: invalid }), 'expected parameter "b"'],
    ['parameter', () => table.where('t > @since', { since: invalid }), 'expected parameter "since" to be a valid Date'],
    [
      'list parameter',
      () => table.where('t in @days', { days: [invalid] }),
      'in the list but found an invalid Date at index 0',
    ],
    ['values', () => toInputColumns({ d: [new Date(0), invalid] }), 'column "d": expected valid dates'],
    ['values among nulls', () => toInputColumns({ d: [null, invalid] }), 'found an invalid Date at row 1'],
    ['rows', () => toInputColumns([{ d: new Date(0) }, { d: invalid }]), 'found an invalid Date at row 1'],
  ] as const)('%s', (_, call, message) => {
    expect(call).toThrow(message);
  });
});
