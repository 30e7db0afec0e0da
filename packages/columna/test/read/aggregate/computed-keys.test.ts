// Groups by columns that are computed of one stored column: the source groups by that, and keys are computed of what
// differs. Against groups that a loop makes of the computed column as it is read row by row: at the edges of dates and
// integers, with nulls, of matching rows, beside other keys, in pages of few and of many different values.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '@colkit/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { edit, openSync, typed, writeSync } from '../../../src/index.ts';
import type { Table } from '../../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-computed-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ROWS = 6000;
const random = createRandom(31);
const DAY = 86_400_000_000n;
const NAT = -(2n ** 63n);
const TIMES = [
  NAT,
  NAT + 1n,
  2n ** 63n - 1n,
  -1n,
  0n,
  1n,
  DAY - 1n,
  DAY,
  -DAY,
  59n * DAY + 3_599_999_999n,
  11_016n * DAY,
  null,
];
const rows = Array.from({ length: ROWS }, (_, row) => row);
const columns = {
  // Runs, as of a log.
  time: typed(
    'datetime64[us]',
    rows.map((row) => 980_000_000_000_000n + BigInt(row >> 4) * 1_234_567_890n),
  ),
  edge: typed(
    'datetime64[us]',
    rows.map(() => random.pick(TIMES)),
  ),
  unique: typed(
    'datetime64[us]',
    rows.map(() => BigInt(random.integer(2 ** 31)) * 1_000_003n),
  ),
  /** Of three days around 1970, in no order. */
  near: typed(
    'datetime64[us]',
    rows.map(() => (random.integer(9) === 0 ? null : (BigInt(random.integer(3 * 86_400)) - 86_400n) * 1_000_007n)),
  ),
  /** First and last ticks of hours. */
  hours: typed(
    'datetime64[ms]',
    rows.map(() => BigInt(random.integer(200) - 100) * 3_600_000n - BigInt(random.integer(2))),
  ),
  gap: typed(
    'int32',
    rows.map(() => random.pick([0, 300])),
  ),
  day: typed(
    'datetime64[D]',
    rows.map(() => random.pick([NAT, -719_162n, -1n, 0n, 58n, 59n, 11_016n, null])),
  ),
  n: typed(
    'int32',
    rows.map(() => random.pick([-(2 ** 31), -7, -1, 0, 1, 6, 127, 128, 2 ** 31 - 1, null])),
  ),
  wide: typed(
    'int64',
    rows.map(() => random.pick([NAT, -(2n ** 53n) - 1n, -1n, 0n, 2n ** 53n, 2n ** 53n + 1n])),
  ),
  flag: rows.map(() => random.integer(3) > 0),
  x: Float64Array.from(rows, () => random.pick([-0, 0, 1.5, -2, NaN])),
  text: rows.map(() => random.pick(['a', 'b', null])),
  v: typed(
    'int64',
    rows.map(() => BigInt(random.integer(2000)) - 500n),
  ),
};
const KEYS: readonly (readonly [keys: Readonly<Record<string, string>>, by: readonly string[]])[] = [
  ...['year', 'month', 'day', 'hour', 'minute', 'second', 'weekday'].flatMap((part) => [
    [{ k: `${part}(time)` }, ['k']] as const,
    [{ k: `${part}(edge)` }, ['k']] as const,
  ]),
  [{ k: 'hour(unique)' }, ['k']],
  [{ k: 'month(day)' }, ['k', 'text']],
  [{ k: 'weekday(day)', m: 'month(time)' }, ['text', 'k', 'm']],
  [{ k: 'month(time)', m: 'hour(time)' }, ['k', 'm']],
  [{ k: 'month(time)' }, ['k', 'time']],
  [{ k: 'hour(near)' }, ['k']],
  [{ k: 'weekday(near) * 24 + hour(near)' }, ['text', 'k']],
  [{ k: 'minute(near)' }, ['k', 'flag']],
  [{ k: 'hour(hours)', m: 'day(near)' }, ['m', 'k']],
  [{ k: 'day(hours) * 100 + hour(hours) // 6' }, ['k']],
  [{ k: 'fillNull(hour(near), 77)' }, ['k']],
  [{ k: "where(near is null, 'none', where(month(near) == 1, 'in', 'out'))" }, ['text', 'k']],
  [{ k: 'gap // 7', m: 'gap % 7' }, ['k', 'm']],
  // No row has the values between, which no int8 is.
  [{ k: "cast(where(gap in (0, 300), gap % 299, 1000), 'int8')" }, ['k']],
  [{ k: 'n % 7' }, ['k']],
  [{ k: 'n // 2', m: 'not flag' }, ['k', 'm']],
  [{ k: "where(n > 0, 'up', 'down')" }, ['k']],
  [{ k: "cast(n, 'string')" }, ['k', 'flag']],
  [{ k: 'fillNull(n, 5) == 5' }, ['k']],
  [{ k: 'wide % 10' }, ['k']],
  [{ k: "cast(wide, 'float64')" }, ['k']],
  [{ k: "cast(x, 'string')" }, ['k']],
  [{ k: '1 / x' }, ['k']],
  [{ k: "where(text == 'a', 1, 2)" }, ['k']],
  [{ k: 'n + v' }, ['k']],
  [{ k: 'month(time)', m: 'k * 2' }, ['m']],
  [{ k: '1 + 1' }, ['k']],
];
type Lists = Readonly<Record<string, ArrayLike<unknown>>>;
/** Zeros are one key; columns of bools are bytes or not. */
const idOf = (value: unknown): string =>
  value === 0 ? '0' : String(typeof value === 'boolean' ? Number(value) : value);

function grouped(table: Table, by: readonly string[]): readonly string[] {
  const lists = table.select(...([...by, 'v'] as never[])).toColumnsSync() as unknown as Lists;
  const groups = new Map<string, { n: number; sum: bigint }>();
  const count = lists['v']?.length ?? 0;
  for (let row = 0; row < count; row++) {
    const id = by.map((name) => idOf(lists[name]?.[row])).join('|');
    let group = groups.get(id);
    if (group === undefined) groups.set(id, (group = { n: 0, sum: 0n }));
    group.n++;
    group.sum += lists['v']?.[row] as bigint;
  }
  return [...groups].map(([id, { n, sum }]) => `${id}: ${n} ${sum}`);
}

function asked(table: Table, by: readonly string[]): readonly string[] {
  const { columns: found } = table
    .groupBy(...(by as never as [never]))
    .aggSync({ n: 'count', sum: { sum: 'v' } } as never) as unknown as { columns: Lists };
  return Array.from(found['n'] as ArrayLike<number>, (n, group) => {
    const id = by.map((name) => idOf(found[name]?.[group])).join('|');
    return `${id}: ${n} ${String(found['sum']?.[group])}`;
  });
}

describe.each(['default', 'plain'] as const)('in mode %s', (mode) => {
  const path = join(folder, `${mode}.cna`);
  writeSync(path, columns as never, { mode, rowGroupSize: 4096, pageRows: 2048 } as never);

  it.each(KEYS)('%j by %j', (keys, by) => {
    using stored = openSync(path);
    const { table } = Object.entries(keys).reduce(
      (change, [name, text]) => change.assign({ [name]: text }),
      edit(stored),
    );
    for (const view of [table, table.where('v > 700'), table.slice(100, 2500), table.where('v > 0 and n < 100')])
      expect(asked(view as Table, by)).toEqual(grouped(view as Table, by));
    expect(table.distinct(...(by as never[])).countSync()).toBe(grouped(table as Table, by).length);
  });

  it('a function of a user sees all of its rows', () => {
    using stored = openSync(path);
    let seen = 0;
    const { table } = edit(stored).apply('k', ['v'], (v: BigInt64Array) => {
      seen += v.length;
      return Int32Array.from(v, (each) => Number(each & 1n));
    });
    expect(asked(table as unknown as Table, ['k']).length).toBe(2);
    expect(seen).toBeGreaterThanOrEqual(ROWS);
  });

  it('a value that the key cannot hold is refused, but not of rows that do not match', () => {
    using stored = openSync(path);
    const { table } = edit(stored).assign({ k: "cast(n, 'int8')" });
    expect(() => asked(table as Table, ['k'])).toThrow(expect.objectContaining({ code: 'ERR_VALUE' }));
    const view = table.where('n >= -7 and n <= 127') as Table;
    expect(asked(view, ['k'])).toEqual(grouped(view, ['k']));
  });
});
