// Arguments that cannot be meant, for the functions of this package: refused with an error of the family that says what
// was given. What can be meant works.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { misunderstood } from '@colkit/testkit/odd-arguments';
import type { OddCall } from '@colkit/testkit/odd-arguments';
import { afterAll, expect, test } from 'vitest';
import {
  append,
  appendSync,
  appender,
  col,
  create,
  inspect,
  inspectSync,
  open,
  openSync,
  read,
  readSync,
  recover,
  recoverSync,
  scan,
  scanSync,
  verify,
  verifySync,
  write,
  writeCsv,
  writeSync,
} from '../src/index.ts';
import { newFolders } from './support/new-folders.ts';

const { folder, path } = newFolders('odd')();
const target = join(folder, 'new.cna');
const grown = join(folder, 'grown.cna');
const COLUMNS = { a: Int32Array.of(10, 20, 30, 40), b: Float64Array.of(1, 2, 3, 4) };
mkdirSync(join(folder, 'new'));
writeSync(path, COLUMNS);
writeSync(grown, COLUMNS);
const table = openSync(path);
afterAll(() => {
  table.close();
});

/** A text is a path, which leads nowhere else than into the folder of the test. */
const inFolder = (odd: unknown): never => (typeof odd === 'string' ? join(folder, odd) : odd) as never;
const newInFolder = (odd: unknown): never => (typeof odd === 'string' ? join(folder, 'new', odd) : odd) as never;
const overwrite = { overwrite: true };
const CSV = new TextEncoder().encode('x\n1\n');

async function written(target: unknown, batch: unknown, options: object = {}): Promise<void> {
  const writer = await create(target as string, { ...overwrite, ...options });
  try {
    await writer.write(batch as { a: number[] });
  } finally {
    await writer.abort();
  }
}

const CALLS: Readonly<Record<string, OddCall>> = {
  'open(…)': [(odd) => open(inFolder(odd)), []],
  'openSync(…)': [(odd) => openSync(inFolder(odd)), []],
  'read(…)': [(odd) => read(inFolder(odd)), []],
  'readSync(…)': [(odd) => readSync(inFolder(odd)), []],
  'scan(…)': [(odd) => scan(inFolder(odd)), []],
  'scanSync(…)': [(odd) => scanSync(inFolder(odd)), []],
  'verify(…)': [(odd) => verify(inFolder(odd)), []],
  'verifySync(…)': [(odd) => verifySync(inFolder(odd)), []],
  'inspect(…)': [(odd) => inspect(inFolder(odd)), []],
  'inspectSync(…)': [(odd) => inspectSync(inFolder(odd)), []],
  'recover(…)': [(odd) => recover(inFolder(odd)), []],
  'recoverSync(…)': [(odd) => recoverSync(inFolder(odd)), []],
  'read({ columns })': [(odd) => read(path, { columns: odd }), ['empty array', 'undefined']],
  'readSync({ columns })': [(odd) => readSync(path, { columns: odd }), ['empty array', 'undefined']],
  'read({ columns: […] })': [(odd) => read(path, { columns: [odd] }), []],
  'scan({ columns })': [(odd) => scan(path, { columns: odd }), ['empty array', 'undefined']],
  'scanSync({ columns })': [(odd) => scanSync(path, { columns: odd }), ['empty array', 'undefined']],
  'scan({ where })': [(odd) => scan(path, { where: odd }), ['undefined']],
  'scanSync({ where })': [(odd) => scanSync(path, { where: odd }), ['undefined']],
  'scan({ params })': [(odd) => scan(path, { where: 'a > 1', params: odd }), ['object', 'undefined']],
  'scan({ params: { p } })': [
    (odd) => scan(path, { where: 'a > @p', params: { p: odd } }),
    ['null', 'NaN', '1.5', 'bigint', '2^53', 'bigint beyond 2^53', '-0'],
  ],
  'table.head(…)': [(odd) => table.head(odd).toColumnsSync(), ['bigint', '-0', 'undefined']],
  'table.batches({ rows })': [(odd) => table.batches({ rows: odd }).next(), ['undefined']],
  'groupBy(…)': [(odd) => scan(path).groupBy(odd).agg({ n: 'count' }), []],
  'agg(…)': [(odd) => scan(path).agg(odd), ['object']],
  'agg({ x: … })': [(odd) => scan(path).agg({ x: odd }), []],
  'agg({ x: { sum } })': [(odd) => scan(path).agg({ x: { sum: odd } }), []],
  'inspect({ columns })': [(odd) => inspect(path, { columns: odd }), ['empty array', 'undefined']],
  'write(…, columns)': [(odd) => write(newInFolder(odd), COLUMNS, overwrite), ['text']],
  'writeSync(…, columns)': [(odd) => writeSync(newInFolder(odd), COLUMNS, overwrite), ['text']],
  'write(path, …)': [(odd) => write(target, odd, overwrite), []],
  'writeSync(path, …)': [(odd) => writeSync(target, odd, overwrite), []],
  'write(path, { a: … })': [(odd) => write(target, { a: odd }, overwrite), []],
  'write(path, { a: [1, …] })': [
    (odd) => write(target, { a: [1, odd] }, overwrite),
    ['null', 'NaN', '1.5', '2^53', '-0'],
  ],
  'write({ schema })': [(odd) => write(target, COLUMNS, { ...overwrite, schema: odd }), ['undefined']],
  'write({ schema: { a } })': [(odd) => write(target, { a: [1] }, { ...overwrite, schema: { a: odd } }), []],
  'write({ metadata })': [(odd) => write(target, COLUMNS, { ...overwrite, metadata: odd }), ['object', 'undefined']],
  'write({ metadata: { k } })': [(odd) => write(target, COLUMNS, { ...overwrite, metadata: { k: odd } }), ['text']],
  'write({ encodings })': [(odd) => write(target, COLUMNS, { ...overwrite, encodings: odd }), ['object', 'undefined']],
  'write({ encodings: { a } })': [(odd) => write(target, COLUMNS, { ...overwrite, encodings: { a: odd } }), []],
  'write({ mode })': [(odd) => write(target, COLUMNS, { ...overwrite, mode: odd }), ['undefined']],
  'write({ rowGroupSize })': [(odd) => write(target, COLUMNS, { ...overwrite, rowGroupSize: odd }), ['undefined']],
  'write({ overwrite })': [(odd) => write(target, COLUMNS, { overwrite: odd }), ['boolean']],
  'append(…, columns)': [(odd) => append(odd, COLUMNS), []],
  'append(path, …)': [(odd) => append(grown, odd), ['empty array']],
  'appendSync(path, …)': [(odd) => appendSync(grown, odd), ['empty array']],
  'appender(…)': [(odd) => appender(odd), []],
  'create(…)': [(odd) => written(newInFolder(odd), { a: [1] }), ['text']],
  'create({ schema })': [(odd) => written(target, { a: [1] }, { schema: odd }), ['undefined']],
  'writer.write(…)': [(odd) => written(target, odd), []],
  'writeCsv(…, target)': [(odd) => writeCsv(inFolder(odd), target, overwrite), []],
  'writeCsv(bytes, …)': [(odd) => writeCsv(CSV, newInFolder(odd), overwrite), ['text']],
  'writeCsv({ types })': [(odd) => writeCsv(CSV, target, { ...overwrite, types: odd }), ['object', 'undefined']],
  'writeCsv({ types: { x } })': [(odd) => writeCsv(CSV, target, { ...overwrite, types: { x: odd } }), []],
  'writeCsv({ names })': [(odd) => writeCsv(CSV, target, { ...overwrite, names: odd }), ['undefined']],
  'writeCsv({ separator })': [(odd) => writeCsv(CSV, target, { ...overwrite, separator: odd }), ['text', 'undefined']],
};

/** What an empty list or object lacks; what a file or a text is not. */
const ALSO_SAID = [
  'found none',
  'pass { overwrite: true }',
  'only the columns of the schema',
  'at row 1',
  'no such file',
  'expected a condition',
  'as many as there are columns',
  'found 0',
  'a .cna file',
  'expected "a"',
  "'1970",
  "'3'",
];

test.each(Object.entries(CALLS))('%s', async (_, call) => {
  expect(await misunderstood(call, ALSO_SAID)).toEqual([]);
});

test('metadata as a Map is metadata, in its order', async () => {
  await write(target, COLUMNS, {
    ...overwrite,
    metadata: new Map([
      ['b', '1'],
      ['10', '2'],
      ['a', '3'],
    ]),
  });
  expect((await inspect(target)).metadata).toEqual({ b: '1', 10: '2', a: '3' });
  await expect(write(target, COLUMNS, { ...overwrite, metadata: new Map([[1, 'x']]) as never })).rejects.toThrow(
    'metadata: expected keys that are texts but found 1',
  );
});

test('what is given as bigint is told as bigint', async () => {
  await expect(write(target, COLUMNS, { ...overwrite, rowGroupSize: 8n as never })).rejects.toThrow(
    'rowGroupSize: expected a count of rows, an integer in [1, 4294967295] but found 8n, a bigint',
  );
  const beyond = 2n ** 53n + 1n;
  expect(() => table.take(BigInt64Array.of(beyond)).toColumnsSync()).toThrow(
    'rows: expected integers in [-4, 4) but found 9007199254740993n at position 0',
  );
  await expect(table.take(BigInt64Array.of(1n, -beyond)).toColumns()).rejects.toThrow(
    'found -9007199254740993n at position 1',
  );
  expect(table.slice(1n, 3n).where(col('a').gt(0n)).column('a').toArraySync()).toEqual(Int32Array.of(20, 30));
  expect(table.where('a > 0').slice(1n, 3n).tail(1n).column('a').toArraySync()).toEqual(Int32Array.of(30));
});

test('a second column to group by is not left out in silence', () => {
  expect(() => scan(path).groupBy('a', 'b' as never)).toThrow(
    'groupBy: expected the name of one column but found "a", "b"',
  );
});
