// Groups that the addon makes of raw columns: the groups, their order and what is gathered of each are those of the
// same file without the addon, of every dtype in every layout.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setDefaultBackend } from '@colkit/io';
import type { Table } from '@colkit/table';
import { typed } from '@colkit/table';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSync, writeSync } from '../../src/index.ts';
import { edgedColumn } from '../support/edged-columns.ts';
import { ALL_KINDS, inEveryLayout } from '../support/tables.ts';

const ROWS = 400;
/** Those that differ for the addon: one array, the other byte order, segments. */
const LAYOUTS = ['flat without checksum', 'flat big-endian', 'irregular records'];
const native = process.env['COLKIT_BACKEND'] === 'native';
const small = (name: string): string => `${name}_few`;
/** Every column, and of each one that repeats its first items, so that there are groups of many rows. */
const columns = ALL_KINDS.flatMap(([name, descr]) => {
  const column = edgedColumn(name, descr, ROWS);
  const bytes = column.bytes.slice();
  for (let row = 0; row < ROWS; row += 1) {
    const from = column.itemBytes * ((row * row) % 17);
    bytes.set(column.bytes.subarray(from, from + column.itemBytes), row * column.itemBytes);
  }
  return [column, { ...column, name: small(name), bytes }];
});
const files = [...inEveryLayout(columns, ROWS)].filter(([name]) => LAYOUTS.includes(name));
const texts = new Set(['s5', 't3', 'text', 'short']);
const times = new Set(['ns', 'td']);
const names = ALL_KINDS.map(([name]) => name);

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'colstore-groups-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The same question with the addon and without, of a file that each opens for itself. */
function both(path: string, ask: (table: Table) => unknown): readonly [unknown, unknown] {
  const answers = (['native', 'js'] as const).map((backend) => {
    setDefaultBackend(backend);
    try {
      using table = openSync(path) as unknown as Table & Disposable;
      return ask(table);
    } finally {
      setDefaultBackend('native');
    }
  });
  return [answers[0], answers[1]];
}

function specs(name: string): Record<string, unknown> {
  const extremes = { rows: 'count', least: { min: name }, most: { max: name } };
  if (texts.has(name)) return { ...extremes, values: { count: name } };
  return times.has(name) ? extremes : { ...extremes, sum: { sum: name }, mean: { mean: name } };
}

const grouped = (table: Table, by: readonly string[], of: string): unknown =>
  table.groupBy(...by).aggSync(specs(of) as never);

describe.runIf(native).each(files)('%s', (layout, bytes) => {
  const path = (): string => join(folder, `${layout}.cstore`);
  beforeAll(() => writeFileSync(path(), bytes));

  it('every dtype as a key and as a value, of all rows and of some', () => {
    for (const [index, name] of names.entries()) {
      const other = names[(index + 5) % names.length]!;
      for (const by of [[name], [small(name)], [small(name), small(other)], [small(other), name]]) {
        for (const view of [
          (table: Table) => table,
          (table: Table) => table.where('u1_few > 40 or f8 > 3'),
          (table: Table) => table.slice(7, 331).where('i2_few != 3'),
        ]) {
          const [found, wanted] = both(path(), (table) => grouped(view(table), by, other));
          expect(found, `${by.join()} of ${other}`).toEqual(wanted);
        }
      }
    }
  });
});

describe.runIf(native)('many rows', () => {
  const path = (): string => join(folder, 'many.cstore');
  const MANY = 200_000;
  let state = 7;
  const random = (): number => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) / 2 ** 32;
  beforeAll(() => {
    const few = Int32Array.from({ length: MANY }, () => 3 * Math.floor(random() * 40) - 50);
    const some = Int32Array.from({ length: MANY }, () => Math.floor(random() * 3000));
    const more = Int32Array.from({ length: MANY }, (_, row) => row % 20_000);
    const all = Int32Array.from({ length: MANY }, (_, row) => row);
    // Magnitudes that wander, and now and then one far away.
    const wild = Float64Array.from(
      { length: MANY },
      (_, row) =>
        (random() - 0.5) * 2 ** (40 * Math.sin(row / 30_000) + (row % 5000 === 3 ? 600 * (random() - 0.5) : 0)),
    );
    const wide = BigInt64Array.from({ length: MANY }, () =>
      BigInt.asIntN(64, BigInt(Math.floor(random() * 2 ** 53)) << 11n),
    );
    const text = typed(
      'S19',
      Array.from(few, (value) => `a text that is ${String(value)}`),
    );
    const short = typed(
      'U2',
      Array.from(some, (value) => String.fromCodePoint(0x1f600 + (value % 97), 97 + (value % 3))),
    );
    writeSync(path(), { few, some, more, all, wild, wide, text, short });
  });

  it.each(['few', 'some', 'text', 'more'])('by %s, on threads, synchronous and not', async (by) => {
    for (const of of ['wild', 'wide', 'all', 'text', 'short']) {
      const [found, wanted] = both(path(), (table) => grouped(table.where('wild > -3e30'), [by], of));
      expect(found).toEqual(wanted);
      using table = openSync(path());
      expect(
        await table
          .where('wild > -3e30')
          .groupBy(by)
          .agg(specs(of) as never),
      ).toEqual(wanted);
    }
  });

  it('has no groups of no rows, and one of each of few', () => {
    for (const count of [0, 1, 2, 3]) {
      const cut = (table: Table): Table => table.slice(0, count);
      const [found, wanted] = both(path(), (table) => grouped(cut(table), ['all'], 'wild'));
      expect(found).toEqual(wanted);
      expect((found as { rowCount: number }).rowCount).toBe(count);
    }
    const empty = join(folder, 'empty.cstore');
    writeSync(empty, { few: new Int32Array(0), wild: new Float64Array(0) });
    const [found, wanted] = both(empty, (table) => grouped(table, ['few'], 'wild'));
    expect(found).toEqual(wanted);
  });

  it('makes more groups than the addon keeps, as it does without the addon', () => {
    const answers = (['native', 'js'] as const).map((backend) => {
      setDefaultBackend(backend);
      using table = openSync(path());
      const { columns } = table.groupBy('all').aggSync({ n: 'count' });
      setDefaultBackend('native');
      return columns;
    });
    expect(new Set(answers[0]?.['all'] as Iterable<unknown>).size).toBeGreaterThan(65_536);
    expect(answers[0]).toEqual(answers[1]);
  });
});
