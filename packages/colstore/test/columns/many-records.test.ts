// Files of many small records with statistics: which of them match is told for each, and they are read together.
import { CountingSource } from '@colkit/testkit';
import { MemorySource } from '@colkit/io';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSync, openSync } from '../../src/index.ts';

const RECORDS = 3000;

let file: Uint8Array;
const folder = mkdtempSync(join(tmpdir(), 'colstore-many-records-'));

/** Two rows each: `k` alike in some records and not in others, `t` ascending. */
beforeAll(() => {
  const path = join(folder, 'many.cstore');
  const writer = createSync(path, { statistics: true, durability: 'none' });
  for (let record = 0; record < RECORDS; record += 1)
    writer.writeSync({ t: Float64Array.of(2 * record, 2 * record + 1), k: Int32Array.of(record % 100, record % 7) });
  writer.closeSync();
  file = readFileSync(path);
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

it('are looked at together where statistics rule out or prove every other one', () => {
  const source = new CountingSource(new MemorySource(file));
  const table = openSync(source, { backend: 'js' });
  const { t, k } = table.toColumnsSync() as { t: Float64Array; k: Int32Array };
  const rows = Array.from(t.keys());
  for (const [where, matches] of [
    ['k = 3', (row: number) => k[row] === 3],
    ['k >= 3', (row: number) => k[row]! >= 3],
    ['k < 3 or t > 5990', (row: number) => k[row]! < 3 || t[row]! > 5990],
  ] as const) {
    const view = table.where(where);
    const expected = rows.filter(matches).map((row) => t[row]!);
    source.reset();
    expect(view.column('t').toArraySync(), where).toEqual(Float64Array.from(expected));
    expect(source.reads.length, where).toBeLessThan(20);
    source.reset();
    expect(view.aggSync({ n: 'count', s: { sum: 't' }, least: { min: 't' }, most: { max: 'k' } }), where).toEqual({
      n: expected.length,
      s: expected.reduce((sum, value) => sum + value, 0),
      least: expected[0],
      most: rows.filter(matches).reduce((most, row) => Math.max(most, k[row]!), 0),
    });
    expect(source.reads.length, where).toBeLessThan(20);
  }
});

it('are passed over where many of them in a row cannot match', () => {
  const source = new CountingSource(new MemorySource(file));
  const table = openSync(source, { backend: 'js' });
  table.where('t = 5').countSync();
  source.reset();
  expect(table.where('t >= 4 and t < 10').column('t').toArraySync()).toEqual(Float64Array.of(4, 5, 6, 7, 8, 9));
  expect(source.reads.reduce((sum, { byteLength }) => sum + byteLength, 0)).toBeLessThan(2000);
});

it('are not asked beyond the first rows that are certain, where those are enough', () => {
  const table = openSync(file);
  const first = table.where('t >= 2').head(3);
  expect(first.column('t').toArraySync()).toEqual(Float64Array.of(2, 3, 4));
  expect(table.where('k >= 0 and t > 5').slice(1).head(2).column('t').toArraySync()).toEqual(Float64Array.of(7, 8));
  const milliseconds = (work: () => unknown): number => {
    const start = process.cpuUsage();
    for (let time = 0; time < 200; time += 1) work();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
  const all = milliseconds(() => table.where('t >= 2').countSync());
  expect(milliseconds(() => first.column('t').toArraySync()) * 3).toBeLessThan(all);
});
