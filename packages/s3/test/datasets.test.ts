// Datasets in a bucket: parts and commits, races, zombies, old versions, splits.
import { cstoreParts, write as writeColstore } from 'colstore';
import { commit, history, mergePartials, openDataset, partial, runTask, vacuum, writePart } from 'columna';
import type { Split } from 'columna';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSource } from '@colkit/io';
import { expect, it, onTestFinished } from 'vitest';
import type { S3Store } from '../src/index.ts';
import { REAL, all, bytesOf, newStore, storeOf, strictServer } from './support.ts';

const rows = (start: number, count = 10) => ({ id: Int32Array.from({ length: count }, (_, row) => start + row) });

async function idsOf(store: S3Store, version?: number): Promise<number[]> {
  const dataset = await openDataset(store, version === undefined ? {} : { version });
  try {
    return Array.from((await dataset.toColumns())['id'] as Int32Array);
  } finally {
    dataset.close();
  }
}

it('is written, committed, read and cleared', async () => {
  const store = await newStore();
  const one = await writePart(store, rows(0), { partition: { region: 'EM/EA' } });
  const two = await writePart(store, rows(10), { partition: { region: null } });
  await commit(store, JSON.parse(JSON.stringify([one, two])) as (typeof one)[], { expected: 0 });
  await writeColstore(await store.create('region=X/by-hand.cstore'), rows(20));
  await commit(store, ['region=X/by-hand.cstore'], { expected: 1, formats: [cstoreParts] });
  const dataset = await openDataset(store, { formats: [cstoreParts] });
  expect([dataset.version, dataset.rowCount, dataset.openCount]).toEqual([2, 30, 0]);
  expect(await dataset.where("region = 'X' and id > 28").select('id').toColumns()).toEqual(rows(29, 1));
  expect(await dataset.where('region is null').count()).toBe(10);
  dataset.close();
  expect(await idsOf(store, 1)).toEqual([...rows(0, 20).id]);
  await commit(store, [await writePart(store, rows(100))], { expected: 2, operation: 'replace' });
  expect((await history(store)).map(({ rowCount }) => rowCount)).toEqual([20, 30, 10]);
  await expect(commit(store, [], { expected: 2 })).rejects.toMatchObject({ code: 'ERR_CONFLICT' });
  await writePart(store, rows(5));
  await new Promise((resolve) => setTimeout(resolve, REAL === undefined ? 5 : 1100));
  const cleared = await vacuum(store, { olderThanMs: 0 });
  expect([cleared.versions, cleared.parts.length]).toEqual([[1, 2], 4]);
  expect(await idsOf(store)).toEqual([...rows(100).id]);
  expect((await all(store.list(''))).map(({ key }) => key)).toHaveLength(2);
});

it('gives a version to one of several committers', async () => {
  const store = await newStore();
  await commit(store, [await writePart(store, rows(0))], { expected: 0 });
  const parts = await Promise.all([1, 2, 3, 4].map((by) => writePart(store, rows(by * 100))));
  const ends = await Promise.allSettled(parts.map((part) => commit(store, [part], { expected: 1 })));
  const winners = ends.flatMap(({ status }, by) => (status === 'fulfilled' ? [by] : []));
  expect(winners).toHaveLength(1);
  for (const end of ends) if (end.status === 'rejected') expect(end.reason).toMatchObject({ code: 'ERR_CONFLICT' });
  expect(await idsOf(store)).toEqual([...rows(0).id, ...rows((winners[0]! + 1) * 100).id]);
});

it('changes nothing by what a zombie sends late, and knows its own commit by a lost answer', async () => {
  const server = await strictServer();
  const store = storeOf(server);
  await commit(store, [await writePart(store, rows(0))], { expected: 0 });
  let release = (): void => undefined;
  const until = new Promise<void>((resolve) => (release = resolve));
  let isHeld = false;
  server.misbehave = ({ method, key }) => {
    if (isHeld || method !== 'PUT' || !key.startsWith('_manifests/')) return null;
    isHeld = true;
    return { kind: 'wait', until };
  };
  const zombie = commit(store, [await writePart(store, rows(500))], { expected: 1 }).catch((error: unknown) => error);
  while (!isHeld) await new Promise((resolve) => setTimeout(resolve, 1));
  // Another machine takes over, while the zombie's request is on its way.
  const other = storeOf(server);
  expect(await commit(other, [await writePart(other, rows(10))], { expected: 1 })).toMatchObject({ version: 2 });
  release();
  expect(await zombie).toMatchObject({ code: 'ERR_CONFLICT' });
  expect(await idsOf(store)).toEqual([...rows(0, 20).id]);
  let isLost = false;
  server.misbehave = ({ method, key }) => {
    if (isLost || method !== 'PUT' || !key.startsWith('_manifests/')) return null;
    isLost = true;
    return { kind: 'lose' };
  };
  expect(await commit(store, [await writePart(store, rows(20))], { expected: 2 })).toMatchObject({ version: 3 });
  expect(server.log.filter((line) => line.startsWith('PUT _manifests/') && line.includes('3.json'))).toHaveLength(2);
  expect(await idsOf(store)).toEqual([...rows(0, 30).id]);
});

it('commits no part that is another one by now, whatever its size', async () => {
  const server = await strictServer();
  const store = storeOf(server);
  const part = await writePart(store, rows(0));
  const other = await writePart(store, rows(7));
  const bytes = await store.read(other.key);
  expect(bytes.length).toBe(part.version.byteLength);
  await store.delete(part.key);
  await store.putIfAbsent(part.key, bytes);
  await expect(commit(store, [part], { expected: 0 })).rejects.toMatchObject({ code: 'ERR_FILE_CHANGED' });
  await expect(commit(store, [other], { expected: 0 })).resolves.toMatchObject({ version: 1 });
});

it('refuses to commit where the server does not enforce If-None-Match, and asks once', async () => {
  const careless = storeOf(await strictServer({ enforcesIfNoneMatch: false }));
  const part = await writePart(careless, rows(0));
  await expect(commit(careless, [part], { expected: 0 })).rejects.toMatchObject({
    code: 'ERR_FEATURE',
    message: expect.stringContaining('enforces If-None-Match') as string,
  });
  expect((await all(careless.list(''))).map(({ key }) => key)).toEqual([part.key]);
  await expect(careless.create(part.key)).rejects.toMatchObject({ code: 'ERR_EXISTS' });
  const server = await strictServer();
  const store = storeOf(server);
  for (const expected of [0, 1, 2]) await commit(store, [await writePart(store, rows(expected))], { expected });
  expect(server.log.filter((line) => line.startsWith('PUT _probes/'))).toHaveLength(2);
});

it('keeps what it read in the cache of the store, in files for later ones, and never of another version', async () => {
  const server = await strictServer();
  const folder = mkdtempSync(join(tmpdir(), 'colkit-s3-cache-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const store = storeOf(server, { cache: { folder } });
  const bytes = bytesOf(400_000);
  await store.putIfAbsent('x.bin', bytes);
  const gets = (): number => server.log.filter((line) => line.startsWith('GET x.bin')).length;
  const readAll = async (from: S3Store, expected: Uint8Array): Promise<void> => {
    const source = await from.open('x.bin');
    const out = new Uint8Array(expected.length);
    await source.read(0, out);
    await source.read(0, out);
    expect(Buffer.compare(out, expected)).toBe(0);
    // A worker has it, too.
    const other = await openSource(JSON.parse(JSON.stringify(source.reopen())) as never);
    await other.read(200_000, out.subarray(0, 100));
    expect(Buffer.compare(out.subarray(0, 100), expected.subarray(200_000, 200_100))).toBe(0);
    other.close();
    source.close();
  };
  await readAll(store, bytes);
  const first = gets();
  await readAll(storeOf(server, { cache: { folder } }), bytes);
  // One request each to open it, here and by its handle.
  expect(gets() - first).toBe(2);
  await store.delete('x.bin');
  const others = bytesOf(400_000, 2);
  await store.putIfAbsent('x.bin', others);
  await readAll(store, others);
});

it('asks for little: a list and a manifest to open, and of a part what is needed', async () => {
  const server = await strictServer();
  const store = storeOf(server);
  const parts = await Promise.all(
    [0, 1, 2].map((by) => writePart(store, rows(by * 1000, 1000), { partition: { by } })),
  );
  server.log.length = 0;
  await commit(store, parts, { expected: 0 });
  // Which version is there, before and after; whether a key can be written twice, once for a store; each part; the
  // manifest.
  const shown = server.log.map((line) => line.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d{20}/u, '…'));
  expect(shown.sort()).toEqual(
    [
      'GET ',
      'GET ',
      ...['PUT', 'PUT', 'HEAD', 'DELETE'].map((method) => `${method} _probes/…`),
      ...[0, 1, 2].map((by) => `GET by=${String(by)}/part-….cna`),
      'PUT _manifests/….json',
    ].sort(),
  );
  server.log.length = 0;
  const dataset = await openDataset(store);
  expect(server.log).toEqual(['GET ', expect.stringMatching(/^GET _manifests/u)]);
  server.log.length = 0;
  expect(await dataset.where('by = 1 and id > 1990').count()).toBe(9);
  expect(server.log).toEqual([expect.stringMatching(/^GET by=1/u)]);
  dataset.close();
});

it('asks for the last of many versions, and not for all', async () => {
  const server = await strictServer({ pageSize: 5 });
  const store = storeOf(server);
  for (let version = 0; version < 12; version++)
    await commit(store, [await writePart(store, rows(version, 1))], { expected: version });
  const part = await writePart(store, rows(12, 1));
  server.log.length = 0;
  await commit(store, [part], { expected: 12 });
  // Before and after; of all there would be three pages each.
  expect(server.log.filter((line) => line === 'GET ')).toHaveLength(2);
  for (const expected of [0, 1, 2, 12, 14, 100]) {
    const refused = { code: 'ERR_CONFLICT', message: expect.stringContaining('its version is 13 by now') as string };
    await expect(commit(store, [], { expected })).rejects.toMatchObject(refused);
  }
});

it('is cut into tasks that hold no keys', async () => {
  const store = await newStore();
  const parts = await Promise.all(
    [0, 1, 2].map((by) => writePart(store, rows(by * 1000, 1000), { partition: { by }, rowGroupSize: 250 })),
  );
  await commit(store, parts, { expected: 0 });
  const dataset = await openDataset(store);
  const splits = await dataset.splits({ where: 'id >= 500', targetBytes: 1 });
  dataset.close();
  const tasks = JSON.stringify(splits);
  expect(tasks).not.toMatch(/wJalr|AKID|Signature/u);
  expect(splits).toHaveLength(10);
  const states = [];
  const found: number[] = [];
  for (const split of JSON.parse(tasks) as Split[]) {
    const where = 'id >= 500 and by < 2';
    for await (const batch of runTask({ split, where }, { store })) found.push(...(batch['id'] as Int32Array));
    states.push(await partial({ split, where, aggregates: { n: 'count', s: { sum: 'id' } } }, { store }));
  }
  expect(found).toEqual([...rows(500, 1500).id]);
  expect(mergePartials(JSON.parse(JSON.stringify(states)) as typeof states)).toEqual({ n: 1500, s: 1_874_250 });
  // Another version of a part under the same key.
  const { key } = parts[0]!;
  const bytes = await store.read(key);
  await store.delete(key);
  const other = await store.read((await writePart(store, rows(1, 1000), { rowGroupSize: 250 })).key);
  expect(other).not.toEqual(bytes);
  await store.putIfAbsent(key, other);
  await expect(runTask({ split: splits[0]! }, { store }).next()).rejects.toMatchObject({ code: 'ERR_FILE_CHANGED' });
});
