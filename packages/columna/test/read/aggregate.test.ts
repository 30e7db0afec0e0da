// Aggregations against sums done by hand, with and without groups and predicates; and that what statistics prove is not
// read.
import { CountingSource, createRandom } from '@colkit/testkit';
import { describe, expect, it } from 'vitest';
import { MemorySource } from '../support/io.ts';
import { col, scan } from '../../src/index.ts';
import { cellsOf } from '../support/cells.ts';
import type { Cell } from '../support/cells.ts';
import { readTable, writeTable } from '../support/table.ts';
import type { TestColumn } from '../support/table.ts';

const ROWS = 1500;
const random = createRandom(7);
const some = (share: number) =>
  Uint8Array.from({ length: Math.ceil(ROWS / 8) }, () =>
    Array.from({ length: 8 }, (_, bit) => (random.number() < share ? 1 << bit : 0)).reduce((a, b) => a + b, 0),
  );
const make = <T>(value: (row: number) => T): T[] => Array.from({ length: ROWS }, (_, row) => value(row));
const columns: TestColumn[] = [
  {
    name: 'region',
    type: 'string',
    values: make((row) => (row % 50 === 0 ? null : random.pick(['EMEA', 'APAC', 'żółć']))),
  },
  { name: 'cents', type: 'float64', values: Float64Array.from(make(() => random.integer(100_000) / 100)) },
  {
    name: 'noise',
    type: 'float64',
    values: Float64Array.from(make((row) => (row % 40 === 7 ? NaN : random.number() - 0.5))),
    validity: some(0.8),
  },
  { name: 'single', type: 'float32', values: Float32Array.from(make(() => random.integer(400) / 4)) },
  {
    name: 'small',
    type: 'int16',
    values: Int16Array.from(make(() => random.integer(60_000) - 30_000)),
    validity: some(0.5),
  },
  { name: 'count', type: 'uint32', values: Uint32Array.from(make(() => 2 ** 32 - 1 - random.integer(9))) },
  { name: 'wide', type: 'int64', values: BigInt64Array.from(make(() => random.int64())) },
  {
    name: 'big',
    type: 'uint64',
    values: BigUint64Array.from(make((row) => 2n ** 64n - 1n - BigInt(row))),
    validity: some(0.9),
  },
  { name: 'sorted', type: 'int64', values: BigInt64Array.from(make((row) => BigInt(row) * 3n)) },
  { name: 'flag', type: 'bool', values: Uint8Array.from(make(() => random.integer(2))), validity: some(0.9) },
  {
    name: 'time',
    type: 'datetime',
    values: BigInt64Array.from(make((row) => (row % 100 === 3 ? -(2n ** 63n) : 1_700_000_000_000_000n + BigInt(row)))),
  },
  {
    name: 'text',
    type: 'string',
    values: make((row) => (row % 9 === 0 ? null : `item ${random.integer(500)}${row % 77 === 0 ? '😀' : '｡'}`)),
  },
  { name: 'code', type: 'binary', values: make((row) => Uint8Array.of(row % 3, 255)) },
  { name: 'nothing', type: 'float64', values: new Float64Array(ROWS), validity: new Uint8Array(Math.ceil(ROWS / 8)) },
  { name: 'nan', type: 'float64', values: new Float64Array(ROWS).fill(NaN) },
  { name: 'constant', type: 'int32', values: new Int32Array(ROWS).fill(-7) },
];
const cells = new Map(columns.map((column) => [column.name, cellsOf(column)]));
const { bytes } = writeTable(columns, { rowGroupRows: 400, pageRows: 128 });

function valuesOf(name: string, rows: readonly number[]): Exclude<Cell, null>[] {
  return rows.flatMap((row) => cells.get(name)![row] ?? []);
}

function isMissing(value: Cell): boolean {
  return value !== value || value === -(2n ** 63n);
}

function extreme(name: string, rows: readonly number[], sign: 1 | -1): Cell {
  const all = valuesOf(name, rows);
  const present = all.filter((value) => !isMissing(value));
  if (present.length === 0) return all.length === 0 ? null : all[0]!;
  return present.reduce((best, value) => {
    const order =
      typeof value === 'string'
        ? Buffer.compare(Buffer.from(value), Buffer.from(best as string))
        : value > best
          ? 1
          : value < best
            ? -1
            : 0;
    return order * sign > 0 ? value : best;
  });
}

function sum(name: string, rows: readonly number[], isWide: boolean): number | bigint {
  const values = valuesOf(name, rows);
  return isWide
    ? values.reduce<bigint>((total, value) => total + (value as bigint), 0n)
    : values.reduce<number>((total, value) => total + Number(value), 0);
}

const WIDE = ['wide', 'big', 'sorted'];
const NUMBERS = [
  'cents',
  'noise',
  'single',
  'small',
  'count',
  'wide',
  'big',
  'sorted',
  'flag',
  'nothing',
  'nan',
  'constant',
];
const PREDICATES = [
  { where: undefined, keep: () => true },
  { where: col('sorted').ge(1000n), keep: (row: number) => row * 3 >= 1000 },
  {
    where: col('region').eq('EMEA').and(col('cents').lt(500)),
    keep: (row: number) => cells.get('region')![row] === 'EMEA' && (cells.get('cents')![row] as number) < 500,
  },
  { where: col('sorted').lt(0), keep: () => false },
];

describe.each(PREDICATES)('where %#', ({ where, keep }) => {
  const rows = Array.from({ length: ROWS }, (_, row) => row).filter(keep);
  const options = where === undefined ? {} : { where };

  it('counts', async () => {
    expect(await scan(bytes, options).count()).toBe(rows.length);
    expect(scan(bytes, options).countSync()).toBe(rows.length);
    for (const { name } of columns)
      expect((await scan(bytes, options).agg({ n: { count: name } })).n, name).toBe(valuesOf(name, rows).length);
  });

  it.each(NUMBERS)('sums %s', async (name) => {
    const expected = sum(name, rows, WIDE.includes(name));
    const [total, mean] = [await scan(bytes, options).sum(name), scan(bytes, options).meanSync(name)];
    if (WIDE.includes(name)) expect(total).toBe(expected);
    else if (Number.isNaN(expected)) expect(total).toBeNaN();
    else expect(total).toBeCloseTo(expected as number, 6);
    const count = valuesOf(name, rows).length;
    if (count === 0) expect(mean).toBeNaN();
    else if (Number.isNaN(expected)) expect(mean).toBeNaN();
    else
      expect(Math.abs((mean as number) - Number(expected) / count)).toBeLessThanOrEqual(
        1e-9 * Math.abs(Number(expected) / count) + 1e-12,
      );
  });

  it.each(columns.filter(({ type }) => type !== 'binary').map(({ name }) => name))(
    'finds the extremes of %s',
    async (name) => {
      expect(await scan(bytes, options).min(name)).toEqual(extreme(name, rows, -1));
      expect(scan(bytes, options).maxSync(name)).toEqual(extreme(name, rows, 1));
    },
  );

  it.each(['region', 'flag', 'constant', 'code', 'small', 'nothing'])('groups by %s', async (name) => {
    const specs = {
      n: 'count',
      total: { sum: 'cents' },
      wide: { sum: 'wide' },
      least: { min: 'text' },
      most: { max: 'count' },
      mean: { mean: 'noise' },
      some: { count: 'small' },
    } as const;
    const result = await scan(bytes, options).groupBy(name).agg(specs);
    const keyOf = (value: unknown) => (value instanceof Uint8Array ? value.join() : String(value));
    const groups = new Map<string, number[]>();
    for (const row of rows)
      groups.set(keyOf(cells.get(name)![row]), [...(groups.get(keyOf(cells.get(name)![row])) ?? []), row]);
    expect(result.rowCount).toBe(groups.size);
    expect(result.stats.matched).toBe(rows.length);
    expect(Object.keys(result.columns)).toEqual([name, ...Object.keys(specs)]);
    expect(result.columns[name]!.map(keyOf)).toEqual([...groups.keys()]);
    expect(result.columns).toEqual(scan(bytes, options).groupBy(name).aggSync(specs).columns);
    [...groups.values()].forEach((inGroup, group) => {
      const row = Object.fromEntries(
        Object.entries(result.columns).map(([column, values]) => [column, values[group]]),
      ) as Record<string, Cell>;
      expect(row['n']).toBe(inGroup.length);
      expect(row['total']).toBeCloseTo(sum('cents', inGroup, false) as number, 6);
      expect(row['wide']).toBe(sum('wide', inGroup, true));
      expect(row['least']).toBe(extreme('text', inGroup, -1));
      expect(row['most']).toBe(extreme('count', inGroup, 1));
      expect(row['some']).toBe(valuesOf('small', inGroup).length);
      const noise = valuesOf('noise', inGroup) as number[];
      const mean = noise.reduce((a, b) => a + b, 0) / noise.length;
      if (Number.isNaN(mean)) expect(row['mean']).toBeNaN();
      else expect(row['mean']).toBeCloseTo(mean, 9);
    });
  });
});

describe('what statistics prove', () => {
  const { footerOffset } = readTable(bytes).footer;
  const pagesRead = (source: CountingSource) =>
    source.reads.filter(({ byteOffset }) => byteOffset >= 4 && byteOffset < footerOffset).length;

  it('is not read', async () => {
    const source = new CountingSource(new MemorySource(bytes));
    expect(await scan(source).count()).toBe(ROWS);
    expect(await scan(source, { where: col('sorted').ge(0) }).count()).toBe(ROWS);
    const found = await scan(source, { where: col('sorted').ge(0) }).agg({
      n: { count: 'small' },
      least: { min: 'cents' },
      last: { max: 'sorted' },
      most: { max: 'time' },
      seven: { sum: 'constant' },
      mean: { mean: 'constant' },
      text: { count: 'text' },
      from: { min: 'text' },
      to: { max: 'text' },
    });
    expect(found).toEqual({
      n: valuesOf('small', [...cells.get('small')!.keys()]).length,
      least: extreme('cents', [...Array(ROWS).keys()], -1),
      last: 3n * BigInt(ROWS - 1),
      most: extreme('time', [...Array(ROWS).keys()], 1),
      seven: -7 * ROWS,
      mean: -7,
      text: valuesOf('text', [...Array(ROWS).keys()]).length,
      from: extreme('text', [...Array(ROWS).keys()], -1),
      to: extreme('text', [...Array(ROWS).keys()], 1),
    });
    expect(pagesRead(source)).toBe(0);
  });

  it('is read where it is only a bound, and only where it could matter', async () => {
    const long = Array.from({ length: 64 }, (_, row) => `${'y'.repeat(70)}${row}`);
    const file = writeTable(
      [
        { name: 'long', type: 'string', values: long },
        { name: 'n', type: 'int32', values: Int32Array.from(long.keys()) },
      ],
      { rowGroupRows: 16, pageRows: 16 },
    ).bytes;
    expect(await scan(file).max('long')).toBe([...long].sort().at(-1));
    const source = new CountingSource(new MemorySource(file));
    expect(await scan(source, { where: 'n % 2 == 0' }).max('n')).toBe(62);
    // The predicate's own pages are read; those of a smaller maximum are not read again.
    expect(source.reads.length).toBeGreaterThan(0);
  });
});

describe('what does not add up', () => {
  it.each([
    ['a sum of text', () => scan(bytes).sum('text'), 'ERR_DTYPE'],
    ['a sum of moments', () => scan(bytes).mean('time'), 'ERR_DTYPE'],
    ['a minimum of bytes', () => scan(bytes).min('code'), 'ERR_DTYPE'],
    ['a column there is not', () => scan(bytes).sum('price'), 'ERR_UNKNOWN_COLUMN'],
    ['a group there is not', () => scan(bytes).groupBy('price').agg({ n: 'count' }), 'ERR_UNKNOWN_COLUMN'],
    ['an operation there is not', () => scan(bytes).agg({ n: { median: 'cents' } as never }), 'ERR_ARGUMENT'],
    ['two operations', () => scan(bytes).agg({ n: { sum: 'cents', min: 'cents' } as never }), 'ERR_ARGUMENT'],
    ['no object', () => scan(bytes).agg(null as never), 'ERR_ARGUMENT'],
    ['a bigint for a column', () => scan(bytes).agg({ n: { sum: 5n } } as never), 'ERR_ARGUMENT'],
    ['the name of the group', () => scan(bytes).groupBy('region').agg({ region: 'count' }), 'ERR_ARGUMENT'],
  ] as const)('%s', async (_, run, code) => {
    await expect(run()).rejects.toMatchObject({ code });
  });
});

it('makes as many groups as there are rows', async () => {
  const values = Int32Array.from({ length: 70_000 }, (_, row) => row ^ 1);
  const file = writeTable([{ name: 'id', type: 'int32', values }], {}).bytes;
  const { columns } = await scan(file).groupBy('id').agg({ n: 'count' });
  expect(Int32Array.from(columns['id'] as ArrayLike<number>)).toEqual(values);
  expect(new Set(columns['n'])).toEqual(new Set([1]));
});
