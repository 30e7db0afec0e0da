// One file, many readers: several processes and threads at once, each with a handle that was cloned on the way, all
// with the same items; nobody re-opens anything by hand.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { createSync, openSync } from '../../src/index.ts';
import type { SyrahHandle } from '../../src/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder();
const reader = fileURLToPath(new URL('./concurrent-reader.mjs', import.meta.url));
const COUNT = 2000;

/** What every reader must find: the sum over items of label times the sum of its features. */
function write(path: string): number {
  const writer = createSync(path);
  let sum = 0;
  for (let i = 0; i < COUNT; i += 1) {
    const features = Float64Array.from({ length: i % 9 }, (_, k) => i + k);
    writer.addItemSync({ label: Int32Array.of(i % 10), features });
    sum += (i % 10) * features.reduce((total, value) => total + value, 0);
  }
  writer.closeSync();
  return sum;
}

function inProcess(handle: SyrahHandle): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = fork(reader, { env: { ...process.env, NODE_OPTIONS: '' }, execArgv: [] });
    child.on('message', (sum) => resolve(sum as number));
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`the reader ended with ${String(code)}`)));
    child.send(handle);
  });
}

function inThread(handle: SyrahHandle): Promise<number> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(reader, { execArgv: [], workerData: handle });
    worker.on('message', resolve);
    worker.on('error', reject);
  });
}

test('processes and threads read the same file at the same time', async () => {
  const path = folder.path('shared.syr');
  const expected = write(path);
  using file = openSync(path);
  const handle = file.handle();
  expect(structuredClone(handle)).toEqual(handle);
  expect(JSON.parse(JSON.stringify(handle))).toEqual(handle);
  const sums = await Promise.all([
    inProcess(handle),
    inThread(handle),
    inProcess(handle),
    inThread(structuredClone(handle)),
  ]);
  expect(sums).toEqual([expected, expected, expected, expected]);
}, 60_000);
