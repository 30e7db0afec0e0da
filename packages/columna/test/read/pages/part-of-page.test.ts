// Most of a page takes about as long as all of it, whatever it holds: nothing is looked at once more for each row.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '@colkit/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { openSync, typed, writeSync } from '../../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-part-of-page-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ROWS = 65_536;
const random = createRandom(64);
const rows = Array.from({ length: ROWS }, (_, row) => row);
const COLUMNS = {
  'random doubles': typed(
    'float64',
    Float64Array.from(rows, () => random.number()),
  ),
  'random int64': typed(
    'int64',
    BigInt64Array.from(rows, () => random.int64()),
  ),
  'random cents': typed(
    'float64',
    Float64Array.from(rows, () => random.integer(100_000) / 100),
  ),
  'a sine': typed(
    'float32',
    Float32Array.from(rows, (row) => Math.sin(row / 100)),
  ),
  'ascending ticks': typed(
    'datetime64[us]',
    BigInt64Array.from(rows, (row) => BigInt(row * 1000 + random.integer(999))),
  ),
  runs: typed(
    'int32',
    Int32Array.from(rows, (row) => (row / 300) | 0),
  ),
  outliers: typed(
    'int32',
    Int32Array.from(rows, (row) => (row % 977 === 0 ? 2 ** 30 + row : row % 50)),
  ),
  'with nulls': typed(
    'int16',
    rows.map((row) => (row % 5 === 0 ? null : random.integer(900))),
  ),
  'few texts': typed(
    'string',
    rows.map(() => `city ${String(random.integer(300))}`),
  ),
  'texts of their own': typed(
    'string',
    rows.map((row) => `user ${String(row * 7919)}`),
  ),
};

/** Milliseconds of the processor that the fastest of several calls takes. */
async function fastest(call: () => Promise<unknown>): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < 5; round++) {
    const start = process.cpuUsage();
    await call();
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

describe.each(['fast', 'default', 'smallest'] as const)('in mode %s', (mode) => {
  it.each(Object.entries(COLUMNS))('%s', async (name, column) => {
    const path = join(folder, `${mode} ${name}.cna`);
    writeSync(path, { column }, { mode });
    using table = openSync(path);
    const all = await fastest(() => table.toColumns());
    const most = await fastest(() => table.slice(7, ROWS - 3).toColumns());
    const scattered = await fastest(() => table.slice(7, ROWS, 3).toColumns());
    // Looking again for each row takes a second and more.
    expect(Math.max(most, scattered)).toBeLessThan(400 + 20 * all);
  });
});
