import { resolve } from 'node:path';
import { SplitError, createScanWorker, runDistributed } from '@colkit/bullmq';
import { Queue } from 'bullmq';
import { commit, openDataset, writePart } from 'columna';

const months = [
  [10, 20.5, 30],
  [0.1, 0.2],
];
for (const [version, amounts] of months.entries()) {
  const month = Int32Array.from(amounts, () => version + 1);
  const part = await writePart('orders', { amount: Float64Array.from(amounts), month });
  await commit('orders', [part], { expected: version });
}

// #region worker
// On every machine that works; `allow`: which files jobs may name.
const connection = { host: '127.0.0.1', port: Number(process.env['REDIS_PORT'] ?? 6379) };
const worker = createScanWorker({ connection, queue: 'scans', allow: resolve('orders') });
worker.on('error', (error) => {
  console.error(error);
});
// #endregion worker

// #region ask
// On the machine that asks.
const queue = new Queue('scans', { connection });
const orders = await openDataset(resolve('orders'));
try {
  const answer = await runDistributed(
    queue,
    orders,
    {
      where: 'amount > @least',
      params: { least: 0.15 },
      aggregates: { n: 'count', total: { sum: 'amount' } },
      by: ['month'],
    },
    {
      signal: AbortSignal.timeout(60_000),
      onProgress: ({ splitsDone, splitCount }) => {
        console.log(splitsDone, 'of', splitCount); // → 0 of 2 1 of 2 2 of 2
      },
    },
  );
  console.log(answer); // → { month: [ 1, 2 ], n: [ 3, 1 ], total: [ 60.5, 0.2 ] }
} catch (error) {
  if (!(error instanceof SplitError)) throw error;
  console.error(error.path, error.rows, error.code, error.reason);
}
// #endregion ask

await worker.close();
await queue.close();
