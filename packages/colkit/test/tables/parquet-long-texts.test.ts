// Row groups of Parquet are of fewer rows where texts are long, unless a number is given.
import { readFileSync } from 'node:fs';
import { writeSync } from 'columna';
import { parquetMetadata } from 'hyparquet';
import { expect, test } from 'vitest';
import { toParquet } from '../../src/convert.ts';
import { temporaryFolder } from '../support/folder.ts';

const { path: at } = temporaryFolder();
const LENGTH = 100_000;
const ROWS = 1800;

function rowsOfGroups(path: string): number[] {
  const bytes = readFileSync(path);
  return parquetMetadata(bytes.buffer as ArrayBuffer).row_groups.map(({ num_rows: rows }) => Number(rows));
}

test('texts of 180 MB together', async () => {
  const text = Array.from({ length: ROWS }, (_, row) => `${row} `.padEnd(LENGTH, 'a long text of a document '));
  writeSync(at('long.cna'), { text });
  await toParquet(at('long.cna'), at('long.parquet'));
  const rows = rowsOfGroups(at('long.parquet'));
  expect(rows.reduce((a, b) => a + b, 0)).toBe(ROWS);
  expect(Math.max(...rows) * LENGTH).toBeLessThanOrEqual(2 ** 27);
  await toParquet(at('long.cna'), at('asked.parquet'), { rowGroupSize: 1700 });
  expect(rowsOfGroups(at('asked.parquet'))).toEqual([1700, 100]);
});
