// A file's format is told from its first bytes, whatever its name; and any format becomes any other.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { typed } from '@colkit/table';
import { open as openColstore, writeSync as writeColstore } from 'colstore';
import { appendSync, openSync, writeSync } from 'columna';
import { Int32, Table as ArrowTable, tableToIPC, vectorFromArray } from 'apache-arrow';
import { createSync, openSync as openSyrah } from 'syrah';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { identify } from '../src/index.ts';
import { openTable } from '../src/convert.ts';
import { temporaryFolder } from './support/folder.ts';
import { linesOf as run } from './support/run.ts';

const folder = temporaryFolder();
const at = folder.path;
/** Each is a file of its own where a folder is written. */
const ROWS = 72;
const price = Float64Array.from({ length: ROWS }, (_, row) => row / 4);
const qty = Int32Array.from({ length: ROWS }, (_, row) => row % 7);

beforeAll(() => {
  writeSync(at('a.cna'), { price, qty });
  writeColstore(at('a.cstore'), { price, qty });
  const writer = createSync(at('a.syr'));
  for (let row = 0; row < ROWS; row += 1)
    writer.addItemSync({ price: price.slice(row, row + 1), qty: qty.slice(row, row + 1) });
  writer.closeSync();
});

describe('first bytes', () => {
  it.each([
    ['a.cna', 'columna'],
    ['a.cstore', 'colstore'],
    ['a.syr', 'syrah'],
  ])('%s, with a name that lies', async (name, format) => {
    expect(await identify(at(name))).toBe(format);
    const liar = at(`${name}.parquet`);
    writeFileSync(liar, readFileSync(at(name)));
    expect(await identify(liar)).toBe(format);
    expect(await identify(new Uint8Array(readFileSync(at(name))))).toBe(format);
    expect((await run('head', liar, '-n', '2', '--json')).code).toBe(0);
    expect((await run('convert', liar, at(`${name}.copy.cna`))).code).toBe(0);
  });

  it.each([
    ['PAR1\x15\0 and more', /a Parquet file, which colkit convert reads/],
    ['ARROW1\0\0', /an Arrow file/],
    ['\xff\xff\xff\xff\x10', /an Arrow file/],
    ['\x93NUMPY\x01\0v', /a NumPy file/],
    ['PK\x03\x04', /a ZIP archive, such as \.npz/],
    ['a,b\n1,2\n', /text, such as CSV/],
    ['{"a":1}\n', /text, such as JSON lines/],
    ['\x1f\x8b\x08', /gzip/],
    ['\0\0\0\0', /other bytes/],
    ['CNA0rest', /text/],
  ])('of others: %j', async (start, found) => {
    writeFileSync(at('other'), Buffer.from(start, 'latin1'));
    await expect(identify(at('other'))).rejects.toMatchObject({
      name: 'CorruptFileError',
      code: 'ERR_MAGIC',
      found: expect.stringMatching(found) as string,
    });
    for (const verb of ['info', 'head', 'tail', 'schema', 'query', 'inspect']) {
      expect(await run(verb, at('other')), verb).toMatchObject({
        code: 1,
        out: [],
        notes: [expect.stringMatching(found)],
      });
    }
    expect(await run('verify', at('other'))).toMatchObject({
      code: 1,
      out: [expect.stringMatching(/other: no file of these formats$/), expect.stringMatching(found)],
    });
  });

  it.each(['GS', 'GSTIN', 'PAR1', 'ARROW1', 'FEA1'])('CSV whose first column is called %s', async (name) => {
    const csv = at(`${name}.csv`);
    writeFileSync(csv, `${name},n\n1,2\n`);
    await expect(identify(csv)).rejects.toMatchObject({ found: 'text, such as CSV, which colkit convert reads' });
    expect((await run('convert', csv, at(`${name}.cna`))).code).toBe(0);
    expect(openSync(at(`${name}.cna`)).toColumnsSync()).toEqual({
      [name]: BigInt64Array.of(1n),
      n: BigInt64Array.of(2n),
    });
    expect((await openTable(csv)).format).toBe('csv');
  });

  it('an empty file, and none', async () => {
    writeFileSync(at('empty.cna'), '');
    await expect(identify(at('empty.cna'))).rejects.toMatchObject({ code: 'ERR_TRUNCATED' });
    await expect(identify(at('none.cna'))).rejects.toMatchObject({ code: 'ERR_NOT_FOUND' });
  });
});

describe('any to any', () => {
  const ours = ['cna', 'cstore', 'syr'];
  const others = ['csv', 'tsv', 'jsonl', 'parquet', 'arrow', 'folder'];

  async function expectTable(path: string): Promise<void> {
    expect(await run('query', path, 'qty == 3 and price < 10', '--json')).toMatchObject({
      code: 0,
      out: [3, 10, 17, 24, 31, 38].map((row) => JSON.stringify({ price: row / 4, qty: 3 })),
      notes: [],
    });
    expect((await run('query', path, '--count')).out).toEqual([String(ROWS)]);
  }

  it.each(ours.flatMap((from) => ours.filter((to) => to !== from).map((to) => [from, to] as const)))(
    '%s to %s',
    async (from, to) => {
      const path = at(`${from}-to.${to}`);
      expect(await run('convert', at(`a.${from}`), path)).toMatchObject({
        code: 0,
        out: [expect.stringContaining('72 ')],
        notes: [],
      });
      await expectTable(path);
      const back = at(`${from}-${to}-back.${from}`);
      expect((await run('convert', path, back)).code).toBe(0);
      expect((await run('diff', at(`a.${from}`), back)).out).toEqual([
        `the same: 72 ${from === 'syr' ? 'items' : 'rows'}`,
      ]);
    },
  );

  it.each(ours.flatMap((from) => others.map((form) => [from, form] as const)))(
    '%s to %s, and that into all three',
    async (from, form) => {
      const there = form === 'folder' ? `${at(`${from}-out`)}/` : at(`${from}-out.${form}`);
      expect(await run('convert', at(`a.${from}`), there)).toMatchObject({ code: 0, notes: [] });
      for (const to of ours) {
        const path = at(`${from}-${form}-back.${to}`);
        expect(await run('convert', there, path), to).toMatchObject({ code: 0, notes: [] });
        await expectTable(path);
      }
    },
    120_000,
  );

  it('some columns, or keys; and what an end cannot hold is said', async () => {
    expect((await run('convert', at('a.syr'), at('keys.jsonl'), '--keys', 'qty')).code).toBe(0);
    expect(readFileSync(at('keys.jsonl'), 'utf8').slice(0, 24)).toBe('{"qty":[0]}\n{"qty":[1]}\n');
    expect((await run('convert', at('a.cstore'), at('columns.syr'), '--columns', 'qty')).code).toBe(0);
    using file = openSyrah(at('columns.syr'));
    expect(file.schema).toEqual([{ name: 'qty', dtype: 'int32' }]);
    writeSync(at('nulls.cna'), { n: [1, null], when: typed('datetime64[us]', [0n, 1n]) });
    expect(await run('convert', at('nulls.cna'), at('nulls.syr'))).toMatchObject({
      code: 1,
      notes: [expect.stringMatching(/row 1: column "n".*no nulls/)],
    });
    expect(await run('convert', at('nulls.cna'), at('when.syr'), '--columns', 'when')).toMatchObject({
      code: 0,
      notes: [expect.stringMatching(/"when": moments became text/)],
    });
    const lists = createSync(at('lists.syr'));
    lists.addItemSync({ list: Int32Array.of(1, 2), one: Int32Array.of(7) });
    lists.closeSync();
    expect(await run('convert', at('lists.syr'), at('lists.cna'))).toMatchObject({
      code: 1,
      notes: [expect.stringMatching(/item 0: key "list": expected one value/)],
    });
    expect((await run('convert', at('lists.syr'), at('one.cna'), '--keys', 'one')).code).toBe(0);
    expect(await run('convert', at('nulls.cna'), at('nulls.cstore'))).toMatchObject({
      code: 1,
      notes: [expect.stringMatching(/null/)],
    });
  });

  it.each(others.flatMap((from) => others.map((to) => [from, to] as const)))(
    '%s to %s, without a file of ours',
    async (from, to) => {
      const pathOf = (name: string, form: string): string =>
        form === 'folder' ? `${at(name)}/` : at(`${name}.${form}`);
      const start = pathOf(`start-${from}-${to}`, from);
      expect((await run('convert', at('a.cna'), start)).code).toBe(0);
      const there = pathOf(`there-${from}-${to}`, to);
      expect(await run('convert', start, there)).toMatchObject({ code: 0, notes: [] });
      expect((await run('convert', there, at(`${from}-${to}.cna`))).code).toBe(0);
      await expectTable(at(`${from}-${to}.cna`));
    },
  );

  it('some columns of CSV, in their order; from CSV to CSV, what is said is of the file that is read', async () => {
    writeFileSync(at('said.csv'), 'x;NA;2\ny;1,5;3\n');
    const said = ['--separator', ';', '--null', 'NA', '--no-header', '--names', 'a,b,c'];
    expect(await run('convert', at('said.csv'), at('some.csv'), ...said, '--columns', 'c,b')).toMatchObject({
      code: 0,
      notes: [],
    });
    expect(readFileSync(at('some.csv'), 'utf8')).toBe('c,b\n2,\n3,"1,5"\n');
    expect(await run('convert', at('some.csv'), at('none.cna'), '--columns', 'c,d')).toMatchObject({
      code: 2,
      notes: [expect.stringMatching(/unknown column "d"; available: "c", "b"/)],
    });
  });

  it('a .cstore file of the layout that was asked for', async () => {
    expect((await run('convert', at('a.cna'), at('records.cstore'), '--layout', 'records')).code).toBe(0);
    const table = await openColstore(at('records.cstore'));
    expect((await table.info()).layout).toBe('records');
    table.close();
    expect(await run('convert', at('a.cna'), at('x.syr'), '--layout', 'records')).toMatchObject({ code: 2 });
  });

  it('an Arrow stream and a Parquet file under other names', async () => {
    writeFileSync(
      at('stream.bin'),
      tableToIPC(new ArrowTable({ n: vectorFromArray([1, 2, 3], new Int32()) }), 'stream'),
    );
    expect((await run('convert', at('stream.bin'), at('stream.cna'))).code).toBe(0);
    expect(openSync(at('stream.cna')).rowCount).toBe(3);
    expect((await run('convert', at('a.cna'), at('named.parquet'))).code).toBe(0);
    writeFileSync(at('named.csv'), readFileSync(at('named.parquet')));
    expect((await run('convert', at('named.csv'), at('named.cna'))).code).toBe(0);
    await expectTable(at('named.cna'));
    writeFileSync(at('unnamed'), 'a,b\n1,2\n');
    expect(await run('convert', at('unnamed'), at('unnamed.cna'))).toMatchObject({
      code: 2,
      notes: [expect.stringMatching(/--from/)],
    });
    expect((await run('convert', at('unnamed'), at('unnamed.cna'), '--from', 'csv')).code).toBe(0);
  });
});

describe('every verb, of every format', () => {
  it.each([
    ['a.cna', /72 rows, 2 columns, 1 row group/],
    ['a.cstore', /72 rows, 2 columns, 1 record/],
    ['a.syr', /72 items/],
  ])('info, schema, inspect, verify, recover of %s', async (name, about) => {
    for (const verb of ['info', 'inspect']) {
      const { code, out } = await run(verb, at(name));
      expect([code, out[0]]).toEqual([0, expect.stringMatching(about)]);
      expect(out.join('\n')).toMatch(/price +float64|price +<f8/);
    }
    const { out } = await run('schema', at(name), '--json');
    expect(JSON.parse(out.join('\n'))).toMatchObject([
      { name: 'price', dtype: 'float64' },
      { name: 'qty', dtype: 'int32' },
    ]);
    expect((await run('verify', at(name))).out).toEqual([expect.stringMatching(/whole, 72 /)]);
    expect((await run('recover', at(name))).out).toEqual([
      expect.stringMatching(/whole, 72 (rows|items), 0 bytes lost/),
    ]);
  });

  it('inspect tells what is left of a file that grew', async () => {
    const path = at('grown.cna');
    writeSync(path, { n: [0] });
    for (let n = 1; n < 30; n++) appendSync(path, { n: [n] }, { durability: 'none' });
    const left =
      /^\d+,\d{3} bytes, 9\d\.\d %, are of older footers and row groups; colkit convert writes a file without/u;
    expect((await run('inspect', path)).out.at(-1)).toMatch(left);
    expect((await run('convert', path, at('again.cna'))).code).toBe(0);
    expect((await run('inspect', at('again.cna'))).out.join('\n')).not.toContain('older footers');
  });

  it.each(['a.cna', 'a.cstore'])('head, tail, get, query of %s', async (name) => {
    const row = (at_: number): string => JSON.stringify({ price: at_ / 4, qty: at_ % 7 });
    expect((await run('head', at(name), '-n', '2', '--json')).out).toEqual([row(0), row(1)]);
    expect((await run('tail', at(name), '-n', '2', '--json')).out).toEqual([row(70), row(71)]);
    expect((await run('get', at(name), '5', '-1', '5', '--json')).out).toEqual([row(5), row(71), row(5)]);
    expect((await run('get', at(name), '72')).code).toBe(2);
    expect(await run('get', at(name), 'x')).toMatchObject({
      code: 2,
      notes: [expect.stringMatching(/number of a row/)],
    });
    expect((await run('query', at(name), 'qty == 6', '-n', '1')).out.join('\n')).toMatch(/1\.5 +6/);
    expect((await run('query', at(name), 'qty > 6', '--explain')).code).toBe(0);
  });

  it('items: tail, and queries of keys of one value', async () => {
    expect((await run('tail', at('a.syr'), '--items', '1', '--json')).out).toEqual(['{"price":[17.75],"qty":[1]}']);
    const lists = createSync(at('query.syr'));
    for (let item = 0; item < 10; item += 1) {
      lists.addItemSync({
        label: Int32Array.of(item % 3),
        list: Float64Array.from({ length: item % 3 }),
        name: `n${item}`,
      });
    }
    lists.closeSync();
    expect((await run('query', at('query.syr'), "label == 2 and name != 'n5'", '--json')).out).toEqual([
      '{"label":2,"name":"n2"}',
      '{"label":2,"name":"n8"}',
    ]);
    expect((await run('query', at('query.syr'), '--count')).out).toEqual(['10']);
    expect(await run('query', at('query.syr'), 'list > 1')).toMatchObject({
      code: 2,
      notes: [expect.stringMatching(/unknown column list \(there are: label, name\)/)],
    });
  });

  it('query: what rows add up to, by group', async () => {
    expect(
      (await run('query', at('a.cna'), 'price < 10', '--agg', 'n=count', '--agg', 'most=max:price', '--json')).out,
    ).toEqual(['{"n":40,"most":9.75}']);
    for (const name of ['a.cna', 'a.cstore', 'a.syr']) {
      const { out } = await run(
        'query',
        at(name),
        '--by',
        'qty',
        '--agg',
        'n=count',
        '--agg',
        'total=sum:price',
        '--json',
      );
      expect(out.length, name).toBe(7);
      expect(out[6]).toBe('{"qty":6,"n":10,"total":93.75}');
    }
    expect((await run('query', at('a.cna'), '--by', 'qty', '--agg', 'n=count')).out.join('\n')).toMatch(/qty +n/);
    for (const [words, about] of [
      [['--by', 'qty'], /only with --agg/],
      [['--agg', 'n'], /NAME=count/],
      [['--agg', 'n=median:qty'], /count.*sum.*min/],
      [['--agg', 'n=sum:nope'], /ERR_UNKNOWN_COLUMN/],
    ] as const)
      expect(await run('query', at('a.cna'), ...words), words.join(' ')).toMatchObject({
        code: 2,
        notes: [expect.stringMatching(about)],
      });
    expect(await run('query', at('a.cstore'), '--stats')).toMatchObject({
      code: 2,
      notes: [expect.stringMatching(/only for \.cna files/)],
    });
    expect(await run('inspect', at('a.syr'), '--pages')).toMatchObject({
      code: 2,
      notes: [expect.stringMatching(/--pages: only for \.cna files/)],
    });
  });

  it('diff: between formats, and of items', async () => {
    expect((await run('diff', at('a.cna'), at('a.cstore'))).out).toEqual(['the same: 72 rows']);
    expect((await run('diff', at('a.cna'), at('a.syr'))).code).toBe(2);
    const other = createSync(at('other.syr'));
    for (let row = 0; row < ROWS; row += 1)
      other.addItemSync({ price: price.slice(row, row + 1), qty: Int32Array.of(row === 5 ? 99 : row % 7) });
    other.closeSync();
    const { code, out } = await run('diff', at('a.syr'), at('other.syr'));
    expect([code, out[0], out[2]]).toEqual([
      1,
      'key "qty": 1 cell differs',
      expect.stringMatching(/ 5 +qty +\[5\] +\[99\]/),
    ]);
    expect((await run('diff', at('a.syr'), at('other.syr'), '--keys', 'price')).code).toBe(0);
  });

  it('verify: several files of several formats', async () => {
    const cut = readFileSync(at('a.cstore')).subarray(0, -1);
    writeFileSync(at('cut.cstore'), cut);
    const { code, out } = await run('verify', at('a.cna'), at('cut.cstore'), at('a.syr'));
    expect([code, out.map((line) => /whole|damaged|ERR_\w+/.exec(line)?.[0])]).toEqual([
      1,
      ['whole', 'damaged', 'ERR_TRUNCATED', 'whole'],
    ]);
  });
});

test('a folder that is no file', async () => {
  mkdirSync(at('folder.cna'));
  expect((await run('head', at('folder.cna'))).code).toBe(1);
});
