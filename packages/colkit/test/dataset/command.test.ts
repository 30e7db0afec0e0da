// Folders and patterns of .cna files, and committed datasets, as the command's verbs take them.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as colstore from 'colstore';
import { commit, openSync, writePart, writeSync } from 'columna';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linesOf } from '../support/run.ts';

const root = mkdtempSync(join(tmpdir(), 'colkit-dataset-'));
afterAll(() => rmSync(root, { recursive: true }));
const orders = join(root, 'orders');
const store = join(root, 'store');

beforeAll(async () => {
  for (const [region, first] of [
    ['APAC', 0],
    ['EMEA', 3],
  ] as const) {
    mkdirSync(join(orders, `region=${region}`), { recursive: true });
    writeSync(join(orders, `region=${region}`, 'a.cna'), { id: Int32Array.of(first, first + 1, first + 2) });
  }
  colstore.writeSync(join(orders, 'region=EMEA', 'b.cstore'), { id: Int32Array.of(6) });
  mkdirSync(store);
  await commit(store, [await writePart(store, { id: Int32Array.of(1, 2) })], { expected: 0 });
  // Of a writer that has not committed.
  await writePart(store, { id: Int32Array.of(3) });
});

const json = async (...words: readonly string[]): Promise<unknown> => {
  const { code, out, notes } = await linesOf(...words, '--json');
  expect([code, notes]).toEqual([0, []]);
  return JSON.parse(out.length === 1 ? (out[0] as string) : out.join('\n')) as unknown;
};

test('a folder is one table: info, schema, head, query, stats, inspect', async () => {
  expect(await json('info', orders)).toMatchObject({
    format: 'dataset',
    fileCount: 3,
    rowCount: 7,
    version: 0,
    pathColumns: ['region'],
    schema: [{ name: 'id', dtype: 'int32' }, { name: 'region' }],
  });
  const { out } = await linesOf('info', orders);
  expect(out[0]).toMatch(/orders: 3 files, [\d,]+ bytes, 7 rows, 2 columns$/);
  expect(out[1]).toBe('  by folders: region');
  expect((await linesOf('inspect', orders)).out).toEqual(out);
  expect(await json('query', orders, "region = 'EMEA' and id > 3", '--count')).toEqual({ count: 3 });
  expect((await linesOf('query', orders, "region = 'APAC'", '--explain')).out.join('\n')).toMatch(
    /files: 3, skipped .*: 2/,
  );
  expect((await linesOf('query', orders, 'id >= 5')).out.slice(2, 4).map((line) => line.trim().split(/ +/))).toEqual([
    ['5', 'EMEA'],
    ['6', 'EMEA'],
  ]);
  expect(await json('stats', orders, '--columns', 'id')).toMatchObject([{ count: 7, min: 0, max: 6 }]);
  for (const words of [
    ['query', orders, '--stats'],
    ['inspect', orders, '--pages'],
    ['inspect', orders, '--html', join(root, 'x.html')],
  ])
    expect(await linesOf(...words)).toMatchObject({
      code: 2,
      notes: [expect.stringMatching(/only for one file, .* 3 /)],
    });
});

test('a committed dataset is the version that was committed, and each file can be verified', async () => {
  expect(await json('info', store)).toMatchObject({ fileCount: 1, rowCount: 2, version: 1 });
  expect((await linesOf('info', store)).out[0]).toMatch(/1 file, .* 2 rows, 1 column, version 1$/);
  expect((await linesOf('verify', orders)).out).toHaveLength(3);
});

test('folders and patterns become one file', async () => {
  const out = join(root, 'all.cna');
  expect(await linesOf('convert', orders, out)).toMatchObject({ code: 0 });
  using table = openSync(out);
  expect(table.toColumnsSync()).toEqual({
    id: Int32Array.of(0, 1, 2, 3, 4, 5, 6),
    region: ['APAC', 'APAC', 'APAC', 'EMEA', 'EMEA', 'EMEA', 'EMEA'],
  });
  const csv = join(root, 'a.csv');
  expect(await linesOf('convert', join(orders, '*', 'a-*.cna'), csv)).toMatchObject({ code: 1 });
  expect(await linesOf('convert', join(orders, '*', '?.cna'), csv)).toMatchObject({ code: 0 });
  expect(readFileSync(csv, 'utf8').trim().split(/\r?\n/u)[4]).toBe('3,EMEA');
});
