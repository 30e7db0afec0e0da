// The server is killed and started in the middle of a run: with its file it goes on, without it the jobs are added
// again. The answer is the same.
import { setTimeout as later } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { describe, expect, it } from 'vitest';
import { createScanWorker, runDistributed } from '../../src/index.ts';
import { AGGREGATES, newDataset } from '../support/dataset.ts';
import { REDIS, RedisServer } from '../support/redis-server.ts';

const ROUNDS = Number(process.env['COLKIT_BULLMQ_ROUNDS'] ?? '1');
const HASTY = { lockDuration: 1500, stalledInterval: 500, maxStalledCount: 3, runRetryDelay: 200, drainDelay: 1 };

describe.skipIf(REDIS === undefined)('a server that is killed', () => {
  it.each([true, false])('and comes back (with its file: %s): each split counts once', async (persists) => {
    const { folder, dataset } = await newDataset();
    const whole = await dataset.agg(AGGREGATES);
    for (let round = 0; round < ROUNDS; round += 1) {
      const server = await RedisServer.start(persists);
      const { connection } = server;
      const queue = new Queue('restarts', { connection });
      queue.on('error', () => undefined);
      const allow = async () => {
        await later(30);
        return true;
      };
      const worker = createScanWorker({ connection, queue: 'restarts', allow, worker: HASTY });
      worker.on('error', () => undefined);
      const done: number[] = [];
      let reached = (): void => undefined;
      const some = new Promise<void>((resolve) => (reached = resolve));
      const running = runDistributed(
        queue,
        dataset,
        { aggregates: AGGREGATES, targetBytes: 1 },
        {
          onProgress: ({ splitsDone }) => {
            done.push(splitsDone);
            if (splitsDone === 1 + (round % 5) * 4) reached();
          },
        },
      );
      await some;
      await server.kill();
      await later(100 + 200 * (round % 3));
      await server.start(persists);
      expect(await running).toEqual(whole);
      expect(done).toEqual(Array.from({ length: 21 }, (_, each) => each));
      expect(folder).not.toBe('');
      await worker.close();
      await queue.close();
      await server.stop();
    }
  });

  it('and stays away ends a run that is given up', async () => {
    const { folder, dataset } = await newDataset(1);
    const server = await RedisServer.start();
    const queue = new Queue('away', { connection: server.connection });
    queue.on('error', () => undefined);
    const abort = new AbortController();
    const running = runDistributed(queue, dataset, { aggregates: AGGREGATES }, { signal: abort.signal });
    const failed = expect(running).rejects.toThrow('enough');
    await later(200);
    await server.kill();
    abort.abort(new Error('enough'));
    await failed;
    expect(folder).not.toBe('');
    await server.stop();
    // BullMQ waits for the server to say goodbye.
    void queue.disconnect();
  });
});
