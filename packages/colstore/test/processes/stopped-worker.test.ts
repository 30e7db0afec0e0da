// What a worker thread leaves behind that was stopped while it wrote: its process lives on, and writes the file itself.
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { bundleForNode } from '@colkit/testkit/bundle-for-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { open, update, write } from '../../src/index.ts';

let folder = '';
let script = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'colstore-stopped-'));
  script = await bundleForNode(new URL('stopped-worker.ts', import.meta.url), join(folder, 'script'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function writingWorker(path: string, what: 'stream' | 'files'): Promise<Worker> {
  const worker = new Worker(script, {
    workerData: { path, what },
    env: { ...process.env, NODE_OPTIONS: '', COLKIT_BACKEND: 'auto' },
  });
  await once(worker, 'message');
  return worker;
}

// Elsewhere the system tells nothing of threads.
describe.runIf(process.platform === 'linux')('a worker thread that was stopped', () => {
  it('has no lock any more: the file is gone on with from its last checkpoint', async () => {
    const path = join(folder, 'stream.cstore');
    const worker = await writingWorker(path, 'stream');
    await expect(update(path)).rejects.toMatchObject({ code: 'ERR_LOCKED' });
    await worker.terminate();
    const writer = await update(path);
    await writer.write({ x: [4] });
    await writer.close();
    await using table = await open(path);
    expect((await table.toColumns())['x']).toEqual(Float64Array.of(1, 2, 4));
  });

  it('leaves no temporary files for good', async () => {
    const own = mkdtempSync(join(folder, 'files-'));
    const path = join(own, 'a.cstore');
    for (let round = 0; round < 5; round += 1) {
      const worker = await writingWorker(path, 'files');
      await setTimeout(20 * round);
      await worker.terminate();
    }
    await write(path, { x: [1] }, { overwrite: true });
    expect(readdirSync(own)).toEqual(['a.cstore']);
  });
});
