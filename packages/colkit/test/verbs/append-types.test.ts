// append reads text with the types of what it adds to, and takes values of other tables where none changes; a dry run
// refuses what append refuses.
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSync, typed, writeSync } from 'colstore';
import { openSync as openColumna, writeSync as writeColumna } from 'columna';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { linesOf } from '../support/run.ts';

const { root } = temporaryFolder();
const NAT = -(2n ** 63n);
let folder = '';
const at = (name: string): string => join(folder, name);
beforeEach(() => {
  folder = mkdtempSync(join(root, 'test-'));
});

type Columns = Parameters<typeof writeColumna>[1];
function make(name: string, columns: Columns): void {
  if (name.endsWith('.cna')) writeColumna(at(name), columns, { overwrite: true });
  else writeSync(at(name), columns as never, { overwrite: true, layout: 'records' });
}
function rowsOf(name: string): readonly unknown[] {
  using table = name.endsWith('.cna') ? openColumna(at(name)) : openSync(at(name));
  return table.toRowsSync();
}
const append = (...words: readonly string[]) =>
  linesOf(
    'append',
    ...words.map((word) => (/\.(?:cna|cstore|csv|jsonl|arrow|parquet)$/u.test(word) ? at(word) : word)),
  );

/** What append does, after a dry run that says the same. */
async function appended(...words: readonly string[]): Promise<void> {
  expect(await append(...words, '--dry-run')).toMatchObject({ code: 0 });
  expect(await append(...words)).toMatchObject({ code: 0, notes: [] });
}

async function refused(says: RegExp, ...words: readonly string[]): Promise<void> {
  const target = words[0] as string;
  const before = readFileSync(at(target));
  for (const dry of [['--dry-run'], []])
    expect(await append(...words, ...dry)).toMatchObject({ code: 1, out: [], notes: [expect.stringMatching(says)] });
  expect(readFileSync(at(target)).equals(before)).toBe(true);
}

it('JSON in which no row has a column that may be null: it is null in all of them', async () => {
  const columns = { a: Int16Array.of(1, 2), s: ['x', null], at: typed('datetime64[us]', [1n, null]) };
  make('t.cna', columns as Columns);
  writeFileSync(at('some.jsonl'), '{"a":3}\n{"at":"1970-01-01T00:00:00.000002Z","a":4}\n');
  await appended('t.cna', 'some.jsonl');
  expect(rowsOf('t.cna').slice(2)).toEqual([
    { a: 3, s: null, at: null },
    { a: 4, s: null, at: 2n },
  ]);
  writeFileSync(at('other.jsonl'), '{"s":"y"}\n');
  await refused(/expected a column "a", as .*t\.cna has it but found no value/u, 't.cna', 'other.jsonl');
});

describe.each(['t.cna', 't.cstore'])('text to %s', (target) => {
  const isColumna = target.endsWith('.cna');

  it('no rows', async () => {
    make(target, { a: Int32Array.of(1), ok: [true] });
    for (const text of ['', '[]']) {
      writeFileSync(at('a.jsonl'), text);
      await appended(target, 'a.jsonl');
      expect(rowsOf(target)).toEqual([{ a: 1, ok: true }]);
    }
  });

  it('floats: whole numbers, the nearest of the type, what is beyond it refused', async () => {
    make(target, { d: Float64Array.of(0.5), f: Float32Array.of(0.5) });
    writeFileSync(at('a.csv'), 'd,f\n1,2\n3,0.1\n-0,nan\n');
    await appended(target, 'a.csv');
    expect(rowsOf(target).slice(1)).toEqual([
      { d: 1, f: 2 },
      { d: 3, f: Math.fround(0.1) },
      { d: -0, f: NaN },
    ]);
    writeFileSync(at('a.csv'), 'd,f\n1,2\n1,1e300\n');
    await refused(/a\.csv: line 3: expected float32 in column "f" but found "1e300"/, target, 'a.csv');
    writeFileSync(at('a.jsonl'), '{"d":1,"f":1e300}\n');
    await refused(/a\.jsonl: line 1: expected float32 in column "f" but found/, target, 'a.jsonl');
    writeFileSync(at('a.jsonl'), '{"d":1,"f":7}\n');
    await appended(target, 'a.jsonl');
    expect(rowsOf(target).at(-1)).toEqual({ d: 1, f: 7 });
  });

  it('integers written as 1.0, not 1.5 nor beyond the type', async () => {
    make(target, { n: Int16Array.of(1) });
    writeFileSync(at('a.csv'), 'n\n1.0\n2e2\n');
    await appended(target, 'a.csv');
    expect(rowsOf(target)).toEqual([{ n: 1 }, { n: 1 }, { n: 200 }]);
    for (const [text, line] of [
      ['n\n1\n1.5\n', 3],
      ['n\n40000\n', 2],
    ] as const) {
      writeFileSync(at('a.csv'), text);
      await refused(new RegExp(`line ${String(line)}: expected int16 in column "n"`), target, 'a.csv');
    }
  });

  it('text that looks like something else, dates, and a header alone', async () => {
    make(target, {
      s: isColumna ? ['x'] : typed('S12', ['x']),
      day: typed('datetime64[D]', [0n]),
      flag: typed('bool', [true]),
    });
    for (const text of ['1', '1.50', 'true', '2024-01-01']) {
      writeFileSync(at('a.csv'), `s,day,flag\n${text},2024-01-02,0\n`);
      await appended(target, 'a.csv');
      expect(rowsOf(target).at(-1)).toEqual({ s: text, day: 19_724n, flag: false });
    }
    writeFileSync(at('a.csv'), 's,day,flag\n');
    await appended(target, 'a.csv');
    expect(rowsOf(target)).toHaveLength(5);
  });

  it('a null where there is none', async () => {
    make(target, { d: Float64Array.of(0.5), n: Int32Array.of(1) });
    writeFileSync(at('a.csv'), 'd,n\n,1\n');
    await refused(/"d"/, target, 'a.csv');
  });

  it('names: --rename, --columns; --type and --dtype come before', async () => {
    make(target, { x: Float64Array.of(0.5), n: Int32Array.of(1) });
    writeFileSync(at('a.csv'), 'id,n,more\n5,6,text\n');
    await appended(target, 'a.csv', '--rename', 'id=x', '--columns', 'id,n');
    expect(rowsOf(target).at(-1)).toEqual({ x: 5, n: 6 });
    await appended(target, 'a.csv', '--rename', 'id=x', '--columns', 'id,n', '--type', 'id=int8', '--dtype', 'n=int8');
    expect(rowsOf(target).at(-1)).toEqual({ x: 5, n: 6 });
    await refused(/a column "x", as .*t\.c\w+ has it but found id, n, more/, target, 'a.csv');
    writeFileSync(at('a.csv'), 'x,n,more\n5,6,text\n');
    await refused(/more/, target, 'a.csv');
  });

  it('a typed source: wider types, and what changes no value', async () => {
    make(target, { d: Float64Array.of(0.5), f: Float32Array.of(0.5), n: BigInt64Array.of(1n) });
    make('a.cstore', { d: Int32Array.of(7), f: Float64Array.of(0.25), n: Int32Array.of(-1) });
    await appended(target, 'a.cstore');
    expect(rowsOf(target).at(-1)).toEqual({ d: 7, f: 0.25, n: -1n });
    make('a.cna', { d: [2n ** 53n, 2n ** 60n], f: Float64Array.of(NaN, -0), n: [1n, 2n] });
    await appended(target, 'a.cna');
    expect(rowsOf(target).slice(-2)).toEqual([
      { d: 2 ** 53, f: NaN, n: 1n },
      { d: 2 ** 60, f: -0, n: 2n },
    ]);
    make('a.cna', { d: Float64Array.of(1, 1), f: Float64Array.of(0.5, 0.1), n: [1n, 2n] });
    await refused(
      /a\.cna: row 1: column "f": expected values that float32 holds exactly but found 0\.1/,
      target,
      'a.cna',
    );
    make('a.cna', { d: [1n, 2n, 2n ** 53n + 1n], f: [1, 1, 1], n: [1n, 2n, 3n] });
    await refused(/row 2: column "d": expected values that float64 holds exactly/, target, 'a.cna');
    make('a.cna', { d: [1], f: [1], n: [1.5] });
    await refused(/column "n".*int64.*float64/, target, 'a.cna');
  });
});

test('moments of another unit: where they are the same moments', async () => {
  make('t.cstore', { s: typed('datetime64[s]', [0n]), ns: typed('datetime64[ns]', [0n]) });
  make('a.cna', { s: typed('datetime64[us]', [-2_000_000n, NAT]), ns: typed('datetime64[D]', [-1n, NAT]) });
  await appended('t.cstore', 'a.cna');
  expect(rowsOf('t.cstore').slice(1)).toEqual([
    { s: -2n, ns: -86_400_000_000_000n },
    { s: NAT, ns: NAT },
  ]);
  make('a.cna', { s: typed('datetime64[us]', [0n, 1n]), ns: typed('datetime64[D]', [0n, 0n]) });
  await refused(/row 1: column "s": expected moments that datetime64\[s\] holds exactly/, 't.cstore', 'a.cna');
  make('a.cna', { s: typed('datetime64[us]', [0n]), ns: typed('datetime64[D]', [2n ** 40n]) });
  await refused(/row 0: column "ns"/, 't.cstore', 'a.cna');
});

test('types that a .cna file does not have: halves, nanoseconds, seconds, text of a width', async () => {
  make('t.cstore', {
    h: typed('float16', [0.5]),
    ns: typed('datetime64[ns]', [1n]),
    s: typed('datetime64[s]', [1n]),
    u: typed('U3', ['x']),
  });
  writeFileSync(at('a.csv'), 'h,ns,s,u\n0.1,2024-01-01T00:00:00.123456789,2024-01-01T00:00:01,é\n3,,,ab\n');
  expect(await append('t.cstore', 'a.csv')).toMatchObject({ code: 0 });
  expect(rowsOf('t.cstore').slice(1)).toEqual([
    { h: 0.0999755859375, ns: 1_704_067_200_123_456_789n, s: 1_704_067_201n, u: 'é' },
    { h: 3, ns: NAT, s: NAT, u: 'ab' },
  ]);
  for (const [row, says] of [
    ['65520,2024-01-01,2024-01-01,a', /row 0: column "h": expected float16 but found 65520/],
    ['1,noon,2024-01-01,a', /row 0: column "ns": expected .* but found/],
    ['1,2024-01-01,2024-01-01T00:00:00.5,a', /line 2: expected datetime64\[s\] in column "s"/],
    ['1,2024-01-01,2024-01-01,abcd', /line 2: expected U3 in column "u" but found "abcd"/],
  ] as const) {
    writeFileSync(at('a.csv'), `h,ns,s,u\n${row}\n`);
    await refused(says, 't.cstore', 'a.csv');
  }
});

test('a dry run refuses what append refuses', async () => {
  make('t.cstore', { n: Int32Array.of(1), s: typed('S2', ['a']) });
  make('a.cstore', { n: Int32Array.of(1), s: typed('S2', ['a']), more: [1] });
  await refused(/more/, 't.cstore', 'a.cstore');
  make('a.cstore', { n: [1.5], s: typed('S2', ['a']) });
  await refused(/column "n".*int32.*float64/, 't.cstore', 'a.cstore');
  make('a.cstore', { n: [1n, 2n ** 40n], s: typed('S2', ['a', 'b']) });
  await refused(/a\.cstore: row 1: column "n"/, 't.cstore', 'a.cstore');
  make('a.cna', { n: Int32Array.of(1, 2), s: ['a', 'too long'] });
  await refused(/a\.cna: row 1: column "s": expected .*S2/, 't.cstore', 'a.cna');
  make('a.cna', { n: [1, null], s: ['a', 'b'] });
  await refused(/n/, 't.cstore', 'a.cna');
});

test('a dry run of a folder that is not there: as append, and there is none afterwards', async () => {
  writeFileSync(at('a.csv'), 'n,s\n1,ab\n');
  writeFileSync(at('b.csv'), 'n,s\n2.0,12345\n');
  writeFileSync(at('c.csv'), 'n,s\n2.5,12345\n');
  for (const rows of [[], ['--shard-rows', '5', '--dtype', 's=S5']]) {
    const words = ['append', at('new/'), at('a.csv'), at('b.csv'), ...rows];
    expect(await linesOf(...words, '--dry-run')).toMatchObject({ code: 0 });
    expect(readdirSync(folder)).not.toContain('new');
    expect(await linesOf('append', at('new/'), at('a.csv'), at('c.csv'), ...rows, '--dry-run')).toMatchObject({
      code: 1,
      notes: [expect.stringMatching(/c\.csv: line 2: expected int64 in column "n" but found "2\.5"/)],
    });
    expect((await linesOf(...words)).code).toBe(0);
    using table = openSync(at('new'));
    expect(table.toRowsSync()).toEqual([
      { n: 1n, s: 'ab' },
      { n: 2n, s: '12345' },
    ]);
    rmSync(at('new'), { recursive: true });
  }
});

test('a name that is taken in a folder: what helps there', async () => {
  make('a.cstore', { n: Int32Array.of(1) });
  const words = ['append', at('shards/'), at('a.cstore'), '--name', 'r.cstore'];
  expect((await linesOf(...words)).code).toBe(0);
  for (const dry of [[], ['--dry-run']])
    expect(await linesOf(...words, ...dry)).toMatchObject({
      code: 1,
      notes: [
        expect.stringMatching(/r\.cstore: append: it exists already; another --name, or one with \{index\}, is free/),
      ],
    });
  expect((await linesOf(...words, at('a.cstore'), '--dry-run')).code).not.toBe(0);
  expect(readdirSync(at('shards')).filter((name) => name.endsWith('.cstore'))).toEqual(['r.cstore']);
});

test('several texts into one file: the first says what all are, or --type does', async () => {
  writeFileSync(at('a.csv'), 'v\n1\n2\n');
  writeFileSync(at('b.csv'), 'v\n3\n4.5\n');
  const words = ['convert', at('*.csv'), at('x.cstore')];
  expect(await linesOf(...words)).toMatchObject({
    code: 1,
    notes: [expect.stringMatching(/b\.csv: line 3: expected int64 in column "v" but found "4\.5".*--type v=float64/)],
  });
  expect((await linesOf(...words, '--type', 'v=float64')).code).toBe(0);
  expect(rowsOf('x.cstore')).toEqual([{ v: 1 }, { v: 2 }, { v: 3 }, { v: 4.5 }]);
  writeFileSync(at('a.csv'), 'v\n4.5\n');
  writeFileSync(at('b.csv'), 'v\n3\n');
  expect((await linesOf(...words, '-f')).code).toBe(0);
  expect(rowsOf('x.cstore')).toEqual([{ v: 4.5 }, { v: 3 }]);
});

test('--type keeps a width, and refuses longer text', async () => {
  writeFileSync(at('a.csv'), 'n,t\nabc,2024-01-01T00:00:00\n');
  expect(
    await linesOf('convert', at('a.csv'), at('x.cstore'), '--type', 'n=S10', '--type', 't=datetime64[s]'),
  ).toMatchObject({
    code: 0,
    notes: [],
  });
  using table = openSync(at('x.cstore'));
  expect(table.schema.map(({ dtype }) => dtype)).toEqual(['S10', 'datetime64[s]']);
  expect(await linesOf('convert', at('a.csv'), at('y.cstore'), '--type', 'n=S2')).toMatchObject({
    code: 1,
    notes: [expect.stringMatching(/line 2: expected S2 in column "n" but found "abc"/)],
  });
});
