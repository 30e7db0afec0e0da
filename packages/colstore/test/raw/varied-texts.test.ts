// Groups by packed texts of which most rows have their own: more than the addon keeps groups of, and those that are
// told apart as UTF-8. As a loop over the rows has them, with the addon and without it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '@colkit/testkit';
import { afterAll, expect, it } from 'vitest';
import { openSync, typed, writeSync } from '../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'colstore-varied-texts-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ROWS = 90_000;
const random = createRandom(9);
const EDGES: Readonly<Record<'S12' | 'U12', readonly string[]>> = {
  S12: ['', '\0a', 'a\0b', '\x7F', '\x80', 'é', 'ÿ', 'a'],
  U12: [
    '',
    '\0a',
    'a\0b',
    '\x7F',
    '\x80',
    'é',
    '\u07FF',
    '\u0800',
    '\uFEFF',
    '\uFFFD',
    '\uFFFF',
    '\u{1F600}',
    '\u{10FFFF}',
  ],
};

it.each(['S12', 'U12'] as const)('%s', async (dtype) => {
  const keys = Array.from({ length: ROWS }, (_, row) =>
    row % 9 === 0 ? random.pick(EDGES[dtype]) : `n ${String(random.integer(40_000))}`,
  );
  const parity = Uint8Array.from({ length: ROWS }, (_, row) => row % 2);
  const path = join(folder, `${dtype}.cstore`);
  writeSync(path, { key: typed(dtype, keys), parity, row: Int32Array.from(keys.keys()) });
  using table = openSync(path);
  const groups = new Map<string, { key: string; parity: number; sum: number; n: number }>();
  for (const [row, key] of keys.entries()) {
    const id = JSON.stringify([key, row % 2]);
    const group = groups.get(id) ?? { key, parity: row % 2, sum: 0, n: 0 };
    groups.set(id, group);
    group.sum += row;
    group.n++;
  }
  const wanted = [...groups.values()];
  const specs = { sum: { sum: 'row' }, n: 'count', least: { min: 'key' } } as const;
  const { columns: found } = await table.groupBy('key', 'parity').agg(specs);
  expect(found['key']).toEqual(wanted.map(({ key }) => key));
  expect(Array.from(found['parity'] as ArrayLike<number>)).toEqual(wanted.map(({ parity: of }) => of));
  expect(Array.from(found.sum, Number)).toEqual(wanted.map(({ sum }) => sum));
  expect(Array.from(found.n)).toEqual(wanted.map(({ n }) => n));
  expect(found.least).toEqual(wanted.map(({ key }) => key));
  expect(table.groupBy('key').aggSync({ n: 'count' }).columns.n.length).toBe(new Set(keys).size);
  expect(table.aggSync({ n: { countDistinct: 'key' } })).toEqual({ n: new Set(keys).size });
});
