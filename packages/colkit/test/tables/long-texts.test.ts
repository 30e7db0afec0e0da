// Row groups of Parquet and record batches of Arrow are of fewer rows where texts are long, unless a number is given;
// and such tables are compared.
import { readFileSync } from 'node:fs';
import { tableFromIPC } from 'apache-arrow';
import { writeSync } from 'columna';
import { parquetMetadata } from 'hyparquet';
import { beforeAll, expect, test } from 'vitest';
import { toParquet } from '../../src/convert.ts';
import { temporaryFolder } from '../support/folder.ts';
import { linesOf } from '../support/run.ts';

const { path: at } = temporaryFolder();
const LENGTH = 100_000;
const ROWS = 1400;
const textOf = (row: number): string => `${row} `.padEnd(LENGTH, 'a long text of a document ');

function rowsOfGroups(path: string): number[] {
  const bytes = readFileSync(path);
  return parquetMetadata(bytes.buffer as ArrayBuffer).row_groups.map(({ num_rows: rows }) => Number(rows));
}

function expectShort(rows: readonly number[]): void {
  expect(rows.reduce((a, b) => a + b, 0)).toBe(ROWS);
  expect(Math.max(...rows) * LENGTH).toBeLessThanOrEqual(2 ** 27);
}

beforeAll(() => writeSync(at('long.cna'), { text: Array.from({ length: ROWS }, (_, row) => textOf(row)) }));

test('to Parquet', async () => {
  await toParquet(at('long.cna'), at('long.parquet'));
  expectShort(rowsOfGroups(at('long.parquet')));
  await toParquet(at('long.cna'), at('asked.parquet'), { rowGroupSize: 1300 });
  expect(rowsOfGroups(at('asked.parquet'))).toEqual([1300, 100]);
});

test('to Arrow', async () => {
  expect((await linesOf('convert', at('long.cna'), at('long.arrow'))).code).toBe(0);
  expectShort(tableFromIPC(readFileSync(at('long.arrow'))).batches.map(({ numRows }) => numRows));
});

test('compared', async () => {
  const other = Array.from({ length: ROWS - 1 }, (_, row) => textOf(row === 1350 ? -1 : row));
  writeSync(at('other.cna'), { text: other });
  const found = await linesOf('diff', at('long.cna'), at('other.cna'), '--json');
  expect(found.code).toBe(1);
  expect(JSON.parse(found.out.join(''))).toMatchObject({
    same: false,
    rowCounts: [ROWS, ROWS - 1],
    differing: [{ column: 'text', cells: 1 }],
    examples: [{ row: 1350, column: 'text' }],
  });
});
