// The built command as child processes: what it prints where, its exit codes, JSON, and that no error is a stack trace.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { typed } from '@colkit/table';
import { createSync, scanSync, writeSync } from 'columna';
import { writeOrders } from '../support/orders.ts';
import { processes, run, runHere, runWith } from '../support/run.ts';
import type { Outcome } from '../support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'colkit-tables-'));
const orders = join(folder, 'orders.cna');
const at = (name: string): string => join(folder, name);

beforeAll(() => {
  writeOrders(orders, 3000, { rowGroupSize: 1000, pageRows: 512 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The same in this process, for what needs many calls. */
function here(...words: string[]): Promise<Outcome> {
  return runHere(false, ...words);
}

/** A failure is one or two lines about the matter. */
function expectFailure({ code, out, err }: Outcome, expected: number, about: RegExp): void {
  expect(err).toMatch(about);
  expect(code).toBe(expected);
  expect(out).toBe('');
  expect(err).not.toMatch(/\n\s+at |node:internal|dist\//);
  expect(err.trimEnd().split('\n').length).toBeLessThanOrEqual(2);
}

describe('what the command prints', processes, () => {
  it('inspect: the structure, on stdout alone', async () => {
    const { code, out, err } = await run('inspect', orders);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('3,000 rows, 7 columns, 3 row groups');
    expect(out).toMatch(/order_id +AFFINE +NONE +\d+ +100000 +100999 +0/);
    expect(out).toContain('row group 2: rows 2,000 to 3,000');
  });

  it('inspect --json --explain: one document with every candidate', async () => {
    const { code, out, err } = await run(
      'inspect',
      orders,
      '--json',
      '--explain',
      '--columns',
      'amount,region',
      '--row-groups',
      '1',
    );
    expect([code, err]).toEqual([0, '']);
    const report = JSON.parse(out) as {
      rowGroups: {
        chunks: { column: string; pages: { choice: { why: string; candidates: { bytes: number }[] } }[] }[];
      }[];
    };
    expect(report.rowGroups.map(({ chunks }) => chunks.map(({ column }) => column))).toEqual([['amount', 'region']]);
    const { choice } = report.rowGroups[0]!.chunks[0]!.pages[0]!;
    expect(choice.candidates.length).toBeGreaterThan(1);
    expect(choice.why).toMatch(/bytes/);
  });

  it('inspect --html: a page, and no second one over it without --force', async () => {
    const page = at('page.html');
    const first = await run('inspect', orders, '--html', page);
    expect([first.code, first.out]).toEqual([0, '']);
    expect(first.err).toMatch(/page\.html: [\d,]+ bytes\n$/);
    const html = readFileSync(page, 'utf8');
    expect(html).toContain('id="predicate"');
    expect(html).toContain('orders.cna');
    expect(html).not.toContain(folder);
    expectFailure(await run('inspect', orders, '--html', page), 1, /ERR_EXISTS/);
    expect((await run('inspect', orders, '--html', page, '-f')).code).toBe(0);
  });

  it('head: rows as a table and as JSON lines', async () => {
    const table = await run('head', orders, '-n', '2', '--columns', 'order_id,ts,note');
    expect(table.out).toContain('100001');
    expect(table.out).not.toContain('100002');
    const { out } = await here('head', orders, '--rows', '3', '--json');
    const rows = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(rows.map((row) => row['order_id'])).toEqual([100000, 100001, 100002]);
    expect(Object.keys(rows[0]!)).toEqual(['order_id', 'ts', 'region', 'status', 'amount', 'quantity', 'note']);
    expect(rows[0]!['ts']).toMatch(/^2024-01-01T/);
    expect((await here('head', orders, '-n', '0', '--json')).out).toBe('');
  });

  it('head: more rows than a call takes arguments', async () => {
    writeSync(at('long.cna'), { n: Int32Array.from({ length: 130_000 }, (_, row) => row) });
    const { code, out } = await here('head', at('long.cna'), '-n', '130000');
    expect([code, out.split('\n').length]).toEqual([0, 2 + 130_000 + 1 + 1]);
  });

  it('head: bytes, large integers and what is no number, as JSON', async () => {
    writeSync(at('values.cna'), {
      b: typed('binary', [Uint8Array.of(1, 255), null]),
      n: BigInt64Array.of(2n ** 60n, -1n),
      f: Float64Array.of(NaN, 0.5),
    });
    expect((await here('head', at('values.cna'), '--json')).out).toBe(
      '{"b":"Af8=","n":"1152921504606846976","f":"NaN"}\n{"b":null,"n":-1,"f":0.5}\n',
    );
  });

  it('schema: names, types, nulls', async () => {
    expect((await run('schema', orders)).out).toMatch(/^order_id +int64\nts +datetime64\[us\]\n/);
    expect(JSON.parse((await here('schema', orders, '--json')).out)).toContainEqual({
      name: 'note',
      dtype: 'string',
      nullable: true,
    });
  });

  it('query: rows, counts, figures and explanations', async () => {
    const where = 'order_id >= 102000 and quantity == 7';
    const { stats } = scanSync(orders, { where });
    expect((await run('query', orders, where, '--count')).out).toBe(`${stats.matched}\n`);
    expect(JSON.parse((await here('query', orders, where, '--stats', '--json')).out)).toEqual(stats);
    const rows = (await here('query', orders, where, '--columns', 'quantity', '--json')).out.trimEnd().split('\n');
    expect(rows).toEqual(Array.from({ length: stats.matched }, () => '{"quantity":7}'));
    const shown = await here('query', orders, where, '-n', '2');
    expect(shown.out).toMatch(new RegExp(`\n${stats.matched} matched / 1000 scanned, 2/3 groups skipped, `));
    expect((await here('query', orders, where, '--explain')).out).toMatch(
      /row group 0 .*skipped, order_id: max 100999/,
    );
  });

  it('verify: whole files, and what is wrong with a damaged one', async () => {
    writeOrders(at('damaged.cna'), 200);
    const bytes = readFileSync(at('damaged.cna'));
    bytes[60] = bytes[60]! ^ 1;
    writeFileSync(at('damaged.cna'), bytes);
    const both = await run('verify', orders, at('damaged.cna'));
    expect(both.code).toBe(1);
    expect(both.out).toContain('orders.cna: whole, 3,000 rows');
    expect(both.out).toMatch(/damaged\.cna: damaged, \d problems?\n {2}.*ERR_CRC/);
    const [report] = JSON.parse((await here('verify', at('damaged.cna'), '--json')).out) as {
      ok: boolean;
      problems: { code: string }[];
    }[];
    expect([report!.ok, report!.problems[0]!.code]).toEqual([false, 'ERR_CRC']);
    expect((await here('verify', orders)).code).toBe(0);
  });

  it('convert: columns that determine each other share pages, but with --no-joint and in mode fast', async () => {
    const cities = Array.from({ length: 20_000 }, (_, row) =>
      Math.floor(97 * ((Math.sin(row * 12.9898) * 43_758.5453 + 50_000) % 1)),
    );
    writeSync(at('cities.cna'), {
      city: cities.map((k) => `city ${String(k)}`),
      country: cities.map((k) => `country ${String((k * 31) % 53)}`),
    });
    const shared = async (...words: string[]): Promise<boolean> => {
      expect((await here('convert', at('cities.cna'), at('new.cna'), '-f', ...words)).code).toBe(0);
      return (await here('inspect', at('new.cna'))).out.includes('joint dictionary');
    };
    expect([await shared(), await shared('--no-joint')]).toEqual([true, false]);
    expect([await shared('--mode', 'fast'), await shared('--mode', 'fast', '--joint')]).toEqual([false, true]);
    expect((await here('diff', at('cities.cna'), at('new.cna'))).code).toBe(0);
    expectFailure(
      await here('convert', at('cities.cna'), at('new.jsonl'), '--no-joint'),
      2,
      /--no-joint: only for a \.cna file/,
    );
    expectFailure(
      await here('convert', at('cities.cna'), at('new.csv'), '--joint'),
      2,
      /--joint: only for a \.cna file/,
    );
  });

  it('convert: to Parquet, Arrow, CSV and other encodings, and back; diff finds them equal', async () => {
    expect((await here('convert', orders, at('o.parquet'))).code).toBe(0);
    expect((await here('convert', orders, at('o.arrow'))).code).toBe(0);
    const again = await here(
      'convert',
      at('o.parquet'),
      at('again.cna'),
      '--mode',
      'smallest',
      '--row-group-size',
      '700',
      '--encoding',
      'quantity=plain',
      '--json',
    );
    expect(JSON.parse(again.out)).toMatchObject({ rowCount: 3000, to: at('again.cna') });
    expect(
      (JSON.parse(again.out) as { columns: { name: string; encodings: object }[] }).columns.find(
        ({ name }) => name === 'quantity',
      )!.encodings,
    ).toEqual({ 'PLAIN + DEFLATE': 5 });
    expect((await here('inspect', at('again.cna'), '--columns', 'quantity')).out).toMatch(
      /quantity +int64 +[\d,]+ +[\d.]+ % +PLAIN ×5|quantity +int64 +[\d,]+ +[\d.]+ % +PLAIN \+ DEFLATE ×5/,
    );
    const same = await here('diff', orders, at('again.cna'));
    expect([same.code, same.out]).toEqual([0, 'the same: 3,000 rows\n']);
    expect((await here('convert', at('o.arrow'), at('arrow.cna'))).code).toBe(0);
    expect((await here('diff', orders, at('arrow.cna'))).code).toBe(0);
    const csv = await here('convert', orders, at('o.csv'), '--columns', 'order_id,note');
    expect(csv.out).toMatch(/o\.csv: 3,000 rows, [\d,]+ bytes/);
    expect((await here('convert', orders, at('all.tsv'))).code).toBe(0);
    expect((await here('convert', at('all.tsv'), at('tsv.cna'))).code).toBe(0);
    expect((await here('diff', orders, at('tsv.cna'))).out).toBe('the same: 3,000 rows\n');
    expect(readFileSync(at('o.csv'), 'utf8')).toMatch(/^order_id,note\n100000,/);
    expectFailure(await here('convert', orders, at('o.csv')), 1, /ERR_EXISTS/);
  });

  it('convert: odd CSV, as it is said to be; what cannot be taken stops it, or is left out and told', async () => {
    writeFileSync(
      at('odd.csv'),
      '\ufeffid;name;price;when\r\n1;"a ""q"" b";1.5;2024-01-01\r\n2;"two\r\nlines";;2024-01-02\r\n' +
        '3;NA;3.25;2024-01-03\r\n',
    );
    expect(
      (
        await here(
          'convert',
          at('odd.csv'),
          at('odd.cna'),
          '--separator',
          ';',
          '--null',
          'NA',
          '--null',
          '',
          '--type',
          'id=int32',
        )
      ).out,
    ).toMatch(/odd\.cna: 3 rows/);
    expect((await here('schema', at('odd.cna'))).out).toMatch(
      /id +int32[^]*name +string[^]*price +float64[^]*when +datetime64\[D\]/,
    );
    expect(
      (await here('head', at('odd.cna'), '--json')).out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { id: 1, name: 'a "q" b', price: 1.5, when: '2024-01-01' },
      { id: 2, name: 'two\r\nlines', price: null, when: '2024-01-02' },
      { id: 3, name: null, price: 3.25, when: '2024-01-03' },
    ]);
    writeFileSync(at('bare.tsv.gz'), gzipSync('1\t2\n3\t4\n5\n'));
    expectFailure(await here('convert', at('bare.tsv.gz'), at('bare.cna'), '--no-header'), 1, /line 3/);
    expect(existsSync(at('bare.cna'))).toBe(false);
    const skipped = await here(
      'convert',
      at('bare.tsv.gz'),
      at('bare.cna'),
      '--no-header',
      '--names',
      'a,b',
      '--skip-rejected',
      '--json',
    );
    expect([skipped.code, skipped.err]).toEqual([0, expect.stringMatching(/^line 3 left out: .+\n$/) as string]);
    expect(JSON.parse(skipped.out)).toMatchObject({
      rowCount: 2,
      rowGroupCount: 1,
      columns: [{ name: 'a', encodings: { AFFINE: 1 } }, { name: 'b' }],
      rejectedCount: 1,
      rejected: [{ line: 3 }],
    });
    expect(
      (await here('convert', at('odd.cna'), at('back.csv'), '--separator', 'tab', '--null', 'NULL', '--no-header'))
        .code,
    ).toBe(0);
    expect(readFileSync(at('back.csv'), 'utf8')).toMatch(
      /^1\t"?a[^]*\t1\.5\t2024-01-01\n[^]*\tNULL\t2024-01-02\n3\tNULL\t3\.25/,
    );
  });

  it('convert: CSV from standard input', processes, async () => {
    const piped = (text: string, ...words: string[]): Promise<Outcome> => runWith(text, 'convert', '-', ...words);
    expect(await piped('a,b\n1,x\n2,y\n', at('piped.cna'))).toEqual({
      code: 0,
      out: expect.stringMatching(/piped\.cna: 2 rows/) as string,
      err: '',
    });
    expect((await piped('a\tb\n1\tx\n', at('tabs.cna'), '--from', 'tsv')).code).toBe(0);
    expect((await here('head', at('tabs.cna'), '--json')).out).toBe('{"a":1,"b":"x"}\n');
  });

  it('diff: what is different, and exit code 1', async () => {
    const columns = ['order_id', 'ts', 'region', 'amount', 'quantity', 'note'];
    writeOrders(at('all.cna'), 3000, {}, ({ quantity }) => ({
      quantity: quantity.map((value, row) => (row === 1234 ? 99n : value)),
    }));
    expect((await here('convert', at('all.cna'), at('changed.cna'), '--columns', columns.join())).code).toBe(0);
    const { code, out, err } = await here('diff', orders, at('changed.cna'));
    expect([code, err]).toEqual([1, '']);
    expect(out).toContain('column "status" is only in the first');
    expect(out).toMatch(/column "quantity": 1 cell differs\n/);
    expect(out).toMatch(/1234 +quantity +\d+ +99/);
    const json = JSON.parse((await here('diff', orders, at('changed.cna'), '--columns', 'quantity', '--json')).out) as {
      same: boolean;
      differing: unknown;
    };
    expect([json.same, json.differing]).toEqual([false, [{ column: 'quantity', cells: 1 }]]);
    expect((await here('diff', orders, at('changed.cna'), '--columns', 'amount')).code).toBe(0);
  });

  it('recover: a file whose writer died in the middle', async () => {
    const path = at('torn.cna');
    const writer = createSync(path, { rowGroupSize: 100 });
    writer.writeSync({ n: Int32Array.from({ length: 300 }, (_, i) => i) });
    writer.closeSync();
    const whole = await here('recover', path);
    expect([whole.code, whole.out]).toEqual([0, expect.stringContaining('whole, 300 rows') as string]);
    writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.alloc(500, 7)]));
    expectFailure(await run('head', path), 1, /recover keeps 300 rows.*ERR_UNCOMMITTED_TAIL/);
    expect(JSON.parse((await here('recover', path, '--json')).out)).toMatchObject({
      status: 'recovered',
      rowCount: 300,
      lostBytes: 500,
    });
    expect((await here('head', path)).code).toBe(0);
  });
});
