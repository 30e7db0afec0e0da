// Many files of a server: lists, lists in JSON, sets; with what they were opened with, here and in workers.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { objectServer } from '@colkit/testkit/object-server';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { DataLoader, SyrahDataset, create, openShards } from '../../src/index.ts';
import type { Tensor } from '../../src/index.ts';
import { collect } from '../loader/fixture.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder();
const server = await objectServer();
const FILES = 6;
const EACH = 4;
const secrets: (string | undefined)[] = [];
afterAll(() => server.close());
beforeEach(() => {
  server.ranges.length = 0;
  secrets.length = 0;
  server.fault = ({ headers }) => {
    secrets.push(headers['x-secret'] as string | undefined);
    return false;
  };
});

for (let number = 0; number < FILES; number += 1) {
  const path = folder.path(`${String(number)}.syr`);
  const writer = await create(path, { durability: 'none' });
  for (let i = 0; i < EACH; i += 1) await writer.addItem({ label: Int32Array.of(number * EACH + i) });
  await writer.close();
  server.objects.set(`${String(number)}.syr`, readFileSync(path));
}
const first = folder.path('set.syr');
const writer = await create(first, { maxMetadataBytes: 120, roll: true });
for (let i = 0; i < 7; i += 1) await writer.addItem({ label: Int32Array.of(i) });
const parts = await writer.close();
for (const { path } of parts) server.objects.set(basename(path), readFileSync(path));

const urls = Array.from({ length: FILES }, (_, number) => server.url(`${String(number)}.syr`));
const put = (name: string, value: unknown): string => {
  server.objects.set(name, new TextEncoder().encode(JSON.stringify(value)));
  return server.url(name);
};
const labelsOf = (batches: readonly unknown[]): number[] =>
  (batches as [Tensor<Int32Array>][]).flatMap(([{ data }]) => [...data]);
const ALL = Array.from({ length: FILES * EACH }, (_, i) => i);
const headers = { 'x-secret': 'a' };

test.each([0, 2])('a list of URLs, %i workers', async (workers) => {
  using dataset = await SyrahDataset.open(urls, ['label'], { headers });
  // The last 64 KiB of a file tell all.
  expect(server.ranges.length).toBe(FILES);
  expect(dataset.length).toBe(FILES * EACH);
  await using loader = new DataLoader(dataset, { batchSize: 5, workers, warmStart: false });
  expect(labelsOf(await collect(loader))).toEqual(ALL);
  expect(secrets.every((secret) => secret === 'a')).toBe(true);
  const state = await loader.stateAsync();
  const requests = server.ranges.length;
  using again = await SyrahDataset.open(urls, ['label'], { headers });
  expect(await new DataLoader(again, { batchSize: 5 }).stateAsync()).toMatchObject({ fingerprint: state.fingerprint });
  // Length and ETag are known from opening.
  expect(server.ranges.length).toBe(requests + FILES);
  expect(() => again.getSync(0)).toThrow(expect.objectContaining({ code: 'ERR_FEATURE' }) as Error);
});

test('a list in JSON, whose files are opened when their items are needed', async () => {
  const known = urls.map((_, number) => ({ path: `${String(number)}.syr`, items: EACH }));
  using shards = await openShards(`${put('list.json', known)}?key=b`, { headers });
  expect(server.ranges.length).toBe(2);
  expect(await shards.getItem(4 * EACH + 1)).toEqual({ label: Int32Array.of(4 * EACH + 1) });
  expect(server.ranges.length).toBe(3);
  expect(shards.path).not.toContain('key');
  using wrong = await openShards(put('wrong.json', [known[0], { ...known[1], byteLength: 7, etag: '"x"' }]));
  await expect(wrong.getItem(EACH)).rejects.toMatchObject({
    code: 'ERR_FILE_CHANGED',
    message: expect.stringContaining('1.syr') as string,
  });
});

test.each([0, 1])('a set from its first part, %i workers', async (workers) => {
  expect(parts.length).toBeGreaterThan(2);
  using dataset = await SyrahDataset.open(`${server.url('set.syr')}?key=b`, ['label'], { headers });
  expect(secrets.every((secret) => secret === 'a')).toBe(true);
  await using loader = new DataLoader(dataset, { batchSize: 2, workers, warmStart: false });
  expect(labelsOf(await collect(loader))).toEqual(ALL.slice(0, 7));
});

test('parts of a set are opened several at a time, and few are asked for that are not there', async () => {
  const asked: string[] = [];
  let pending = 0;
  let together = 0;
  const counting: typeof fetch = async (input, init) => {
    asked.push(basename(new URL(input instanceof Request ? input.url : input).pathname));
    together = Math.max(together, (pending += 1));
    try {
      return await fetch(input, init);
    } finally {
      pending -= 1;
    }
  };
  using dataset = await SyrahDataset.open(server.url('set.syr'), ['label'], { fetch: counting });
  expect(dataset.length).toBe(7);
  expect(together).toBeGreaterThan(1);
  const names = parts.map(({ path }) => basename(path));
  expect(new Set(asked.filter((name) => names.includes(name)))).toEqual(new Set(names));
  expect(asked.filter((name) => !names.includes(name)).length).toBeLessThan(parts.length);
});

test('a part that is missing, and one of another set', async () => {
  const name = basename(parts[1]!.path);
  const bytes = server.objects.get(name)!;
  server.objects.delete(name);
  await expect(SyrahDataset.open(server.url('set.syr'))).rejects.toMatchObject({
    code: 'ERR_NOT_FOUND',
    message: expect.stringMatching(/set\.00001\.syr.*missing of the set/s) as string,
  });
  server.objects.set(name, server.objects.get('0.syr')!);
  await expect(SyrahDataset.open(server.url('set.syr'))).rejects.toMatchObject({ code: 'ERR_FILE_CHANGED' });
  server.objects.set(name, bytes);
});

test('a file that changed is no mixture, in workers either', async () => {
  const own = ['a.syr', 'b.syr'].map((name, k) => {
    server.objects.set(name, server.objects.get(`${String(k)}.syr`)!);
    return server.url(name);
  });
  using dataset = await SyrahDataset.open(own, ['label']);
  server.objects.set('b.syr', server.objects.get('2.syr')!);
  await using loader = new DataLoader(dataset, { batchSize: 4, workers: 1, warmStart: false });
  await expect(collect(loader)).rejects.toMatchObject({ code: 'ERR_FILE_CHANGED' });
});

test('functions stay in their thread: no workers, and it is said why', async () => {
  const list = put(
    'functions.json',
    urls.map((_, number) => ({ path: `${String(number)}.syr`, items: EACH })),
  );
  using dataset = await SyrahDataset.open(list, ['label'], { sign: () => ({ headers }) });
  expect(labelsOf(await collect(new DataLoader(dataset, { batchSize: 5 })))).toEqual(ALL);
  expect(() => new DataLoader(dataset, { workers: 1 })).toThrow(/functions stay in their thread/);
});
