// States of a loader and their limits, and datasets of the caller's own.
import { beforeAll, describe, expect, test } from 'vitest';
import { DataLoader, SyrahDataset, create } from '../../src/index.ts';
import type { Dataset, LoaderOptions, Tensor } from '../../src/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { collect, failureOf, itemOf, writeItems } from './fixture.ts';
import { COUNT, inBatches, labelsOf, processModule, shuffled } from './order.ts';

const folder = temporaryFolder();

const path = folder.path('items.syr');

beforeAll(async () => {
  await writeItems(path, COUNT);
});

describe('states', () => {
  test('of another file, or with other options, are refused', async () => {
    const dataset = await SyrahDataset.open(path, ['label']);
    const loader = new DataLoader(dataset, { batchSize: 5, shuffle: true });
    const state = loader.state();
    const other = await SyrahDataset.open(
      await writeItems(folder.path('changed.syr'), COUNT, (i) => ({
        ...itemOf(i),
        label: Int32Array.of(i === 3 ? 1 : i),
      })),
      ['label'],
    );
    expect(() => DataLoader.resume(other, state)).toThrow(
      expect.objectContaining({ name: 'IoError', code: 'ERR_FILE_CHANGED' }),
    );
    for (const options of [
      { shuffle: false },
      { shuffle: {} },
      { seed: 1 },
      { dropLast: true },
      { tail: 'drop' },
      { collate: 'list' },
    ] as LoaderOptions[]) {
      expect(() => DataLoader.resume(dataset, state, options), JSON.stringify(options)).toThrow(/as in the state/);
    }
    expect(() => DataLoader.resume(dataset, { ...state, batchesDone: 6 })).toThrow(/at most 5 batches/);
    expect(() => DataLoader.resume(dataset, 'nonsense')).toThrow(/state/);
    expect(() => DataLoader.resume(dataset, { ...state, collate: 'function' })).toThrow(/collate function/);
    dataset.close();
    other.close();
  });

  test.each(['blocks', 'collate', 'cast'])('whose %s is no JSON are refused', (name) => {
    const dataset = { length: 9, get: (index: number) => [index] };
    const state = { ...new DataLoader(dataset).state(), [name]: '{"kind":' };
    expect(() => DataLoader.resume(dataset, state)).toThrow(
      expect.objectContaining({
        code: 'ERR_ARGUMENT',
        message: `state: expected ${name}: JSON but found "{\\"kind\\":"`,
      }),
    );
  });

  test('of ranks go on in another number, where it is said which rank this is', () => {
    const dataset = { length: 9, get: (index: number) => [index] };
    const state = new DataLoader(dataset, { rank: 1, worldSize: 2 }).state();
    expect(() => DataLoader.resume(dataset, state, { worldSize: 3 })).toThrow(
      expect.objectContaining({ code: 'ERR_ARGUMENT', argument: 'rank' }),
    );
    expect(DataLoader.resume(dataset, state, { worldSize: 3, rank: 2 }).state()).toMatchObject({ rank: 2 });
    expect(DataLoader.resume(dataset, state, { worldSize: 2 }).state()).toMatchObject({ rank: 1 });
    expect(DataLoader.resume(dataset, state, { worldSize: 1 }).state()).toMatchObject({ rank: 0 });
  });

  test('keep their options where those of resume are undefined', async () => {
    const dataset = await SyrahDataset.open(path, ['label']);
    const options = {
      batchSize: 5,
      shuffle: true,
      seed: 3,
      dropLast: true,
      rank: 1,
      worldSize: 2,
      tail: 'drop',
    } as const;
    const state = new DataLoader(dataset, { ...options, cast: { label: 'int8' }, collate: 'pad' }).state();
    const names = [...Object.keys(options), 'cast', 'collate', 'sampler', 'batchSampler', 'prefetch', 'signal'];
    for (const name of names) {
      const undefinedOne = { [name]: undefined } as unknown as LoaderOptions;
      expect(DataLoader.resume(dataset, state, undefinedOne).state(), name).toEqual(state);
    }
    const blocks = new DataLoader(dataset, { shuffle: { blockItems: 4 } }).state();
    expect(DataLoader.resume(dataset, blocks, { shuffle: undefined } as never).state()).toEqual(blocks);
    dataset.close();
  });

  test('are the same for equal options, in whichever order their keys are', async () => {
    const dataset = await SyrahDataset.open(path, ['x', 'half']);
    const state = new DataLoader(dataset, {
      cast: { x: 'float64', half: 'float64' },
      collate: { kind: 'stack', shapes: { x: [1, 3], half: [2, 2] } },
    }).state();
    const cast = { half: 'float64', x: 'float64' } as const;
    const shapes = { half: [2, 2], x: [1, 3] };
    expect(DataLoader.resume(dataset, state, { cast, collate: { shapes, kind: 'stack' } }).length).toBe(COUNT);
    for (const options of [
      { cast: { ...cast, x: 'float32' } },
      { cast: { half: 'float64' } },
      { collate: { kind: 'stack', shapes: { ...shapes, x: [3, 1] } } },
    ] as LoaderOptions[])
      expect(() => DataLoader.resume(dataset, state, options), JSON.stringify(options)).toThrow(/as in the state/);
    dataset.close();
  });

  test('tell of the iteration that was begun last, whatever becomes of others', async () => {
    const dataset = await SyrahDataset.open(path, ['label']);
    const loader = new DataLoader<[Tensor<Int32Array>]>(dataset, { batchSize: 5, shuffle: true, seed: 4 });
    const [older, later] = [loader[Symbol.asyncIterator](), loader[Symbol.asyncIterator]()];
    const [{ value: first }, { value: second }] = await Promise.all([older.next(), later.next()]);
    expect(labelsOf([first, second])).toEqual([shuffled(4, 0).slice(0, 5), shuffled(4, 1).slice(0, 5)]);
    await older.next();
    expect(loader.state()).toMatchObject({ epoch: 1, batchesDone: 1 });
    expect(labelsOf(await collect(DataLoader.resume(dataset, loader.state())))).toEqual(
      inBatches(shuffled(4, 1), 5).slice(1),
    );
    await Promise.all([older.return(), later.return()]);
    dataset.close();
  });

  test('with a process module, or with process functions, need them again', async () => {
    const dataset = await SyrahDataset.open(path, ['label']);
    const state = { ...new DataLoader(dataset, { batchSize: 20, processModule }).state(), batchesDone: 1 };
    expect(() => DataLoader.resume(dataset, state)).toThrow(
      /processModule: expected true, as in the state but found false/,
    );
    const [[label]] = (await collect(DataLoader.resume(dataset, state, { processModule }))) as [[Tensor]];
    expect(label.shape).toEqual([3, 5]);
    expect(() => DataLoader.resume(dataset, new DataLoader(dataset).state(), { processModule })).toThrow(
      /processModule: expected false/,
    );
    const processed = await SyrahDataset.open(path, ['label'], { process: { label: (value: Int32Array) => value } });
    expect(() => DataLoader.resume(dataset, new DataLoader(processed).state())).toThrow(
      expect.objectContaining({ code: 'ERR_FILE_CHANGED' }),
    );
    expect(DataLoader.resume(processed, new DataLoader(processed).state()).length).toBe(COUNT);
    dataset.close();
    processed.close();
  });

  test.each([NaN, -Infinity, 2n])('keep the padding %s, which JSON has not', async (value) => {
    const dataset = await SyrahDataset.open(path, ['x']);
    const options = { collate: { kind: 'pad', value } } as const;
    const state = JSON.parse(JSON.stringify(new DataLoader(dataset, options).state())) as unknown;
    expect(DataLoader.resume(dataset, state).state()).toEqual(state);
    expect(DataLoader.resume(dataset, state, options).state()).toEqual(state);
    expect(() => DataLoader.resume(dataset, state, { collate: { kind: 'pad', value: 0 } })).toThrow(/as in the state/);
    dataset.close();
  });

  test('a file that moved is the same file', async () => {
    const { copyFileSync } = await import('node:fs');
    const moved = folder.path('moved.syr');
    copyFileSync(path, moved);
    const here = await SyrahDataset.open(path, ['label']);
    const there = await SyrahDataset.open(moved, ['label']);
    const state = { ...new DataLoader(here, { batchSize: 20 }).state(), batchesDone: 1 };
    expect(labelsOf(await collect(DataLoader.resume(there, state)))).toEqual([[20, 21, 22]]);
    here.close();
    there.close();
  });
});

describe("datasets of the caller's own", () => {
  const counting = (length: number): Dataset<number> & { readonly asked: number[] } => {
    const asked: number[] = [];
    return { length, asked, get: (index) => (asked.push(index), Promise.resolve(index * 10)) };
  };

  test('anything with length and get', async () => {
    expect(await collect(new DataLoader(counting(5), { batchSize: 2 }))).toEqual(
      [[0, 10], [20, 30], [40]].map((data) => ({ data: Float64Array.from(data), shape: [data.length] })),
    );
    const resumed = DataLoader.resume(counting(5), {
      ...new DataLoader(counting(5), { batchSize: 2 }).state(),
      batchesDone: 2,
    });
    expect(await collect(resumed)).toEqual([{ data: Float64Array.of(40), shape: [1] }]);
    expect(() => DataLoader.resume(counting(6), new DataLoader(counting(5)).state())).toThrow(/not the one/);
  });

  test.each([0, 1, 3])('prefetch %i bounds what is made ahead', async (prefetch) => {
    const dataset = counting(40);
    let done = 0;
    for await (const { shape } of new DataLoader<Tensor>(dataset, { batchSize: 2, prefetch })) {
      done += 1;
      expect(shape).toEqual([2]);
      await new Promise((resolve) => setTimeout(resolve, 2));
      expect(dataset.asked.length).toBe(Math.min(40, 2 * (done + prefetch)));
    }
    expect(done).toBe(20);
  });

  test('their code cannot run in workers', async () => {
    class Own extends SyrahDataset {
      override async get(index: number): Promise<readonly unknown[]> {
        return [index, ...(await super.get(index))];
      }
    }
    const own = await Own.open(path, ['name']);
    expect(() => new DataLoader(own, { workers: 1 })).toThrow(/workers: expected 0/);
    expect(() => new DataLoader(own, { processModule })).toThrow(/processModule/);
    expect(() => new DataLoader(counting(1), { workers: 1 })).toThrow(/workers/);
    expect(await collect(new DataLoader(own, { batchSize: 12, collate: 'list' }))).toHaveLength(2);
    own.close();
  });

  test('their errors name the sample', async () => {
    const failure = await failureOf(
      new DataLoader({
        length: 3,
        get: (index) => {
          if (index === 2) throw new Error('broken');
          return index;
        },
      }),
    );
    expect(failure).toMatchObject({ name: 'SampleError', index: 2, item: null, key: null });
    expect((failure as Error).message).toBe('dataset: sample 2: broken');
  });
});

test.each([0, 1])('keys that every object has are names like others, with %i workers', async (workers) => {
  const odd = folder.path(`odd-${String(workers)}.syr`);
  const writer = await create(odd, {
    schema: [
      ['10', 'int32'],
      ['__proto__', 'int32'],
      ['constructor', 'int32'],
      ['2', 'int32'],
    ],
  });
  for (let i = 0; i < 3; i += 1)
    await writer.addItem(['10', '__proto__', 'constructor', '2'].map((key, k) => [key, [i, k]] as const));
  await writer.close();
  const dataset = await SyrahDataset.open(odd);
  const [batch] = await collect(new DataLoader(dataset, { batchSize: 3, workers, warmStart: false }));
  expect(batch).toEqual([0, 1, 2, 3].map((k) => ({ data: Int32Array.of(0, k, 1, k, 2, k), shape: [3, 2] })));
  dataset.close();
});
