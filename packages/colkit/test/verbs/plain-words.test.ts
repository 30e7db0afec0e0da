// Slips and surprises that are answered in one line: options given twice, placeholders that there are not, files that
// are missing or of no format of ours, a full disk behind standard output, signs of zero that differ.
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync as openFile, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { writeSync as writeColstore } from 'colstore';
import { writeSync } from 'columna';
import { createSync, typed } from 'syrah';
import { beforeEach, expect, test } from 'vitest';
import { terminalOf } from '../../src/terminal/terminal.ts';
import { temporaryFolder } from '../support/folder.ts';
import { BIN, Recorder, linesOf, processes } from '../support/run.ts';

const { root } = temporaryFolder();
let folder = '';
const at = (name: string): string => join(folder, name);
beforeEach(() => {
  folder = mkdtempSync(join(root, 'test-'));
  writeSync(at('a.cna'), { id: Int32Array.of(1), s: ['x'] });
  writeFileSync(at('a.csv'), 'id,s\n1,x\n');
});

test('a name that an option has twice is refused, and none is lost', async () => {
  const out = at('b.cna');
  for (const [option, ...words] of [
    ['--rename', 'convert', at('a.cna'), out, '--rename', 'id=x', '--rename', 'id=y'],
    ['--rename', 'convert', at('a.cna'), out, '--rename', 'id=x', '--rename', 's=x'],
    ['--dtype', 'convert', at('a.cna'), out, '--dtype', 'id=int8', '--dtype', 'id=int16'],
    ['--type', 'convert', at('a.csv'), out, '--type', 'id=int8', '--type', 'id=int16'],
    ['--agg', 'query', at('a.cna'), '--agg', 's=sum:id', '--agg', 's=count'],
  ] as const)
    expect(await linesOf(...words)).toMatchObject({
      code: 2,
      notes: [expect.stringMatching(new RegExp(`${option}: expected .* twice`))],
    });
  expect(existsSync(out)).toBe(false);
});

test('several aggregates in one word are refused: they were one, with an odd name', async () => {
  for (const words of ['n=count,total=sum:id', 'n=count,m=count'])
    expect(await linesOf('query', at('a.cna'), '--agg', words)).toMatchObject({
      code: 2,
      notes: [expect.stringMatching(/--agg: expected one aggregate, and --agg again for the next/)],
    });
});

test('query: one answer is shown as those of groups are, without the quotes of JSON', async () => {
  const path = at('wide.cna');
  writeSync(path, { x: Float64Array.of(-Infinity, 2), id: BigInt64Array.of(2n ** 63n - 1n, 2n ** 63n - 1n) });
  const words = ['query', path, '--agg', 'x=min:x', '--agg', 'id=max:id', '--agg', 's=sum:id'];
  const { out } = await linesOf(...words);
  expect(out[1]?.trim().split(/ +/)).toEqual(['-Infinity', '9223372036854775807', '18446744073709551614']);
  expect((await linesOf(...words, '--json')).out).toEqual([
    '{"x":"-Infinity","id":"9223372036854775807","s":"18446744073709551614"}',
  ]);
});

test('query: --limit holds for groups, and what an answer would pass over is refused', async () => {
  const path = at('groups.cna');
  writeSync(path, { id: Int32Array.from({ length: 30 }, (_, row) => row), s: new Array<string>(30).fill('x') });
  const groups = ['query', path, '--by', 'id', '--agg', 'n=count'];
  expect((await linesOf(...groups, '-n', '2', '--json')).out).toEqual(['{"id":0,"n":1}', '{"id":1,"n":1}']);
  expect((await linesOf(...groups, '-n', '2')).out.at(-1)).toBe('2 rows x 2 columns');
  expect((await linesOf(...groups)).out.at(-1)).toBe('30 rows x 2 columns');
  const explained = await linesOf('query', path, '--explain', '--columns', 'id');
  expect(explained.out).toEqual((await linesOf('query', path, '--explain')).out);
  for (const [words, told] of [
    [['--count', '--stats'], '--stats: not with --count'],
    [['--agg', 'n=count', '--explain'], '--explain: not with --agg'],
    [['--agg', 'n=count', '--count'], '--count: not with --agg'],
    [['--count', '--by', 's'], '--by: only with --agg'],
    [['--count', '-n', '3'], '--limit: not with --count'],
    [['--agg', 'n=count', '-n', '3'], '--limit: not with --agg'],
    [['--count', '--columns', 's'], '--columns: not with --count'],
    [['--agg', 'n=count', '--by', 's', '--columns', 's'], '--columns: not with --agg'],
  ] as const)
    expect(await linesOf('query', path, ...words), told).toMatchObject({
      code: 2,
      notes: [expect.stringContaining(told)],
    });
});

test('aggregates keep their order, whatever their names', async () => {
  const ask = ['query', at('a.cna'), '--agg', 'n=count', '--agg', '10=count', '--agg', '2=max:id'];
  expect((await linesOf(...ask, '--json')).out).toEqual(['{"n":1,"10":1,"2":1}']);
  expect((await linesOf(...ask)).out[0]?.trim().split(/ +/)).toEqual(['n', '10', '2']);
  expect((await linesOf(...ask, '--by', 's', '--json')).out).toEqual(['{"s":"x","n":1,"10":1,"2":1}']);
});

test('a pattern that the shell has made names of, and files of other columns, in words of the command', async () => {
  writeSync(at('b.cna'), { other: Int32Array.of(1) });
  for (const words of [
    ['convert', at('a.cna'), at('b.cna'), '{stem}.csv'],
    ['info', at('a.cna'), at('b.cna')],
  ])
    expect((await linesOf(...words)).notes[0]).toMatch(
      /but got \d: ".*"; several files are a pattern between quotes$/u,
    );
  const { code, notes } = await linesOf('info', at('*.cna'));
  expect([code, notes]).toEqual([1, [expect.stringMatching(/the columns of .*a\.cna in each of them but found /u)]]);
});

test('a placeholder that there is not', async () => {
  for (const to of ['{foo}.cna', '{stem}-{foo}.cna', '{index:3}.cna'])
    expect(await linesOf('convert', at('*.csv'), at(to))).toMatchObject({
      code: 2,
      notes: [
        expect.stringMatching(/expected \{stem\}, \{name\}, \{parent\}, \{index\} or \{index:03d\} but found \{/),
      ],
    });
});

test('verify: a missing file does not end it; text is no damaged file', async () => {
  const { code, out } = await linesOf('verify', at('none.cna'), at('a.cna'), at('a.csv'));
  expect([code, out]).toEqual([
    1,
    [
      `${at('none.cna')}: not read`,
      expect.stringMatching(/none\.cna.*ERR_NOT_FOUND/),
      `${at('a.cna')}: whole, 1 row in 2 pages`,
      `${at('a.csv')}: no file of these formats`,
      expect.stringMatching(/found text, such as CSV/),
    ],
  ]);
  const json = await linesOf('verify', at('none.cna'), at('a.cna'), '--json');
  expect([json.code, JSON.parse(json.out.join(''))]).toMatchObject([
    1,
    [{ ok: false, problems: [{ code: 'ERR_NOT_FOUND' }] }, { ok: true }],
  ]);
  expect(await linesOf('verify', at('none.cna'))).toMatchObject({ code: 1, out: [], notes: [expect.any(String)] });
  writeColstore(at('one.cstore'), { n: Int32Array.of(1) }, { layout: 'records' });
  expect((await linesOf('recover', at('one.cstore'))).out[0]).toMatch(/whole, 1 row, 0 bytes lost/);
});

test('what reads CSV is said of a pattern, too', async () => {
  for (const word of ['a.csv', '*.csv'])
    expect(await linesOf('query', at(word))).toMatchObject({
      code: 1,
      notes: [expect.stringMatching(/a\.csv.*found text, such as CSV, which colkit convert reads/)],
    });
});

test('a type that helps is told as an option', async () => {
  writeFileSync(at('a.jsonl'), '{"a":1,"b c":1}\n{"a":"x","b c":1}\n');
  expect((await linesOf('convert', at('a.jsonl'), at('b.cna'))).notes[0]).toContain('(--type a=string takes both)');
  writeFileSync(at('a.jsonl'), '{"a":1,"b c":1}\n{"a":2,"b c":"x"}\n');
  expect((await linesOf('convert', at('a.jsonl'), at('b.cna'))).notes[0]).toContain("(--type 'b c=string' takes both)");
});

test('files that are in the way, and those that do not grow: in words of the command line', async () => {
  writeFileSync(at('1.csv'), 'n\n1\n');
  writeFileSync(at('2.csv'), 'n\n2\n');
  const joined = ['convert', at('?.csv'), at('j.cstore')];
  writeColstore(at('j.cstore'), { n: [1] }, { layout: 'flat' });
  writeFileSync(at('k.cstore.partial'), '');
  for (const [words, told] of [
    [joined, 'it exists already; -f replaces it, colkit append adds to it (ERR_EXISTS)'],
    [['convert', at('?.csv'), at('k.cstore')], 'colkit recover FILE makes a whole file of it, -f throws it away'],
    [['append', at('j.cstore'), at('1.csv')], 'colkit upgrade FILE makes it one (ERR_FEATURE)'],
  ] as const)
    expect(await linesOf(...words)).toMatchObject({ code: 1, notes: [expect.stringContaining(told)] });
});

test('diff: halves are what they are, and signs of zero are shown', async () => {
  const halves = (name: string, ...values: number[]): void => {
    const writer = createSync(at(name));
    writer.addItemSync({ h: typed('float16', values), none: typed('float16', []) });
    writer.closeSync();
  };
  halves('a.syr', 0.5, 0);
  halves('b.syr', 0.5, 0);
  halves('c.syr', 0.5, -0);
  expect(await linesOf('diff', at('a.syr'), at('b.syr'))).toEqual({ code: 0, out: ['the same: 1 item'], notes: [] });
  const items = await linesOf('diff', at('a.syr'), at('c.syr'));
  expect([items.code, items.out.at(-1)]).toEqual([1, expect.stringMatching(/h +\[0\.5,0\] +\[0\.5,-0\]$/)]);
  writeSync(at('z.cna'), { x: Float64Array.of(0) });
  writeSync(at('y.cna'), { x: Float64Array.of(-0) });
  const rows = await linesOf('diff', at('z.cna'), at('y.cna'));
  expect([rows.code, rows.out.at(-1)]).toEqual([1, expect.stringMatching(/x +0 +-0$/)]);
  const json = await linesOf('diff', at('z.cna'), at('y.cna'), '--json');
  expect(JSON.parse(json.out.join(''))).toMatchObject({ examples: [{ left: 0, right: '-0' }] });
});

test('bytes that the stream does not take are ERR_WRITE', async () => {
  const stdout = new Writable({ write: (_chunk, _encoding, done) => done(new Error('ENOSPC: no space left')) });
  stdout.on('error', () => undefined);
  const terminal = terminalOf({ stdout, stderr: new Recorder(false) });
  await expect(terminal.bytes(Uint8Array.of(1))).rejects.toMatchObject({ name: 'IoError', code: 'ERR_WRITE' });
});

test.skipIf(processes.skip || !existsSync('/dev/full'))(
  'a full standard output is one line',
  { timeout: 60_000 },
  () => {
    for (const words of [
      ['head', at('a.cna')],
      ['head', at('a.cna'), '--json'],
      ['convert', at('a.cna'), '-', '--to', 'csv'],
    ]) {
      const full = openFile('/dev/full', 'w');
      const { status, stderr } = spawnSync(process.execPath, [BIN, ...words], { stdio: ['ignore', full, 'pipe'] });
      closeSync(full);
      expect([words[0], status, String(stderr)]).toEqual([
        words[0],
        1,
        expect.stringMatching(/^colkit \w+: standard output: write: ENOSPC.* \(ERR_WRITE\)\n$/),
      ]);
    }
  },
);
