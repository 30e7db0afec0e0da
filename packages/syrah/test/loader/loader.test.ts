// The loader: batches against a naive oracle for every number of workers; exact resume at every batch; ranks; limits.
import { copyFileSync, rmSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { DataLoader, SampleError, SyrahConcatDataset, SyrahDataset } from '../../src/index.ts';
import type { PaddedTensor, Tensor } from '../../src/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { collect, failureOf, itemOf, writeItems } from './fixture.ts';
import { COUNT, inBatches, labelsOf, processModule, shuffled } from './order.ts';

const folder = temporaryFolder();

const path = folder.path('items.syr');

beforeAll(async () => {
  await writeItems(path, COUNT);
});

test('a warm start gives the same batches, whoever makes them', async () => {
  const dataset = await SyrahDataset.open(path, ['label', 'x', 'name'], {
    process: { label: (label: Int32Array) => ({ data: label, shape: [label.length] }) },
  });
  const options = { batchSize: 2, shuffle: true, seed: 3 };
  const expected = await collect(new DataLoader(dataset, options));
  // With prefetch 0 each batch is asked for when it is wanted: the first by this thread, those after the pause by a
  // worker.
  const loader = new DataLoader(dataset, { ...options, workers: 1, prefetch: 0 });
  const seen: unknown[] = [];
  for await (const batch of loader) {
    seen.push(batch);
    if (seen.length === 2) await new Promise((resolve) => setTimeout(resolve, 1500));
  }
  expect(seen).toEqual(expected);
  dataset.close();
});

test('a warm start hides no worker that cannot open the file', async () => {
  const moved = `${path}.moved`;
  copyFileSync(path, moved);
  const dataset = await SyrahDataset.open(moved, ['label']);
  rmSync(moved);
  const read = async (): Promise<void> => {
    for await (const batch of new DataLoader(dataset, {
      batchSize: 1,
      workers: 1,
      prefetch: 0,
      sampler: new Int32Array(200),
    })) {
      expect(batch).toHaveLength(1);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  await expect(read()).rejects.toThrow(/moved/);
  dataset.close();
});

// How many workers there are changes nothing of how one reads: with the addon, none and some.
describe.each(process.env['COLKIT_BACKEND'] === 'native' ? [0, 2] : [0, 1, 2])('with %i workers', (workers) => {
  test('stacks every key of every item, in order', async () => {
    const dataset = await SyrahDataset.open(path, ['x', 'label', 'name']);
    const loader = new DataLoader<[Tensor<Float32Array>, Tensor<Int32Array>, string[]]>(dataset, {
      batchSize: 5,
      workers,
      warmStart: false,
    });
    expect(loader.length).toBe(5);
    const batches = await collect(loader);
    for (const [b, [x, label, name]] of batches.entries()) {
      const items = Array.from({ length: Math.min(5, COUNT - 5 * b) }, (_, k) => itemOf(5 * b + k));
      expect(x.shape).toEqual([items.length, 3]);
      expect(Array.from(x.data)).toEqual(items.flatMap((item) => Array.from(item.x)));
      expect(label).toEqual({ data: Int32Array.from(items, (item) => item.label[0]!), shape: [items.length, 1] });
      expect(name).toEqual(items.map((item) => item.name));
    }
    expect(batches.length).toBe(5);
    dataset.close();
  });

  test('numbers only: straight from the file', async () => {
    const dataset = await SyrahDataset.open(path, ['label', 'x']);
    const [first] = await collect(
      new DataLoader(dataset, {
        batchSize: COUNT,
        workers,
        warmStart: false,
        collate: { kind: 'stack', shapes: { x: [3, 1] } },
      }),
    );
    expect(first).toEqual([
      { data: Int32Array.from({ length: COUNT }, (_, i) => i), shape: [COUNT, 1] },
      {
        data: Float32Array.from({ length: 3 * COUNT }, (_, k) => itemOf(Math.floor(k / 3)).x[k % 3]!),
        shape: [COUNT, 3, 1],
      },
    ]);
    dataset.close();
  });

  test('shuffles by seed and epoch; each iteration is an epoch', async () => {
    const dataset = await SyrahDataset.open(path, ['label']);
    const loader = new DataLoader(dataset, { batchSize: 4, shuffle: true, seed: 7, workers, warmStart: false });
    for (const epoch of [0, 1]) {
      expect(labelsOf(await collect(loader))).toEqual(inBatches(shuffled(7, epoch), 4));
      expect(loader.epoch).toBe(epoch);
    }
    dataset.close();
  });

  test('resumes exactly, at every batch, with any other number of workers', async () => {
    const dataset = await SyrahDataset.open(path, ['label']);
    const options = { batchSize: 5, shuffle: true, seed: 3, workers, warmStart: false };
    const loader = new DataLoader(dataset, options);
    await collect(loader);
    const expected = labelsOf(await collect(new DataLoader(dataset, { ...options, workers: 0 })));
    const states = [new DataLoader(dataset, options).state()];
    const running = new DataLoader(dataset, options);
    for await (const batch of running) {
      expect(labelsOf([batch])).toEqual([expected[states.length - 1]]);
      states.push(running.state());
    }
    for (const [done, state] of states.entries()) {
      const resumed = DataLoader.resume(dataset, JSON.parse(JSON.stringify(state)), { workers: done % 3 });
      const isOver = done === expected.length;
      expect(labelsOf(await collect(resumed))).toEqual(isOver ? inBatches(shuffled(3, 1), 5) : expected.slice(done));
      expect(resumed.state()).toEqual({ ...state, epoch: isOver ? 2 : 1, batchesDone: 0 });
      if (done === 2) expect(labelsOf(await collect(resumed))).toEqual(inBatches(shuffled(3, 1), 5));
    }
    dataset.close();
  });

  test.each(['pad', 'drop', 'uneven'] as const)(
    'ranks, tail %s: together every item, as the naive dealing gives it',
    async (tail) => {
      const dataset = await SyrahDataset.open(path, ['label']);
      const worldSize = 4;
      const order = shuffled(5, 0);
      for (let rank = 0; rank < worldSize; rank += 1) {
        let mine = order.filter((_, position) => position % worldSize === rank);
        if (tail === 'pad')
          mine = [...order, ...order]
            .slice(0, Math.ceil(COUNT / worldSize) * worldSize)
            .filter((_, position) => position % worldSize === rank);
        if (tail === 'drop') mine = mine.slice(0, Math.floor(COUNT / worldSize));
        const loader = new DataLoader(dataset, {
          batchSize: 3,
          shuffle: true,
          seed: 5,
          rank,
          worldSize,
          tail,
          workers: rank === 1 ? workers : 0,
        });
        expect(labelsOf(await collect(loader))).toEqual(inBatches(mine, 3));
        const state = { ...loader.state(), epoch: 0, batchesDone: 1 };
        expect(
          labelsOf(await collect(DataLoader.resume(dataset, state, { workers: rank === 2 ? workers : 0 }))),
        ).toEqual(inBatches(mine, 3).slice(1));
      }
      dataset.close();
    },
  );

  test('the process module runs where items are read', async () => {
    const dataset = await SyrahDataset.open(path, ['x', 'label']);
    const { threadId } = await import('node:worker_threads');
    const batches = await collect(
      new DataLoader<[Tensor<Float32Array>, Tensor<Float64Array>]>(dataset, {
        batchSize: 4,
        shuffle: true,
        seed: 1,
        workers,
        warmStart: false,
        processModule,
      }),
    );
    const threads = new Set<number>();
    for (const [k, index] of shuffled(1, 0).entries()) {
      const [x, label] = batches[Math.floor(k / 4)]!;
      expect(Array.from(x.data.subarray(3 * (k % 4), 3 * (k % 4) + 3))).toEqual(
        Array.from(itemOf(index).x, (element) => 2 * element),
      );
      const [value, thread, random, contextIndex, epoch] = label.data.subarray(5 * (k % 4), 5 * (k % 4) + 5);
      expect([value, contextIndex, epoch]).toEqual([index, index, 0]);
      expect(random).toBe(RANDOMS.get(index) ?? random);
      RANDOMS.set(index, random!);
      threads.add(thread!);
    }
    if (workers === 0) expect(threads).toEqual(new Set([threadId]));
    else {
      expect(threads.size).toBe(workers);
      expect(threads.has(threadId)).toBe(false);
    }
    dataset.close();
  });

  test('memory that a process module keeps is not taken from it', async () => {
    const dataset = await SyrahDataset.open(path, ['half']);
    for (const collate of ['list', 'stack'] as const) {
      const batches = await collect(
        new DataLoader(dataset, { batchSize: 10, workers, warmStart: false, processModule, collate }),
      );
      expect(batches.length).toBe(3);
      const [values] = batches[2] as [unknown];
      expect(values).toEqual(
        collate === 'list'
          ? Array.from({ length: 3 }, () => new Float32Array(4).fill(1))
          : { data: new Float32Array(12).fill(1), shape: [3, 4] },
      );
    }
    dataset.close();
  });

  test('process functions and a collate function run on this thread, after the module', async () => {
    const process = { label: (value: Float64Array) => String(value[0]) };
    const dataset = await SyrahDataset.open(path, ['label'], { process });
    const seen: (readonly number[])[] = [];
    const loader = new DataLoader<string>(dataset, {
      batchSize: 8,
      workers,
      warmStart: false,
      processModule,
      collate: (samples, { indices, epoch }) => {
        seen.push([...indices, epoch]);
        return (samples as [string][]).map(([text]) => text).join();
      },
    });
    expect(await collect(loader)).toEqual(['0,1,2,3,4,5,6,7', '8,9,10,11,12,13,14,15', '16,17,18,19,20,21,22']);
    expect(seen).toContainEqual([8, 9, 10, 11, 12, 13, 14, 15, 0]);
    dataset.close();
  });

  test('pad and list take arrays of any length; stack names the item and the key', async () => {
    const dataset = await SyrahDataset.open(path, ['words', 'label']);
    const [[padded]] = (await collect(
      new DataLoader(dataset, {
        batchSize: 5,
        workers,
        warmStart: false,
        collate: { kind: 'pad', value: -1, mask: true },
      }),
    )) as [[PaddedTensor]];
    expect(padded).toEqual({
      data: Int16Array.of(-1, -1, -1, 1, -1, -1, 2, 2, -1, 3, 3, 3, -1, -1, -1),
      shape: [5, 3],
      lengths: Int32Array.of(0, 1, 2, 3, 0),
      mask: Uint8Array.of(0, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 1, 0, 0, 0),
    });
    const [[list]] = (await collect(
      new DataLoader(dataset, { batchSize: 3, workers, warmStart: false, collate: 'list' }),
    )) as [[unknown[]]];
    expect(list).toEqual([0, 1, 2].map((i) => itemOf(i).words));
    const failure = await failureOf(new DataLoader(dataset, { batchSize: 3, workers, warmStart: false }));
    expect(failure).toBeInstanceOf(SampleError);
    expect(failure).toMatchObject({ key: 'words', item: 1, index: 1, path, code: 'ERR_VALUE' });
    expect((failure as Error).message).toMatch(/collate: 'pad' or 'list'/);
    dataset.close();
  });

  test('joined, subset and split datasets', async () => {
    const other = await writeItems(folder.path(`other-${String(workers)}.syr`), 6, (i) => ({ ...itemOf(50 + i) }));
    const all = new SyrahConcatDataset([
      await SyrahDataset.open(path, ['label', 'name']),
      (await SyrahDataset.open(other, ['label', 'name'])).subset([5, 0]),
    ]);
    const expected = [...Array.from({ length: COUNT }, (_, i) => i), 55, 50];
    expect(labelsOf(await collect(new DataLoader(all, { batchSize: 4, workers, warmStart: false })))).toEqual(
      inBatches(expected, 4),
    );
    const [train, rest] = all.split([0.7, 0.3], 2);
    const labels = labelsOf([
      ...(await collect(new DataLoader(train!, { batchSize: 4, workers, warmStart: false }))),
      ...(await collect(new DataLoader(rest!, { batchSize: 4, workers, warmStart: false }))),
    ]).flat();
    expect(labels.sort((a, b) => a - b)).toEqual(expected.sort((a, b) => a - b));
    all.close();
  });

  test('samplers of the caller', async () => {
    const dataset = await SyrahDataset.open(path, ['label']);
    const options = { batchSize: 3, workers, warmStart: false, sampler: [5, 5, 1, 22] };
    const loader = new DataLoader(dataset, options);
    expect(labelsOf(await collect(loader))).toEqual([[5, 5, 1], [22]]);
    const state = { ...loader.state(), epoch: 0, batchesDone: 1 };
    expect(labelsOf(await collect(DataLoader.resume(dataset, state, options)))).toEqual([[22]]);
    expect(() => DataLoader.resume(dataset, state, { ...options, sampler: [5, 5, 1, 21] })).toThrow(
      /sampler: expected .*as in the state/,
    );
    expect(() => DataLoader.resume(dataset, state, { workers, warmStart: false })).toThrow(/sampler/);
    const byEpoch = { length: 2, at: (position: number, epoch: number) => position + 10 * epoch };
    const rolling = new DataLoader(dataset, { batchSize: 2, workers, warmStart: false, sampler: byEpoch });
    expect([labelsOf(await collect(rolling)), labelsOf(await collect(rolling))]).toEqual([[[0, 1]], [[10, 11]]]);
    dataset.close();
  });

  test('an early break ends the iteration; the next one is another epoch', async () => {
    const dataset = await SyrahDataset.open(path, ['label']);
    const loader = new DataLoader(dataset, { batchSize: 2, workers, warmStart: false, shuffle: true, seed: 9 });
    for await (const batch of loader) {
      expect(labelsOf([batch])).toEqual([shuffled(9, 0).slice(0, 2)]);
      break;
    }
    expect(loader.state()).toMatchObject({ epoch: 0, batchesDone: 1 });
    expect(labelsOf(await collect(loader))).toEqual(inBatches(shuffled(9, 1), 2));
    dataset.close();
  });

  test('aborting ends it with the reason, also while a batch is awaited', async () => {
    const dataset = await SyrahDataset.open(path, ['label']);
    const controller = new AbortController();
    const reason = new Error('enough');
    const loader = new DataLoader(dataset, {
      batchSize: 2,
      workers,
      warmStart: false,
      signal: controller.signal,
      prefetch: 0,
    });
    let batches = 0;
    const failure = await (async () => {
      for await (const batch of loader) {
        batches += batch.length;
        if (batches === 2) controller.abort(reason);
      }
    })().catch((error: unknown) => error);
    expect([failure, batches]).toEqual([reason, 2]);
    expect(
      await failureOf(new DataLoader(dataset, { signal: AbortSignal.abort(reason), workers, warmStart: false })),
    ).toBe(reason);
    dataset.close();
  });

  test('an empty dataset has no batches', async () => {
    const dataset = await SyrahDataset.open(path, ['label']);
    expect(
      await collect(new DataLoader(dataset.subset([]), { batchSize: 2, workers, warmStart: false, shuffle: true })),
    ).toEqual([]);
    expect(
      await collect(new DataLoader(dataset, { batchSize: 50, dropLast: true, workers, warmStart: false })),
    ).toEqual([]);
    dataset.close();
  });
});

const RANDOMS = new Map<number, number>();

test('shapes of keys that there are not, and seeds that are no numbers, are refused by the constructor', async () => {
  const dataset = await SyrahDataset.open(path, ['x']);
  expect(() => new DataLoader(dataset, { collate: { kind: 'stack', shapes: { X: [3] } } })).toThrow(
    /shapes of the keys "x" but found "X"/,
  );
  expect(() => new DataLoader(dataset, { seed: 1n as never })).toThrow(/seed: expected an integer .* but found 1n/);
  expect(() => new DataLoader(dataset, { batchSize: '3' as never })).toThrow(/found "3"/);
  dataset.close();
});
