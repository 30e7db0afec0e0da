// Sources that are no plain path, on this thread and in workers: a class of the user's own, URLs with headers, Blobs.
import { openAsBlob, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DataLoader, SyrahDataset } from '../../src/index.ts';
import type { OpenOptions, Openable, Tensor } from '../../src/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { collect, writeItems } from './fixture.ts';

type Batch = [Tensor<Int32Array>];

const folder = temporaryFolder();
const COUNT = 30;
const ALL = Array.from({ length: COUNT }, (_, i) => i);
const path = await writeItems(folder.path('items.syr'), COUNT, (i) => ({ label: Int32Array.of(i) }));
const bytes = readFileSync(path);

/** What a user publishes: a module with a class, which both threads use. */
const module = pathToFileURL(folder.path('own.mjs')).href;
writeFileSync(
  folder.path('own.mjs'),
  `
  import { readFileSync } from 'node:fs';
  export class Own {
    constructor(path) { this.path = path; this.bytes = readFileSync(path); this.byteLength = this.bytes.length; }
    async read(byteOffset, out) { out.set(this.bytes.subarray(byteOffset, byteOffset + out.byteLength)); }
    reopen() { return { module: import.meta.url, options: { path: this.path } }; }
  }
  export const openSource = ({ path }) => new Own(path);
`,
);

const server = createServer((request, response) => {
  if (request.headers.authorization !== 'Bearer ok') {
    response.writeHead(403).end();
    return;
  }
  const [, start = '', end = ''] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  const from = start === '' ? Math.max(0, bytes.length - Number(end)) : Number(start);
  const to = start === '' || end === '' ? bytes.length - 1 : Number(end);
  const range = {
    'content-length': to - from + 1,
    'content-range': `bytes ${String(from)}-${String(to)}/${String(bytes.length)}`,
  };
  response.writeHead(206, range).end(bytes.subarray(from, to + 1));
});
let url = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/items.syr`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function labels(what: Openable, options: OpenOptions, workers: number): Promise<number[]> {
  const dataset = await SyrahDataset.open(what, ['label'], options);
  await using loader = new DataLoader<Batch>(dataset, { batchSize: 4, workers, warmStart: false });
  const batches = await collect(loader);
  dataset.close();
  return batches.flatMap(([{ data }]) => [...data]);
}

test.each([0, 2])('a class of the user, workers: %d', async (workers) => {
  const { Own } = (await import(module)) as { Own: new (path: string) => Exclude<Openable, string> };
  expect(await labels(new Own(path), {}, workers)).toEqual(ALL);
});

test.each([0, 2])('a URL that wants a header, workers: %d', async (workers) => {
  expect(await labels(url, { headers: { authorization: 'Bearer ok' } }, workers)).toEqual(ALL);
  await expect(labels(url, {}, workers)).rejects.toMatchObject({ name: 'IoError' });
});

test.each([0, 2])('a Blob of bytes, workers: %d', async (workers) => {
  expect(await labels(new Blob([bytes]), {}, workers)).toEqual(ALL);
});

test('what no other thread can open is refused before the epoch begins, and read on this one', async () => {
  const send: typeof fetch = (target, init) =>
    fetch(target, { ...init, headers: { ...init?.headers, authorization: 'Bearer ok' } });
  const own = {
    byteLength: bytes.length,
    read: (byteOffset: number, out: Uint8Array) => out.set(bytes.subarray(byteOffset, byteOffset + out.length)),
  };
  for (const [what, options] of [
    [url, { fetch: send }],
    [own, {}],
    [await openAsBlob(path), {}],
  ] as const) {
    expect(await labels(what, options, 0)).toEqual(ALL);
    const dataset = await SyrahDataset.open(what, ['label'], options);
    expect(() => new DataLoader(dataset, { workers: 1 })).toThrow(/another thread can open/);
    dataset.close();
  }
});
