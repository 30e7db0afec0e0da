// The verbs for files that grow: append, compact, concat, upgrade, stats, and verify and recover of .cstore files, with
// what they print, as text and as JSON, and their exit codes.
import { appendFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create, infoSync, openSync, typed, update, writeSync } from 'colstore';
import { appender, openSync as openColumna, writeSync as writeColumna } from 'columna';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { linesOf, runHere, withoutSpinner } from '../support/run.ts';

const root = mkdtempSync(join(tmpdir(), 'colkit-growing-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folder = '';
const at = (name: string): string => join(folder, name);

const day = (text: string): bigint => BigInt(Date.parse(text)) / 86_400_000n;
beforeEach(async () => {
  folder = mkdtempSync(join(root, 'test-'));
  await using writer = await create(at('log.cstore'), { statistics: true });
  for (const [n, when] of [
    [Int32Array.of(1, 2), '2024-01-01'],
    [Int32Array.of(7), '2024-02-29'],
  ] as const)
    await writer.write({
      n,
      when: typed(
        'datetime64[D]',
        Array.from(n, () => day(when)),
      ),
      s: typed(
        'S3',
        Array.from(n, () => 'ab'),
      ),
    });
  await writer.close();
});

const json = async (...words: readonly string[]): Promise<unknown> => {
  const { code, out } = await linesOf(...words, '--json');
  expect(code).toBe(0);
  return JSON.parse(out.join('\n'));
};

test('compact, in place and to another file', async () => {
  expect(await linesOf('compact', at('log.cstore'), '-o', at('one.cstore'))).toEqual({
    code: 0,
    out: [expect.stringMatching(/one\.cstore: 3 rows in 1 record, records-64, [\d,]+ bytes$/)],
    notes: [],
  });
  expect(infoSync(at('log.cstore')).recordCount).toBe(2);
  expect(await linesOf('compact', at('log.cstore'), '-o', at('one.cstore'))).toMatchObject({
    code: 1,
    notes: [expect.stringMatching(/it exists already; -f replaces it \(ERR_EXISTS\)$/)],
  });
  expect((await linesOf('compact', at('log.cstore'), '-f', '-o', at('one.cstore'))).code).toBe(0);
  expect(await json('compact', at('log.cstore'))).toMatchObject({ recordCount: 1, rowCount: 3 });
  expect(readdirSync(folder).sort()).toEqual(['log.cstore', 'one.cstore']);
});

test('concat of files, upgrade of layouts', async () => {
  const out = at('all.cstore');
  expect(await json('concat', at('log.cstore'), at('log.cstore'), '--out', out)).toMatchObject({
    rowCount: 6,
    wire: 'records-64',
  });
  expect(await json('upgrade', out, '--layout', 'flat')).toMatchObject({ wire: 'flat', layout: 'flat', rowCount: 6 });
  expect(await json('upgrade', out)).toMatchObject({ wire: 'records-64', recordCount: 1 });
  expect(await linesOf('concat', at('log.cstore'))).toMatchObject({ code: 2, notes: [expect.stringMatching(/--out/)] });
  expect(await linesOf('upgrade', out, '--layout', 'new')).toMatchObject({ code: 2 });
  writeColumna(at('a.cna'), { n: [1] });
  for (const words of [['compact'], ['upgrade'], ['concat', '-o', at('x')]])
    expect(await linesOf(...words, at('a.cna'))).toMatchObject({
      code: 2,
      notes: [expect.stringMatching(/only for \.cstore files, and this is a \.cna file/)],
    });
});

test('append adds a record for each table, and keeps statistics', async () => {
  const log = at('log.cstore');
  writeSync(at('more.cstore'), { s: typed('S3', ['x']), n: Int32Array.of(-5), when: typed('datetime64[D]', [0n]) });
  expect(await linesOf('append', log, at('more.cstore'), at('more.cstore'))).toEqual({
    code: 0,
    out: [`${log}: 2 rows appended, 5 rows in all`],
    notes: [],
  });
  expect(infoSync(log)).toMatchObject({ recordCount: 4, rowCount: 5 });
  expect(infoSync(log).statistics?.get('n')?.at(-1)).toEqual({ min: -5, max: -5 });
  const before = readFileSync(log);
  writeSync(at('other.cstore'), { other: [1] });
  expect(await linesOf('append', log, at('more.cstore'), at('other.cstore'))).toMatchObject({ code: 1 });
  expect(readFileSync(log).equals(before)).toBe(true);
  const writer = await update(log);
  expect(await linesOf('append', log, at('more.cstore'))).toMatchObject({
    code: 1,
    notes: [expect.stringMatching(/ERR_LOCKED/)],
  });
  await writer.close();
  writeColumna(at('a.cna'), { other: [1, 2] });
  expect(await json('append', at('a.cna'), at('other.cstore'), at('a.cna'))).toMatchObject({ format: 'columna' });
  using grown = openColumna(at('a.cna'));
  expect(grown.toColumnsSync()['other']).toEqual(Float64Array.of(1, 2, 1, 1, 2));
});

test('append to a .cna file: all or none, behind what a dead writer left, one writer at a time', async () => {
  const path = at('all-or-none.cna');
  writeColumna(path, { n: Int32Array.of(1, 2) });
  writeSync(at('n.cstore'), { n: Int32Array.of(3) });
  writeSync(at('not-n.cstore'), { m: Int32Array.of(4) });
  const before = readFileSync(path);
  expect(await linesOf('append', path, at('n.cstore'), at('not-n.cstore'))).toMatchObject({ code: 1 });
  expect(readFileSync(path).equals(before)).toBe(true);

  appendFileSync(path, Buffer.alloc(1000, 1));
  const writer = await appender(path);
  // Its bytes follow the last footer, and it is alive: nobody else goes on there.
  await writer.write({ n: Int32Array.of(9) });
  expect(await linesOf('append', path, at('n.cstore'))).toMatchObject({
    code: 1,
    notes: [expect.stringMatching(/ERR_LOCKED/)],
  });
  await writer.abort();

  appendFileSync(path, Buffer.alloc(1000, 1));
  expect(await json('append', path, at('n.cstore'), at('n.cstore'))).toMatchObject({ appended: 2, rowCount: 4 });
  using grown = openColumna(path);
  expect([...(grown.toColumnsSync()['n'] as Int32Array)]).toEqual([1, 2, 3, 3]);
});

test('moments of totals are ISO text, as in rows and groups', async () => {
  writeSync(at('t.cstore'), {
    t: typed('datetime64[s]', [61n, 0n]),
    h: typed('datetime64[h]', [7n, -1n]),
    d: typed('timedelta64[s]', [61n, 0n]),
  });
  const aggs = ['m=max:t', 'h=last:h', 'd=max:d', 'n=count:t'].flatMap((each) => ['--agg', each]);
  expect(await linesOf('query', at('t.cstore'), ...aggs, '--json')).toMatchObject({
    out: ['{"m":"1970-01-01T00:01:01Z","h":"1969-12-31T23:00Z","d":61,"n":2}'],
  });
  expect((await linesOf('query', at('t.cstore'), ...aggs)).out[1]).toMatch(
    /^1970-01-01T00:01:01 +1969-12-31T23 +61 +2$/,
  );
  const none = await linesOf('query', at('t.cstore'), 't is null', '--agg', 'm=max:t', '--json');
  expect(none.out).toEqual(['{"m":null}']);
  expect(await json('stats', at('t.cstore'), '--columns', 't')).toMatchObject([{ max: '1970-01-01T00:01:01Z' }]);
});

test('stats of both formats: by type, moments as ISO text', async () => {
  expect(await json('stats', at('log.cstore'))).toEqual([
    { column: 'n', dtype: 'int32', count: 3, min: 1, max: 7, mean: 10 / 3, std: expect.closeTo(3.2146, 3) as number },
    { column: 'when', dtype: 'datetime64[D]', count: 3, min: '2024-01-01', max: '2024-02-29' },
    { column: 's', dtype: 'S3', count: 3, min: 'ab', max: 'ab' },
  ]);
  const { out } = await linesOf('stats', at('log.cstore'), '--columns', 'when,n');
  expect(out.map((line) => line.trim().split(/ +/))).toEqual([
    ['column', 'type', 'count', 'min', 'max', 'mean', 'std'],
    ['when', 'datetime64[D]', '3', '2024-01-01', '2024-02-29'],
    ['n', 'int32', '3', '1', '7', expect.stringMatching(/^3\.33/), expect.stringMatching(/^3\.21/)],
  ]);
  writeColumna(at('a.cna'), { t: ['b', null, 'a'], f: [1.5, 2.5, Number.NaN] });
  expect(await json('stats', at('a.cna'), '--columns', 't')).toMatchObject([{ column: 't', min: 'a', max: 'b' }]);
  expect((await linesOf('stats', at('a.cna'), '--columns', 'none')).code).toBe(2);
});

test('verify and recover of what a dead writer, or a damaged disk, left', async () => {
  const log = at('log.cstore');
  expect((await linesOf('verify', log)).out).toEqual([`${log}: whole, 3 rows; statistics are those of the values`]);
  appendFileSync(log, Buffer.alloc(100));
  expect((await linesOf('verify', log)).out[0]).toMatch(/whole, 3 rows, [\d,]+ bytes behind them that readers ignore/);
  expect((await linesOf('recover', log)).out[0]).toMatch(/recovered, 3 rows, [\d,]+ bytes lost \(all committed rows/);
  expect((await linesOf('recover', log)).out[0]).toMatch(/whole, 3 rows, 0 bytes lost/);
  writeFileSync(log, readFileSync(log).subarray(0, -4));
  const found = await linesOf('verify', log, '--json');
  expect([found.code, JSON.parse(found.out.join('\n'))]).toMatchObject([
    1,
    [{ ok: false, problems: [{ code: 'ERR_TRUNCATED' }] }],
  ]);
  expect(await json('recover', log)).toMatchObject({ status: 'recovered', rowCount: 2, format: 'colstore' });
  using ds = openSync(log);
  expect(ds.rowCount).toBe(2);
});

test('progress is for terminals alone', async () => {
  const words = ['compact', at('log.cstore'), '-o', at('out.cstore'), '-f'];
  expect(withoutSpinner((await runHere(true, ...words)).err)).toMatch(/wrote [\d,]+ of [\d,]+ bytes/);
  expect((await runHere(false, ...words)).err).toBe('');
});
