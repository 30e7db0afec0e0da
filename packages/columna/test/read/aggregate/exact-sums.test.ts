// Sums of floats are those of the values, exact and rounded once, whatever they are packed as: decimals are quotients
// that were rounded, so that the sum of their integers, divided, is another number.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom, sumFault } from '@colkit/testkit';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { backendInfo } from '@colkit/io';
import { openSync, scan, typed, writeSync } from '../../../src/index.ts';
import { PageJobs } from '../../../src/read/pages/jobs/page-jobs.ts';
import type { Table } from '../../../src/index.ts';
import { meanFault } from '../../support/means.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-sums-'));
afterAll(() => rmSync(folder, { recursive: true }));
const random = createRandom(12);
const ROWS = 3000;
const each = <T>(make: (row: number) => T): T[] => Array.from({ length: ROWS }, (_, row) => make(row));

type Values = readonly (number | null)[];
let walked = 0;
const COLUMNS: Readonly<Record<string, Values>> = {
  tenths: each((row) => (row % 2 === 0 ? 0.1 : 12345.6)),
  cents: each(() => random.integer(5000) / 100),
  signed: each(() => (random.integer(20_000_001) - 10_000_000) / 100),
  'with nulls': each(() => (random.integer(4) === 0 ? null : random.integer(90_000) / 1000)),
  'many digits': each(() => random.integer(2 ** 31) / 1e6),
  'more digits': each(() => random.integer(2 ** 31) / 1e9),
  'far from 0': each(() => (2 ** 40 + random.integer(2 ** 20)) / 100),
  'steps of a quarter': each((row) => 1000 - row / 4),
  'some that are none': each((row) => (row % 500 === 7 ? Math.PI * row : random.integer(900) / 10)),
  'with infinities': each((row) => (row === 2990 ? Infinity : random.integer(900) / 10)),
  // From 1e-16 to 1: two doubles do not hold the sum, three do.
  'a sine': each((row) => Math.sin((2 * Math.PI * row) / 500)),
  'a sine with nulls': each((row) => (row % 7 === 0 ? null : Math.sin((2 * Math.PI * (row % 1000)) / 1000))),
  'a sine with infinities': each((row) => (row % 1000 === 999 ? Infinity : Math.cos((2 * Math.PI * row) / 250))),
  // Gaps of few patterns: DELTA over a dictionary.
  'a walk': each(() => (walked += (random.integer(21) - 10) / 100)),
  'far apart': each((row) => [1e100, Math.PI, -1e100, 1e-300][row % 4]!),
};
const names = Object.keys(COLUMNS);
const KEYS = {
  number: each(() => random.integer(40)),
  many: each(() => random.integer(700)),
  text: each(() => `k${random.integer(9)}`),
  maybe: each(() => (random.integer(5) === 0 ? null : random.integer(6))),
};
const specs = Object.fromEntries(names.flatMap((name) => [[`s ${name}`, { sum: name }]] as const));
const means = Object.fromEntries(names.map((name) => [`m ${name}`, { mean: name }] as const));

function written(name: string, options: object): Table {
  const path = join(folder, `${name}.cna`);
  const floats = Object.entries(COLUMNS).map(([column, values]) => [column, typed('float64', values)] as const);
  const keys = Object.entries(KEYS).map(([column, values]) => [
    column,
    column === 'text' ? values : typed('int32', values as Values),
  ]);
  writeSync(path, Object.fromEntries([...floats, ...keys]) as Parameters<typeof writeSync>[1], options);
  return openSync(path);
}

/** What is wrong with the sums and means of some rows. */
function faults(found: Readonly<Record<string, unknown>>, rows: readonly number[], what: string): string[] {
  return names.flatMap((name) => {
    const values = rows.flatMap((row) => COLUMNS[name]![row] ?? []);
    const sum = found[`s ${name}`] as number;
    const fault = sumFault(values, sum);
    if (fault !== null) return [`${what}, ${name}: ${fault}`];
    const mean = found[`m ${name}`] as number | undefined;
    const meanIs = mean === undefined || values.length === 0 ? null : meanFault(values, sum, mean);
    return meanIs === null ? [] : [`${what}, ${name}: a mean of ${meanIs}`];
  });
}

describe.each([
  ['default', { mode: 'default' }],
  ['smallest', { mode: 'smallest', pageRows: 512 }],
  ['plain', { mode: 'plain' }],
] as const)('mode %s', (mode, options) => {
  const table = written(mode, options);
  const all = each((row) => row);

  it('all rows, a slice, rows one by one', () => {
    expect(faults(table.aggSync({ ...specs, ...means }), all, 'all')).toEqual([]);
    const some = all.slice(100, 1900);
    expect(faults(table.slice(100, 1900).aggSync({ ...specs, ...means }), some, 'slice')).toEqual([]);
    expect(faults(table.take(some).aggSync(specs), some, 'take')).toEqual([]);
    for (const name of names)
      expect(
        sumFault(
          COLUMNS[name]!.flatMap((value) => value ?? []),
          table.column(name).sumSync() as number,
        ),
      ).toBeNull();
  });

  it('rows that match', async () => {
    const some = all.filter((row) => KEYS.number[row]! < 17);
    expect(faults(table.where('number < 17').aggSync(specs), some, 'where')).toEqual([]);
    expect(faults(await scan(join(folder, `${mode}.cna`), { where: 'number < 17' }).agg(specs), some, 'scan')).toEqual(
      [],
    );
  });

  it.each(Object.keys(KEYS) as (keyof typeof KEYS)[])('by %s', (key) => {
    for (const [view, rows] of [
      [table, all],
      [table.slice(1000, 2600), all.slice(1000, 2600)],
      [table.where('text != "k3"'), all.filter((row) => KEYS.text[row] !== 'k3')],
    ] as const) {
      const groups = new Map<unknown, number[]>();
      for (const row of rows) {
        const group = groups.get(KEYS[key][row]);
        if (group === undefined) groups.set(KEYS[key][row], [row]);
        else group.push(row);
      }
      // By themselves, so that the addon adds up, and with what it leaves to others.
      for (const asked of [specs, means, { ...specs, last: { last: 'tenths' } }]) {
        const { columns } = view.groupBy(key).aggSync(asked);
        expect(columns[key]).toEqual([...groups.keys()]);
        [...groups.values()].forEach((inGroup, at) => {
          const found = Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values[at]]));
          if (asked !== means) expect(faults(found, inGroup, String(at))).toEqual([]);
        });
      }
    }
  });
});

it.runIf(backendInfo().backend === 'native')('a sine is added up by the addon, by group too', () => {
  const table = written('sines', {});
  const folded = vi.spyOn(PageJobs.prototype, 'foldedOf');
  for (const name of ['a sine', 'a sine with nulls', 'a sine with infinities']) {
    table.aggSync({ sum: { sum: name } });
    table.groupBy('number').aggSync({ sum: { sum: name } });
  }
  expect(folded).toHaveBeenCalled();
  expect(folded.mock.results.filter(({ value }) => value === null)).toEqual([]);
  folded.mockRestore();
  table.close();
});
