// Joined datasets: samples are aligned by key to those of the first one, read in any way; what does not fit is refused
// when the datasets are joined, with file and key.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ArgumentError,
  DataLoader,
  SampleError,
  SyrahConcatDataset,
  SyrahDataset,
  SyrahSamples,
  create,
} from '../../src/index.ts';
import type { DatasetOptions, SyrahInput } from '../../src/index.ts';
import { loadGolden } from '../golden.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { collect, failureOf } from './fixture.ts';

const folder = temporaryFolder();
const opened: SyrahSamples[] = [];
afterAll(() => {
  for (const dataset of opened) dataset.close();
});

async function write(
  name: string,
  keys: readonly string[],
  of: Readonly<Record<string, (i: number) => SyrahInput>>,
  count = 3,
): Promise<string> {
  const path = folder.path(`${name}.syr`);
  const writer = await create(path, { durability: 'none', overwrite: true });
  for (let i = 0; i < count; i += 1) await writer.addItem(new Map(keys.map((key) => [key, of[key]!(i)])));
  await writer.close();
  return path;
}

async function openAs(
  type: Pick<typeof SyrahDataset, 'open'> &
    (new (
      ...parameters: ConstructorParameters<typeof SyrahDataset>
    ) => SyrahDataset),
  path: string,
  keys?: readonly string[],
  options: DatasetOptions = {},
): Promise<SyrahDataset> {
  const dataset = await type.open(path, keys, options);
  opened.push(dataset);
  return dataset;
}

const from = (base: number) => ({
  image: (i: number) => Float32Array.of(base + i, base + i + 0.5),
  mask: (i: number) => Float32Array.of(-base - i, 0),
  name: (i: number) => `n${String(base + i)}`,
});
/** What each sample is, whatever file it is in. */
const expected = (bases: readonly number[], keys: readonly ('image' | 'mask' | 'name')[]): unknown[][] =>
  bases.flatMap((base) => [0, 1, 2].map((i) => keys.map((key) => from(base)[key](i))));

let ab = '';
let ba = '';
let abc = '';
beforeAll(async () => {
  ab = await write('ab', ['image', 'mask'], from(1));
  ba = await write('ba', ['mask', 'image'], from(10));
  abc = await write('cba', ['name', 'mask', 'image'], from(100));
});

const samplesOf = (dataset: SyrahSamples): Promise<(readonly unknown[])[]> =>
  Promise.all(Array.from({ length: dataset.length }, (_, i) => dataset.get(i)));
const samplesSyncOf = (dataset: SyrahSamples): (readonly unknown[])[] =>
  Array.from({ length: dataset.length }, (_, i) => dataset.getSync(i));
/** As the loader makes them, one by one. */
async function loadedOf(dataset: SyrahSamples, workers: number): Promise<unknown[][]> {
  const batches = await collect(
    new DataLoader<unknown[][]>(dataset, { batchSize: 2, collate: 'list', workers, warmStart: false }),
  );
  return batches.flatMap((columns) => columns[0]!.map((_, k) => columns.map((column) => column[k])));
}

async function everyWay(dataset: SyrahSamples, samples: unknown[][]): Promise<void> {
  expect(await samplesOf(dataset)).toEqual(samples);
  expect(samplesSyncOf(dataset)).toEqual(samples);
  // A second worker would read others of the same items.
  for (const workers of [0, 1]) expect(await loadedOf(dataset, workers)).toEqual(samples);
}

describe('keys in another order', () => {
  test('of the files, without keys: as in the first', async () => {
    const [x, y] = [await openAs(SyrahDataset, ab), await openAs(SyrahDataset, ba)];
    await everyWay(new SyrahConcatDataset([x, y]), expected([1, 10], ['image', 'mask']));
    await everyWay(new SyrahConcatDataset([y, x]), expected([10, 1], ['mask', 'image']));
  });

  test.each([0, 2])('a stacked batch over both has each key by itself, with %i workers', async (workers) => {
    const all = new SyrahConcatDataset([await openAs(SyrahDataset, ab), await openAs(SyrahDataset, ba)]);
    const [batch] = await collect(
      new DataLoader<[{ data: Float32Array }, { data: Float32Array }]>(all, {
        batchSize: 6,
        workers,
        warmStart: false,
      }),
    );
    expect(Array.from(batch![0].data)).toEqual([1, 1.5, 2, 2.5, 3, 3.5, 10, 10.5, 11, 11.5, 12, 12.5]);
    expect(Array.from(batch![1].data)).toEqual([-1, 0, -2, 0, -3, 0, -10, 0, -11, 0, -12, 0]);
  });

  test('given with the datasets, joined more than once, subset and split', async () => {
    const x = await openAs(SyrahDataset, ab, ['mask', 'image']);
    const y = await openAs(SyrahDataset, abc, ['image', 'mask']);
    const z = await openAs(SyrahDataset, ba);
    const inner = new SyrahConcatDataset([y, x]);
    await everyWay(inner, expected([100, 1], ['image', 'mask']));
    await everyWay(new SyrahConcatDataset([z, inner]), expected([10, 100, 1], ['mask', 'image']));
    await everyWay(
      new SyrahConcatDataset([inner.subset([0, 1, 2, 3, 4, 5]), z]),
      expected([100, 1, 10], ['image', 'mask']),
    );
    const [whole] = inner.split([1], 3);
    expect((await samplesOf(new SyrahConcatDataset([x, whole!]))).slice(0, 3)).toEqual(
      expected([1], ['mask', 'image']),
    );
    expect(
      (await samplesOf(new SyrahConcatDataset([x, whole!]))).every(([mask]) => (mask as Float32Array)[0]! < 0),
    ).toBe(true);
  });

  test('process functions and the process module stay with their keys', async () => {
    const x = await openAs(SyrahDataset, ab, undefined, {
      process: { mask: (value: Float32Array) => value.map((each) => each - 0.5) },
    });
    const y = await openAs(SyrahDataset, ba, undefined, {
      process: { mask: (value: Float32Array) => value.map((each) => each - 0.5) },
    });
    const samples = expected([1, 10], ['image', 'mask']).map(([image, mask]) => [
      image,
      (mask as Float32Array).map((each) => each - 0.5),
    ]);
    await everyWay(new SyrahConcatDataset([x, y]), samples);
    const [xs, ys] = [await openAs(SyrahDataset, ab), await openAs(SyrahDataset, ba)];
    const processModule = `data:text/javascript,export const image = (value) => value.map((each) => 2 * each);`;
    for (const workers of [0, 1]) {
      const [batch] = await collect(
        new DataLoader<[{ data: Float32Array }]>(new SyrahConcatDataset([xs, ys]), {
          batchSize: 6,
          workers,
          processModule,
        }),
      );
      expect(Array.from(batch![0].data)).toEqual([2, 3, 4, 5, 6, 7, 20, 21, 22, 23, 24, 25]);
    }
  });

  test('a file without items has no keys to be aligned', async () => {
    const none = await openAs(SyrahDataset, await write('none', [], {}, 0));
    const [x, y] = [await openAs(SyrahDataset, ab), await openAs(SyrahDataset, ba)];
    await everyWay(new SyrahConcatDataset([none, x, none, y]), expected([1, 10], ['image', 'mask']));
    await everyWay(
      new SyrahConcatDataset([y, new SyrahConcatDataset([none, x])]),
      expected([10, 1], ['mask', 'image']),
    );
    await everyWay(new SyrahConcatDataset([x.subset([]), y]), expected([10], ['image', 'mask']));
    await everyWay(
      new SyrahConcatDataset([y, new SyrahConcatDataset([x.subset([]), y])]),
      expected([10, 10], ['mask', 'image']),
    );
  });

  test('a key that was asked for twice is there twice', async () => {
    const x = await openAs(SyrahDataset, ab, ['image', 'mask', 'image']);
    const y = await openAs(SyrahDataset, ba, ['mask', 'image', 'image']);
    await everyWay(new SyrahConcatDataset([x, y]), expected([1, 10], ['image', 'mask', 'image']));
  });
});

describe('refused', () => {
  const failure = (datasets: readonly SyrahSamples[]): unknown => {
    try {
      return new SyrahConcatDataset(datasets);
    } catch (error) {
      return error;
    }
  };
  const refused = (datasets: readonly SyrahSamples[], ...texts: readonly string[]): void => {
    const error = failure(datasets);
    expect(error).toBeInstanceOf(ArgumentError);
    expect(error).toMatchObject({ code: 'ERR_SCHEMA' });
    for (const text of texts) expect((error as Error).message).toContain(text);
  };

  test('another set of keys', async () => {
    const [x, y] = [await openAs(SyrahDataset, ab), await openAs(SyrahDataset, abc)];
    refused([x, y], abc, 'key "name"', ab);
    refused([y, x], ab, 'key "name"', abc);
    refused([x, new SyrahConcatDataset([y]).subset([1])], abc, 'key "name"');
    refused([x, await openAs(SyrahDataset, ba, ['image'])], ba, 'key "mask"');
    refused([x, await openAs(SyrahDataset, ba, [])], ba, 'key "image"', 'no keys');
  });

  test('another dtype, also such as read as the same array', async () => {
    const x = await openAs(SyrahDataset, ab);
    const wide = await openAs(
      SyrahDataset,
      await write('wide', ['mask', 'image'], { ...from(5), mask: () => Float64Array.of(1, 2) }),
    );
    refused([x, wide], wide.file.path, 'key "mask"', 'expected float32', 'found float64', ab);
    const text = await openAs(
      SyrahDataset,
      await write('text', ['image', 'mask'], { ...from(5), image: () => 'text' }),
    );
    refused([x, text], 'key "image"', 'found str');
    const [bool, uint8] = await Promise.all(
      ['bool', 'uint8'].map(async (dtype) => {
        const path = folder.path(`${dtype}.syr`);
        const writer = await create(path, { schema: { flag: dtype as 'bool' } });
        await writer.addItem({ flag: dtype === 'bool' ? [true, false] : Uint8Array.of(1, 0) });
        await writer.close();
        return openAs(SyrahDataset, path);
      }),
    );
    refused([bool!, uint8!], 'key "flag"', 'expected bool', 'found uint8');
  });

  test('a process function makes what it likes: told where a batch mixes it', async () => {
    const x = await openAs(SyrahDataset, ab, ['image']);
    const y = await openAs(SyrahDataset, ba, ['image'], {
      process: { image: (value: Float32Array) => Float64Array.from(value) },
    });
    for (const workers of [0, 2]) {
      expect(await failureOf(new DataLoader(new SyrahConcatDataset([x, y]), { batchSize: 3, workers }))).toBeNull();
      const error = await failureOf(new DataLoader(new SyrahConcatDataset([x, y]), { batchSize: 4, workers }));
      expect(error).toBeInstanceOf(SampleError);
      expect(error).toMatchObject({ key: 'image', path: ba, item: 0, code: 'ERR_VALUE' });
    }
    const wide = await openAs(
      SyrahDataset,
      await write('wide2', ['image'], { image: () => Float64Array.of(1, 2) }),
      undefined,
      { process: { image: (value: Float64Array) => Float32Array.from(value) } },
    );
    expect(await failureOf(new DataLoader(new SyrahConcatDataset([x, wide]), { batchSize: 6 }))).toBeNull();
  });
});

describe("samples of code of one's own", () => {
  class Doubled extends SyrahDataset {
    override async get(index: number): Promise<readonly unknown[]> {
      return (await super.get(index)).map((value) => (value as Float32Array).map((each) => 2 * each));
    }
  }
  class Other extends SyrahDataset {
    override async get(index: number): Promise<readonly unknown[]> {
      const { image, mask } = await this.file.getItem(index);
      return [image, mask];
    }
  }

  test('the same keys in another order are refused, whatever the classes', async () => {
    const plain = await openAs(SyrahDataset, ab);
    const own = await openAs(Doubled, ba);
    for (const datasets of [
      [plain, own],
      [own, plain],
      [await openAs(Doubled, ab), own],
      [new SyrahConcatDataset([plain, await openAs(Doubled, ab)]), own.subset([0])],
    ]) {
      expect(() => new SyrahConcatDataset(datasets)).toThrow(
        expect.objectContaining({
          code: 'ERR_SCHEMA',
          message: expect.stringContaining('open both with the same keys') as string,
        }),
      );
    }
    const same = new SyrahConcatDataset([plain, await openAs(Doubled, ba, ['image', 'mask'])]);
    expect((await same.get(3)).map((value) => (value as Float32Array)[0])).toEqual([20, -20]);
    expect((await collect(new DataLoader(same, { batchSize: 6 }))).length).toBe(1);
  });

  test('other keys are refused of one class, and left to the code of different ones', async () => {
    const [x, y] = [await openAs(Other, ab), await openAs(Other, abc)];
    expect(() => new SyrahConcatDataset([x, y])).toThrow(expect.objectContaining({ code: 'ERR_SCHEMA' }));
    const all = new SyrahConcatDataset([await openAs(SyrahDataset, ab), y]);
    expect(await samplesOf(all)).toEqual(expected([1, 100], ['image', 'mask']));
  });

  test('a class that says nothing of its samples', async () => {
    class Numbers extends SyrahSamples {
      readonly length = 2;
      get = (index: number): Promise<readonly unknown[]> =>
        Promise.resolve([Float32Array.of(index, 0), Float32Array.of(0, index)]);
      getSync = (index: number): readonly unknown[] => [index];
      fingerprint = (): string => 'numbers';
      readPlan = (): null => null;
      close = (): void => undefined;
    }
    const all = new SyrahConcatDataset([new Numbers(), await openAs(SyrahDataset, ba)]);
    expect(all.sampleFields()).toBeNull();
    expect((await collect(new DataLoader(all, { batchSize: 5 }))).length).toBe(1);
  });
});

test('the oldest forms: items whose keys have another order, and dtypes that differ from item to item', async () => {
  const old = loadGolden('old-per-item').filter(({ keys }) => keys.length > 1);
  expect(old.length).toBeGreaterThan(0);
  for (const golden of old) {
    const dataset = await openAs(SyrahDataset, golden.path);
    const reversed = await openAs(SyrahDataset, golden.path, [...dataset.keys].reverse());
    const all = new SyrahConcatDataset([dataset, reversed]);
    for (let i = 0; i < dataset.length; i += 1) expect(await all.get(dataset.length + i)).toEqual(await all.get(i));
  }
});
