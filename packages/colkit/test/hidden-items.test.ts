// The command over a file whose keys, values and path a terminal would obey: every verb, as text and as JSON, and
// its errors.
import { readFileSync, writeFileSync } from 'node:fs';
import { commandChecks } from '@colkit/testkit/command-checks';
import { HIDDEN_IN_PATHS } from '@colkit/testkit/hidden-text';
import { beforeAll, describe, expect, it } from 'vitest';
import { create, open } from 'syrah';
import { temporaryFolder } from './support/folder.ts';
import { processes, run, runHere } from './support/run.ts';

const { visible, json, refuses } = commandChecks((...words) => runHere(false, ...words));
const asProcess = commandChecks(run);
const folder = temporaryFolder();
const at = (name: string): string => folder.path(`${HIDDEN_IN_PATHS}${name}`);
// No text of the format holds NUL.
const VALUE = `value ${HIDDEN_IN_PATHS}`;
const KEY = `key ${HIDDEN_IN_PATHS}`;
const [FILE, DAMAGED, CSV, LINES] = [at('a.syr'), at('damaged.syr'), at('a.csv'), at('a.jsonl')];

beforeAll(async () => {
  const writer = await create(FILE);
  await writer.addItem({ [KEY]: VALUE, n: Int32Array.of(1, 2) });
  await writer.addItem({ [KEY]: 'b', n: Int32Array.of(3) });
  await writer.close();
  writeFileSync(DAMAGED, readFileSync(FILE).subarray(0, -1));
  writeFileSync(CSV, `"${KEY}",n\n"${VALUE}",1\n`);
  writeFileSync(LINES, `${JSON.stringify({ [KEY]: VALUE, n: [1] })}\n`);
});

describe('nothing is obeyed', processes, () => {
  it.each([
    ['info'],
    ['head'],
    ['tail'],
    ['get', '0'],
    ['schema'],
    ['query'],
    ['query', '--count'],
    ['query', '--explain'],
    ['inspect'],
    ['verify'],
    ['recover'],
  ])('%s %s', async (verb, ...rest) => {
    expect((await visible(0, verb, FILE, ...rest)).out).not.toBe('');
    await visible(0, verb, FILE, ...rest, '--json');
  });

  it('as a process', async () => {
    await asProcess.visible(0, 'head', FILE);
    await asProcess.refuses('head', at('nowhere.syr'));
  });

  it('what is shown keeps its place', async () => {
    const [, first = '', second = ''] = (await visible(0, 'info', FILE)).out.split('\n');
    expect(first).toContain('\\u001b[2J\\u009b31m');
    expect(second.indexOf('int32')).toBe(first.indexOf('str'));
  });

  it('differences', async () => {
    await visible(0, 'diff', FILE, FILE);
    const other = at('other.syr');
    await visible(0, 'convert', LINES, other);
    await visible(1, 'diff', FILE, other);
    await visible(1, 'diff', FILE, other, '--json');
  });

  it('conversions', async () => {
    for (const name of ['out.csv', 'out.jsonl', 'out.syr']) await visible(0, 'convert', FILE, at(name));
    await visible(0, 'convert', LINES, at('from-lines.syr'));
    await visible(0, 'convert', CSV, at('from-csv.syr'));
  });

  it.each([
    ['a missing file', ['info', at('nowhere.syr')]],
    ['a damaged file', ['head', DAMAGED]],
    ['a file that is there', ['convert', CSV, FILE]],
    ['a missing key', ['head', FILE, '--keys', `none ${HIDDEN_IN_PATHS}`]],
    ['a missing item', ['get', FILE, `none ${HIDDEN_IN_PATHS}`]],
    ['a form', ['convert', FILE, at('new'), '--to', HIDDEN_IN_PATHS]],
    ['a schema', ['convert', CSV, at('new.syr'), '--schema', HIDDEN_IN_PATHS]],
    ['a command', [`no${HIDDEN_IN_PATHS}`]],
    ['an option', ['info', FILE, `--no${HIDDEN_IN_PATHS}`]],
    ['a count', ['head', FILE, '--items', HIDDEN_IN_PATHS]],
  ])('%s', async (_, words) => {
    await refuses(...words);
  });
});

describe('JSON is the same text', processes, () => {
  it('of every verb', async () => {
    expect(await json(0, 'info', FILE)).toMatchObject({ path: FILE, keys: [{ name: KEY }, { name: 'n' }] });
    expect(await json(0, 'head', FILE, '--items', '1')).toEqual({ [KEY]: VALUE, n: [1, 2] });
    expect(await json(0, 'get', FILE, '0')).toEqual({ [KEY]: VALUE, n: [1, 2] });
    expect(await json(0, 'verify', FILE)).toMatchObject([{ path: FILE, ok: true }]);
    expect(await json(1, 'verify', DAMAGED)).toMatchObject([{ path: DAMAGED, ok: false }]);
    const to = at('json.syr');
    expect(await json(0, 'convert', LINES, to)).toMatchObject({ from: LINES, to });
  });

  it('and a converted file holds the exact text', async () => {
    const [lines, back] = [at('exact.jsonl'), at('exact.syr')];
    await visible(0, 'convert', FILE, lines);
    expect(readFileSync(lines, 'utf8')).toContain('\u009b31m\u061c');
    await visible(0, 'convert', lines, back);
    using file = await open(back);
    expect(file.keys).toEqual([KEY, 'n']);
    expect(await file.getEntries(0)).toEqual([
      [KEY, VALUE],
      ['n', expect.anything()],
    ]);
  });
});
