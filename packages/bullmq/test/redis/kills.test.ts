// Workers that are killed at each boundary of a job, and that stand still beyond their lock: whatever becomes of them,
// each split counts once. COLKIT_BULLMQ_ROUNDS says how often each is tried.
import { setTimeout as later } from 'node:timers/promises';
import { Queue } from 'bullmq';
import type { Dataset } from 'columna';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScanWorker, runDistributed } from '../../src/index.ts';
import { AGGREGATES, newDataset } from '../support/dataset.ts';
import { REDIS, RedisServer } from '../support/redis-server.ts';
import { WorkerProcess } from '../support/worker-processes.ts';

const ROUNDS = Number(process.env['COLKIT_BULLMQ_ROUNDS'] ?? '1');
/** So that a test need not wait half a minute for a dead worker. */
const HASTY = { lockDuration: 1500, stalledInterval: 500, maxStalledCount: 3, runRetryDelay: 200, drainDelay: 1 };
const PLACES = [
  'idle',
  'picked',
  'reading',
  'computed',
  'computed-sent',
  'completed',
  'told',
  'failing',
  'failing-sent',
  'failed',
];

describe.skipIf(REDIS === undefined)('workers', () => {
  let server: RedisServer;
  let folder: string;
  let dataset: Dataset;
  let whole: unknown;
  let count = 0;

  beforeAll(async () => {
    server = await RedisServer.start();
    ({ folder, dataset } = await newDataset());
    whole = await dataset.agg(AGGREGATES);
  });
  afterAll(async () => server.stop());

  function setting() {
    const queue = new Queue(`kills-${String((count += 1))}`, { connection: server.connection });
    const common = { port: server.port, queue: queue.name, allow: folder, worker: HASTY };
    const healthy = (worker = HASTY) =>
      createScanWorker({ connection: server.connection, queue: queue.name, allow: folder, worker }).on(
        'error',
        () => undefined,
      );
    return { queue, common, healthy };
  }

  const PLAN = { aggregates: AGGREGATES, targetBytes: 1 };
  const rounds = Array.from({ length: ROUNDS }, (_, round) => round);

  it.each(PLACES)('killed where they are %s lose nothing and count nothing twice', async (killAt) => {
    for (const round of rounds) {
      const { queue, common, healthy } = setting();
      const dies = new WorkerProcess({ ...common, killAt, after: round % 4 });
      if (killAt !== 'idle') await dies.printed('ready');
      const done: number[] = [];
      const running = runDistributed(queue, dataset, PLAN, { onProgress: ({ splitsDone }) => done.push(splitsDone) });
      // It gets at least one job, where it lives long enough.
      expect(killAt === 'idle' && round % 4 > 0 ? await dies.kill().then(() => 'SIGKILL') : await dies.ended).toBe(
        'SIGKILL',
      );
      const other = healthy();
      expect(await running).toEqual(whole);
      expect(done).toEqual(Array.from({ length: 21 }, (_, each) => each));
      await other.close();
      expect(await queue.getJobCounts('wait', 'active', 'delayed', 'completed', 'failed')).toMatchObject({
        wait: 0,
        active: 0,
        completed: 0,
      });
      await queue.close();
    }
  });

  it('that stand still beyond their lock and go on change nothing', async () => {
    for (const round of rounds) {
      const { queue, common, healthy } = setting();
      const stopped = new WorkerProcess(common);
      await stopped.printed('ready');
      const running = runDistributed(queue, dataset, PLAN);
      await stopped.printed('picked');
      stopped.child.kill('SIGSTOP');
      const other = healthy();
      // Continued while the others work, or when all is done.
      if (round % 2 === 1) await later(HASTY.lockDuration + 2 * HASTY.stalledInterval);
      else expect(await running).toEqual(whole);
      stopped.child.kill('SIGCONT');
      expect(await running).toEqual(whole);
      await later(300);
      // It lives, and works on: what it had is another's.
      expect(await runDistributed(queue, dataset, PLAN)).toEqual(whole);
      expect(stopped.child.exitCode).toBeNull();
      await stopped.kill();
      await other.close();
      await queue.close();
    }
  });

  it('that a split kills each time fail the run, and name the split', async () => {
    const { queue, common, healthy } = setting();
    const one = await newDataset(1);
    const worker = { ...HASTY, maxStalledCount: 1 };
    const running = runDistributed(queue, one.dataset, { aggregates: AGGREGATES }).catch((error: unknown) => error);
    for (let each = 0; each < 2; each += 1)
      await new WorkerProcess({ ...common, allow: one.folder, worker, killAt: 'picked' }).ended;
    // Somebody has to see that the second one is dead.
    const other = healthy({ ...HASTY, maxStalledCount: 1 });
    expect(await running).toMatchObject({ name: 'SplitError', code: 'ERR_STALLED', rows: { start: 0, end: 1000 } });
    await other.close();
    await queue.close();
  });
});
