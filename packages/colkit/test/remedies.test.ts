// What the command tells somebody to type, typed: errors speak the language of the command line, and not of the
// library.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { staleHints } from '@colkit/testkit/stale-hints';
import { Field, Int32, IntervalDayTime, List, Table as ArrowTable, tableToIPC, vectorFromArray } from 'apache-arrow';
import { expect, test } from 'vitest';
import { create, openSync, readSync, typed, writeSync } from 'columna';
import { HINTS } from '../src/program/hints.ts';
import { temporaryFolder } from './support/folder.ts';
import { linesOf, runHere } from './support/run.ts';

const folders = temporaryFolder();
let made = 0;
const golden = (name: string): string => fileURLToPath(new URL(`./tables/golden/${name}`, import.meta.url));

/** A folder of its own, and the path of a .cna file in it. */
function newFolder(): { readonly folder: string; readonly path: string } {
  const folder = folders.path(`case-${(made += 1)}`);
  mkdirSync(folder);
  return { folder, path: join(folder, 'a.cna') };
}

/** What is typed first, what is answered, what is typed then. */
async function retried(first: readonly string[], says: string, then: readonly string[], code = 1): Promise<void> {
  const failed = await runHere(false, ...first);
  expect(failed.err).toContain(says);
  expect(failed.err).not.toMatch(/\{ |overwrite: |\)\./);
  expect(failed.code).toBe(code);
  const { code: then_, err } = await runHere(false, ...then);
  expect([then_, err.includes('ERR_')], err).toEqual([0, false]);
}

test('each hint is for a text that an error has', () => {
  expect(
    staleHints(
      HINTS,
      [
        '../../io/src',
        '../../table/src',
        '../../colstore/src',
        '../../columna/src',
        '../../syrah/src',
        '../src/tables',
      ].map((folder) => fileURLToPath(new URL(folder, import.meta.url))),
    ),
  ).toEqual([]);
});

test('a file that is there: -f', async () => {
  const { folder, path } = newFolder();
  const csv = join(folder, 'a.csv');
  writeFileSync(csv, 'a\n1\n');
  writeSync(path, { b: Int32Array.of(1) });
  await retried(['convert', csv, path], '-f replaces it', ['convert', '-f', csv, path]);
  expect(readSync(path)).toEqual({ a: BigInt64Array.of(1n) });
});

test('what a dead writer left: recover, or -f', async () => {
  const { folder, path } = newFolder();
  const csv = join(folder, 'a.csv');
  writeFileSync(csv, 'a\n1\n');
  const writer = await create(path);
  await writer.write({ n: Int32Array.of(1, 2) });
  await writer.checkpoint();
  const left = readFileSync(`${path}.partial`);
  await writer.abort();
  writeFileSync(`${path}.partial`, left);
  await retried(
    ['convert', golden('types.parquet'), path, '--columns', 'local'],
    'colkit recover FILE makes a whole file of it, -f throws it away',
    ['recover', path],
  );
  expect(openSync(path).rowCount).toBe(2);
  writeFileSync(`${path}.partial`, left);
  await retried(['recover', path], '-f replaces it by the 2 rows of', ['recover', '-f', path]);
});

test('rows that do not fit, and names that are none', async () => {
  const { folder, path } = newFolder();
  const csv = join(folder, 'a.csv');
  writeFileSync(csv, 'a,b\n1,2\n3\n');
  await retried(['convert', csv, path], '(--skip-rejected leaves such rows out)', [
    'convert',
    csv,
    path,
    '--skip-rejected',
  ]);
  writeFileSync(csv, Uint8Array.of(0xe9, 10, 49, 10));
  await retried(
    ['convert', csv, '-f', path],
    '(--names gives others)',
    ['convert', csv, '-f', path, '--names', 'e'],
    1,
  );
});

test('columns of other formats that cannot be taken: --columns', async () => {
  const { folder, path } = newFolder();
  await retried(['convert', golden('types.parquet'), path], 'choose other columns with --columns: utc,local,', [
    'convert',
    golden('types.parquet'),
    path,
    '--columns',
    'utc,local',
  ]);
  await retried(['convert', golden('nanoseconds.parquet'), '-f', path], '(choose other columns with --columns)', [
    'convert',
    golden('nanoseconds.parquet'),
    '-f',
    path,
    '--columns',
    'n',
  ]);
  const secret = golden('encrypted-column.parquet');
  await retried(['convert', secret, '-f', path], 'choose other columns with --columns', [
    'convert',
    secret,
    '-f',
    path,
    '--columns',
    'n',
  ]);
  const arrow = join(folder, 'a.arrow');
  const list = vectorFromArray([[1], [2]], new List(new Field('item', new Int32(), true)));
  writeFileSync(arrow, tableToIPC(new ArrowTable({ n: vectorFromArray([1, 2], new Int32()), list }), 'file'));
  await retried(['convert', arrow, '-f', path], 'or choose other columns with --columns: n', [
    'convert',
    arrow,
    '-f',
    path,
    '--columns',
    'n',
  ]);
  const again = ['convert', arrow, '-f', path];
  await retried(again, '--nested text keeps lists, structs and maps as text', [...again, '--nested', 'text']);
  const spans = vectorFromArray([Int32Array.of(1, 2), Int32Array.of(3, 4)], new IntervalDayTime());
  writeFileSync(arrow, tableToIPC(new ArrowTable({ n: vectorFromArray([1, 2], new Int32()), spans }), 'file'));
  await retried(again, 'choose the others with --columns', [...again, '--columns', 'n']);
});

test('columns that other formats cannot take: --columns', async () => {
  const { folder, path } = newFolder();
  writeSync(path, { n: Int32Array.of(1), b: typed('binary', [Uint8Array.of(1)]) });
  await retried(['convert', path, join(folder, 'b.csv')], 'choose the others with --columns', [
    'convert',
    path,
    join(folder, 'b.csv'),
    '--columns',
    'n',
  ]);
});

test('--columns of a Parquet file, and what became of them, as JSON too', async () => {
  const { path } = newFolder();
  const run = (...words: string[]) => linesOf('convert', golden('types.parquet'), path, '-f', ...words);
  expect(await run()).toMatchObject({
    code: 1,
    notes: [expect.stringMatching(/column "list".*choose other columns with --columns: utc,/)],
  });
  expect(await run('--columns', 'local,price')).toMatchObject({
    code: 0,
    notes: [expect.stringMatching(/^column "price": DECIMAL\(38, 18\) became float64/)],
  });
  const { code, out, notes } = await run('--columns', 'time_us', '--json');
  expect([code, notes]).toEqual([0, [expect.stringMatching(/^column "time_us": TIME became int64/)]]);
  expect(JSON.parse(out[0] ?? '')).toMatchObject({ rowCount: 2, notes: [{ column: 'time_us' }] });
});
