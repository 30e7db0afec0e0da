// The command over a file whose names, metadata, values and path a terminal would obey: every verb, as text and
// as JSON, and its errors.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandChecks } from '@colkit/testkit/command-checks';
import { HIDDEN_IN_PATHS, HIDDEN_TEXT, obeyed } from '@colkit/testkit/hidden-text';
import { typed } from '@colkit/table';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { write as writeColstore } from 'colstore';
import { open, scan, write } from 'columna';
import { processes, run, runHere, withoutSpinner } from './support/run.ts';

const { visible, json, refuses } = commandChecks((...words) => runHere(false, ...words));
const asProcess = commandChecks(run);
const folder = mkdtempSync(join(tmpdir(), 'colkit-hidden-'));
const at = (name: string): string => join(folder, `${HIDDEN_IN_PATHS}${name}`);
const NAME = `name ${HIDDEN_TEXT}`;
const VALUE = `value ${HIDDEN_TEXT}`;
const [FILE, OTHER, DAMAGED, CSV] = [at('a.cna'), at('b.cna'), at('damaged.cna'), at('a.csv')];
const [STORE, PARQUET] = [at('a.cstore'), at('a.parquet')];

beforeAll(async () => {
  const metadata = { [`key ${HIDDEN_TEXT}`]: `meta ${HIDDEN_TEXT}` };
  await write(FILE, { [NAME]: [VALUE, 'b', null], n: Int32Array.of(1, 2, 3) }, { metadata });
  await write(OTHER, { [NAME]: [`other ${HIDDEN_TEXT}`, 'b', null], [`more ${HIDDEN_TEXT}`]: ['x', 'y', 'z'] });
  const bytes = readFileSync(FILE);
  bytes[40] = (bytes[40] ?? 0) ^ 0xff;
  writeFileSync(DAMAGED, bytes);
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  writeFileSync(CSV, `${quoted(NAME)},n\n${quoted(VALUE)},1\n${quoted('b')},${quoted(`no ${HIDDEN_TEXT} number`)}\n`);
  mkdirSync(at('folder.cna'));
  await writeColstore(STORE, {
    [NAME]: typed('U64', [`value ${HIDDEN_IN_PATHS}`, 'b', 'c']),
    n: Int32Array.of(1, 2, 3),
  });
  writeFileSync(PARQUET, `PAR1${HIDDEN_TEXT}`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('nothing is obeyed', processes, () => {
  it.each([
    ['inspect'],
    ['inspect', '--pages', '--explain', '--all'],
    ['head'],
    ['schema'],
    ['verify'],
    ['query'],
    ['query', '--stats'],
    ['query', '--count'],
    ['query', '--agg', `all ${HIDDEN_IN_PATHS}=count`, '--by', 'n'],
    ['recover', '--force'],
    ['info'],
    ['tail'],
    ['get', '0'],
  ])('%s %s %s', async (...words) => {
    const [verb = '', ...options] = words;
    expect((await visible(0, verb, FILE, ...options)).out).not.toBe('');
    await visible(0, verb, FILE, ...options, '--json');
  });

  it.each([
    ['info'],
    ['inspect'],
    ['inspect', '--all'],
    ['head'],
    ['tail'],
    ['get', '-1'],
    ['schema'],
    ['verify'],
    ['query'],
    ['query', '--count'],
    ['query', '--explain'],
    ['recover'],
  ])('of a .cstore file: %s %s', async (...words) => {
    const [verb = '', ...options] = words;
    expect((await visible(0, verb, STORE, ...options)).out).not.toBe('');
    await visible(0, verb, STORE, ...options, '--json');
    await visible(0, 'diff', STORE, STORE);
  });

  it('as a process', async () => {
    await asProcess.visible(0, 'head', FILE);
    await asProcess.json(0, 'schema', FILE);
    await asProcess.refuses('head', at('nowhere.cna'));
  });

  it('what is shown keeps its place: the columns of a table stand below each other', async () => {
    const { out } = await visible(0, 'schema', FILE);
    const [first = '', second = ''] = out.split('\n');
    expect(first).toContain('\\u001b[2J\\u009b31m');
    expect(second.indexOf('int32')).toBe(first.indexOf('str'));
  });

  it('queries with the text in the predicate, and why row groups are skipped', async () => {
    const predicate = `n > 5 and \`${NAME}\` == ${JSON.stringify(VALUE)}`;
    for (const option of ['--explain', '--stats', '--count', '--columns=n']) {
      const outcome = await runHere(false, 'query', FILE, predicate.replaceAll('\u0000', ''), option);
      expect([obeyed(outcome.out), obeyed(outcome.err)]).toEqual([[], []]);
    }
  });

  it('conversions, their notes and rejected rows', async () => {
    for (const ending of ['csv', 'tsv', 'parquet', 'arrow', 'cna']) {
      const columns = ending === 'parquet' ? ['--columns', 'n'] : [];
      await visible(0, 'convert', FILE, at(`out.${ending}`), ...columns);
    }
    await visible(0, 'convert', CSV, at('from-csv.cna'), '--skip-rejected', '--type', 'n=int32');
    await visible(1, 'convert', CSV, at('from-csv.cna'), '--type', 'n=int32');
  });

  it('differences', async () => {
    await visible(1, 'diff', FILE, OTHER);
    await visible(0, 'diff', FILE, FILE);
  });

  it('damage', async () => {
    await visible(1, 'verify', DAMAGED);
    await visible(1, 'head', DAMAGED);
  });

  it('pages for a browser: where they were written to', async () => {
    await asProcess.visible(0, 'inspect', FILE, '--html', at('page.html'));
    await asProcess.visible(1, 'inspect', FILE, '--html', at('page.html'));
  });
});

describe('errors', processes, () => {
  const path = HIDDEN_IN_PATHS;
  it.each([
    ['a missing file', ['head', at('nowhere.cna')]],
    ['a missing folder', ['convert', FILE, join(at('nowhere'), 'a.csv')]],
    ['a folder', ['head', at('folder.cna')]],
    ['a file of another format', ['head', PARQUET]],
    ['an aggregate', ['query', FILE, '--agg', path]],
    ['a shell', ['completion', path]],
    ['a row', ['get', STORE, path]],
    ['a file that is there', ['convert', FILE, OTHER]],
    ['a missing column', ['head', FILE, '--columns', `none ${path}`]],
    ['a missing column of a query', ['query', FILE, '--columns', `none ${path}`]],
    ['a predicate', ['query', FILE, `n == ${path}`]],
    ['a predicate of another type', ['query', FILE, `n == "${path}"`]],
    ['a command', [`no${path}`]],
    ['an option', ['head', FILE, `--no${path}`]],
    ['a count', ['head', FILE, '-n', `no${path}`]],
    ['an ending', ['convert', FILE, `a.${path}`]],
    ['a mode', ['convert', FILE, at('new.cna'), '--mode', path]],
    ['an encoding', ['convert', FILE, at('new.cna'), '--encoding', path]],
    ['a type', ['convert', CSV, at('new.cna'), '--type', `n=${path}`]],
    ['a separator', ['convert', CSV, at('new.cna'), '--separator', path]],
    ['too many words', ['schema', FILE, path]],
  ])('%s', async (_, words) => {
    await refuses(...words);
  });
});

describe('JSON is the same text', processes, () => {
  it('of every verb', async () => {
    expect(await json(0, 'schema', FILE)).toMatchObject([{ name: NAME }, { name: 'n' }]);
    const first = (await visible(0, 'head', FILE, '--json')).out.split('\n')[0] ?? '';
    expect(JSON.parse(first)).toEqual({ [NAME]: VALUE, n: 1 });
    const matching = (await visible(0, 'query', FILE, 'n == 1', '--json')).out.trimEnd();
    expect(JSON.parse(matching)).toEqual({ [NAME]: VALUE, n: 1 });
    expect(await json(0, 'inspect', FILE)).toMatchObject({
      metadata: { [`key ${HIDDEN_TEXT}`]: `meta ${HIDDEN_TEXT}` },
      columns: [{ name: NAME }, { name: 'n' }],
    });
    expect(await json(0, 'verify', FILE)).toMatchObject([{ path: FILE, ok: true }]);
    expect(await json(1, 'verify', DAMAGED)).toMatchObject([{ path: DAMAGED, ok: false }]);
    expect(await json(0, 'recover', FILE, '--force')).toMatchObject({ path: FILE });
    expect(await json(1, 'diff', FILE, OTHER)).toMatchObject({
      examples: [{ column: NAME, left: VALUE, right: `other ${HIDDEN_TEXT}` }],
    });
    const to = at('json.cna');
    expect(await json(0, 'convert', CSV, to, '--skip-rejected', '--type', 'n=int32')).toMatchObject({ from: CSV, to });
  });

  it('and a converted file holds the exact bytes', async () => {
    const to = at('exact.csv');
    await visible(0, 'convert', FILE, to);
    expect(readFileSync(to, 'utf8')).toContain(VALUE);
    await visible(0, 'convert', to, at('exact.cna'));
    const table = await open(at('exact.cna'));
    expect(table.columnNames).toEqual([NAME, 'n']);
    table.close();
  });
});

test('progress shows what is hidden too', async () => {
  const { err } = await runHere(true, 'verify', FILE);
  expect(err).toContain('verifying ');
  expect(obeyed(withoutSpinner(err))).toEqual([]);
});

test('explanations of scans and views are lines for people: what is hidden in them shows', async () => {
  const table = await open(FILE);
  try {
    expect(obeyed(await table.where('n > 5').explain())).toEqual([]);
    expect(obeyed(await table.select(NAME).explain())).toEqual([]);
  } finally {
    table.close();
  }
  expect(obeyed(await scan(FILE, { where: 'n > 5' }).explain())).toEqual([]);
  expect(obeyed((await scan(FILE, { where: 'n > 5' })).explain())).toEqual([]);
});
