// Folds of columns whose pages hold codes of a dictionary page, their own or one that columns share, and of pages with
// nulls: the same with the addon and without, and as a loop over the values has it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openSync, typed, writeSync } from '../../../src/index.ts';

const ROWS = 5000;
const folder = mkdtempSync(join(tmpdir(), 'columna-codes-'));
afterAll(() => rmSync(folder, { recursive: true }));

// Far apart, so that codes take fewer bits than what they stand for.
const city = (row: number) => Math.imul(row, 7919) % 61;
const COLUMNS = {
  city: Array.from({ length: ROWS }, (_, row) => `city ${String(city(row))}`),
  people: typed(
    'int64',
    BigInt64Array.from({ length: ROWS }, (_, row) => BigInt(city(row) ** 2) * 1_000_003_007n),
  ),
  height: Float64Array.from({ length: ROWS }, (_, row) => Math.fround(Math.sqrt(city(row)))),
  some: Array.from({ length: ROWS }, (_, row) => (row % 3 === 0 ? null : (row % 17) * 100_003)),
  key: Int32Array.from({ length: ROWS }, (_, row) => row % 5),
};
const ASKED = {
  people: { sum: 'people' },
  most: { max: 'people' },
  height: { sum: 'height' },
  least: { min: 'height' },
  some: { sum: 'some' },
  count: { count: 'some' },
} as const;

it.each([true, false])('are those of the values, joint dictionaries %s', (joint) => {
  const path = join(folder, `${String(joint)}.cna`);
  const encodings = joint ? {} : ({ people: 'DICTIONARY', height: 'DICTIONARY', some: 'DICTIONARY' } as const);
  const { columns } = writeSync(path, COLUMNS, { pageRows: 512, rowGroupSize: 2048, joint, encodings });
  // Members of a joint dictionary have no pages of their own.
  expect(columns.filter(({ name }) => name === 'height').flatMap(({ encodings: ways }) => [...ways.keys()])).toEqual(
    joint ? [] : expect.arrayContaining([expect.stringMatching(/^DICTIONARY/)]),
  );
  const answers = (['native', 'js'] as const).map((backend) => {
    const table = openSync(path, { backend });
    try {
      return [
        table.aggSync(ASKED),
        table.groupBy('key').aggSync(ASKED).columns,
        table.where('some > 5').aggSync(ASKED),
        table.toColumnsSync({ nulls: 'bitmap' }),
        table.slice(700, 730).toColumnsSync(),
        table.take([4999, 3, 3, 2048, 511, 0]).toColumnsSync({ nulls: 'bitmap' }),
      ];
    } finally {
      table.close();
    }
  });
  expect(answers[0]).toEqual(answers[1]);
  let people = 0n;
  for (let row = 0; row < ROWS; row++) people += BigInt(city(row) ** 2) * 1_000_003_007n;
  expect((answers[0]?.[0] as { people: bigint }).people).toBe(people);
  const all = answers[0]?.[3] as unknown as { people: BigInt64Array; height: Float64Array };
  expect(all.people).toEqual(COLUMNS.people.values);
  expect(all.height).toEqual(COLUMNS.height);
});
