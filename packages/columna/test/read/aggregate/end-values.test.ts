// The first and the last values of groups, which few pages have: groups that come late, in pages of their own, or with
// nulls before their first value or in place of it, of numbers and texts, beside other aggregates, of matching rows.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '@colkit/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { openSync, typed, writeSync } from '../../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-ends-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ROWS = 9000;
const random = createRandom(51);
const rows = Array.from({ length: ROWS }, (_, row) => row);
const EDGES = [-(2n ** 63n), -1n, 0n, 2n ** 53n + 1n, 2n ** 63n - 1n];
type Value = string | number | bigint | null;
// More groups the further down, some of them of one row.
const key = rows.map((row) => (row % 997 === 500 ? 1000 + row : random.integer(1 + Math.floor(row / 300))));
const VALUES: Readonly<Record<string, readonly Value[]>> = {
  key,
  name: key.map((each) => (each % 5 === 3 ? null : `name ${each % 40}`)),
  wide: rows.map(() => random.pick(EDGES)),
  some: rows.map((row) => (row % 3000 < 2000 || (key[row] as number) % 4 === 1 ? null : random.pick(EDGES))),
  x: rows.map(() => random.pick([NaN, -0, 1.5, null])),
  text: rows.map((row) => (random.integer(3) === 0 ? null : `text ${row % 50}`)),
  v: rows.map(() => random.integer(100)),
};
const OF = ['wide', 'some', 'x', 'text', 'key'];

describe.each(['default', 'plain'] as const)('in mode %s', (mode) => {
  const path = join(folder, `${mode}.cna`);
  const columns = {
    ...VALUES,
    key: typed('int32', key),
    wide: typed('int64', VALUES['wide'] as never),
    some: typed('int64', VALUES['some'] as never),
    x: typed('float64', VALUES['x'] as never),
    v: typed('int16', VALUES['v'] as never),
  };
  writeSync(path, columns as never, { mode, rowGroupSize: 4096, pageRows: 1024 } as never);

  it.each([[['key']], [['name']], [['name', 'key']], [[]]])('by %j', (by) => {
    using table = openSync(path);
    for (const [view, of] of [
      [table, rows],
      [table.slice(700, 6000), rows.slice(700, 6000)],
      [table.where('v > 60'), rows.filter((row) => (VALUES['v']?.[row] as number) > 60)],
    ] as const) {
      const groups = new Map<string, number[]>();
      for (const row of of) {
        const id = by.map((name) => String(VALUES[name]?.[row])).join('|');
        const known = groups.get(id);
        if (known === undefined) groups.set(id, [row]);
        else known.push(row);
      }
      for (const others of [{}, { sum: { sum: 'v' }, different: { countDistinct: 'name' }, std: { std: 'v' } }]) {
        const asked: Record<string, unknown> = { ...others };
        for (const name of OF) for (const end of ['first', 'last']) asked[`${end} ${name}`] = { [end]: name };
        const lists = (
          by.length === 0
            ? Object.fromEntries(Object.entries(view.aggSync(asked as never)).map(([name, value]) => [name, [value]]))
            : view.groupBy(...(by as never as [never])).aggSync(asked as never).columns
        ) as Readonly<Record<string, ArrayLike<Value>>>;
        for (const [index, members] of [...groups.values()].entries())
          for (const name of OF) {
            const present = members.map((row) => VALUES[name]?.[row] ?? null).filter((value) => value !== null);
            expect(lists[`first ${name}`]?.[index] ?? null).toBe(present[0] ?? null);
            expect(lists[`last ${name}`]?.[index] ?? null).toBe(present.at(-1) ?? null);
          }
        const onlyFirst = Object.fromEntries(Object.entries(asked).filter(([name]) => !/^(last|std)/.test(name)));
        if (by.length === 0) continue;
        const again = view.groupBy(...(by as never as [never])).aggSync(onlyFirst as never).columns as typeof lists;
        for (const name of Object.keys(onlyFirst))
          expect(Array.from(again[name] ?? [])).toEqual(Array.from(lists[name] ?? []));
        if ('sum' in others)
          expect(Array.from(again['sum'] as ArrayLike<unknown>, Number)).toEqual(
            [...groups.values()].map((members) =>
              members.reduce((all, row) => all + (VALUES['v']?.[row] as number), 0),
            ),
          );
      }
    }
  });
});
