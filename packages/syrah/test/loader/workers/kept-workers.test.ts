// Workers between iterations of one loader: the same ones go on, others start where they ended, and none of them
// outlives what it is for.
import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { ClosedError, DataLoader, LoaderError, SyrahDataset } from '../../../src/index.ts';
import type { LoaderOptions, Tensor } from '../../../src/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { collect, failureOf, writeItems } from '../fixture.ts';

const folder = temporaryFolder();
const path = folder.path('items.syr');
const COUNT = 23;
const processModule = new URL('../process-module.mjs', import.meta.url);

beforeAll(async () => {
  await writeItems(path, COUNT);
});

type Batch = [Tensor<Float64Array>];
const threadsOf = (batches: readonly Batch[]): Set<number> =>
  new Set(batches.flatMap(([{ data }]) => Array.from(data).filter((_, k) => k % 5 === 1)));
const labelsOf = (batches: readonly Batch[]): number[] =>
  batches.flatMap(([{ data }]) => Array.from(data).filter((_, k) => k % 5 === 0));
const ALL = Array.from({ length: COUNT }, (_, i) => i);

async function loaderOver(options: LoaderOptions = {}): Promise<DataLoader<Batch>> {
  return new DataLoader<Batch>(await SyrahDataset.open(path, ['label']), {
    batchSize: 2,
    workers: 1,
    processModule,
    ...options,
  });
}

test('the same worker makes the next epoch', async () => {
  await using loader = await loaderOver();
  const epochs = [await collect(loader), await collect(loader), await collect(loader)];
  expect(epochs.map(labelsOf)).toEqual([ALL, ALL, ALL]);
  expect(new Set(epochs.flatMap((batches) => [...threadsOf(batches)])).size).toBe(1);
});

test('two iterations at once have workers of their own, and each gets its own batches', async () => {
  await using loader = await loaderOver({ batchSize: 23 });
  await collect(loader);
  const [a, b] = [loader[Symbol.asyncIterator](), loader[Symbol.asyncIterator]()];
  const batches = (await Promise.all([a.next(), b.next()])).map(({ value }) => value as Batch);
  expect(batches.map((batch) => labelsOf([batch]))).toEqual([ALL, ALL]);
  expect(threadsOf(batches).size).toBe(2);
  await Promise.all([a.next(), b.next()]);
  expect(labelsOf(await collect(loader))).toEqual(ALL);
});

test('after a break, or an error in the loop, others start', async () => {
  await using loader = await loaderOver();
  const threads = new Set<number>();
  for await (const batch of loader) {
    for (const thread of threadsOf([batch])) threads.add(thread);
    break;
  }
  const failure = await (async () => {
    for await (const batch of loader) {
      for (const thread of threadsOf([batch])) threads.add(thread);
      throw new Error('mine');
    }
  })().catch((error: unknown) => error);
  expect(failure).toMatchObject({ message: 'mine' });
  const whole = await collect(loader);
  for (const thread of threadsOf(whole)) threads.add(thread);
  expect([labelsOf(whole), threads.size]).toEqual([ALL, 3]);
});

test('where one of them died, the next epoch has others', async () => {
  const failing = await writeItems(folder.path('dies.syr'), 6, (i) => ({ label: Int32Array.of(i === 4 ? 2 : 0) }));
  const loader = new DataLoader(await SyrahDataset.open(failing), {
    workers: 2,
    processModule: new URL('./failing-module.mjs', import.meta.url),
    batchSize: 2,
  });
  for (let epoch = 0; epoch < 2; epoch += 1) {
    const failure = await failureOf(loader);
    expect(failure).toBeInstanceOf(LoaderError);
    expect((failure as Error).message).toMatch(/exit code 7/);
  }
});

test('pauses change nothing; the first may take a second, later ones ten, without another worker', async () => {
  await using loader = await loaderOver();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const threads: number[] = [];
    for (const pause of [0, 1000, 9_999, 10_000, 3_600_000]) {
      vi.advanceTimersByTime(pause);
      const batches = await collect(loader);
      expect(labelsOf(batches)).toEqual(ALL);
      threads.push(...threadsOf(batches));
    }
    expect(threads.length).toBe(5);
    const [first, second, third, fourth, fifth] = threads;
    expect([second === first, third === second, fourth === third, fifth === fourth]).toEqual([
      false,
      true,
      false,
      false,
    ]);
  } finally {
    vi.useRealTimers();
  }
});

describe('close()', () => {
  test('refuses later iterations, with and without workers, twice if need be', async () => {
    for (const workers of [0, 1]) {
      const loader = await loaderOver({ workers });
      expect(labelsOf(await collect(loader))).toEqual(ALL);
      const state = loader.state();
      await loader.close();
      await loader.close();
      const failure = await failureOf(loader);
      expect(failure).toBeInstanceOf(ClosedError);
      expect(failure).toMatchObject({ operation: 'iterate', code: 'ERR_CLOSED' });
      expect(loader.state()).toEqual(state);
    }
  });

  test.each([0, 1])(
    'ends the iterations that run, with %i workers: who asks for a batch, or has asked, gets a ClosedError',
    async (workers) => {
      const loader = await loaderOver({ workers });
      const seen: Batch[] = [];
      const inLoop = await (async () => {
        for await (const batch of loader) {
          if (seen.push(batch) === 2) await loader.close();
        }
      })().catch((error: unknown) => error);
      expect(inLoop).toBeInstanceOf(ClosedError);
      expect(labelsOf(seen)).toEqual([0, 1, 2, 3]);
      expect(loader.state()).toMatchObject({ epoch: 0, batchesDone: 2 });

      const slow = await loaderOver({
        workers,
        processModule: 'data:text/javascript,export const label = () => new Promise(() => {});',
      });
      const [a, b] = [slow[Symbol.asyncIterator](), slow[Symbol.asyncIterator]()];
      const asked = [a.next(), a.next(), b.next()].map((promise) =>
        promise.then(
          (value) => value,
          (error: unknown) => error,
        ),
      );
      await new Promise((resolve) => setTimeout(resolve, 20));
      await slow.close();
      const [first, second, third] = await Promise.all(asked);
      expect(first).toBeInstanceOf(ClosedError);
      expect(second).toEqual({ done: true, value: undefined });
      expect(third).toBeInstanceOf(ClosedError);
      expect(await a.next()).toEqual({ done: true, value: undefined });
    },
  );

  test('after the last batch, an epoch is whole', async () => {
    const loader = await loaderOver({ batchSize: COUNT });
    const seen: Batch[] = [];
    for await (const batch of loader) {
      seen.push(batch);
      await loader.close();
    }
    expect(labelsOf(seen)).toEqual(ALL);
  });

  test('an iteration that was never begun is refused', async () => {
    const loader = await loaderOver();
    const iteration = loader[Symbol.asyncIterator]();
    await loader.close();
    await expect(iteration.next()).rejects.toBeInstanceOf(ClosedError);
  });
});

test('workers that wait for another epoch keep no process alive', () => {
  const library = JSON.stringify(new URL('../../../dist/index.js', import.meta.url).href);
  const script = `import { DataLoader, SyrahDataset } from ${library};
    const dataset = await SyrahDataset.open(${JSON.stringify(path)}, ['label']);
    const loader = new DataLoader(dataset, { batchSize: 4, workers: 2, warmStart: false });
    let batches = 0;
    for await (const batch of loader) batches += 1;
    dataset.close();
    await new Promise((resolve) => setImmediate(resolve));
    console.log(batches, process.getActiveResourcesInfo().filter((name) => /Message|Worker|Timeout/.test(name)));`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    timeout: 60_000,
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '6 []\n', stderr: '' });
});

test('workers that are still starting when an epoch is over go on with the next one: no others are started', () => {
  const library = JSON.stringify(new URL('../../../dist/index.js', import.meta.url).href);
  const script = `import { DataLoader, SyrahDataset } from ${library};
    let started = 0;
    process.on('worker', () => (started += 1));
    const dataset = await SyrahDataset.open(${JSON.stringify(path)}, ['label']);
    const loader = new DataLoader(dataset, { batchSize: 4, workers: 1 });
    let batches = 0;
    // Made by this thread, in less time than a thread takes to start.
    for (let epoch = 0; epoch < 4; epoch += 1) for await (const batch of loader) batches += 1;
    await loader.close();
    console.log(batches, started);`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    timeout: 60_000,
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  expect({ stdout, stderr }).toEqual({ stdout: '24 1\n', stderr: '' });
});
