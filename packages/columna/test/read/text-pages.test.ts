// Predicates over texts that lie in the pages: the addon, TypeScript and a plain loop over strings find the same rows,
// in order, whatever the encoding of the page.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setDefaultBackend } from '@colkit/io';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { inspectSync, openSync, writeSync } from 'columna';
import type { Table } from 'columna';
import { PageJobs } from '../../src/read/pages/jobs/page-jobs.ts';
import { backendsToAsk } from '../support/backends.ts';
import { expectSame } from '../support/same-items.ts';

const BACKENDS = backendsToAsk();
afterEach(() => setDefaultBackend('js'));

const EDGES = [
  '',
  ' ',
  'a',
  'aa',
  'ab',
  'b',
  'a%b',
  'a_b',
  '50% off',
  'import os',
  'import os, sys',
  'from os import path',
  'numpy as np',
  'nump',
  'é',
  'e\u0301',
  'żółć',
  '😀',
  '😀😀x',
  '\u0000',
  'a\u0000b',
  '\uffff',
  'Z'.repeat(300),
  `${'ab'.repeat(99)}numpy`,
];

/** What a predicate's text says, as JavaScript. */
const PREDICATES: readonly (readonly [string, (text: string) => boolean])[] = [
  ["t = 'import os'", (t) => t === 'import os'],
  ["t != 'import os'", (t) => t !== 'import os'],
  ["t = ''", (t) => t === ''],
  ["not t = '😀'", (t) => t !== '😀'],
  ["t < 'b'", (t) => Buffer.compare(Buffer.from(t), Buffer.from('b')) < 0],
  ["t <= 'b'", (t) => Buffer.compare(Buffer.from(t), Buffer.from('b')) <= 0],
  ["t > 'import os'", (t) => Buffer.compare(Buffer.from(t), Buffer.from('import os')) > 0],
  ["t >= 'import os'", (t) => Buffer.compare(Buffer.from(t), Buffer.from('import os')) >= 0],
  ["not t >= '\uffff'", (t) => Buffer.compare(Buffer.from(t), Buffer.from('\uffff')) < 0],
  ["t between 'a' and 'b'", (t) => t >= 'a' && t <= 'b'],
  ["not t between 'a' and 'b'", (t) => !(t >= 'a' && t <= 'b')],
  [
    "t in ('a', 'é', '50% off', 'a%b', '', 'nope', 'żółć', 'nump')",
    (t) => ['a', 'é', '50% off', 'a%b', '', 'nope', 'żółć', 'nump'].includes(t),
  ],
  ["t not in ('a', 'b')", (t) => !['a', 'b'].includes(t)],
  ["t like '%numpy%'", (t) => t.includes('numpy')],
  ["t not like '%numpy%'", (t) => !t.includes('numpy')],
  ["t like 'import%'", (t) => t.startsWith('import')],
  ["t like '%os'", (t) => t.endsWith('os')],
  ["t like 'i%o%s'", (t) => /^i.*o.*s$/su.test(t)],
  ["t like '%a%b%'", (t) => /a.*b/su.test(t)],
  ["t like 'a_b'", (t) => /^a.b$/su.test(t)],
  ["t like '_'", (t) => [...t].length === 1],
  ["t ilike '%NUMPY%'", (t) => t.toLowerCase().includes('numpy')],
  ["t like '%😀%'", (t) => t.includes('😀')],
  ["t like 'aa%aa'", (t) => t.length >= 4 && t.startsWith('aa') && t.endsWith('aa')],
  ["t like '%b%' and n > 40", (t) => t.includes('b')],
  ["t > 'a' and t < 'b' and t != 'ab'", (t) => t > 'a' && t < 'b' && t !== 'ab'],
];

/** splitmix32 */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let t = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    t = Math.imul(t ^ (t >>> 15), 0x735a2d97);
    return ((t ^ (t >>> 15)) >>> 0) / 2 ** 32;
  };
}

type Text = string | null;
const ROWS = 1000;

function texts(seed: number, valueOf: (random: () => number, row: number) => Text): Text[] {
  const random = createRandom(seed);
  return Array.from({ length: ROWS }, (_, row) => valueOf(random, row));
}

const pick = <T>(random: () => number, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

const IN_BLOCKS = { encodings: { t: 'BLOCKS' }, pageRows: 800 };
const IN_SYMBOLS = { encodings: { t: 'ONPAIR' }, pageRows: 800 };
const SHARING = { encodings: { t: 'FRONT' }, pageRows: 800 };
const IN_MATCHES = { encodings: { t: 'MATCHES' }, pageRows: 800 };

const TABLES: readonly (readonly [string, Text[], object])[] = [
  ['unique', texts(1, (random, row) => (random() < 0.3 ? pick(random, EDGES) : `${pick(random, EDGES)}${row}`)), {}],
  ['random bytes', texts(2, (random) => (random() < 0.2 ? pick(random, EDGES) : random().toString(36))), {}],
  ['with nulls', texts(3, (random, row) => (random() < 0.3 ? null : `${pick(random, EDGES)}${row % 360}`)), {}],
  ['a null now and then', texts(4, (random, row) => (row === 680 ? null : `${pick(random, EDGES)}${row}`)), {}],
  ['plain', texts(5, (random, row) => (random() < 0.5 ? pick(random, EDGES) : String(row))), { mode: 'plain' }],
  ['few, in pages', texts(6, (random) => (random() < 0.1 ? null : pick(random, EDGES))), { mode: 'default' }],
  ['unique, in blocks', texts(8, (random, row) => `${pick(random, EDGES)}${row}`), IN_BLOCKS],
  [
    'repeated, in blocks',
    texts(9, (random, row) => (random() < 0.1 ? null : `${pick(random, EDGES)}${row % 600}`)),
    IN_BLOCKS,
  ],
  [
    'entries in blocks',
    texts(10, (random, row) => `${pick(random, EDGES)}${'ę'.repeat(99)}${row % 320}`),
    { pageRows: 800 },
  ],
  ['unique, in symbols', texts(14, (random, row) => `${pick(random, EDGES)}${row}`), IN_SYMBOLS],
  [
    'repeated, in symbols, with nulls',
    texts(15, (random, row) => (random() < 0.1 ? null : `${pick(random, EDGES)}${row % 600}`)),
    IN_SYMBOLS,
  ],
  [
    'long, in symbols',
    texts(16, (random, row) => `${'numpy and so on, '.repeat(40)}${row}${pick(random, EDGES)}`),
    IN_SYMBOLS,
  ],
  [
    'random bytes, in symbols',
    texts(17, (random) => (random() < 0.2 ? pick(random, EDGES) : random().toString(36))),
    IN_SYMBOLS,
  ],
  ['sorted', texts(21, (random, row) => `${String(row >> 3).padStart(6, 'k')}${pick(random, EDGES)}`), SHARING],
  ['unsorted, sharing', texts(22, (random, row) => `${pick(random, EDGES)}${row}`), SHARING],
  [
    'sharing, with nulls',
    texts(23, (random, row) => (random() < 0.1 ? null : `${'numpy and so on'.slice(0, row % 16)}${row}`)),
    SHARING,
  ],
  [
    'sorted, long, in one interval',
    texts(24, (random, row) => `${'numpy and so on, '.repeat(20)}${1e6 + row}${pick(random, EDGES)}`),
    { mode: 'smallest', pageRows: 800 },
  ],
  ['sorted, by default', texts(25, (_, row) => `user:${String(row).padStart(9, '0')}`), {}],
  ['unique, in matches', texts(18, (random, row) => `${pick(random, EDGES)}${row}`), IN_MATCHES],
  [
    'repeated, in matches, with nulls',
    texts(19, (random, row) => (random() < 0.1 ? null : `${pick(random, EDGES)}${row % 600}`)),
    IN_MATCHES,
  ],
  [
    'long, in matches',
    texts(20, (random, row) => `${'numpy and so on, '.repeat(40)}${row}${pick(random, EDGES)}`),
    { mode: 'smallest', pageRows: 800 },
  ],
  [
    'a few times each, in blocks',
    texts(12, (_, row) => `${EDGES[row % 24]}${'abc'.repeat(33)}${row % 280}`),
    { encodings: { t: 'BLOCKS' } },
  ],
  // Each page gives fifty times its bytes.
  ['long', texts(7, (random, row) => `${'numpy and so on, '.repeat(40)}${row}${pick(random, EDGES)}`), {}],
];

describe.each(TABLES)('texts that are %s', (name, values, options) => {
  const folder = mkdtempSync(join(tmpdir(), 'columna-texts-'));
  const path = join(folder, `${name.replaceAll(' ', '-')}.cna`);
  const numbers = Int32Array.from(values, (_, row) => (row * 37) % 100);
  let tables: readonly Table[] = [];
  beforeAll(() => {
    writeSync(path, { t: values, n: numbers }, { rowGroupSize: 800, pageRows: 264, ...options });
    tables = BACKENDS.map((backend) => openSync(path, { backend }));
  });
  afterAll(() => {
    for (const table of tables) table.close();
    rmSync(folder, { recursive: true });
  });
  /** The same with each backend, which is the process's meanwhile. */
  function* eachTable(): Generator<Table> {
    for (const [number, table] of tables.entries()) {
      setDefaultBackend(BACKENDS[number]!);
      yield table;
    }
  }

  it.each(PREDICATES)('%s', async (where, matches) => {
    const expected = [...values.keys()].filter((row) => {
      const text = values[row] as Text;
      return text !== null && matches(text) && (!where.includes('n > 40') || (numbers[row] as number) > 40);
    });
    const texts = expected.map((row) => values[row]);
    for (const table of eachTable()) {
      const view = table.where(where);
      expect(await view.count()).toBe(expected.length);
      const { t, n } = (await view.toColumns()) as { t: Text[]; n: Int32Array };
      expectSame(t, texts);
      expectSame(
        n,
        Int32Array.from(expected, (row) => numbers[row] as number),
      );
      expect([...(await view.slice(1, 4).toRows())].map((row) => row['t'])).toEqual(texts.slice(1, 4));
    }
  });

  it('gives rows in any order, repeated ones too', async () => {
    const random = createRandom(11);
    const some = Array.from({ length: 40 }, () => Math.floor(random() * ROWS));
    for (const rows of [
      some,
      [...some, ...some, 3, 3, 3],
      [ROWS - 1, 0, 680, 679],
      Array.from({ length: ROWS }, (_, i) => ROWS - 1 - i),
    ]) {
      const expected = rows.map((row) => values[row]);
      for (const table of eachTable()) {
        expectSame(((await table.take(rows).toColumns()) as { t: Text[] }).t, expected);
        const arrow = await table.select('t').take(rows).toArrow();
        expectSame([...(arrow.getChild('t') as Iterable<Text>)], expected);
      }
    }
  });

  it('gives Arrow the bytes that it has', async () => {
    const texts = async (view: Table): Promise<Text[]> => [...((await view.toArrow()).getChild('t') as Iterable<Text>)];
    for (const table of eachTable()) {
      expectSame(await texts(table), values);
      expectSame(await texts(table.slice(280, 960)), values.slice(280, 960));
      expectSame(
        await texts(table.where("t like '%o%'")),
        values.filter((text) => text?.includes('o')),
      );
    }
  });

  it.runIf(BACKENDS.includes('native'))('has its texts from the addon', () => {
    setDefaultBackend('native');
    const table = openSync(path, { backend: 'native' });
    const [texts, selected] = [vi.spyOn(PageJobs.prototype, 'textsOf'), vi.spyOn(PageJobs.prototype, 'selectedOf')];
    expect(table.where("t like '%port os'").countSync()).toBe(
      values.filter((text) => text?.endsWith('port os')).length,
    );
    expect(selected.mock.results.length).toBeGreaterThan(0);
    expect(selected.mock.results.every(({ value }) => value !== null)).toBe(true);
    expect(table.select('t').toColumnsSync()).toEqual({ t: values });
    expect(texts.mock.results.every(({ value }) => value !== null)).toBe(true);
    if (name !== 'few, in pages') expect(texts.mock.results.length).toBeGreaterThan(0);
    vi.restoreAllMocks();
    table.close();
  });
});

it.each(BACKENDS)('of blocks that are damaged only those are refused that a row needs, %s', async (backend) => {
  setDefaultBackend(backend);
  const folder = mkdtempSync(join(tmpdir(), 'columna-texts-'));
  const path = join(folder, 'damaged.cna');
  const random = createRandom(13);
  // Two blocks of texts of one length, in an alphabet of two letters.
  const values = Array.from({ length: 640 }, (_, row) =>
    Array.from({ length: 20 }, () => (random() < 0.5 ? 'a' : 'b'))
      .join('')
      .padEnd(row === 630 ? 31 : 20, '.'),
  );
  writeSync(path, { t: values }, { encodings: { t: 'BLOCKS' } });
  const bytes = readFileSync(path);
  const { byteOffset, byteLength, encoding } = inspectSync(path).rowGroups[0]!.chunks[0]!.pages[0]!;
  expect(encoding).toBe('BLOCKS');
  // The last block, of which the first bits now say that there is no such block.
  const at = byteOffset + byteLength - 600;
  bytes.fill(0xff, at, at + 500);
  writeFileSync(path, bytes);
  const table = openSync(path, { backend, verifyCrc: false });
  await expect(table.toColumns()).rejects.toMatchObject({ code: 'ERR_LAYOUT' });
  await expect(table.take([0, 639]).toColumns()).rejects.toMatchObject({ code: 'ERR_LAYOUT' });
  expect(await table.take([3, 0, 3]).toColumns()).toEqual({ t: [values[3], values[0], values[3]] });
  expect(await table.slice(5, 9).toColumns()).toEqual({ t: values.slice(5, 9) });
  expect(await table.where("t == 'no text of twenty'").count()).toBe(0);
  await expect(table.where("t like '%c%'").count()).rejects.toMatchObject({ code: 'ERR_LAYOUT' });
  await expect(table.where(`t == '${values[630]}'`).count()).rejects.toMatchObject({ code: 'ERR_LAYOUT' });
  table.close();
  rmSync(folder, { recursive: true });
});

it.each(BACKENDS)('bytes that are no UTF-8 are refused in every form, %s', async (backend) => {
  setDefaultBackend(backend);
  const folder = mkdtempSync(join(tmpdir(), 'columna-texts-'));
  const path = join(folder, 'damaged.cna');
  writeSync(path, { t: ['first', 'second', 'żółć'] }, { mode: 'plain' });
  const bytes = readFileSync(path);
  // A character of two bytes that ends with the text before it.
  bytes.copy(bytes, bytes.indexOf('second') - 1, bytes.indexOf('żółć'), bytes.indexOf('żółć') + 2);
  writeFileSync(path, bytes);
  const table = openSync(path, { backend, verifyCrc: false });
  await expect(table.toColumns()).rejects.toMatchObject({ code: 'ERR_LAYOUT' });
  await expect(table.toArrow()).rejects.toMatchObject({ code: 'ERR_LAYOUT' });
  await expect(table.toColumns({ strings: 'dictionary' })).rejects.toMatchObject({ code: 'ERR_LAYOUT' });
  table.close();
  rmSync(folder, { recursive: true });
});
