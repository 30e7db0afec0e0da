// Arguments that cannot be meant, for the functions of this package: refused with an error of the family that says what
// was given. What can be meant works.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { misunderstood } from '@colkit/testkit/odd-arguments';
import type { OddCall } from '@colkit/testkit/odd-arguments';
import { afterAll, expect, test } from 'vitest';
import { ColStore, info, infoSync, open, openSync, schema, schemaSync, typed, write, writeSync } from '../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'colstore-odd-'));
const path = join(folder, 'a.cstore');
const target = join(folder, 'new.cstore');
const COLUMNS = { a: Int32Array.of(10, 20, 30, 40), b: Float64Array.of(1, 2, 3, 4) };
writeSync(path, COLUMNS);
const table = openSync(path);
afterAll(() => {
  table.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A text is a path, which leads nowhere else than into the folder of the test. */
const inFolder = (odd: unknown): never => (typeof odd === 'string' ? join(folder, odd) : odd) as never;
const overwrite = { overwrite: true };

const CALLS: Readonly<Record<string, OddCall>> = {
  'get(…)': [(odd) => table.get(odd).toColumnsSync(), ['bigint', 'empty array', 'object', '-0']],
  'get([…])': [(odd) => table.get([odd, odd, odd, odd]).toColumnsSync(), ['bigint', '-0', 'boolean']],
  'get({ start })': [(odd) => table.get({ start: odd }).toColumnsSync(), ['bigint', '-0', 'undefined']],
  'get({ end })': [(odd) => table.get({ end: odd }).toColumnsSync(), ['bigint', '-0', 'undefined']],
  'get({ step })': [(odd) => table.get({ step: odd }).toColumnsSync(), ['bigint', 'undefined']],
  'get(…, name)': [(odd) => table.get(odd, 'a').toArraySync(), ['bigint', 'empty array', 'object', '-0']],
  'get(0, …)': [(odd) => table.get(0, odd), ['empty array', 'undefined']],
  'get(0, […])': [(odd) => table.get(0, [odd]), []],
  'open(…)': [(odd) => open(inFolder(odd)), ['empty array']],
  'openSync(…)': [(odd) => openSync(inFolder(odd)), ['empty array']],
  'info(…)': [(odd) => info(inFolder(odd)), ['empty array']],
  'infoSync(…)': [(odd) => infoSync(inFolder(odd)), ['empty array']],
  'schema(…)': [(odd) => schema(inFolder(odd)), ['empty array']],
  'schemaSync(…)': [(odd) => schemaSync(inFolder(odd)), ['empty array']],
  'write(…, columns)': [(odd) => write(inFolder(odd), COLUMNS, overwrite), ['text']],
  'writeSync(…, columns)': [(odd) => writeSync(inFolder(odd), COLUMNS, overwrite), ['text']],
  'write(path, …)': [(odd) => write(target, odd, overwrite), []],
  'writeSync(path, …)': [(odd) => writeSync(target, odd, overwrite), []],
  'write(path, […])': [(odd) => write(target, [odd], overwrite), []],
  'write(path, { a: … })': [(odd) => write(target, { a: odd }, overwrite), []],
  'write(path, { a: [1, …] })': [(odd) => write(target, { a: [1, odd] }, overwrite), ['NaN', '1.5', '2^53', '-0']],
  'write(path, [[…, values]])': [(odd) => write(target, [[odd, [1]]], overwrite), ['text']],
  'write(path, columns, { schema })': [(odd) => write(target, COLUMNS, { ...overwrite, schema: odd }), ['undefined']],
  'write(path, columns, { schema: { a } })': [
    (odd) => write(target, { a: [1] }, { ...overwrite, schema: { a: odd } }),
    [],
  ],
  'fromColumns(…)': [(odd) => ColStore.fromColumns(odd, target, overwrite), []],
  'fromColumns(columns, …)': [
    async (odd) => (await ColStore.fromColumns(COLUMNS, inFolder(odd), overwrite)).close(),
    ['text'],
  ],
  'typed(…, values)': [(odd) => typed(odd, [1]), []],
  'typed(dtype, …)': [(odd) => typed('int32', odd), ['empty array']],
};

/** Where an empty object or list is at fault it is what it lacks that is told, and where a column is, its rows. */
const ALSO_SAID = ['found none', 'only the columns of the schema', 'at row 1', 'no such file'];

test.each(Object.entries(CALLS))('%s', async (_, call) => {
  expect(await misunderstood(call, ALSO_SAID)).toEqual([]);
});

test('rows as bigints are rows, and what is told of them is exact', () => {
  expect(table.get(1n, 'a').toArraySync()).toEqual(Int32Array.of(20));
  expect(table.get({ start: 1n, end: -1n }, 'a').toArraySync()).toEqual(Int32Array.of(20, 30));
  expect(table.get({ start: -1n, step: -2n }, 'a').toArraySync()).toEqual(Int32Array.of(40, 20));
  const beyond = 2n ** 53n + 1n;
  expect(() => table.get(BigInt64Array.of(0n, beyond)).toColumnsSync()).toThrow(
    'rows: expected integers in [-4, 4) but found 9007199254740993n at position 1',
  );
  expect(() => table.take(BigInt64Array.of(beyond)).toColumnsSync()).toThrow('found 9007199254740993n at position 0');
  expect(() => table.get(BigUint64Array.of(beyond)).toColumnsSync()).toThrow('found 9007199254740993n at position 0');
});

test('what is wrong with columns is told of columns', () => {
  expect(() => table.get(0, ['a', 1 as never])).toThrow(
    'columns: expected a column name or an array of them but found 1 at position 1',
  );
  expect(() => table.get(0, ['A' as never])).toThrow('unknown column "A"; available: "a", "b"; did you mean "a"?');
});

test('types by the names that others give them', () => {
  expect(() => typed('double' as never, [1])).toThrow('unsupported dtype "double"; did you mean "float64"?');
  expect(() => typed('flaot32' as never, [1])).toThrow('unsupported dtype "flaot32"; did you mean "float32"?');
  expect(() => typed(8 as never, [1])).toThrow(
    "dtype: expected the name of an element type, such as 'int32' but found 8",
  );
});
