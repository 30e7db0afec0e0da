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

test('of a committed dataset the manifest says which files it has, of either format', async () => {
  const folder = join(root, 'committed');
  mkdirSync(folder);
  colstore.writeSync(join(folder, 'first.cstore'), { id: Int32Array.of(1, 2) });
  // Nobody has committed it.
  colstore.writeSync(join(folder, 'second.cstore'), { id: Int32Array.of(100) });
  await commit(folder, ['first.cstore'], { expected: 0, formats: [colstore.cstoreParts] });
  const ids = async (): Promise<unknown[]> => (await linesOf('query', folder, '--json')).out.map(parsed);
  expect(await ids()).toEqual([{ id: 1 }, { id: 2 }]);
  const stays = /the files of a committed dataset stay as they are; -o writes another file$/;
  for (const words of [
    ['compact', folder],
    ['upgrade', folder, '--layout', 'flat'],
  ])
    expect(await linesOf(...words)).toMatchObject({ code: 2, notes: [expect.stringMatching(stays)] });
  const out = join(root, 'committed.cstore');
  expect(await linesOf('compact', folder, '--out', out)).toMatchObject({ code: 0 });
  expect((await linesOf('query', out, '--json')).out.map(parsed)).toEqual([{ id: 1 }, { id: 2 }]);
  await commit(folder, [await writePart(folder, { id: Int32Array.of(3) })], { expected: 1 });
  expect(await ids()).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  expect((await linesOf('verify', folder)).out).toHaveLength(2);
  await commit(folder, [], { expected: 2, operation: 'replace' });
  expect(await json('query', folder, '--count')).toEqual({ count: 0 });
});

test('append refuses a folder of which new .cstore files would be no part', async () => {
  const more = join(root, 'more.cstore');
  colstore.writeSync(more, { id: Int32Array.of(9) });
  for (const [folder, why] of [
    [store, /a committed dataset grows by writePart and commit/],
    [orders, /append adds \.cstore files to a folder of such files, and this one has \.cna files/],
  ] as const) {
    const before = await json('query', folder, '--count');
    for (const words of [[], ['--dry-run'], ['--shard-rows', '10']]) {
      const { code, notes } = await linesOf('append', folder, more, ...words);
      expect([code, notes]).toEqual([2, [expect.stringMatching(why)]]);
    }
    expect(await json('query', folder, '--count')).toEqual(before);
  }
});

test('a folder that has files of both formats has the rows of both', async () => {
  const folder = join(root, 'both');
  mkdirSync(folder);
  writeSync(join(folder, 'a.cna'), { id: Int32Array.of(1) });
  colstore.writeSync(join(folder, 'b.cstore'), { id: Int32Array.of(2) });
  expect((await linesOf('query', folder, '--json')).out.map(parsed)).toEqual([{ id: 1 }, { id: 2 }]);
});

test('append takes what folders say as columns', async () => {
  const columns = { id: Int32Array.of(9), region: ['x'] };
  writeSync(join(root, 'flat.cna'), columns);
  colstore.writeSync(
    join(root, 'flat.cstore'),
    { id: Int32Array.of(9), region: colstore.typed('U4', columns.region) },
    { layout: 'records' },
  );
  writeSync(join(root, 'ids.cna'), { id: Int32Array.of(9) });
  const regions = ['APAC', 'APAC', 'APAC', 'EMEA', 'EMEA', 'EMEA', 'EMEA'];
  const rows = regions.map((region, id) => ({ id, region }));
  const pattern = join(orders, '*', '*.c*');
  for (const [target, from, before] of [
    ['flat.cna', orders, [{ id: 9, region: 'x' }]],
    ['flat.cstore', pattern, [{ id: 9, region: 'x' }]],
    ['new-shards/', orders, []],
  ] as const) {
    const { code, notes } = await linesOf('append', `${root}/${target}`, from);
    expect([code, notes]).toEqual([0, []]);
    const { out } = await linesOf('query', `${root}/${target}`, '--json');
    expect(out.map(parsed)).toEqual([...before, ...rows]);
  }
  expect(await linesOf('append', join(root, 'ids.cna'), orders, '--columns', 'id')).toMatchObject({ code: 0 });
  expect(await json('query', join(root, 'ids.cna'), '--count')).toEqual({ count: 8 });
});

function parsed(line: string): unknown {
  return JSON.parse(line);
}
