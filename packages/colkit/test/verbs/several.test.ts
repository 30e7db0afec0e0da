// Folders, patterns and files of other forms: every verb of tables on a folder and on a pattern, append from all forms
// into a file and into a folder, conversions of several files, and arrays of NumPy both ways.
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { append, infoSync, openSync, typed, writeSync } from 'colstore';
import { openSync as openColumna, writeSync as writeColumna } from 'columna';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { linesOf } from '../support/run.ts';

const root = mkdtempSync(join(tmpdir(), 'colkit-several-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const golden = (name: string): string => fileURLToPath(new URL(`../tables/golden/numpy/${name}`, import.meta.url));

let folder = '';
const at = (name: string): string => join(folder, name);
const rows = (...x: number[]) => ({
  x: Int32Array.from(x),
  s: typed(
    'S5',
    x.map((value) => `r${String(value)}`),
  ),
});
beforeEach(async () => {
  folder = mkdtempSync(join(root, 'test-'));
  await append(at('runs'), rows(1, 2), { name: 'run_{index}.cstore', statistics: true });
  for (let run = 1; run < 11; run += 1) await append(at('runs'), rows(10 * run), { name: 'run_{index}.cstore' });
});

const json = async (...words: readonly string[]): Promise<unknown> => {
  const { code, out, notes } = await linesOf(...words, '--json');
  expect([code, notes]).toEqual([0, []]);
  return out.length === 1 ? JSON.parse(out[0]!) : JSON.parse(out.join('\n'));
};
const xs = (path: string): unknown[] => {
  using table = openSync(path);
  return Array.from(table.toColumnsSync()['x'] as Int32Array | BigInt64Array, Number);
};
const ALL = [1, 2, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100];

test('a folder and a pattern are one table, for each verb that reads one', async () => {
  for (const word of ['runs', 'runs/run_*.cstore', 'r*s/run_?*.cstore']) {
    expect(await json('info', at(word))).toMatchObject({ format: 'colstore', rowCount: 12, recordCount: 11 });
    expect(await json('schema', at(word))).toMatchObject([
      { name: 'x', dtype: 'int32' },
      { name: 's', dtype: 'S5' },
    ]);
    expect((await linesOf('tail', at(word), '-n', '1', '--json')).out).toEqual(['{"x":100,"s":"r100"}']);
    expect((await linesOf('query', at(word), 'x > 80', '--json')).out).toHaveLength(2);
    expect(await json('stats', at(word), '--columns', 'x')).toMatchObject([
      { column: 'x', count: 12, min: 1, max: 100 },
    ]);
    expect((await linesOf('diff', at(word), at('runs'))).code).toBe(0);
    expect(await json('convert', at(word), at('all.cna'), '-f')).toMatchObject({ rowCount: 12 });
    expect(openColumna(at('all.cna')).rowCount).toBe(12);
  }
  expect((await linesOf('info', at('runs/nothing_*.cstore'))).code).toBe(1);
  expect((await linesOf('head', at('nowhere'))).code).toBe(1);
  mkdirSync(at('empty'));
  expect((await linesOf('head', at('empty'))).code).toBe(1);
});

test('verify, recover, upgrade and compact go through the files; concat and compact --out join them', async () => {
  expect(await json('verify', at('runs'))).toHaveLength(11);
  const whole = await json('recover', at('runs/run_1*.cstore'));
  expect(whole).toMatchObject([{ status: 'whole' }, { status: 'whole' }]);
  expect(await json('upgrade', at('runs'), '--layout', 'flat')).toHaveLength(11);
  expect(infoSync(at('runs/run_3.cstore')).layout).toBe('flat');
  expect(await json('upgrade', at('runs/run_3.cstore'))).toMatchObject({ layout: 'records' });
  expect((await linesOf('upgrade', at('runs'), '--out', at('one.cstore'))).code).toBe(2);
  expect(await json('compact', at('runs'))).toHaveLength(11);
  for (const verb of ['concat', 'compact']) {
    const out = at(`${verb}.cstore`);
    expect(await json(verb, at('runs'), '--out', out)).toMatchObject({ rowCount: 12, recordCount: 1 });
    expect(xs(out)).toEqual(ALL);
  }
  writeFileSync(at('runs/run_5.cstore'), readFileSync(at('runs/run_5.cstore')).subarray(0, -3));
  const { code, out } = await linesOf('verify', at('runs'));
  expect([code, out.filter((line) => line.includes('damaged'))]).toEqual([
    1,
    [expect.stringContaining('run_5.cstore')],
  ]);
});

/** The same three rows in every form. */
function makeForms(): string[] {
  writeColumna(at('a.cna'), { x: Int32Array.of(7), s: ['seven'] });
  writeFileSync(at('a.csv'), 'x,s\n8,b\n');
  writeFileSync(at('a.jsonl'), '{"x":9,"s":"c"}\n');
  return ['a.cna', 'a.csv', 'a.jsonl', 'a.parquet', 'a.arrow', 'a.npz'].map(at);
}

test('append takes every form, to a file and to a folder', async () => {
  const forms = makeForms();
  writeSync(at('log.cstore'), { x: Int32Array.of(0), s: typed('S5', ['zero']) }, { layout: 'records' });
  for (const name of ['a.parquet', 'a.arrow', 'a.npz'])
    expect((await linesOf('convert', at(name === 'a.npz' ? 'log.cstore' : 'a.cna'), at(name))).code).toBe(0);
  expect(await json('append', at('log.cstore'), ...forms, '--dry-run')).toMatchObject({
    appended: 6,
    rowCount: 7,
    dryRun: true,
  });
  expect(xs(at('log.cstore'))).toEqual([0]);
  expect(await json('append', at('log.cstore'), ...forms, '--statistics')).toMatchObject({ appended: 6, rowCount: 7 });
  expect(xs(at('log.cstore'))).toEqual([0, 7, 8, 9, 7, 7, 0]);
  expect(infoSync(at('log.cstore')).recordCount).toBe(7);
  // What is refused is refused dry, too.
  writeSync(at('flat.cstore'), rows(1), { layout: 'flat' });
  for (const dry of [[], ['--dry-run']])
    expect(await linesOf('append', at('flat.cstore'), at('log.cstore'), ...dry)).toMatchObject({
      code: 1,
      out: [],
      notes: [expect.stringMatching(/only files of today's records layout grow.*ERR_FEATURE/)],
    });
  // To a folder, which is made: each a file; or rows that roll, whatever they come from.
  expect(await json('append', at('new/'), at('log.cstore'), at('a.csv'))).toMatchObject({ appended: 8, rowCount: 8 });
  expect(readdirSync(at('new')).filter((name) => !name.startsWith('.'))).toEqual([
    'shard_00000.cstore',
    'shard_00001.cstore',
  ]);
  expect(readFileSync(at('new/shard_00000.cstore')).equals(readFileSync(at('log.cstore')))).toBe(true);
  const rolled = await json(
    'append',
    at('rolled/'),
    at('log.cstore'),
    at('runs'),
    '--columns',
    'x',
    '--shard-rows',
    '5',
  );
  expect(rolled).toMatchObject({ appended: 19, rowCount: 19 });
  expect(infoSync(at('rolled')).files?.map(({ rowCount }) => rowCount)).toEqual([5, 5, 5, 4]);
  expect(xs(at('rolled'))).toEqual([0, 7, 8, 9, 7, 7, 0, ...ALL]);
});

test('a folder without rows keeps its columns; one without files is told as that', async () => {
  const [empty, shards, bare] = [at('no-rows.cstore'), at('no-rows/'), at('bare')];
  writeSync(empty, { x: new Int32Array(0) });
  expect(await linesOf('append', shards, empty, empty, '--shard-rows', '2')).toMatchObject({
    out: [`${shards}: 0 rows appended in 1 new file, 0 rows in all`],
  });
  expect((await linesOf('schema', shards)).out).toEqual(['x  int32']);
  mkdirSync(bare);
  for (const verb of ['info', 'verify', 'compact'])
    expect(await linesOf(verb, bare)).toEqual({
      code: 1,
      out: [],
      notes: [expect.stringMatching(/bare: open: it is a folder without \.cstore and \.cna files \(ERR_NOT_FOUND\)$/)],
    });
});

test('append: text is told how it is written, and a folder gets all files or none', async () => {
  writeFileSync(at('odd.csv'), '3;c;NA\n4;dd;2\nfive;e;1\n');
  const words = ['--separator', ';', '--no-header', '--names', 'x,s,more', '--null', 'NA', '--columns', 'x,s'];
  const odd = [at('odd.csv'), ...words, '--type', 'x=int32'];
  expect((await linesOf('append', at('runs'), ...odd)).code).toBe(1);
  const told = await linesOf('append', at('runs'), ...odd, '--skip-rejected', '--json');
  expect([told.code, JSON.parse(told.out.join('\n'))]).toMatchObject([0, { appended: 2, rowCount: 14 }]);
  expect(told.notes).toEqual([expect.stringMatching(/line 3 left out: .*five/)]);
  writeFileSync(at('nested.jsonl'), '{"x":5,"s":["a"]}\n');
  expect(await json('append', at('runs'), at('nested.jsonl'), '--nested', 'text', '--dry-run')).toMatchObject({
    appended: 1,
  });
  for (const [option, ...bad] of [
    ['separator', at('runs'), at('nested.jsonl'), '--separator', ';'],
    ['nested', at('runs'), at('odd.csv'), '--nested', 'text'],
    ['no-header', at('runs'), at('runs/run_1.cstore'), '--no-header'],
    ['type', at('runs'), at('runs/run_1.cstore'), '--type', 'x=int8'],
  ] as const)
    expect([option, await linesOf('append', ...bad)]).toMatchObject([
      option,
      { code: 2, notes: [expect.stringContaining(`--${option}: only where`)] },
    ]);
  // The second is wrong in its last row: the first is not added either.
  const before = readdirSync(at('runs'));
  writeFileSync(at('good.csv'), 'x,s\n1,a\n');
  for (const text of ['x,s\n1,a\n2,too long\n', 'x,s\n1,a\n2,b,c\n', 'x\n1\n']) {
    writeFileSync(at('bad.csv'), text);
    expect((await linesOf('append', at('runs'), at('good.csv'), at('bad.csv'))).code).toBe(1);
    expect(readdirSync(at('runs'))).toEqual(before);
  }
  // A new folder: text of any length gets the width of the longest of all files.
  writeFileSync(at('wide.csv'), 'x,s\n2,wïde\n');
  expect(await json('append', at('fresh/'), at('good.csv'), at('wide.csv'))).toMatchObject({ appended: 2 });
  using table = openSync(at('fresh'));
  expect(table.schema.map(({ dtype }) => dtype)).toEqual(['int64', 'U4']);
  expect(table.column('s').toArraySync()).toEqual(['a', 'wïde']);
});

test('append: names, types, and what is refused before anything is written', async () => {
  writeFileSync(at('b.csv'), 'id,text,more\n5,e,1\n');
  const words = ['append', at('runs'), at('b.csv'), '--columns', 'id,text', '--rename', 'id=x', '--rename', 'text=s'];
  expect(await json(...words, '--dtype', 'id=int32', '--name', 'more.cstore')).toMatchObject({
    appended: 1,
    rowCount: 13,
  });
  expect(xs(at('runs'))).toEqual([5, ...ALL]);
  for (const [code, ...bad] of [
    [2, at('runs'), at('b.csv'), '--rename', 'id'],
    [2, at('runs'), at('b.csv'), '--rename', 'nothing=x'],
    [1, at('runs'), at('b.csv'), '--dtype', 'text=int32'],
    [1, at('runs'), at('b.csv')],
    [2, at('runs/run_1.cstore'), at('b.csv'), '--columns', 'id,text', '--rename', 'id=x', '--rename', 'text=x'],
    [2, at('runs/run_1.cstore'), at('b.csv'), '--shard-rows', '3'],
    [2, at('runs'), at('empty/')],
    [1, at('nothing.cstore'), at('b.csv')],
    [2, at('runs'), at('b.csv'), '--shard-rows', '0'],
  ] as const)
    expect([bad, (await linesOf('append', ...bad)).code]).toEqual([bad, code]);
  expect(xs(at('runs'))).toHaveLength(13);
  expect(readdirSync(at('runs')).filter((name) => name.includes('shard'))).toEqual([]);
});

test('conversions of several files: by a template, or into one', async () => {
  for (const day of ['mon', 'tue']) writeFileSync(at(`${day}.csv`), `x,s\n${String(day.length)},${day}\n`);
  mkdirSync(at('out'));
  const template = at('out/{index:02d}-{stem}.cna');
  expect((await linesOf('convert', at('*.csv'), template, '--dry-run')).out).toEqual([
    `${at('mon.csv')} (csv) -> ${at('out/00-mon.cna')} (cna)`,
    `${at('tue.csv')} (csv) -> ${at('out/01-tue.cna')} (cna)`,
  ]);
  expect(readdirSync(at('out'))).toEqual([]);
  expect(await json('convert', at('*.csv'), template)).toMatchObject([{ rowCount: 1 }, { rowCount: 1 }]);
  expect(readdirSync(at('out'))).toEqual(['00-mon.cna', '01-tue.cna']);
  expect(await linesOf('convert', at('*.csv'), at('out/{parent}.cna'))).toMatchObject({ code: 2 });
  expect(await linesOf('convert', at('*.csv'), at('all.cna'))).toMatchObject({ code: 2 });
  const all = ['convert', at('*.csv'), at('all.cstore')];
  expect(await linesOf(...all)).toMatchObject({ code: 1, notes: [expect.stringContaining('--dtype COLUMN=U16')] });
  all.push('--dtype', 's=S4');
  expect(await json(...all, '--rename', 'x=y', '--dtype', 'x=int16')).toMatchObject({ rowCount: 2 });
  expect((await linesOf(...all)).code).toBe(1);
  expect((await linesOf(...all, '-f')).code).toBe(0);
  expect([infoSync(at('all.cstore')).recordCount, xs(at('all.cstore'))]).toEqual([2, [3, 3]]);
  expect(await json('convert', at('all.cstore'), at('b.cna'), '--rename', 'x=y', '--dtype', 'x=float32')).toMatchObject(
    { rowCount: 2 },
  );
  expect(openColumna(at('b.cna')).schema[0]).toMatchObject({ name: 'y', dtype: 'float32' });
});

test('arrays of NumPy come in, compressed or not, and go out', async () => {
  for (const name of ['stored.npz', 'deflated.npz']) {
    expect((await linesOf('convert', golden(name), at('a.cstore'), '-f')).code).toBe(0);
    using table = openSync(at('a.cstore'));
    expect(table.schema.map(({ name: column, dtype }) => `${column} ${dtype}`)).toEqual([
      'i int64',
      'big int32',
      'f float64',
      'h float16',
      'b bool',
      's S3',
      'u U1',
      't datetime64[D]',
    ]);
    expect(table.toRowsSync()).toEqual([
      { i: 1n, big: 1, f: 0.5, h: 1, b: true, s: 'a', u: 'é', t: 19_723n },
      { i: -2n, big: 2, f: NaN, h: 2, b: false, s: '', u: '😀', t: -(2n ** 63n) },
      { i: 2n ** 53n + 1n, big: 3, f: -0, h: 65_504, b: true, s: 'abc', u: '', t: -1n },
    ]);
    expect((await linesOf('convert', at('a.cstore'), at('back.npz'), '-f')).code).toBe(0);
    expect((await linesOf('convert', at('back.npz'), at('b.cstore'), '-f')).code).toBe(0);
    expect(await linesOf('diff', at('a.cstore'), at('b.cstore'))).toMatchObject({ code: 0 });
  }
  expect((await linesOf('convert', golden('records.npy'), at('r.cna'))).code).toBe(0);
  expect(openColumna(at('r.cna')).toRowsSync()).toEqual([
    { n: 1, s: 'ab' },
    { n: 2, s: 'c' },
  ]);
  expect(await linesOf('convert', golden('matrix.npy'), at('m.cna'))).toMatchObject({
    code: 1,
    notes: [expect.stringContaining('2 dimensions')],
  });
  writeColumna(at('nulls.cna'), { a: [1, null] });
  expect((await linesOf('convert', at('nulls.cna'), at('n.npz'))).code).toBe(1);
  expect((await linesOf('convert', at('a.cstore'), at('one.npy'))).code).toBe(1);
  expect((await linesOf('convert', at('a.cstore'), at('one.npy'), '--columns', 'i')).code).toBe(0);
  const damaged = readFileSync(golden('deflated.npz'));
  damaged[120] = damaged[120]! ^ 255;
  writeFileSync(at('damaged.npz'), damaged);
  expect((await linesOf('convert', at('damaged.npz'), at('d.cstore'))).code).toBe(1);
});

test.each<[string, (archive: Buffer) => void]>([
  // The first byte of an entry says what kind of block follows.
  ['is no DEFLATE', (archive) => archive.fill(0xff, 55, 56)],
  ['ends in the middle of a block', (archive) => archive.fill(0, 60, 110)],
  ['is longer than its entry says', (archive) => archive.writeUInt32LE(8, archive.indexOf('PK\u0001\u0002') + 24)],
])('an entry of an archive that %s is damage, and is named', async (_, damage) => {
  const archive = readFileSync(golden('deflated.npz'));
  damage(archive);
  writeFileSync(at('damaged.npz'), archive);
  const { code, notes } = await linesOf('convert', at('damaged.npz'), at('d.cstore'));
  expect([code, notes.at(-1)]).toEqual([1, expect.stringMatching(/damaged\.npz: .*entry i\.npy.*\(ERR_CRC\)$/)]);
});

test('arrays beside others that are no columns, names with slashes, records with padding', async () => {
  const others = golden('beside-others.npz');
  expect((await linesOf('convert', others, at('x.cstore'), '--columns', 'b/x,a/x')).code).toBe(0);
  expect((await linesOf('convert', at('x.cstore'), at('back.npz'))).code).toBe(0);
  expect((await linesOf('convert', at('back.npz'), at('x.cna'))).code).toBe(0);
  expect(openColumna(at('x.cna')).toRowsSync({ int64: 'number' })).toEqual([
    { 'b/x': 5, 'a/x': 0 },
    { 'b/x': 6, 'a/x': 1 },
  ]);
  for (const [columns, code, note] of [
    ['a/x,more', 1, 'a/x of 2 and more of 3'],
    ['matrix', 1, 'matrix with 2 dimensions'],
    ['objects', 1, 'objects of the type |O'],
    ['x', 2, '"a/x", "b/x", "matrix", "more", "objects"'],
  ] as const)
    expect(await linesOf('convert', others, at('no.cstore'), '--columns', columns)).toMatchObject({
      code,
      notes: [expect.stringContaining(note)],
    });
  expect((await linesOf('convert', golden('aligned.npy'), at('aligned.cstore'))).code).toBe(0);
  expect(openSync(at('aligned.cstore')).toRowsSync()).toEqual([
    { é: 1, "it's": 2.5, 'c\\': 3 },
    { é: 2, "it's": 3.5, 'c\\': 4 },
  ]);
});
