// Groups and different values by columns whose pages hold codes (of a dictionary of their own, or of one that columns
// share, where several codes stand for one value), by thousands of values, and by several columns: the same with the
// addon and without, and as a loop over the rows has it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setDefaultBackend } from '@colkit/io';
import { createRandom } from '@colkit/testkit';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openSync, typed, writeSync } from '../../../src/index.ts';
import { PageJobs } from '../../../src/read/pages/jobs/page-jobs.ts';
import { backendsToAsk } from '../../support/backends.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-numbered-'));
afterAll(() => rmSync(folder, { recursive: true }));
const BACKENDS = backendsToAsk();
afterEach(() => setDefaultBackend('js'));

const ROWS = 20_000;
const random = createRandom(23);
const routes = Array.from({ length: 300 }, (_, route) => ({
  from: `from ${String(route % 23)}`,
  to: route % 31 === 5 ? null : `to ${String((route * 7) % 40)}`,
  miles: 100 + ((route * 7919) % 997),
  hours: Math.fround(((route * 31) % 50) / 8) * (route % 2 === 0 ? 1 : -1),
}));
const drawn = Array.from({ length: ROWS }, () => routes[random.integer(routes.length)] as (typeof routes)[number]);
type Value = string | number | bigint | null;
const VALUES: Readonly<Record<string, readonly Value[]>> = {
  from: drawn.map(({ from }) => from),
  to: drawn.map(({ to }) => to),
  miles: drawn.map(({ miles }) => miles),
  hours: drawn.map(({ hours }) => hours),
  few: drawn.map(() => random.integer(7) * 10 - 30),
  many: drawn.map(() => random.integer(3000)),
  wide: drawn.map(() => (BigInt(random.integer(40)) << 50n) - (1n << 54n)),
  some: drawn.map(() => (random.integer(4) === 0 ? null : random.integer(9))),
  delay: drawn.map(() => random.integer(2000) - 500),
};
const columns = {
  from: VALUES['from'],
  to: VALUES['to'],
  miles: typed('int32', VALUES['miles'] as never),
  hours: typed('float64', VALUES['hours'] as never),
  few: typed('int16', VALUES['few'] as never),
  many: typed('int32', VALUES['many'] as never),
  wide: typed('int64', VALUES['wide'] as never),
  some: typed('int32', VALUES['some'] as never),
  delay: typed('int16', VALUES['delay'] as never),
};
const KEYS = [
  ['from'],
  ['to'],
  ['miles'],
  ['hours'],
  ['many'],
  ['wide'],
  ['some'],
  ['from', 'to'],
  ['few', 'wide', 'to'],
];
const DISTINCT = ['from', 'to', 'miles', 'hours', 'many', 'wide', 'some'];

/** For each group of some rows, in the order in which they are met: the key, rows, sum and different values. */
function grouped(keys: readonly string[], rows: readonly number[], distinct: string) {
  const groups = new Map<string, { key: Value[]; n: number; sum: number; values: Set<Value> }>();
  for (const row of rows) {
    const key = keys.map((name) => VALUES[name]?.[row] ?? null);
    const id = key.map(String).join('|');
    let group = groups.get(id);
    if (group === undefined) groups.set(id, (group = { key, n: 0, sum: 0, values: new Set() }));
    group.n += 1;
    group.sum += VALUES['delay']?.[row] as number;
    const value = VALUES[distinct]?.[row] ?? null;
    if (value !== null) group.values.add(value);
  }
  return [...groups.values()].map(({ key, n, sum, values }) => [...key, n, sum, values.size]);
}

describe.each([true, false])('joint dictionaries %s', (joint) => {
  const path = join(folder, `${String(joint)}.cna`);
  const encodings = joint ? {} : ({ miles: 'DICTIONARY', hours: 'DICTIONARY' } as const);
  const report = writeSync(path, columns as never, { pageRows: 4096, rowGroupSize: 12_288, joint, encodings });
  // Members of a joint dictionary have no pages of their own.
  expect(report.columns.some(({ encodings: ways }) => ways.size === 0)).toBe(joint);
  const rows = Array.from({ length: ROWS }, (_, row) => row);

  describe.each(BACKENDS)('%s', (backend) => {
    const table = openSync(path, { backend });
    beforeEach(() => setDefaultBackend(backend));
    afterAll(() => table.close());

    it.each(KEYS.map((keys) => [keys.join(', '), keys] as const))('by %s', (_, keys) => {
      const distinct = keys.includes('to') ? 'miles' : 'to';
      const asked = { n: 'count', sum: { sum: 'delay' }, different: { countDistinct: distinct } } as const;
      for (const [view, of] of [
        [table, rows],
        [table.slice(3000, 15_000), rows.slice(3000, 15_000)],
        [table.where('delay > 700'), rows.filter((row) => (VALUES['delay']?.[row] as number) > 700)],
      ] as const) {
        const [first, ...others] = keys as [never, ...never[]];
        const { columns: found } = view.groupBy(first, ...others).aggSync(asked as never) as {
          columns: Readonly<Record<string, readonly Value[]>>;
        };
        const lists = [...keys, 'n', 'sum', 'different'].map((name) => found[name] ?? []);
        expect((lists[0] ?? []).map((__, group) => lists.map((list) => list[group]))).toEqual(
          grouped(keys, of, distinct),
        );
      }
    });

    it.each(KEYS.map((keys) => [keys.join(', '), keys] as const))('the first rows of distinct %s', (_, keys) => {
      const firsts = (of: readonly number[]): readonly number[] => {
        const met = new Map<string, number>();
        for (const row of of) {
          const id = keys.map((name) => String(VALUES[name]?.[row] ?? null)).join('|');
          if (!met.has(id)) met.set(id, row);
        }
        return [...met.values()];
      };
      for (const [view, of] of [
        [table, rows],
        [table.slice(3000, 15_000), rows.slice(3000, 15_000)],
        [
          table.slice(19_999, 3, -2),
          rows
            .slice(4)
            .reverse()
            .filter((row) => row % 2 === 1),
        ],
        [table.where('delay > 700'), rows.filter((row) => (VALUES['delay']?.[row] as number) > 700)],
      ] as const) {
        const distinct = view.distinct(keys as never);
        expect([...distinct.resolveSync().rowNumbers()]).toEqual(firsts(of));
        expect([...distinct.slice(0, 5).resolveSync().rowNumbers()]).toEqual(firsts(of).slice(0, 5));
      }
    });

    it.each(DISTINCT)('different values of %s', (name) => {
      const asked = { different: { countDistinct: name }, n: { count: name }, sum: { sum: 'delay' } } as const;
      const present = (VALUES[name] ?? []).filter((value) => value !== null);
      expect(table.aggSync(asked as never)).toEqual({
        different: new Set(present).size,
        n: present.length,
        sum: (VALUES['delay'] as readonly number[]).reduce((sum, value) => sum + value, 0),
      });
      const matching = (VALUES[name] ?? []).filter((value, row) => value !== null && VALUES['few']?.[row] === 10);
      expect(table.where('few == 10').aggSync(asked as never)).toMatchObject({ different: new Set(matching).size });
    });
  });
});

it.runIf(BACKENDS.includes('native'))('stays in the addon', () => {
  setDefaultBackend('native');
  const folded = vi.spyOn(PageJobs.prototype, 'groupsOf');
  const numbers = vi.spyOn(PageJobs.prototype, 'numbersOf');
  const table = openSync(join(folder, 'true.cna'));
  for (const keys of KEYS)
    if (keys.length === 1)
      table.groupBy(keys[0] as never).aggSync({ sum: { sum: 'delay' }, different: { countDistinct: 'few' } } as never);
  table.aggSync({ a: { countDistinct: 'from' }, b: { countDistinct: 'to' } } as never);
  expect(folded.mock.results.filter(({ value }) => value === null)).toEqual([]);
  expect(numbers).not.toHaveBeenCalled();
  table.close();
  vi.restoreAllMocks();
});

it('thousands of codes that texts and bytes share', () => {
  const rows = Array.from({ length: 30_000 }, () => random.integer(2500));
  const from = rows.map((route) => `from ${String(route % 61)}`);
  const to = rows.map((route) => (route % 97 === 3 ? null : `to ${String((route * 13) % 1200)}`));
  const raw = rows.map((route) => Uint8Array.of(route & 255, route % 3));
  const path = join(folder, 'thousands.cna');
  const report = writeSync(path, { from, to, raw, n: typed('int32', rows) });
  expect(report.columns.filter(({ encodings: ways }) => ways.size === 0).length).toBeGreaterThanOrEqual(2);
  const ids = rows.map((_, row) => `${from[row] as string}|${String(to[row])}`);
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  const expected = [...counts];
  const different = { to: { countDistinct: 'to' }, raw: { countDistinct: 'raw' } } as const;
  const bytes = new Set(raw.map(String)).size;
  for (const backend of BACKENDS) {
    setDefaultBackend(backend);
    using table = openSync(path);
    const { columns: found } = table.groupBy('from', 'to').aggSync({ n: 'count' });
    const told = Array.from(found.n as ArrayLike<number>, (n, group) => [
      `${String((found.from as ArrayLike<unknown>)[group])}|${String((found.to as ArrayLike<unknown>)[group])}`,
      n,
    ]);
    expect(told).toEqual(expected);
    expect(table.aggSync(different)).toEqual({ to: new Set(to.filter((text) => text !== null)).size, raw: bytes });
  }
});
