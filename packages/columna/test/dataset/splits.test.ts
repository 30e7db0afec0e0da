// Splits: plain JSON, aligned with row groups, pruned, pinned; what they add up to, through JSON and merged in any
// partition, is what the whole adds up to.
import { createServer } from 'node:http';
import { readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { FolderStore } from '@colkit/io/durable';
import { objectServer } from '@colkit/testkit/object-server';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  MemorySink,
  commit,
  mergePartials,
  openDataset,
  partial,
  runTask,
  write,
  writePart,
  writeSync,
} from '../../src/index.ts';
import type { PartialState, Split } from '../../src/index.ts';
import { newFolders } from '../support/new-folders.ts';

const newFolder = newFolders('splits');
const ROWS = 400;

const rowsOf = (part: number) => {
  const id = Array.from({ length: ROWS }, (_, row) => part * ROWS + row);
  return {
    id: Int32Array.from(id),
    wide: BigInt64Array.from(id, (each) => BigInt(each) * 12_345_678_901n - 9_007_199_254_740_993n),
    price: Float64Array.from(id, (each) => (each % 11 === 0 ? 1e16 : each * 0.1)),
    name: id.map((each) => `n${String(each % 9)}`),
  };
};

async function dataset() {
  const { folder } = newFolder();
  const store = new FolderStore(join(folder, 'rows'), { durability: 'none' });
  const parts = [];
  for (let part = 0; part < 4; part += 1)
    parts.push(await writePart(store, rowsOf(part), { rowGroupSize: 100, partition: { half: part >> 1 } }));
  await commit(store, parts, { expected: 0 });
  return { store, opened: await openDataset(store.name) };
}

const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

it('are row groups, pruned and balanced by the bytes of the columns asked for', async () => {
  const { opened } = await dataset();
  const splits = throughJson(await opened.splits({ targetBytes: 1 }));
  expect(splits.length).toBe(16);
  expect(splits.map(({ rows }) => rows.end - rows.start)).toEqual(splits.map(() => 100));
  expect((await opened.splits()).map(({ rows }) => rows)).toEqual([0, 1, 2, 3].map(() => ({ start: 0, end: ROWS })));
  const narrow = await opened.splits({ columns: ['id'] });
  const all = await opened.splits();
  expect(narrow[0]?.byteLength).toBeLessThan((all[0]?.byteLength ?? 0) / 2);
  const half = narrow[0]?.byteLength ?? 0;
  expect((await opened.splits({ columns: ['id'], targetBytes: half / 2 })).length).toBe(8);
  const pruned = await opened.splits({
    where: 'id between @low and 950 and half = 1',
    params: { low: 120 },
    columns: [],
  });
  expect(pruned.map(({ rows }) => rows)).toEqual([{ start: 0, end: 200 }]);
  expect(opened.openCount).toBe(0);
  expect(opened.splitsSync()).toEqual(all);
  await expect(opened.splits({ columns: ['nothing'] })).rejects.toMatchObject({ code: 'ERR_UNKNOWN_COLUMN' });
  // From footers the same as from the manifest.
  const files = await openDataset(opened.files.map(({ path }) => path));
  expect(await files.splits({ where: 'id < 350', columns: ['price'] })).toEqual(
    await opened.splits({ where: 'id < 350', columns: ['price'] }),
  );
});

it('give their rows in batches, all of them once', async () => {
  const { opened } = await dataset();
  const where = "name != 'n3' and id % 2 = 0";
  const ids: number[] = [];
  for (const split of throughJson(await opened.splits({ where, targetBytes: 1 })))
    for await (const batch of runTask({ split, where, columns: ['half', 'id'] }, { rows: 33 })) {
      expect(Object.keys(batch)).toEqual(['half', 'id']);
      ids.push(...(batch['id'] as Int32Array));
    }
  expect(ids).toEqual(Array.from((await opened.where(where).toColumns())['id'] as Int32Array));
});

const AGGREGATES = {
  n: 'count',
  s: { sum: 'wide' },
  f: { sum: 'price' },
  low: { min: 'id' },
  high: { max: 'name' },
  d: { countDistinct: 'name' },
  one: { first: 'price' },
  last: { last: 'id' },
  mean: { mean: 'price' },
} as const;

it('add up, in any partition and through JSON, to what the whole does', async () => {
  const { opened } = await dataset();
  const where = 'id > 30 and id < 1500';
  const whole = await opened.where(where).agg(AGGREGATES);
  const groups = (await opened.where(where).groupBy('name', 'half').agg(AGGREGATES)).columns;
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 9000 }), async (targetBytes) => {
      const splits = throughJson(await opened.splits({ where, targetBytes }));
      const states: PartialState[] = [];
      const grouped: PartialState[] = [];
      for (const split of splits) {
        const task = throughJson({ split, where, aggregates: AGGREGATES });
        states.push(throughJson(await partial(task)));
        grouped.push(throughJson(await partial({ ...task, by: ['name', 'half'] })));
      }
      expect(mergePartials(states)).toEqual({ ...whole });
      expect(mergePartials(grouped)).toEqual({ ...groups });
    }),
    { numRuns: 4 },
  );
});

it('are pinned: a file that is another one by now is refused', async () => {
  const { folder } = newFolder();
  const path = join(folder, 'a.cna');
  writeSync(path, rowsOf(0), { rowGroupSize: 100, durability: 'none' });
  const [split] = await (await openDataset([path])).splits();
  writeSync(path, rowsOf(1), { rowGroupSize: 100, durability: 'none', overwrite: true });
  const task = { split: split as Split, aggregates: { n: 'count' } } as const;
  await expect(partial(task)).rejects.toMatchObject({ code: 'ERR_FILE_CHANGED' });
  await expect(runTask(task).next()).rejects.toMatchObject({ code: 'ERR_FILE_CHANGED' });
});

it('are of a copy of a bucket on a disk, which has no ETags, as of the bucket', async () => {
  const { store, opened } = await dataset();
  opened.close();
  const path = store.pathOf(`_manifests/${'1'.padStart(20, '0')}.json`);
  const text = readFileSync(path, 'utf8').replaceAll('"etag":null', '"etag":"\\"of-the-bucket\\""');
  writeFileSync(path, text);
  const copied = await openDataset(store.name);
  expect(((await copied.toColumns())['id'] as Int32Array).length).toBe(4 * ROWS);
  const [split] = throughJson(await copied.splits());
  copied.close();
  const task = { split: split as Split, aggregates: { n: 'count' } } as const;
  expect(mergePartials([await partial(task)])).toEqual({ n: ROWS });
  writeFileSync(path, text.replaceAll(/"footerCrc":\d/gu, '"footerCrc":9'));
  const changed = await openDataset(store.name);
  await expect(changed.toColumns()).rejects.toMatchObject({ code: 'ERR_FILE_CHANGED' });
  changed.close();
});

it('are checked: what is no task is refused', async () => {
  const { opened } = await dataset();
  const [split] = (await opened.splits()) as [Split];
  const bad: unknown[] = [
    null,
    {},
    { ...split, splitVersion: 2 },
    { ...split, rows: { start: 5, end: 2 } },
    { ...split, rows: { start: 0, end: 1e9 } },
    { ...split, rows: { start: -1, end: 2 } },
    { ...split, format: 'csv' },
    { ...split, fields: [{ name: 'id', dtype: 'int33', nullable: false }] },
    { ...split, fields: split.fields.slice(1).concat({ name: 'x', dtype: 'int32', nullable: false }) },
    { ...split, values: [{}] },
    { ...split, path: 7 },
  ];
  for (const each of bad)
    await expect(partial({ split: each as Split, aggregates: { n: 'count' } })).rejects.toMatchObject({
      code: expect.stringMatching(/^ERR_(?:ARGUMENT|SCHEMA)$/u) as unknown,
    });
  const task = { split, aggregates: { n: 'count' } } as const;
  await expect(partial(task, { within: '/somewhere/else' })).rejects.toMatchObject({ code: 'ERR_ARGUMENT' });
  const sly = { ...split, path: `${join(split.path, '..')}/../../etc/passwd` };
  await expect(partial({ ...task, split: sly }, { within: join(split.path, '..') })).rejects.toMatchObject({
    code: 'ERR_ARGUMENT',
  });
  const state = await partial(task);
  for (const each of [null, {}, { ...state, state: {} }, { ...state, by: ['zz'] }, { ...state, stateVersion: 9 }])
    expect(() => mergePartials([state, each as PartialState])).toThrow(
      expect.objectContaining({ code: 'ERR_ARGUMENT' }) as Error,
    );
  expect(() => mergePartials([])).toThrow('of no splits the dataset answers: where(…).agg(…)');
});

it('take two requests a file over HTTP, none where a manifest tells', async () => {
  const { store, opened } = await dataset();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    requests.push(url);
    const bytes = readFileSync(join(store.name, decodeURIComponent(url)));
    const range = /bytes=(\d+)-(\d*)/u.exec(request.headers.range ?? '');
    const start = Number(range?.[1] ?? 0);
    const last = bytes.length - 1;
    const end = range?.[2] === undefined || range[2] === '' ? last : Math.min(last, Number(range[2]));
    const headers = { 'content-range': `bytes ${String(start)}-${String(end)}/${String(bytes.length)}`, etag: '"1"' };
    response.writeHead(206, headers).end(bytes.subarray(start, end + 1));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  try {
    const base = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    const urls = opened.files.map(({ path }) => base + path.slice(store.name.length));
    const files = await openDataset(urls);
    const splits = await files.splits({ where: 'id < 350', columns: ['price'] });
    expect(splits.length).toBe(1);
    expect(requests.length).toBeLessThanOrEqual(2 * urls.length);
    expect(splits[0]?.version.etag).toBe('"1"');
    requests.length = 0;
    const told = await openDataset(`${base}/_manifests/${'1'.padStart(20, '0')}.json`);
    expect((await told.splits({ where: 'id < 350', columns: ['price'] })).length).toBe(1);
    expect(requests.filter((url) => url.endsWith('.cna'))).toEqual([]);
    expect(await told.where('id < 350').count()).toBe(350);
  } finally {
    server.close();
  }
});

it('hold no keys: who runs a task says how its file is read', async () => {
  const server = await objectServer();
  try {
    const { path } = newFolder();
    writeSync(path, rowsOf(0));
    server.objects.set('x.cna', readFileSync(path));
    server.fault = ({ headers }, response) => {
      if (headers.authorization === 'Bearer secret') return false;
      response.writeHead(403).end();
      return true;
    };
    const headers = { authorization: 'Bearer secret' };
    const url = server.url('x.cna');
    const files = await openDataset([url], { headers });
    const [split] = throughJson(await files.splits({ columns: ['id'] })) as [Split];
    files.close();
    expect(JSON.stringify(split)).not.toMatch('secret');
    const within = url.slice(0, url.lastIndexOf('/'));
    const aggregates = { s: { sum: 'id' } } as const;
    const sum = (ROWS * (ROWS - 1)) / 2;
    const asked = (options: object) => partial({ split, aggregates }, options).then((state) => mergePartials([state]));
    expect(await asked({ headers, within })).toEqual({ s: sum });
    expect(await asked({ sign: () => ({ headers }) })).toEqual({ s: sum });
    const { value: batch } = await runTask({ split, columns: ['id'] }, { headers, within, rows: ROWS }).next();
    expect(batch?.['id']).toEqual(rowsOf(0).id);
    await expect(asked({})).rejects.toThrow('403');
    // They would go to whatever host the task names.
    await expect(asked({ headers })).rejects.toMatchObject({ code: 'ERR_ARGUMENT', argument: 'within' });
    for (const bad of [`${within}/%2E%2e/y.cna`, `${within}/../y.cna`, `${within}.evil/x.cna`, 'https://h/x.cna'])
      await expect(partial({ split: { ...split, path: bad }, aggregates }, { headers, within })).rejects.toMatchObject({
        code: 'ERR_ARGUMENT',
        argument: 'split.path',
      });
  } finally {
    await server.close();
  }
});

it('are the user’s: what is changed in one changes neither the dataset nor another', async () => {
  const { opened } = await dataset();
  const before = [await opened.splits(), opened.pathColumns, opened.dropped, opened.files] as const;
  const copy = structuredClone(before);
  for (const change of [
    () => (before[0][0]?.fields as unknown[]).reverse(),
    () => Object.assign(before[0][0]?.fields[0] as object, { name: 'other' }),
    () => Object.assign(before[0][0]?.version as object, { byteLength: 1 }),
    () => Object.assign(before[0][0]?.values[0]?.field as object, { name: 'other' }),
    () => Object.assign(before[1][0] as object, { name: 'other' }),
    () => (before[2] as unknown[]).push('id'),
    () => Object.assign(before[3][0]?.values as object, { half: 7n }),
  ]) {
    try {
      change();
    } catch (error) {
      expect(error).toBeInstanceOf(TypeError);
    }
  }
  expect([await opened.splits(), opened.pathColumns, opened.dropped, opened.files]).toEqual(copy);
  expect(await opened.where('half = 1').head(1).toRows()).toEqual([
    { id: 800, wide: 800n * 12_345_678_901n - 9_007_199_254_740_993n, price: 80, name: 'n8', half: 1n },
  ]);
});

it('are none of bytes and Blobs, which nobody else could open', async () => {
  const sink = new MemorySink();
  await write(sink, { id: [1, 2] });
  for (const bytes of [sink.bytes(), new Blob([sink.bytes() as Uint8Array<ArrayBuffer>])]) {
    const opened = await openDataset([bytes]);
    await expect(opened.splits()).rejects.toMatchObject({ code: 'ERR_ARGUMENT', argument: 'splits' });
    expect(await opened.agg({ total: { sum: 'id' } })).toEqual({ total: 3 });
    opened.close();
  }
});
