// Row groups of Parquet and record batches of Arrow are of fewer rows where texts are long, unless a number is given;
// and such tables are compared.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tableFromIPC } from 'apache-arrow';
import { typed, writeSync } from 'columna';
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

test('to Parquet, of which nothing stays in memory', () => {
  const library = JSON.stringify(new URL('../../dist/convert.js', import.meta.url).href);
  const script = `
    import { toParquet } from ${library};
    const heap = [];
    const onProgress = () => { gc(); heap.push(process.memoryUsage().heapUsed); };
    const options = { rowGroupSize: 50, onProgress };
    await toParquet(${JSON.stringify(at('long.cna'))}, ${JSON.stringify(at('flat.parquet'))}, options);
    console.log(heap.at(-1) - heap[0]);`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  expect(stderr).toBe('');
  // The texts are 140 MB.
  expect(Number(stdout)).toBeLessThan(30e6);
});

test.each([
  ['short', 'a', 'b'],
  ['long', 'a'.repeat(100), 'b'.repeat(100)],
  ['of several bytes', 'ä'.repeat(50), `${'a'.repeat(31)}😀😀`],
  ['with nothing above their beginnings', '\u{10ffff}'.repeat(50), '\u{10ffff}'.repeat(51)],
  ['where the last that may be raised is the first', `a${'\u{10ffff}'.repeat(50)}`, '😀'.repeat(40)],
])('bounds of texts in Parquet: %s', async (_, ...texts) => {
  const binary = [Uint8Array.of(1, 2), Uint8Array.from({ length: 40 }, () => 0xff)];
  writeSync(at('bounds.cna'), { texts, binary: typed('binary', binary) }, { overwrite: true });
  await toParquet(at('bounds.cna'), at('bounds.parquet'), { overwrite: true });
  const { row_groups: groups } = parquetMetadata(Uint8Array.from(readFileSync(at('bounds.parquet'))).buffer);
  const [text, bytes] = (groups[0]?.columns ?? []).map((column) => column.meta_data?.statistics);
  const sorted = texts.map((each) => Buffer.from(each)).sort((a, b) => Buffer.compare(a, b));
  expect(Buffer.compare(Buffer.from(text?.min_value as string), sorted[0] as Buffer)).toBeLessThanOrEqual(0);
  expect(Buffer.compare(Buffer.from(text?.max_value as string), sorted[1] as Buffer)).toBeGreaterThanOrEqual(0);
  // hyparquet gives such bytes as text.
  expect(bytes?.max_value).toBe('\ufffd'.repeat(40));
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
