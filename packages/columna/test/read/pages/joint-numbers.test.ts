// Numbers of joint dictionaries, nulls among them: the addon looks them up in all forms in which rows are wanted, and
// gives what TypeScript gives.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FixedArray } from '@colkit/io';
import { createRandom } from '@colkit/testkit';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { openSync } from '../../../src/index.ts';
import type { Table } from '../../../src/index.ts';
import { FixedCollector } from '../../../src/read/pages/fixed-collector.ts';
import { readTable, writeTable } from '../../support/table.ts';
import type { TestColumn } from '../../support/table.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-joint-numbers-'));
afterAll(() => rmSync(folder, { recursive: true }));

const isNative = process.env['COLKIT_BACKEND'] !== 'js';
const ROWS = 9001;
const ROUTES = 300;
const random = createRandom(31);
const routes = Array.from({ length: ROWS }, () => random.integer(ROUTES));
/** Where each column has nulls: of other routes each, of most, and of all in the first row group. */
const isNull = (column: number, row: number): boolean => {
  const route = routes[row]!;
  if (column === 3) return row < 5000 || route % 2 === 0;
  return (route + column) % (column === 5 ? 3 : 11) < (column === 5 ? 2 : 1);
};

interface Bitmapped {
  readonly values: ArrayLike<number | bigint> & Iterable<number | bigint>;
  readonly validity: Uint8Array | null;
}

const doubles = [-0, NaN, Infinity, 5e-324, 2 ** 53 + 2, -1.5, 0.1];
const VALUES: readonly [TestColumn['type'], (route: number) => number | bigint, (length: number) => FixedArray][] = [
  ['bool', (route) => route % 2, (length) => new Uint8Array(length)],
  ['int8', (route) => (route % 256) - 128, (length) => new Int8Array(length)],
  ['uint16', (route) => 65_535 - route, (length) => new Uint16Array(length)],
  ['int32', (route) => -(2 ** 31) + route * 7919, (length) => new Int32Array(length)],
  ['int64', (route) => 2n ** 53n + 1n - BigInt(route), (length) => new BigInt64Array(length)],
  ['uint64', (route) => 2n ** 64n - 1n - BigInt(route), (length) => new BigUint64Array(length)],
  ['float32', (route) => Math.fround(doubles[route % 7]!), (length) => new Float32Array(length)],
  ['float64', (route) => doubles[route % 7]!, (length) => new Float64Array(length)],
  ['float64', (route) => (route * 37) / 100, (length) => new Float64Array(length)],
  ['datetime', (route) => 1_700_000_000_000_000n + BigInt(route) * 60_000_000n, (length) => new BigInt64Array(length)],
];

const columns: TestColumn[] = VALUES.map(([type, valueOf, make], column) => {
  const values = make(ROWS);
  const validity = new Uint8Array(Math.ceil(ROWS / 8));
  for (let row = 0; row < ROWS; row++) {
    if (isNull(column, row)) continue;
    values[row] = valueOf(routes[row]!);
    validity[row >>> 3]! |= 1 << (row & 7);
  }
  return { name: `c${column}`, type, values, validity };
});
const names = routes.map((route) => `route ${route}`);

describe('numbers of a joint dictionary', () => {
  const { bytes } = writeTable([{ name: 'route', type: 'string', values: names }, ...columns], {
    rowGroupRows: 5000,
    pageRows: 1024,
  });
  const joint = readTable(bytes).chunks.map((chunks) => chunks.map((chunk) => chunk.joint));
  it('are what the writer made', () => {
    expect(joint.flat().filter(Boolean).length).toBeGreaterThan(12);
  });
  const path = join(folder, 'numbers.cna');
  writeFileSync(path, bytes);

  const few = [9000, 3, 8000, 3, 4999, 5000, 1024];
  const many = Array.from({ length: 6000 }, () => random.integer(ROWS));
  const all = Array.from({ length: ROWS }, (_, row) => row);
  const asked: readonly [string, (table: Table) => Table, readonly number[]][] = [
    ['all rows', (table) => table, all],
    ['a slice over a row group', (table) => table.slice(1029, 7003), all.slice(1029, 7003)],
    ['a slice of a part of a page', (table) => table.slice(5003, 5046), all.slice(5003, 5046)],
    ['one row', (table) => table.slice(9000, 9001), [9000]],
    ['a few rows in any order', (table) => table.take(few), few],
    ['many rows in any order', (table) => table.take(many), many],
    ['rows that match', (table) => table.where("route = 'route 77'"), all.filter((row) => routes[row] === 77)],
  ];

  it.each(asked)('%s', (_, of, rows) => {
    const added = vi.spyOn(FixedCollector.prototype, 'add');
    using table = openSync(path);
    const found = of(table).toColumnsSync({ nulls: 'bitmap' }) as unknown as Record<string, Bitmapped>;
    for (const [column, { name, values }] of columns.entries()) {
      const { values: items, validity } = found[name] as Bitmapped;
      expect([...items]).toEqual(rows.map((row) => values[row]));
      const bits = rows.map((_, i) => (validity === null ? 1 : (validity[i >>> 3]! >>> (i & 7)) & 1));
      expect(bits).toEqual(rows.map((row) => Number(!isNull(column, row))));
    }
    if (isNative)
      expect(added.mock.calls.map(([{ type }]) => type.name).filter((type) => type !== 'string')).toEqual([]);
    added.mockRestore();
  });
});
