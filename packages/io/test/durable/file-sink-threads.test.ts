// Threads that write the same new file at the same time, with the built code: each thread has modules of its own.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { testFolder } from '../support/folder.ts';

const folder = testFolder();

test('of many threads that write one new file, one succeeds and the others are told', async () => {
  const at = folder.path;
  const path = join(at, 'data.bin');
  const script = `
    import { parentPort, workerData } from 'node:worker_threads';
    const { openFileSinkSync } = await import(workerData.built);
    let code = 'done';
    try {
      const sink = openFileSinkSync(workerData.path);
      sink.writeSync(new Uint8Array(100_000).fill(workerData.id));
      sink.finishSync();
    } catch (error) { code = error.code; }
    parentPort.postMessage({ id: workerData.id, code });`;
  const built = new URL('../../dist/index.js', import.meta.url).href;
  const runs = Array.from(
    { length: 5 },
    (_, id) =>
      new Promise<{ id: number; code: string }>((resolve, reject) => {
        const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(script)}`), {
          workerData: { path, id, built },
        });
        worker.on('message', resolve);
        worker.on('error', reject);
      }),
  );
  const results = await Promise.all(runs);
  const winners = results.filter(({ code }) => code === 'done');
  expect(winners).toHaveLength(1);
  expect(results.filter(({ code }) => code === 'ERR_EXISTS')).toHaveLength(4);
  const content = readFileSync(path);
  expect([content.byteLength, content.every((byte) => byte === winners[0]!.id)]).toEqual([100_000, true]);
  expect(readdirSync(at)).toEqual(['data.bin']);
});
