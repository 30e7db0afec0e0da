// What workers load of a remote file: not its metadata, which this thread has.
import { readFileSync } from 'node:fs';
import { objectServer } from '@colkit/testkit/object-server';
import { afterAll, expect, test } from 'vitest';
import { DataLoader, SyrahDataset, create, open, openShards } from '../../src/index.ts';
import type { Tensor } from '../../src/index.ts';
import { collect } from '../loader/fixture.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder();
const server = await objectServer();
afterAll(() => server.close());
/** Three blocks of the index, the last one not whole; 32 bytes of metadata for each. */
const COUNT = 10_000;
const METADATA = 32 * COUNT;
const path = folder.path('many.syr');
const writer = await create(path, { durability: 'none' });
for (let i = 0; i < COUNT; i += 1) writer.addItemSync({ a: Int32Array.of(i), b: Int16Array.of(i) });
await writer.close();
server.objects.set('many.syr', readFileSync(path));
const url = server.url('many.syr');
const indices = Array.from({ length: 64 }, (_, k) => (k * 7919) % COUNT);

async function spent<T>(work: () => Promise<T>): Promise<{ value: T; bytes: number; requests: number }> {
  server.ranges.length = 0;
  server.sent.bytes = 0;
  const value = await work();
  return { value, bytes: server.sent.bytes, requests: server.ranges.length };
}

const labelsOf = (batches: readonly unknown[]): number[] =>
  (batches as [Tensor<Int32Array>][]).flatMap(([{ data }]) => [...data]);

test.each([1, 2])('%i workers of one file, and of many, load no metadata', async (workers) => {
  for (const what of [url, [url, url]]) {
    const opened = await spent(() => SyrahDataset.open(what, ['a']));
    expect(opened.bytes).toBeGreaterThan(METADATA);
    const dataset = opened.value;
    await using loader = new DataLoader(dataset, { batchSize: 32, sampler: indices, workers, warmStart: false });
    const { value, bytes, requests } = await spent(() => collect(loader));
    expect(labelsOf(value)).toEqual(indices);
    // Each opens a file by one request for its last 64 KiB, which tells the version; a batch of items that lie near
    // each other takes the bytes of these.
    expect(bytes).toBeLessThan(workers * 65_536 + 2 * 6 * COUNT);
    expect(bytes).toBeLessThan(METADATA);
    expect(requests).toBeLessThanOrEqual(workers + 2 * 16);
    dataset.close();
  }
});

test('a file that is opened by what another thread knows is the same, in all ways of reading', async () => {
  const [own, local] = [await open(url), await open(path)];
  const given = structuredClone(own.threadHandle());
  expect(given.known?.metadata.buffer).toBeInstanceOf(SharedArrayBuffer);
  const { value: other, requests } = await spent(() => open(given));
  expect(requests).toBe(1);
  expect(other.schema).toEqual(local.schema);
  expect(other.lengths('b')).toEqual(local.lengths('b'));
  for (const item of [0, 4095, 4096, COUNT - 1]) {
    expect(await other.getItem(item)).toEqual(await local.getItem(item));
    expect(await other.getArray(item, 'b')).toEqual(await local.getArray(item, 'b'));
  }
  expect(await other.gatherKeys(indices, ['a', 'b'])).toEqual(await local.gatherKeys(indices, ['a', 'b']));
  expect(await other.fingerprint()).toBe(await local.fingerprint());
  // What goes elsewhere than to a thread is small, and plain.
  expect(JSON.stringify(own.handle()).length).toBeLessThan(500);
  expect(local.threadHandle()).toEqual(local.handle());
  const shards = await openShards([url]);
  expect(JSON.stringify(shards.handle()).length).toBeLessThan(900);
  for (const each of [own, other, local, shards]) each.close();
});

test('another version is refused, whatever is known of the one that was opened', async () => {
  const own = await open(url);
  const handle = own.threadHandle();
  server.objects.set('many.syr', Uint8Array.from(server.objects.get('many.syr')!));
  await expect(open(handle)).rejects.toMatchObject({ code: 'ERR_FILE_CHANGED' });
  own.close();
});

test('of large metadata the parts that are asked for, here, in workers and of many files', async () => {
  const count = 60_000;
  const large = folder.path('large.syr');
  const items = await create(large, { durability: 'none' });
  for (let i = 0; i < count; i += 1) items.addItemSync({ a: Int32Array.of(i), b: Int16Array.of(i) });
  await items.close();
  server.objects.set('large.syr', readFileSync(large));
  const where = server.url('large.syr');
  const opened = await spent(() => open(where, { metadata: 'parts' }));
  const file = opened.value;
  expect(file.itemCount).toBe(count);
  // The last 64 KiB, and a page for each blob's head.
  expect(opened.bytes).toBeLessThan(200_000);
  const one = await spent(() => file.getItem(31_234));
  expect(one.value).toEqual({ a: Int32Array.of(31_234), b: Int16Array.of(31_234) });
  expect(one.bytes).toBeLessThan(400_000);
  // What is there is not asked for again.
  expect((await spent(() => file.getItem(31_235))).bytes).toBeLessThan(100_000);
  expect(() => file.lengths('a')).toThrow(/remote|asynchronous|Sync/u);
  const again = await spent(async () => open(JSON.parse(JSON.stringify(file.handle())) as never));
  expect(again.bytes).toBeLessThan(200_000);
  expect(await again.value.getArray(count - 1, 'a')).toEqual(Int32Array.of(count - 1));
  again.value.close();
  file.close();
  for (const [what, workers] of [
    [where, 0],
    [where, 1],
    [[where, where], 1],
  ] as const) {
    const dataset = await SyrahDataset.open(what, ['a'], { metadata: 'parts' });
    const sampler = [5, 40_000, 59_999];
    await using loader = new DataLoader(dataset, { batchSize: 3, sampler, workers, warmStart: false });
    const { value, bytes } = await spent(() => collect(loader));
    expect(labelsOf(value)).toEqual(sampler);
    expect(bytes).toBeLessThan((32 * count) / 2);
    dataset.close();
  }
});
