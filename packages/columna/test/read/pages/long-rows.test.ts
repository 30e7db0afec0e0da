// Tables of long texts are read, and written from lazy tables, in stretches of bounded bytes where no number of rows is
// given.
import { MemorySink } from '@colkit/io';
import { beforeAll, expect, test } from 'vitest';
import { open, write } from '../../../src/index.ts';

const ROWS = 9_000;
const LENGTH = 30_000;
/** The mode that takes least time without the addon: stretches are the same in all of them. */
const MODE = { mode: 'fast' } as const;
let documents: Uint8Array;

const textOf = (row: number): string => `${row} `.padEnd(LENGTH, 'documents of tens of kilobytes ');

async function fileOf(columns: Record<string, ArrayLike<unknown>>): Promise<Uint8Array> {
  const sink = new MemorySink();
  await write(sink, columns as never, MODE);
  return sink.bytes();
}

beforeAll(async () => {
  const id = Int32Array.from({ length: ROWS }, (_, row) => row);
  documents = await fileOf({ id, text: Array.from(id, textOf) });
}, 60_000);

test('a batch of long texts is of few rows, all of them come, and rows that are asked for are as asked', async () => {
  const table = await open(documents);
  const sizes: number[] = [];
  let row = 0;
  for await (const { id, text } of table.batches() as AsyncIterable<{ id: Int32Array; text: string[] }>) {
    expect([id[0], text[0], text.at(-1)]).toEqual([row, textOf(row), textOf(row + text.length - 1)]);
    sizes.push(text.length);
    row += text.length;
  }
  expect(row).toBe(ROWS);
  expect(Math.max(...sizes) * LENGTH).toBeLessThanOrEqual(2 ** 27);
  const [first] = [...table.batchesSync({ rows: ROWS })];
  expect(first?.['id']).toHaveLength(ROWS);
  const [small] = [...table.head(64).batchesSync({ rows: 64, bytes: 16 * LENGTH })] as { text: string[] }[];
  expect(small?.text.length).toBeLessThanOrEqual(32);
  let count = 0;
  for await (const { id } of table.rows()) count += Number(id === count);
  expect(count).toBe(ROWS);
  table.close();
});

test('the ids alone, and short texts, come in batches of 65,536', async () => {
  const table = await open(documents);
  expect([...table.select('id').batchesSync()]).toHaveLength(1);
  table.close();
  const short = await open(await fileOf({ text: Array.from({ length: 150_000 }, (_, row) => `text ${row}`) }));
  expect([...short.batchesSync()].map((batch) => batch['text']?.length)).toEqual([65_536, 65_536, 18_928]);
  short.close();
});

test('columns of fixed width: as many rows as fit', async () => {
  const bytes = 2 ** 26;
  const wide = await open(
    await fileOf(Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`c${n}`, new Float64Array(70_000)]))),
  );
  const sizes = [...wide.batchesSync({ bytes })].map(({ c0 }) => c0?.length ?? 0);
  expect(Math.max(...sizes) * 300 * 8).toBeLessThanOrEqual(bytes);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(70_000);
  wide.close();
});

test('a lazy table of long texts is written in row groups of bounded bytes', async () => {
  const table = await open(documents);
  const sink = new MemorySink();
  const report = await write(sink, table, MODE);
  table.close();
  expect(report.rowGroupCount).toBeGreaterThan(1);
  const copy = await open(sink.bytes());
  expect(copy.rowCount).toBe(ROWS);
  for (const row of [0, ROWS - 1]) expect(await copy.column('text').at(row)).toBe(textOf(row));
  copy.close();
}, 60_000);
