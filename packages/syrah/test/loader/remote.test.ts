// Loaders over files that are not local: a server's, read by this thread or by workers; a Blob's, which only this
// thread has. And what damaged items are told with.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DataLoader, SampleError, SyrahDataset, create } from '../../src/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { collect, failureOf, itemOf, writeItems } from './fixture.ts';

const folder = temporaryFolder();
const path = folder.path('items.syr');
const COUNT = 9;
let server: Server;
let url = '';

beforeAll(async () => {
  await writeItems(path, COUNT);
  const bytes = readFileSync(path);
  server = createServer((request, response) => {
    const [, start, end] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    const [from, to] = [
      Number(start ?? 0),
      end === undefined || end === '' ? bytes.length - 1 : Math.min(Number(end), bytes.length - 1),
    ];
    const headers = {
      'accept-ranges': 'bytes',
      'content-length': String(to - from + 1),
      'content-range': `bytes ${String(from)}-${String(to)}/${String(bytes.length)}`,
      etag: '"1"',
    };
    response
      .writeHead(start === undefined ? 200 : 206, headers)
      .end(request.method === 'HEAD' ? undefined : bytes.subarray(from, to + 1));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/items.syr`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe.each([0, 2])('with %i workers', (workers) => {
  test.each([[['x', 'label']], [['name', 'label']]])('a file of a server: %j', async (keys) => {
    const [local, remote] = [await SyrahDataset.open(path, keys), await SyrahDataset.open(url, keys)];
    const options = { batchSize: 4, shuffle: true, workers, warmStart: false };
    const expected = await collect(new DataLoader(local, { ...options, workers: 0 }));
    const loader = new DataLoader(remote, options);
    expect(await collect(loader)).toEqual(expected);
    expect(() => loader.state()).toThrow(/stateAsync/);
    const state = { ...(await loader.stateAsync()), epoch: 0, batchesDone: 1 };
    expect({ ...loader.state(), epoch: 0, batchesDone: 1 }).toEqual(state);
    for (const dataset of [local, remote])
      expect(await collect(DataLoader.resume(dataset, state, { workers }))).toEqual(expected.slice(1));
    const other = { ...state, fingerprint: 'another' };
    expect(await failureOf(DataLoader.resume(remote, other))).toMatchObject({
      name: 'IoError',
      code: 'ERR_FILE_CHANGED',
    });
    local.close();
    remote.close();
  });

  test('an item that is damaged is told with its key', async () => {
    const damaged = folder.path(`damaged-${String(workers)}.syr`);
    const writer = await create(damaged);
    for (const text of ['good', 'good', 'evil']) await writer.addItem({ n: Int32Array.of(1), text });
    await writer.close();
    const bytes = readFileSync(damaged);
    bytes[bytes.indexOf('evil')] = 0xff;
    writeFileSync(damaged, bytes);
    const dataset = await SyrahDataset.open(damaged);
    const failure = await failureOf(new DataLoader(dataset, { workers, warmStart: false }));
    expect(failure).toBeInstanceOf(SampleError);
    expect(failure).toMatchObject({ item: 2, key: 'text', path: damaged, code: 'ERR_LAYOUT' });
    dataset.close();
  });
});

test('a Blob is read, here and by workers', async () => {
  const dataset = await SyrahDataset.open(new Blob([readFileSync(path)]), ['label']);
  const expected = { data: Int32Array.from({ length: COUNT }, (_, i) => itemOf(i).label[0]!), shape: [COUNT, 1] };
  expect(await collect(new DataLoader(dataset, { batchSize: COUNT }))).toEqual([[expected]]);
  await using loader = new DataLoader(dataset, { batchSize: COUNT, workers: 1, warmStart: false });
  expect(await collect(loader)).toEqual([[expected]]);
  dataset.close();
});
