// A few rows of a column of texts: the texts of these alone are decoded, in whatever order the rows are asked for.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Table as ArrowTable } from 'apache-arrow';
import { open, writeSync } from '../../../src/index.ts';
import { newFolders } from '../../support/new-folders.ts';

const { folder } = newFolders('listed-texts')();

const ROWS = 70_001;
const word = (row: number): string =>
  `${String((row * 7919) % ROWS)} ${'é'.repeat(row % 5)} of some words ${String(row)}`;
const values = (areNull: boolean): (string | null)[] =>
  Array.from({ length: ROWS }, (_, row) => (areNull && row % 3 === 1 ? null : word(row)));

const ASCENDING = [0, 5, 17, 18, 19, 1000, 65_535, 65_536, 65_537, ROWS - 1];
const LISTS: Readonly<Record<string, readonly number[]>> = {
  ascending: ASCENDING,
  descending: ASCENDING.toReversed(),
  repeated: [5, 5, 17, 17, 17, ROWS - 1, ROWS - 1],
  'in any order': [1000, 5, ROWS - 1, 5, 0, 65_536, 4],
  'one behind the other': [100, 101, 102, 103, 104, 105],
  'nearly so': [100, 101, 103, 104, 106, 108],
  one: [65_536],
  none: [],
  'nulls alone': [1, 4, 7],
};

describe.each(['ONPAIR', 'BLOCKS'] as const)('%s', (encoding) => {
  describe.each([false, true])('nulls: %s', (areNull) => {
    const texts = values(areNull);
    const path = join(folder, `${encoding}-${String(areNull)}.cna`);
    writeSync(path, { t: texts }, { encodings: { t: encoding } });

    it.each(Object.entries(LISTS))('%s', async (_, rows) => {
      using table = await open(path);
      const expected = rows.map((row) => texts[row] ?? null);
      expect((await table.take(Int32Array.from(rows)).toColumns())['t']).toEqual(expected);
      const arrow = await table.take(Int32Array.from(rows)).toArrow<ArrowTable>();
      expect([...(arrow.getChild('t') ?? [])]).toEqual(expected);
    });
  });
});
