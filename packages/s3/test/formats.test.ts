// Files of each format, written to a bucket without a copy on this machine, and read from there; through a file where
// a writer knows paths alone.
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { writeThroughFile } from '@colkit/io/durable';
import * as colstore from 'colstore';
import * as columna from 'columna';
import * as syrah from 'syrah';
import { expect, it } from 'vitest';
import { bytesOf, newStore, storeOf, strictServer } from './support.ts';

const PART = 5 << 20;
const COUNT = 3 * 230_000;

async function* batches(): AsyncGenerator<{ x: Float64Array }> {
  for (let batch = 0; batch < 3; batch += 1)
    yield { x: new Float64Array(bytesOf(8 * (COUNT / 3), batch + 1).buffer).map((value) => value || 0) };
}

it('columna: batches, and rows of tables', async () => {
  const store = await newStore({ partBytes: PART });
  await columna.write(await store.create('x.cna'), batches(), { rowGroupSize: 1 << 17, mode: 'fast' });
  const table = await columna.open(await store.open('x.cna'));
  expect(table.rowCount).toBe(COUNT);
  let at = 0;
  for await (const { x } of batches()) {
    expect(await table.slice(at, at + x.length).toColumns()).toEqual({ x });
    at += x.length;
  }
  table.close();
  await expect(store.create('x.cna')).rejects.toMatchObject({ code: 'ERR_EXISTS' });
  await store.putIfAbsent('orders.csv', new TextEncoder().encode('a,b\n1,x\n2,y\n'));
  await columna.writeCsv(await store.open('orders.csv'), await store.create('orders.cna'));
  expect(await columna.read(await store.open('orders.cna'))).toEqual({ a: BigInt64Array.of(1n, 2n), b: ['x', 'y'] });
});

it('syrah: items one by one, the header last', async () => {
  const store = await newStore({ partBytes: PART });
  const item = (number: number) => ({
    label: Int32Array.of(number),
    data: new Float32Array(bytesOf(256 << 10, number).buffer).map((value) => value || 0),
  });
  const writer = await syrah.create(await store.create('x.syr'));
  for (let number = 0; number < 50; number += 1) await writer.addItem(item(number));
  await writer.close();
  const file = await syrah.open(await store.open('x.syr'));
  expect(file.itemCount).toBe(50);
  for (const number of [0, 19, 20, 49]) expect(await file.getItem(number)).toEqual(item(number));
  file.close();
  const dataset = await syrah.SyrahDataset.open(await store.open('x.syr'), ['label']);
  const labels: number[] = [];
  // Workers open the bucket's object by the handle of its source.
  for await (const [label] of new syrah.DataLoader(dataset, { batchSize: 10, workers: 1 }))
    labels.push(...(label as { data: Int32Array }).data);
  expect(labels).toEqual(Array.from({ length: 50 }, (_, number) => number));
  dataset.close();
});

it('colstore: columns, and what grows by records through a file', async () => {
  const store = await newStore({ partBytes: PART });
  const columns = { x: new Float64Array(COUNT).map((_, row) => row / 8), k: new Int16Array(COUNT).fill(7) };
  await colstore.write(await store.create('x.cstore'), columns);
  const table = await colstore.open(await store.open('x.cstore'));
  expect(await table.slice(COUNT - 3).toColumns()).toEqual({
    x: columns.x.slice(-3),
    k: Int16Array.of(7, 7, 7),
  });
  table.close();
  const spools = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('colkit-spool-'));
  const before = spools();
  let path = '';
  const rowCount = await writeThroughFile(store, 'log.cstore', async (at) => {
    path = at;
    const writer = await colstore.create(at, { statistics: true });
    for (let batch = 0; batch < 3; batch += 1) await writer.write({ x: Int32Array.of(batch, batch) });
    await writer.close();
    return 6;
  });
  expect([rowCount, existsSync(path)]).toEqual([6, false]);
  const log = await colstore.open(await store.open('log.cstore'));
  expect(await log.toColumns()).toEqual({ x: Int32Array.of(0, 0, 1, 1, 2, 2) });
  log.close();
  await expect(writeThroughFile(store, 'log.cstore', (at) => colstore.write(at, { x: [1] }))).rejects.toMatchObject({
    code: 'ERR_EXISTS',
  });
  await expect(writeThroughFile(store, 'new', () => Promise.reject(new Error('mine')))).rejects.toThrow('mine');
  expect(spools()).toEqual(before);
});

it('asks for few ranges', async () => {
  const server = await strictServer();
  const store = storeOf(server);
  const x = Float64Array.from({ length: 1 << 17 }, (_, row) => Math.sin(row));
  await columna.write(await store.create('x.cna'), { x, y: x, z: x }, { rowGroupSize: 1 << 15, mode: 'fast' });
  server.log.length = 0;
  const table = await columna.open(await store.open('x.cna'));
  // The footer's end comes with the first one, the file's beginning with the second.
  expect(server.log).toEqual(['GET x.cna', 'GET x.cna']);
  expect((await table.select('x').toColumns()).x).toEqual(x);
  // Then one for each of four row groups.
  expect(server.log).toHaveLength(6);
  table.close();
});
