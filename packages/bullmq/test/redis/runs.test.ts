// Runs over a real server: what workers add up to is what the whole does; what is wrong is told, by its split.
import { createServer as createHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { Queue } from 'bullmq';
import type { Worker } from 'bullmq';
import { FolderStore } from '@colkit/io/durable';
import { commit, openDataset, writePart } from 'columna';
import { cstoreParts, write as writeStore } from 'colstore';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SplitError, createScanWorker, runDistributed } from '../../src/index.ts';
import type { DistributedProgress, ScanWorkerOptions } from '../../src/index.ts';
import { AGGREGATES, newDataset, newFolder, writeRows } from '../support/dataset.ts';
import { REDIS, RedisServer } from '../support/redis-server.ts';

describe.skipIf(REDIS === undefined)('over a server', () => {
  let server: RedisServer;
  let queue: Queue;
  let count = 0;
  const workers: Worker[] = [];
  const errors: Error[] = [];

  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(async () => server.stop());
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.close()));
    await queue.close();
    expect(errors.splice(0)).toEqual([]);
  });

  /** A queue of this test, and workers of it. */
  function working(allow: ScanWorkerOptions['allow'], more: Partial<ScanWorkerOptions> = {}, of = 1): void {
    queue = new Queue(`scans-${String((count += 1))}`, {
      connection: server.connection,
      ...(more.prefix === undefined ? {} : { prefix: more.prefix }),
    });
    for (let each = 0; each < of; each += 1) {
      const worker = createScanWorker({ connection: server.connection, queue: queue.name, allow, ...more });
      worker.on('error', (error) => errors.push(error));
      workers.push(worker);
    }
  }

  const left = async () => queue.getJobCounts('wait', 'active', 'delayed', 'completed', 'failed');
  const nothing = { wait: 0, active: 0, delayed: 0, completed: 0, failed: 0 };

  it('give what the whole gives, by row group, with every kind of value', async () => {
    const { folder, dataset } = await newDataset();
    working(folder, {}, 2);
    const where = 'id > @low and name != @name and wide > @wide and day < @day and odd != @odd';
    const params = { low: 130, name: 'n3', wide: -9_007_199_254_740_000n, day: new Date(86_400_000 * 1900), odd: -0 };
    const told: DistributedProgress[] = [];
    const plan = { where, params, aggregates: AGGREGATES, targetBytes: 1 };
    const answer = await runDistributed(queue, dataset, plan, { onProgress: (each) => told.push(each) });
    expect(answer).toEqual(await dataset.where(where, params).agg(AGGREGATES));
    const groups = await runDistributed(queue, dataset, { ...plan, by: ['name', 'odd'] });
    expect(groups).toEqual((await dataset.where(where, params).groupBy('name', 'odd').agg(AGGREGATES)).columns);
    expect(told.map(({ splitsDone }) => splitsDone)).toEqual(Array.from({ length: 19 }, (_, done) => done));
    expect(told.at(-1)).toEqual({ splitsDone: 18, splitCount: 18, rowsDone: 1800, rowCount: 1800 });
    expect(await left()).toEqual(nothing);
  });

  it('hold lists in parameters, a prefix of the queue and paths that a function decides about', async () => {
    const { dataset } = await newDataset(1);
    const asked = new Set<string>();
    working((path) => asked.add(path).size > 0, { prefix: 'team' });
    const where = 'name in @names or id in @ids';
    const params = { names: new Set(['n1', 'n2']), ids: [5n, 7n] };
    const answer = await runDistributed(queue, dataset, { where, params, aggregates: AGGREGATES });
    expect(answer).toEqual(await dataset.where(where, params).agg(AGGREGATES));
    expect([...asked]).toEqual(dataset.files.map(({ path }) => path));
  });

  it('add no job where nothing can match, or nothing is there', async () => {
    const { folder, dataset } = await newDataset(1);
    queue = new Queue('nobody', { connection: server.connection });
    const where = 'id < 0';
    expect(await runDistributed(queue, dataset, { where, aggregates: AGGREGATES })).toEqual(
      await dataset.where(where).agg(AGGREGATES),
    );
    const by = ['name'];
    expect(await runDistributed(queue, dataset, { where, by, aggregates: { n: 'count' } })).toEqual(
      (await dataset.where(where).groupBy('name').agg({ n: 'count' })).columns,
    );
    const empty = join(newFolder(), 'empty.cna');
    writeRows(empty, 0, 0);
    const rowless = await openDataset([empty]);
    expect(await runDistributed(queue, rowless, { aggregates: AGGREGATES })).toEqual(await rowless.agg(AGGREGATES));
    expect(folder).not.toBe(empty);
    expect(await left()).toEqual(nothing);
  });

  it('refuse what cannot be asked before any job is added', async () => {
    const { dataset } = await newDataset(1);
    queue = new Queue('nobody', { connection: server.connection });
    for (const [plan, code] of [
      [{ aggregates: { x: { sum: 'nothing' } } }, 'ERR_UNKNOWN_COLUMN'],
      [{ aggregates: { n: 'count' }, by: ['nothing'] }, 'ERR_UNKNOWN_COLUMN'],
      [{ aggregates: { n: 'count' }, where: 'id >' }, 'ERR_QUERY_SYNTAX'],
      [{ aggregates: { n: 'count' }, where: 'id > @x', params: { x: {} } }, 'ERR_QUERY_TYPE'],
    ] as const)
      await expect(runDistributed(queue, dataset, plan)).rejects.toMatchObject({ code });
    await expect(
      runDistributed(queue, dataset, { aggregates: { n: 'count' } }, { signal: AbortSignal.abort(new Error('no')) }),
    ).rejects.toThrow('no');
    expect(await left()).toEqual(nothing);
  });

  it('are many at a time on one queue, of hundreds of splits', async () => {
    const { folder, dataset } = await newDataset(20);
    working(folder, { concurrency: 4 }, 2);
    const wheres = ['id >= 0', 'price > 3', "name = 'n1'"];
    const plans = wheres.map((where) => ({ where, aggregates: AGGREGATES, targetBytes: 1 }));
    const answers = await Promise.all(plans.map((plan) => runDistributed(queue, dataset, plan)));
    expect(answers).toEqual(await Promise.all(wheres.map((where) => dataset.where(where).agg(AGGREGATES))));
    expect(await left()).toEqual(nothing);
  });

  it('read other formats that the worker is told of', async () => {
    const folder = newFolder();
    writeRows(join(folder, 'a.cna'), 0, 50);
    await writeStore(join(folder, 'b.cstore'), { id: Int32Array.of(1, 2, 3), price: Float64Array.of(0.1, 0.2, 1e16) });
    const dataset = await openDataset(folder, { formats: [cstoreParts], onMismatch: 'drop' });
    working(folder, { source: { formats: [cstoreParts] } });
    const aggregates = { n: 'count', sum: { sum: 'price' } } as const;
    expect(await runDistributed(queue, dataset, { aggregates })).toEqual(await dataset.agg(aggregates));
  });

  it('read what is in a store, with its keys', async () => {
    const store = new FolderStore(newFolder(), { durability: 'none' });
    const part = await writePart(store, { id: Int32Array.of(1, 2, 3) });
    await commit(store, [part], { expected: 0 });
    const dataset = await openDataset(store);
    working(store.name, { source: { store } });
    const aggregates = { n: 'count', sum: { sum: 'id' } } as const;
    expect(await runDistributed(queue, dataset, { aggregates })).toEqual({ n: 3, sum: 6 });
  });

  it('fail by the split that is damaged, and name it', async () => {
    const { folder, dataset } = await newDataset();
    const path = join(folder, 'part-1.cna');
    const bytes = readFileSync(path);
    // Within the file's pages: its footer, which the version knows, stays.
    for (let at = Math.floor(bytes.length * 0.35); at < bytes.length * 0.4; at += 1) bytes[at] = 0xff;
    writeFileSync(path, bytes);
    working(folder);
    const plan = { aggregates: AGGREGATES, targetBytes: 1 };
    const error = (await runDistributed(queue, dataset, plan).catch((reason: unknown) => reason)) as SplitError;
    expect(error).toBeInstanceOf(SplitError);
    expect(error).toMatchObject({ code: 'ERR_CRC', path, attempts: 1 });
    expect(error.rows.end - error.rows.start).toBe(100);
    expect(error.message).toContain(`${path}: rows [${String(error.rows.start)}, ${String(error.rows.end)}): ERR_CRC`);
    expect(error.reason).toMatch(/page/u);
    expect(await left()).toEqual(nothing);
  });

  it('fail where a file is another one by now, or is gone', async () => {
    const { folder, dataset } = await newDataset();
    working(folder);
    writeRows(join(folder, 'part-0.cna'), 7);
    await expect(runDistributed(queue, dataset, { aggregates: AGGREGATES })).rejects.toMatchObject({
      code: 'ERR_FILE_CHANGED',
      path: join(folder, 'part-0.cna'),
      attempts: 1,
    });
    copyFileSync(join(folder, 'part-1.cna'), join(folder, 'copy.cna'));
    const gone = await openDataset(join(folder, 'copy.cna'));
    writeFileSync(join(folder, 'copy.cna'), '');
    await expect(runDistributed(queue, gone, { aggregates: AGGREGATES })).rejects.toBeInstanceOf(SplitError);
    expect(await left()).toEqual(nothing);
  });

  it('try again what may go by, so often', async () => {
    const { dataset } = await newDataset(1);
    let tries = 0;
    working(() => {
      tries += 1;
      if (tries < 3) throw new Error('the volume is not mounted');
      return true;
    });
    expect(await runDistributed(queue, dataset, { aggregates: { n: 'count' } })).toEqual({ n: 1000 });
    expect(tries).toBe(3);
    tries = -100;
    await expect(runDistributed(queue, dataset, { aggregates: { n: 'count' } }, { attempts: 2 })).rejects.toMatchObject(
      { code: 'ERR_SPLIT', reason: 'the volume is not mounted', attempts: 2 },
    );
    expect(tries).toBe(-98);
  });

  it('fail where a state is too large, and where a path is not allowed', async () => {
    const { folder, dataset } = await newDataset(1);
    working(folder, { maxResultBytes: 2000 });
    await expect(runDistributed(queue, dataset, { aggregates: { n: 'count' }, by: ['id'] })).rejects.toMatchObject({
      code: 'ERR_LIMIT',
      attempts: 1,
    });
    expect(await runDistributed(queue, dataset, { aggregates: { n: 'count' } })).toEqual({ n: 1000 });
    await Promise.all(workers.splice(0).map((worker) => worker.close()));
    await queue.close();
    for (const allow of [join(folder, 'x'), folder.slice(0, -1), () => false, [], ['/nothing', folder.slice(0, -2)]]) {
      working(allow);
      await expect(runDistributed(queue, dataset, { aggregates: { n: 'count' } })).rejects.toMatchObject({
        code: 'ERR_ARGUMENT',
        attempts: 1,
      });
      await Promise.all(workers.splice(0).map((worker) => worker.close()));
      await queue.close();
    }
    working(['/nothing', folder]);
    expect(await runDistributed(queue, dataset, { aggregates: { n: 'count' } })).toEqual({ n: 1000 });
  });

  it('are given up: jobs that wait are removed, those that run are stopped', async () => {
    const { folder, dataset } = await newDataset();
    const begun: string[] = [];
    working(async (path) => {
      begun.push(path);
      await later(3000);
      return path.startsWith(folder);
    });
    const abort = new AbortController();
    const running = runDistributed(
      queue,
      dataset,
      { aggregates: AGGREGATES, targetBytes: 1 },
      { signal: abort.signal },
    );
    while (begun.length === 0) await later(10);
    abort.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    expect(begun.length).toBe(1);
    expect(await left()).toEqual(nothing);
  });

  it('are given up in the middle of a read', async () => {
    const { dataset: local } = await newDataset(1);
    const bytes = readFileSync(local.files[0]?.path as string);
    let hangs = false;
    let asked = 0;
    let broken = 0;
    const http = createHttp((request, answer) => {
      if (hangs) {
        asked += 1;
        request.on('close', () => (broken += 1));
        return;
      }
      const [, first, last] = /(\d*)-(\d*)$/u.exec(request.headers.range ?? '') ?? [];
      const start = first === '' ? Math.max(bytes.length - Number(last), 0) : Number(first ?? 0);
      const end = first === '' || last === '' ? bytes.length : Math.min(Number(last) + 1, bytes.length);
      const range = `bytes ${String(start)}-${String(end - 1)}/${String(bytes.length)}`;
      answer.writeHead(206, { 'Content-Range': range, ETag: '"1"', 'Content-Length': end - start });
      answer.end(request.method === 'HEAD' ? undefined : bytes.subarray(start, end));
    });
    await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${String((http.address() as AddressInfo).port)}/`;
    const dataset = await openDataset([`${url}rows.cna`]);
    working(url, { source: { timeoutMs: 30_000 } });
    expect(await runDistributed(queue, dataset, { aggregates: AGGREGATES })).toEqual(await local.agg(AGGREGATES));
    hangs = true;
    const abort = new AbortController();
    const running = runDistributed(queue, dataset, { aggregates: AGGREGATES }, { signal: abort.signal });
    while (asked === 0) await later(10);
    abort.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    // The run ends when its job has ended.
    expect([asked, broken]).toEqual([1, 1]);
    expect(await left()).toEqual(nothing);
    http.close();
  });

  it('are given up where nobody works', async () => {
    const { dataset } = await newDataset();
    queue = new Queue('nobody', { connection: server.connection });
    const signal = AbortSignal.timeout(300);
    await expect(runDistributed(queue, dataset, { aggregates: AGGREGATES }, { signal })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    expect(await left()).toEqual(nothing);
  });

  it('add jobs again that vanish, and give up where they vanish again and again', async () => {
    const { folder, dataset } = await newDataset(1);
    queue = new Queue('vanishing', { connection: server.connection });
    const emptied = setInterval(() => void queue.obliterate({ force: true }), 200);
    const plan = { aggregates: { n: 'count' } } as const;
    await expect(runDistributed(queue, dataset, plan, { attempts: 1 })).rejects.toMatchObject({
      code: 'ERR_REMOVED',
    });
    const running = runDistributed(queue, dataset, plan);
    await later(500);
    clearInterval(emptied);
    workers.push(createScanWorker({ connection: server.connection, queue: 'vanishing', allow: folder }));
    expect(await running).toEqual({ n: 1000 });
  });

  it('take no job for a scan that is none', async () => {
    const { folder, dataset } = await newDataset(1);
    working(folder);
    const [split] = await dataset.splits();
    const task = { split, aggregates: { n: 'count' } };
    for (const [name, data] of [
      ['other', { jobVersion: 1, task }],
      ['colkit-scan', null],
      ['colkit-scan', { jobVersion: 2, task }],
      ['colkit-scan', { jobVersion: 1, task: { ...task, where: { kind: 'column' } } }],
      ['colkit-scan', { jobVersion: 1, task: { ...task, aggregates: { n: { sum: 'x' } } } }],
      ['colkit-scan', { jobVersion: 1, task: { split: { ...split, path: `${folder}/../x.cna` }, aggregates: {} } }],
      ['colkit-scan', { jobVersion: 1, task: { ...task, store: {} } }],
    ] as const) {
      const job = await queue.add(name, data, { attempts: 3 });
      while (!(await job.isFailed())) await later(10);
      const failed = await queue.getJob(job.id as string);
      expect(failed?.attemptsMade).toBe(1);
      expect(failed?.failedReason).toMatch(/^ERR_(ARGUMENT|UNKNOWN_COLUMN): /u);
    }
  });
});
