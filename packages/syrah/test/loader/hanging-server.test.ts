// A server that answers up to some point and then says nothing more, ever: whatever the loader was waiting for,
// timeoutMs, the signal and close() end it, and nothing is left open behind it.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ClosedError, DataLoader, LoaderError, SyrahDataset, create, open } from '../../src/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { collect, failureOf } from './fixture.ts';

const folder = temporaryFolder();
const path = folder.path('items.syr');
const COUNT = 12;
/** Larger than what opening brings, so that items have to be asked for. */
const LENGTH = 8192;

/** Where an answer stops: before its headers, after them, or in the middle of its body. */
type Stage = 'headers' | 'body' | 'mid-body';
let server: Server;
let url = '';
/** How many requests are answered before the server hangs, and where the next one stops. */
let answered = Infinity;
let stage: Stage = 'headers';
let requests = 0;
const hanging = new Set<ServerResponse>();

beforeAll(async () => {
  const writer = await create(path, { durability: 'none' });
  for (let i = 0; i < COUNT; i += 1)
    await writer.addItem({ x: new Float32Array(LENGTH).fill(i), label: Int32Array.of(i) });
  await writer.close();
  const bytes = readFileSync(path);
  server = createServer((request, response) => {
    const [, start = '', end = ''] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    const from = start === '' ? Math.max(0, bytes.length - Number(end)) : Number(start);
    const to = start === '' || end === '' ? bytes.length - 1 : Math.min(Number(end), bytes.length - 1);
    const hangs = (requests += 1) > answered;
    if (hangs) {
      hanging.add(response);
      response.on('close', () => hanging.delete(response));
      if (stage === 'headers') return;
    }
    const headers = {
      'content-length': String(to - from + 1),
      'content-range': `bytes ${String(from)}-${String(to)}/${String(bytes.length)}`,
      etag: '"1"',
    };
    response.writeHead(206, headers);
    if (!hangs) response.end(bytes.subarray(from, to + 1));
    else if (stage === 'mid-body') response.write(bytes.subarray(from, from + Math.floor((to - from) / 2)));
    else response.flushHeaders();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/items.syr`;
});
afterEach(() => {
  answered = Infinity;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** From now on so many more requests are answered. */
function hangAfter(more: number, where: Stage): void {
  answered = requests + more;
  stage = where;
}

/** Nobody waits for the server any more: the connections that hang are closed by their other end. */
async function nobodyWaits(): Promise<void> {
  for (let k = 0; k < 500 && hanging.size > 0; k += 1) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(hanging.size).toBe(0);
}

const STAGES: readonly Stage[] = ['headers', 'body', 'mid-body'];
const WAYS = [0, 2].flatMap((workers) => STAGES.map((where) => [workers, where] as const));

describe.each(WAYS)('with %i workers, a server that hangs at %s', (workers, where) => {
  const options = { batchSize: 4, workers, warmStart: false };

  test('ends a batch by timeoutMs, by the signal, by close()', async () => {
    const dataset = await SyrahDataset.open(url, ['x']);
    hangAfter(0, where);
    expect(await failureOf(new DataLoader(dataset, { ...options, timeoutMs: 300 }))).toMatchObject({
      name: 'LoaderError',
      reason: 'timeout',
    });
    await nobodyWaits();

    const abort = new AbortController();
    const aborted = failureOf(new DataLoader(dataset, { ...options, signal: abort.signal }));
    setTimeout(() => abort.abort(new Error('enough')), 200);
    expect(await aborted).toMatchObject({ message: 'enough' });
    await nobodyWaits();

    const loader = new DataLoader(dataset, options);
    const closed = failureOf(loader);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await loader.close();
    expect(await closed).toBeInstanceOf(ClosedError);
    await nobodyWaits();
    dataset.close();
  });

  test('ends the check of a resumed dataset', async () => {
    const dataset = await SyrahDataset.open(url, ['x']);
    const local = await SyrahDataset.open(path, ['x']);
    const state = new DataLoader(local, { batchSize: 4 }).state();
    hangAfter(0, where);
    const resumed = DataLoader.resume(
      dataset,
      { ...state, batchesDone: 1 },
      { workers, warmStart: false, timeoutMs: 1000 },
    );
    expect(await failureOf(resumed)).toBeInstanceOf(LoaderError);
    await nobodyWaits();
    answered = Infinity;
    // Nothing of that epoch was handed out: it can be tried again (workers may take longer to start than the loader
    // waits).
    if (workers === 0)
      expect(await collect(resumed)).toEqual((await collect(new DataLoader(local, { batchSize: 4 }))).slice(1));
    local.close();
    dataset.close();
  });
});

test.each(STAGES)('stateAsync() of a server that hangs at %s ends with the signal', async (where) => {
  const dataset = await SyrahDataset.open(url, ['x']);
  const abort = new AbortController();
  const loader = new DataLoader(dataset, { batchSize: 4, signal: abort.signal });
  hangAfter(0, where);
  const state = loader.stateAsync().catch((error: unknown) => error);
  setTimeout(() => abort.abort(new Error('enough')), 100);
  expect(await state).toMatchObject({ message: 'enough' });
  await nobodyWaits();
  dataset.close();
});

test.each(STAGES)('opening a server that hangs at %s ends with the signal', async (where) => {
  hangAfter(0, where);
  for (const opening of [
    open(url, { signal: AbortSignal.timeout(100) }),
    SyrahDataset.open(url, ['x'], { signal: AbortSignal.timeout(100) }),
  ]) {
    await expect(opening).rejects.toMatchObject({ name: 'TimeoutError' });
  }
  await nobodyWaits();
});

test('batches need no fingerprint: a loader whose state nobody asks for reads samples only', async () => {
  const dataset = await SyrahDataset.open(url, ['label']);
  const before = requests;
  expect((await collect(new DataLoader(dataset, { batchSize: 6 }))).length).toBe(2);
  const forBatches = requests - before;
  const loader = new DataLoader(dataset, { batchSize: 6 });
  await collect(loader);
  expect(requests - before).toBe(2 * forBatches);
  await loader.stateAsync();
  expect(requests - before).toBeGreaterThan(2 * forBatches);
  const known = requests;
  await loader.stateAsync();
  expect(requests).toBe(known);
  dataset.close();
});

test.each([0, 1])('a process module that never finishes loading, with %i workers', async (workers) => {
  const dataset = await SyrahDataset.open(path, ['label']);
  const processModule = 'data:text/javascript,await new Promise(() => {}); export const label = 1;';
  expect(await failureOf(new DataLoader(dataset, { workers, processModule, timeoutMs: 300 }))).toMatchObject({
    name: 'LoaderError',
    reason: 'timeout',
  });
  dataset.close();
});
