// Joint dictionaries: found where columns determine each other, left alone where they do not, read back whole, with
// nulls, over several pages and groups.
import { createRandom } from '@colkit/testkit';
import { describe, expect, it } from 'vitest';
import { findJoints } from '../../src/write/encode/joint.ts';
import { expectedRows, readTable, writeTable } from '../support/table.ts';
import type { TestColumn, TestOptions } from '../support/table.ts';

const random = createRandom(5);
const ROWS = 12_000;
const routes = Array.from({ length: 300 }, () => ({
  origin: `O${random.integer(40)}`,
  destination: `D${random.integer(40)}`,
  distance: random.integer(5000),
}));
const flown = Array.from({ length: ROWS }, () => random.pick(routes));
const flights: TestColumn[] = [
  { name: 'delay', type: 'int32', values: Int32Array.from({ length: ROWS }, () => random.integer(700)) },
  { name: 'origin', type: 'string', values: flown.map(({ origin }) => origin) },
  { name: 'distance', type: 'int64', values: BigInt64Array.from(flown, ({ distance }) => BigInt(distance)) },
  { name: 'destination', type: 'string', values: flown.map(({ destination }) => destination) },
];

function write(columns: readonly TestColumn[], options: TestOptions = {}) {
  const file = writeTable(columns, options);
  const read = readTable(file.bytes);
  expect(read.columns.map(({ values }) => values)).toEqual(columns.map(expectedRows));
  return { ...file, chunks: read.chunks };
}

describe('joint dictionaries', () => {
  it.each([{ pageRows: 65536 }, { pageRows: 1000 }, { pageRows: 1000, rowGroupRows: 5000 }])(
    'of routes: one code for three columns, %o',
    (options) => {
      const { chunks, reports, bytes } = write(flights, options);
      const alone = write(flights, { ...options, joint: false });
      expect(bytes.length).toBeLessThan(alone.bytes.length * 0.75);
      expect(alone.reports.every(({ leader }) => leader === null)).toBe(true);
      for (const group of chunks[0]!.keys()) {
        expect(chunks.map((of) => [of[group]!.codesColumn, of[group]!.joint])).toEqual([
          [0, false],
          [1, true],
          [1, true],
          [1, true],
        ]);
        expect(chunks[2]![group]!.byteLength).toBe(chunks[2]![group]!.dictionaryBytes);
        expect(
          chunks[2]![group]!.pages.every(({ pageBytes }) => pageBytes === 0 || chunks[2]![group]!.pages.length === 1),
        ).toBe(true);
      }
      expect(
        reports
          .filter(({ leader }) => leader === 'origin')
          .map(({ column }) => column)
          .slice(0, 2),
      ).toEqual(['distance', 'destination']);
    },
  );

  it('keep every column its own statistics, by page too', () => {
    const { chunks } = write(flights, { pageRows: 1000 });
    const distances = flown.map(({ distance }) => BigInt(distance));
    const of = (start: number, end: number) => ({
      min: { value: distances.slice(start, end).reduce((a, b) => (b < a ? b : a)), exact: true },
      max: { value: distances.slice(start, end).reduce((a, b) => (b > a ? b : a)), exact: true },
    });
    expect(chunks[2]![0]!.statistics).toMatchObject({ nullCount: 0, ...of(0, ROWS) });
    expect(chunks[2]![0]!.pages[3]!.statistics).toMatchObject(of(3000, 4000));
  });

  it('have the statistics that the columns have alone', () => {
    // Nulls in places, and a page of nothing else; NaN and zeros of either sign.
    const isNull = (row: number) => row % 7 === 0 || (row >= 3000 && row < 4000);
    const validity = new Uint8Array(Math.ceil(ROWS / 8));
    for (let row = 0; row < ROWS; row++) if (!isNull(row)) validity[row >>> 3]! |= 1 << (row & 7);
    const fareOf = (distance: number) => (distance % 5 === 0 ? [0, -0, NaN][distance % 3]! : distance / 4);
    const columns: TestColumn[] = [
      { ...flights[1]!, values: flown.map(({ origin }, row) => (isNull(row) ? null : origin)) } as TestColumn,
      { name: 'fare', type: 'float64', values: Float64Array.from(flown, ({ distance }) => fareOf(distance)) },
      { ...flights[2]!, validity },
      flights[3]!,
    ];
    const joined = write(columns, { pageRows: 1000 }).chunks;
    const alone = write(columns, { pageRows: 1000, joint: false }).chunks;
    expect(joined.map(([chunk]) => chunk!.joint)).toEqual([true, true, true, true]);
    const statistics = (chunks: typeof joined) =>
      chunks.map(([chunk]) => [chunk!.statistics, chunk!.pages.map((page) => page.statistics)]);
    expect(statistics(joined)).toEqual(statistics(alone));
  });

  it('have nulls as entries, in any member', () => {
    const validity = new Uint8Array(Math.ceil(ROWS / 8));
    for (const [row, { distance }] of flown.entries()) if (distance % 3 !== 0) validity[row >>> 3]! |= 1 << (row & 7);
    const columns = [
      flights[0]!,
      { ...flights[1]!, values: flown.map(({ origin }) => (origin === 'O7' ? null : origin)) },
      { ...flights[2]!, validity },
      flights[3]!,
    ];
    const { chunks } = write(columns, { pageRows: 4096 });
    expect(chunks.map(([chunk]) => chunk!.joint)).toEqual([false, true, true, true]);
    expect(chunks[2]![0]!.statistics.nullCount).toBe(flown.filter(({ distance }) => distance % 3 === 0).length);
  });

  it('come in groups of their own', () => {
    const twice = [
      ...flights,
      ...flights
        .slice(1)
        .map((column) => ({ ...column, name: `${column.name} 2`, values: column.values.toReversed() as never })),
    ];
    expect(write(twice).chunks.map(([chunk]) => chunk!.codesColumn)).toEqual([0, 1, 1, 1, 4, 4, 4]);
  });

  it('are not kept where they promise to be smaller, and the columns alone cost less', () => {
    const places = Array.from({ length: 60_000 }, () => random.integer(40));
    const near = places.map((place) => (place * 39 + random.integer(20) * 31) % 40);
    const columns: TestColumn[] = [places, near].map((values, i) => ({
      name: `c${i}`,
      type: 'int32',
      values: Int32Array.from(values, (value) => value * 1_000_003),
    }));
    expect(write(columns).chunks.map(([chunk]) => chunk!.joint)).toEqual([false, false]);
  });

  it('are not made of columns that have nothing to do with each other, or that are forced', () => {
    const independent: TestColumn[] = [6, 7, 9, 300].map((kinds, i) => ({
      name: `c${i}`,
      type: 'int32',
      values: Int32Array.from({ length: ROWS }, () => random.integer(kinds) * 1_000_003),
    }));
    expect(write(independent).chunks.every(([chunk]) => chunk!.joint)).toBe(false);
    const forced = flights.map((column) => ({ ...column, encoding: 'DICTIONARY' as const }));
    expect(write(forced).chunks.some(([chunk]) => chunk!.joint)).toBe(false);
    expect(write(flights, { mode: 'plain' }).chunks.some(([chunk]) => chunk!.joint)).toBe(false);
  });
});

describe('finding them', () => {
  const codes = (of: (row: number) => number) => Uint32Array.from({ length: 50_000 }, (_, row) => of(row));
  const column = (number: number, of: (row: number) => number, codeCount: number, bytes = 20_000) => ({
    column: number,
    codes: codes(of),
    codeCount,
    bytes,
  });

  it('gives every row the entry that it has in every member', () => {
    const a = column(0, (row) => (row * 7) % 13, 13);
    const b = column(1, (row) => ((row * 7) % 13) % 5, 5);
    const [joint, ...others] = findJoints([a, b]);
    expect(others).toEqual([]);
    expect(joint).toMatchObject({ columns: [0, 1], entryCount: 13 });
    for (let row = 0; row < 100; row++)
      expect(joint!.members.map((member) => member[joint!.codes[row]!])).toEqual([a.codes[row], b.codes[row]]);
    expect([...joint!.members[0]!]).toEqual(Array.from({ length: 13 }, (_, code) => code));
  });

  it('needs a gain', () => {
    expect(findJoints([column(0, (row) => row % 13, 13, 100), column(1, (row) => row % 13, 13, 100)])).toEqual([]);
    expect(findJoints([])).toEqual([]);
    expect(findJoints([column(0, () => 0, 1), column(1, (row) => row % 3, 3)])).toEqual([]);
  });

  it('does not trust a sample in which nearly all pairs differ', () => {
    const a = column(0, () => random.integer(5000), 5000, 80_000);
    const b = column(1, () => random.integer(5000), 5000, 80_000);
    expect(findJoints([a, b])).toEqual([]);
  });
});
