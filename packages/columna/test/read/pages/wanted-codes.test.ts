// Codes of joint dictionaries are made a column's own for the wanted rows alone: the same values whichever rows these
// are, with nulls, for texts and numbers, by condition and by number.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '@colkit/testkit';
import { afterAll, expect, it } from 'vitest';
import { openSync, typed, writeSync } from '../../../src/index.ts';
import { wantedCodes } from '../../../src/read/pages/texts/row-strings.ts';

const folder = mkdtempSync(join(tmpdir(), 'columna-wanted-codes-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ROWS = 13_000;
const random = createRandom(11);
const routes = Array.from({ length: ROWS }, () => random.integer(300));
const columns: Readonly<Record<string, readonly unknown[]>> = {
  other: routes.map((route) => `to ${(route * 7919) % 300}`),
  text: routes.map((route) => (route % 7 === 0 ? null : `é${route % 40}`)),
  whole: routes.map((route) => `whole ${route % 11}`),
  miles: routes.map((route) => Math.sqrt((route * 31) % 300)),
  hours: routes.map((route) => (route % 5 === 0 ? null : Math.cbrt((route * 17) % 300))),
  row: Array.from({ length: ROWS }, (_, row) => (row * 7919) % ROWS),
};
const path = join(folder, 'joint.cna');
const { columns: written } = writeSync(
  path,
  {
    ...columns,
    miles: typed('float64', columns['miles'] as never),
    hours: typed('float64', columns['hours'] as never),
    row: typed('int32', columns['row'] as never),
  } as never,
  { pageRows: 4000, rowGroupSize: 8000 },
);
// Members of a joint dictionary have no pages of their own.
expect(written.map(({ encodings }) => encodings.size === 0)).toEqual([false, true, true, true, true, false]);
const all = Array.from({ length: ROWS }, (_, row) => row);
const cell = (name: string, row: number): unknown => (columns[name] as readonly unknown[])[row];

it.each<readonly [where: string, matches: (row: number) => boolean]>([
  ["text == 'é3'", (row) => cell('text', row) === 'é3'],
  ["text != 'é3'", (row) => cell('text', row) !== 'é3' && cell('text', row) !== null],
  ["text in ('é3', 'é38', 'nowhere')", (row) => ['é3', 'é38'].includes(cell('text', row) as string)],
  ["text == 'nowhere'", () => false],
  ["whole >= 'whole 3'", (row) => (cell('whole', row) as string) >= 'whole 3'],
  ["row < 300 and text == 'é5'", (row) => (cell('row', row) as number) < 300 && cell('text', row) === 'é5'],
  ["whole == 'whole 2' and text == 'é5'", (row) => cell('whole', row) === 'whole 2' && cell('text', row) === 'é5'],
  ['text is null and row < 700', (row) => cell('text', row) === null && (cell('row', row) as number) < 700],
  [
    "not (text == 'é3') and row < 900",
    (row) => !['é3', null].includes(cell('text', row) as string) && (cell('row', row) as number) < 900,
  ],
])('%s', async (where, matches) => {
  using table = openSync(path);
  const rows = all.filter(matches);
  const expected = rows.map((row) => Object.fromEntries(Object.keys(columns).map((name) => [name, cell(name, row)])));
  expect(table.where(where).toRowsSync()).toEqual(expected);
  expect(await table.where(where).toRows()).toEqual(expected);
  const coded = table.where(where).select('text', 'whole').toColumnsSync({ strings: 'dictionary' });
  for (const name of ['text', 'whole'] as const) {
    const { codes, dictionary } = coded[name] as unknown as { codes: Int32Array; dictionary: readonly string[] };
    expect(Array.from(codes, (code) => dictionary[code] ?? null)).toEqual(rows.map((row) => cell(name, row)));
  }
});

it.each([
  ['a few', [12_999, 4, 4, 4001, 17]],
  ['many', Array.from({ length: 3000 }, (_, i) => (i * 7919) % ROWS)],
  ['some of one page', [8500, 8400, 8500]],
])('takes %s', (_, rows) => {
  using table = openSync(path);
  const expected = rows.map((row) => Object.fromEntries(Object.keys(columns).map((name) => [name, cell(name, row)])));
  expect(table.take(rows).toRowsSync()).toEqual(expected);
  const { codes, dictionary } = table.take(rows).select('text').toColumnsSync({ strings: 'dictionary' })[
    'text'
  ] as unknown as { codes: Int32Array; dictionary: readonly string[] };
  expect(Array.from(codes, (code) => dictionary[code] ?? null)).toEqual(rows.map((row) => cell('text', row)));
});

it('slices', () => {
  using table = openSync(path);
  for (const [start, end] of [
    [0, 0],
    [3990, 4010],
    [7999, 8002],
    [0, 4000],
    [4000, ROWS],
  ] as const)
    for (const name of Object.keys(columns))
      expect(table.slice(start, end).select(name).toRowsSync(), name).toEqual(
        all.slice(start, end).map((row) => ({ [name]: cell(name, row) })),
      );
});

it('makes codes of a whole page once, of few rows for these alone', () => {
  let count = 0;
  const byRow = {
    get codes() {
      count++;
      return Int32Array.of(1, -1, 0, 1);
    },
    entries: { kind: 'strings' } as never,
    joint: { codes: Uint32Array.of(0, 1, 2, 3), indexes: Int32Array.of(1, -1, 0, 1) },
  };
  const span = { group: 0, page: 0, to: 0, positions: null };
  const codesOf = (start: number, end: number, picks: Uint32Array | null): number[] => [
    ...wantedCodes({ byRow, rowCount: 4 }, { ...span, start, end, picks }),
  ];
  expect(codesOf(1, 3, null)).toEqual([-1, 0]);
  expect(codesOf(0, 4, Uint32Array.of(3, 1))).toEqual([1, -1]);
  expect(count).toBe(0);
  expect(codesOf(0, 4, null)).toEqual([1, -1, 0, 1]);
  expect(count).toBe(1);
});
