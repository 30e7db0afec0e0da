// Rows by doubles that are whole, or have few digits: they are counted in about the time of the same integers, whose
// words differ in their lower bits.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '@colkit/testkit';
import { afterAll, expect, it } from 'vitest';
import { openSync, writeSync } from '../../../src/index.ts';
import type { Table } from '../../../src/index.ts';

const ROWS = 500_000;
const KEYS = 1000;
/** So many times as long was wrong: each key was looked for among hundreds of others. */
const MOST_TIMES = 6;
const folder = mkdtempSync(join(tmpdir(), 'columna-doubles-'));
afterAll(() => rmSync(folder, { recursive: true }));

const random = createRandom(7);
const keys = Int32Array.from({ length: ROWS }, () => random.integer(KEYS));
const columns = {
  integers: keys,
  whole: Float64Array.from(keys),
  cents: Float64Array.from(keys, (key) => key / 100),
  halves: Float64Array.from(keys, (key) => key / 1024),
  large: Float64Array.from(keys, (key) => -key * 2 ** 40),
  singles: Float32Array.from(keys, (key) => key / 8),
};

function milliseconds(ask: () => unknown): number {
  let least = Infinity;
  for (let round = 0; round < 7; round++) {
    const start = process.cpuUsage();
    ask();
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

it('rows by doubles are those by integers, in about their time', () => {
  const path = join(folder, 'doubles.cna');
  writeSync(path, columns, { joint: false });
  const table = openSync(path) as unknown as Table;
  const count = (name: string) => table.groupBy(name).aggSync({ rows: 'count' }).columns['rows'];
  const few = (name: string) => table.where('integers % 250 == 7').groupBy(name).aggSync({ rows: 'count' }).columns;
  const wanted = count('integers');
  const integers = milliseconds(() => count('integers'));
  for (const name of Object.keys(columns)) {
    expect(count(name)).toEqual(wanted);
    expect(few(name)['rows']).toEqual(few('integers')['rows']);
    expect(table.aggSync({ kinds: { countDistinct: name } })).toEqual({ kinds: KEYS });
    // Without the addon doubles are two words for a table of pairs, and integers one.
    if (process.env['COLKIT_BACKEND'] === 'native')
      expect([name, milliseconds(() => count(name)) / Math.max(1, integers) < MOST_TIMES]).toEqual([name, true]);
  }
  table.close();
});
