// What a page tells of a sample of the rows: its histograms and most frequent values, and that its predicate gives the
// rows that a scan gives, on tables of every type; small whatever the values are.
import { open, read, scan } from 'columna';
import { MemorySink, typed, write } from 'columna';
import { describe, expect, it } from 'vitest';
import { SampledRows } from '../../src/page/browser/sample.ts';
import { sampleModel } from '../../src/page/page-model.ts';
import { sampleRows } from '../../src/page/values/sample.ts';

const ROWS = 5000;

async function fileOf(columns: Parameters<typeof write>[1]): Promise<Uint8Array> {
  const sink = new MemorySink();
  await write(sink, columns, { rowGroupSize: 2000 });
  return sink.bytes();
}

async function modelOf(bytes: Uint8Array) {
  const table = await open(bytes);
  return sampleModel(table, table.columnNames, table.rowCount, table.columnNames.length);
}

const every = <T>(make: (row: number) => T, nullEvery: number): (T | null)[] =>
  Array.from({ length: ROWS }, (_, row) => (row % nullEvery === 3 ? null : make(row)));

const MIXED = {
  i8: Int8Array.from({ length: ROWS }, (_, row) => row % 5),
  u16: Uint16Array.from({ length: ROWS }, (_, row) => row * 13),
  i32: Int32Array.from({ length: ROWS }, (_, row) => row - 2500),
  i64: BigInt64Array.from({ length: ROWS }, (_, row) => 2n ** 60n + BigInt(row)),
  f32: Float32Array.from({ length: ROWS }, (_, row) => row / 8),
  f64: Float64Array.from({ length: ROWS }, (_, row) => (row % 10 === 0 ? NaN : row / 3)),
  price: every((row) => row / 4, 7),
  flag: typed(
    'bool',
    every((row) => row % 3 === 0, 11),
  ),
  at: typed(
    'datetime64[us]',
    every((row) => BigInt(row) * 1_000_000n, 13),
  ),
  region: every((row) => ['EMEA', 'APAC', 'US', 'Ä"\u202e<b>'][row % 4] ?? '', 9),
  raw: typed(
    'binary',
    every((row) => new Uint8Array([row & 255, 1]), 17),
  ),
};

const PREDICATES = [
  '',
  'i8 == 2',
  'u16 > 30000 and i32 < 100',
  'i64 >= 1152921504606849000',
  'f32 between 10 and 100',
  'f64 > 5 or price is null',
  'not flag',
  "at >= '1970-01-01T00:30:00'",
  "region == 'EMEA'",
  "region like 'A%' and price > 3",
  'region is null',
  'raw is not null and i32 % 7 == 1',
];

describe('a sample', () => {
  it('is of runs over all of the table, without a row twice', () => {
    for (const rowCount of [0, 1, 99, 100, 101, 150, 999, 1000, 1001, 10 ** 7]) {
      const { rows } = sampleRows(rowCount);
      expect(new Set(rows).size).toBe(rows.length);
      expect(rows).toEqual([...rows].sort((a, b) => a - b));
      expect(rows.length).toBe(Math.min(rowCount, 1000));
      if (rowCount > 0) expect([rows[0], rows.at(-1)]).toEqual([0, rowCount - 1]);
    }
  });

  it.each(PREDICATES)('%s: the rows of the sample that a scan gives', async (text) => {
    const bytes = await fileOf({ ...MIXED, row: Int32Array.from({ length: ROWS }, (_, row) => row) });
    const { embedded } = await modelOf(bytes);
    const sampled = new SampledRows(JSON.parse(JSON.stringify(embedded)) as typeof embedded);
    const found = sampled.matching(text).map((place) => sampled.row(place).number);
    const all =
      text === ''
        ? await read(bytes, { columns: ['row'] })
        : (await scan(bytes, { where: text, columns: ['row'] })).columns;
    const matching = new Set(all['row'] as Int32Array);
    expect(found).toEqual(embedded.rows.filter((row) => matching.has(row)));
    expect(embedded.rows.length).toBeGreaterThan(400);
  });

  it('shows the cells of its rows', async () => {
    const { embedded } = await modelOf(await fileOf(MIXED));
    const sampled = new SampledRows(embedded);
    expect(sampled.row(3)).toEqual({
      number: 3,
      cells: ['3', '39', '-2497', '1152921504606846979', '0.375', '1', 'null', 'null', 'null', 'null', 'null'],
    });
    expect(sampled.row(8).cells.slice(-5)).toEqual(['2', 'false', '1970-01-01T00:00:08', '"EMEA"', '0x0801']);
  });
});

describe('summaries', () => {
  it('are histograms of numbers and moments, and the most frequent of what is few', async () => {
    const { summaries } = await modelOf(await fileOf(MIXED));
    const of = Object.fromEntries(summaries.map((summary) => [summary.name, summary]));
    expect(of['i8']?.drawn).toMatchObject({ kind: 'top', distinct: 5 });
    expect(of['i32']?.drawn).toMatchObject({ kind: 'histogram', low: '-2500', high: '2499' });
    expect(of['i64']?.drawn).toMatchObject({ kind: 'histogram', low: String(2n ** 60n) });
    expect(of['at']?.drawn).toMatchObject({ kind: 'histogram', low: '1970-01-01T00:00:00' });
    expect(of['f64']).toMatchObject({ nans: 100, nulls: 0 });
    expect(of['flag']?.drawn).toMatchObject({ kind: 'top', values: [{ text: 'false' }, { text: 'true' }] });
    expect(of['region']?.drawn).toMatchObject({ kind: 'top', distinct: 4 });
    for (const { drawn, rows, nulls, nans } of summaries)
      if (drawn?.kind === 'histogram')
        expect(drawn.bins.reduce((sum, value) => sum + value, 0)).toBe(rows - nulls - nans);
  });

  it('of nothing but nulls, infinities and the largest numbers', async () => {
    const { summaries } = await modelOf(
      await fileOf({
        none: typed('float64', new Array<null>(20).fill(null)),
        ends: Float64Array.from(
          { length: 20 },
          (_, row) => [-1.7e308, 1.7e308, Infinity, -Infinity, row][row % 5] ?? 0,
        ),
        same: new Float64Array(20).fill(Infinity),
      }),
    );
    expect(summaries.map(({ drawn }) => drawn?.kind ?? null)).toEqual([null, 'histogram', 'top']);
    expect(summaries[1]?.drawn).toMatchObject({ low: '-1.7e+308', high: '1.7e+308' });
  });
});

it('what a page carries is small: fewer rows of long texts, and no column of longer ones', async () => {
  const long = Array.from({ length: 2000 }, (_, row) => `${String(row)} `.repeat(60));
  const huge = Array.from({ length: 2000 }, (_, row) => (row === 0 ? 'x'.repeat(400_000) : 'y'));
  const { embedded, summaries } = await modelOf(await fileOf({ n: new Int32Array(2000), long, huge }));
  expect(JSON.stringify(embedded).length).toBeLessThan(200_000);
  expect(embedded.columns.map(({ name }) => name)).toEqual(['n', 'long']);
  expect([embedded.omitted, embedded.rows.length]).toEqual([1, 250]);
  expect(summaries.length).toBe(3);
});
