// A worker thread that is stopped while it writes: a stream that has a checkpoint, or whole files again and again.
import { parentPort, workerData } from 'node:worker_threads';
import { create, write } from '../../src/index.ts';

const { path, what } = workerData as { path: string; what: 'stream' | 'files' };
if (what === 'stream') {
  const writer = await create(path);
  await writer.write({ x: [1, 2] });
  await writer.checkpoint();
  await writer.write({ x: [3] });
}
parentPort?.postMessage('writing');
while (what === 'files') await write(path, { x: new Float64Array(500_000) }, { overwrite: true, durability: 'none' });
setInterval(() => undefined, 1000);
