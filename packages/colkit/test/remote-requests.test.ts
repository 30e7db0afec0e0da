// How many requests reads of remote files take, in each format: those that lie near one another are one.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as colstore from 'colstore';
import * as columna from 'columna';
import * as syrah from 'syrah';
import { objectServer } from '@colkit/testkit/object-server';
import { afterAll, beforeEach, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'colkit-requests-'));
const server = await objectServer();
const ROWS = 100_000;
const GROUP = 5_000;
const ITEMS = 640;
const local = (name: string): string => join(folder, name);
const COLUMNS = ['a', 'b', 'c', 'd', 'e', 'f'];
const numbers: Record<string, Float32Array | Int32Array> = {
  id: Int32Array.from({ length: ROWS }, (_, i) => i),
  ...Object.fromEntries(
    COLUMNS.map((name, k) => [name, Float32Array.from({ length: ROWS }, (_, i) => Math.sin(i * (k + 1)) * 1000)]),
  ),
};
const columns = { ...numbers, text: Array.from({ length: ROWS }, (_, i) => `row ${String((i * 7919) % 100_003)}`) };

await columna.write(local('a.cna'), columns, { rowGroupSize: GROUP, pageRows: 1000 });
await colstore.write(local('a.cstore'), numbers);
const writer = await syrah.create(local('a.syr'));
for (let i = 0; i < ITEMS; i += 1)
  await writer.addItem({
    x: new Float32Array(2000).fill(i),
    y: new Float32Array(500).fill(-i),
    label: Int32Array.of(i),
    name: `item ${String(i)}`,
  });
await writer.close();
for (const name of ['a.cna', 'a.cstore', 'a.syr']) server.objects.set(name, readFileSync(local(name)));

beforeEach(() => {
  server.ranges.length = 0;
  server.sent.bytes = 0;
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Requests, and the bytes that came, of some work. */
async function costOf(work: () => Promise<unknown>): Promise<{ requests: number; bytes: number }> {
  server.ranges.length = 0;
  server.sent.bytes = 0;
  await work();
  return { requests: server.ranges.length, bytes: server.sent.bytes };
}

const NEIGHBOURS = Array.from({ length: 32 }, (_each, i) => i + 5);

const EPOCHS = [0, 1].flatMap((workers) =>
  [
    ['x', 'y'],
    ['x', 'name'],
  ].map((keys) => [workers, keys] as const),
);

test.each(EPOCHS)(
  'syrah, %i workers: 20 batches of 32 neighbouring items, %j, take 20 requests',
  async (workers, keys) => {
    const dataset = await syrah.SyrahDataset.open(server.url('a.syr'), keys);
    const { requests } = await costOf(async () => {
      await using loader = new syrah.DataLoader(dataset, { batchSize: 32, workers, warmStart: false });
      let items = 0;
      for await (const [x] of loader) items += (x as { shape: number[] }).shape[0] ?? 0;
      expect(items).toBe(ITEMS);
    });
    // A worker opens the file for itself.
    expect(requests).toBeLessThanOrEqual(20 + 2 * workers);
    dataset.close();
  },
);

test('syrah: 32 items of several keys are one request, and so are items that are asked for one by one', async () => {
  const file = await syrah.open(server.url('a.syr'));
  const ways: (() => Promise<unknown>)[] = [
    () => file.gatherItems(NEIGHBOURS, 'x'),
    () => file.gatherKeys(NEIGHBOURS, ['y', 'x']),
    () => Promise.all(NEIGHBOURS.map((item) => file.getItem(item))),
    () => Promise.all(NEIGHBOURS.map((item) => file.getArray(item, 'y'))),
  ];
  for (const way of ways) expect(await costOf(way)).toMatchObject({ requests: 1 });
  const apart = NEIGHBOURS.map((item) => (item * 7919) % ITEMS);
  const both = await costOf(() => file.gatherKeys(apart, ['x', 'y']));
  expect(both.requests).toBeLessThanOrEqual(32);
  file.close();
});

test('columna: one column of one row group, all columns, a filter, an inspection', async () => {
  const where = server.url('a.cna');
  const size = server.objects.get('a.cna')?.length ?? 0;
  expect((await costOf(async () => (await columna.open(where)).close())).requests).toBe(2);
  const table = await columna.open(where);
  await costOf(() => table.select(['a']).slice(0, 1).toColumns());
  const cases: [number, number, () => Promise<unknown>][] = [
    [
      1,
      50_000,
      () =>
        table
          .select(['a'])
          .slice(GROUP, 2 * GROUP)
          .toColumns(),
    ],
    [2, size, () => table.toColumns()],
    [4, size + 100_000, () => columna.read(where)],
    [ROWS / GROUP + 2, size / 5, () => columna.read(where, { columns: ['b'] })],
    [3, size / 5, () => table.take([5, 50_000, 75_000]).toColumns()],
    [12, size, () => table.where('id > 50000 and a > 999').toColumns()],
    [ROWS / GROUP + 6, 1.2 * size, async () => columna.scan(where, { where: 'a > 999.9' })],
    [4, size + 100_000, () => columna.inspect(where)],
    // Both terms let expect matches: their pages, which are neighbours, come together.
    [ROWS / GROUP, size / 2, () => table.where('a > 0 and b > 0').count()],
  ];
  for (const [k, [requests, bytes, work]] of cases.entries()) {
    const cost = await costOf(work);
    expect(cost.requests, `requests of case ${String(k)}`).toBeLessThanOrEqual(requests);
    expect(cost.bytes, `bytes of case ${String(k)}`).toBeLessThanOrEqual(bytes);
  }
  const [remote, here] = [await table.toColumns(), await columna.read(local('a.cna'))];
  const differ = Object.keys(columns).filter((name) => {
    const [one, other] = [remote[name] as readonly unknown[], here[name] as readonly unknown[]];
    return one.length !== ROWS || one.some((value, row) => value !== other[row]);
  });
  expect(differ).toEqual([]);
  table.close();
});

test('columna: an inspection of large pages loads their headers, not the pages', async () => {
  const { a, b, c } = numbers;
  const { byteLength } = await columna.write(local('pages.cna'), { a, b, c } as Record<string, Float32Array>);
  server.objects.set('pages.cna', readFileSync(local('pages.cna')));
  const { bytes, requests } = await costOf(() => columna.inspect(server.url('pages.cna')));
  // Two pages a column, and the two ends of the file.
  expect(requests).toBeLessThanOrEqual(2 + 6);
  expect(bytes).toBeLessThan(70_000);
  expect(byteLength).toBeGreaterThan(800_000);
});

test('colstore: rows of all columns, slices, rows at random, filters', async () => {
  const table = await colstore.open(server.url('a.cstore'));
  const cases: [number, () => Promise<unknown>][] = [
    [7, () => table.toColumns()],
    [7, () => table.slice(1000, 2000).toColumns()],
    [7 * 3, () => table.take([5, 50_000, 75_000]).toColumns()],
    [7 + 1, () => table.select(['a', 'b']).take([5, 6, 9]).toColumns()],
  ];
  for (const [k, [requests, work]] of cases.entries())
    expect((await costOf(work)).requests, `case ${String(k)}`).toBeLessThanOrEqual(requests);
  table.close();
});
