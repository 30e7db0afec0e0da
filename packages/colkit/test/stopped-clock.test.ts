// Timers of tests, which stand still until they are told, in place of the global ones: what a program asks of files
// goes on. Times that a program sets (`timeout`, waits before the next try of a request) are by the clock that it sees.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as colstore from 'colstore';
import * as columna from 'columna';
import { openTable, writeTable } from 'colkit/convert';
import { DataLoader, SyrahDataset, create } from 'syrah';
import { objectServer } from '@colkit/testkit/object-server';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'colkit-clock-'));
const local = (name: string): string => join(folder, name);
const server = await objectServer();
const ROWS = 300_000;
const columns = {
  n: Float64Array.from({ length: ROWS }, (_, row) => row / 8),
  text: Array.from({ length: ROWS }, (_, row) => `${String(row % 1000)} of ${String(row)}`),
};
await columna.write(local('n.cna'), { n: columns.n.map((value) => Math.sin(value)) });
server.objects.set('n.cna', readFileSync(local('n.cna')));

const STOPPED = ['setTimeout', 'setInterval', 'setImmediate', 'Date', 'performance'] as const;

beforeEach(() => {
  vi.useFakeTimers({ toFake: [...STOPPED, 'queueMicrotask'] });
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

test('tables are written, read and replaced by several at once', async () => {
  await columna.write(local('a.cna'), columns);
  expect(await (await columna.open(local('a.cna'))).where('text = "7 of 7"').toRows()).toEqual([
    { n: 0.875, text: '7 of 7' },
  ]);
  await Promise.all([0, 1, 2, 3].map((n) => columna.write(local('a.cna'), { n: [n] }, { overwrite: true })));
  expect((await columna.open(local('a.cna'))).rowCount).toBe(1);
  await columna
    .edit(await columna.open(local('n.cna')))
    .assign({ m: 'n + 1' })
    .write(local('edited.cna'));
  expect((await columna.verify(local('edited.cna'))).ok).toBe(true);
  await colstore.write(local('a.cstore'), { n: columns.n });
  expect((await (await colstore.open(local('a.cstore'))).where('n < 1').toRows()).length).toBe(8);
});

test('a table of a server, and CSV', async () => {
  // Node's own fetch needs queueMicrotask.
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: [...STOPPED] });
  const table = await columna.open(server.url('n.cna'));
  expect((await table.where('n = 0').toRows()).length).toBe(1);
  await writeTable(table.slice(0, 5000), 'csv', local('n.csv'));
  const opened = await openTable(local('n.csv'));
  expect((await opened.table.agg({ rows: 'count' })).rows).toBe(5000);
  opened.close();
});

test.each([0, 1])('a loader with %i workers', async (workers) => {
  const path = local(`items-${String(workers)}.syr`);
  const writer = await create(path);
  for (let item = 0; item < 50; item++) await writer.addItem({ x: Float32Array.of(item) });
  await writer.close();
  const dataset = await SyrahDataset.open(path, ['x']);
  await using loader = new DataLoader(dataset, { batchSize: 8, workers, warmStart: false });
  let batches = 0;
  for await (const batch of loader) batches += batch.length;
  expect(batches).toBe(7);
});
