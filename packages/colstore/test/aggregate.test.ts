// Aggregates, groups, orders and distinct rows of .cstore files, both layouts, against plain loops: packed text and
// halves are what only this format has.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { open, openSync, typed, writeSync } from '../src/index.ts';
import { golden } from './conformance-files.ts';

const ROWS = 150_000;
const at = Array.from({ length: ROWS }, (_, row) => row);
const texts = at.map((row) => `k${String((row * 7) % 13)}`);
const wide = at.map((row) => `ä${String((row * 31) % 1009)}`);
const halves = at.map((row) => (row * 3) % 64);

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'colstore-aggregate-'));
  for (const layout of ['flat', 'records'] as const) {
    const columns = {
      s: typed('S4', texts),
      u: typed('U5', wide),
      h: typed('float16', halves),
      i: Int32Array.from(at),
      d: typed(
        'datetime64[D]',
        at.map((row) => BigInt(row % 5)),
      ),
      b: typed(
        'bool',
        at.map((row) => row % 3 === 0),
      ),
    };
    writeSync(join(folder, layout), columns, { layout });
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(['flat', 'records'])('a %s file', (layout) => {
  it('adds up, by text of fixed width too', async () => {
    const table = await open(join(folder, layout));
    const found = await table
      .where('i >= 1000')
      .groupBy('s', 'b')
      .agg({
        n: 'count',
        total: { sum: 'i' },
        mean: { mean: 'h' },
        last: { last: 'u' },
        texts: { countDistinct: 'u' },
        day: { max: 'd' },
      });
    const groups = new Map<string, number[]>();
    for (const row of at.slice(1000)) {
      const key = `${texts[row]!} ${String(row % 3 === 0)}`;
      const rows = groups.get(key);
      if (rows === undefined) groups.set(key, [row]);
      else rows.push(row);
    }
    const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
    const of = <T>(value: (rows: readonly number[]) => T): T[] => [...groups.values()].map(value);
    expect(found.columns).toEqual({
      s: of(([row]) => texts[row!]),
      b: of(([row]) => row! % 3 === 0),
      n: of((rows) => rows.length),
      total: of(sum),
      mean: of((rows) => sum(rows.map((row) => halves[row]!)) / rows.length),
      last: of((rows) => wide[rows.at(-1)!]),
      texts: of((rows) => new Set(rows.map((row) => wide[row])).size),
      day: of(() => 4n),
    });
    expect(await found.table.orderBy('s', 'b').head(1).toRows()).toMatchObject([{ s: 'k0', b: false }]);
    table.close();
  });

  it('orders and tells apart', () => {
    using table = openSync(join(folder, layout));
    const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
    const wanted = [...at].sort(
      (a, b) => compare(texts[b]!, texts[a]!) || halves[a]! - halves[b]! || compare(wide[a]!, wide[b]!) || a - b,
    );
    const ordered = table.orderBy({ column: 's', descending: true }, 'h', 'u');
    expect(ordered.resolveSync().rowNumbers()).toEqual(Int32Array.from(wanted));
    expect(ordered.head(7).column('i').toArraySync()).toEqual(Int32Array.from(wanted.slice(0, 7)));
    expect(table.distinct('s', 'd').column('i').toArraySync()).toEqual(
      Int32Array.from({ length: 65 }, (_, row) => row),
    );
  });
});

it('big-endian items are those that they are, also where a column is asked for twice', () => {
  using table = openSync(golden('described/big_endian.cstore'));
  const rows = table.toRowsSync();
  for (const name of ['x', 'k']) {
    const values = rows.map((row) => row[name]);
    const { columns } = table.groupBy(name).aggSync({ least: { min: name }, last: { last: name } });
    expect(Array.from(columns[name] ?? [])).toEqual(values);
    expect(Array.from(columns['least'] ?? [])).toEqual(values);
    expect(Array.from(columns['last'] ?? [])).toEqual(values);
    const ordered = [...rows].sort((a, b) => Number(a[name]) - Number(b[name]));
    expect(table.orderBy(name, { column: name, descending: true }).toRowsSync()).toEqual(ordered);
  }
});
