import { isColkitError } from '@colkit/io';
import { copyFileSync, openAsBlob, readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { SyrahConcatDataset, SyrahDataset, SyrahFile, open, openSync } from '../../src/index.ts';
import type { SampleContext } from '../../src/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { itemOf, writeItems } from './fixture.ts';

const folder = temporaryFolder();
const first = folder.path('first.syr');
const second = folder.path('second.syr');
const COUNT = 11;

beforeAll(async () => {
  await writeItems(first, COUNT);
  await writeItems(second, 4, (i) => ({ ...itemOf(100 + i) }));
});

const codeOf = async (action: () => unknown): Promise<string> => {
  try {
    await action();
    return 'no error';
  } catch (error) {
    return isColkitError(error) ? error.code : `not ours: ${String(error)}`;
  }
};

describe('SyrahDataset', () => {
  test('samples are tuples in the order of the keys', async () => {
    const dataset = await SyrahDataset.open(first, ['name', 'x']);
    expect(dataset.length).toBe(COUNT);
    expect(await dataset.get(3)).toEqual(['n3', itemOf(3).x]);
    expect(dataset.getSync(-1)).toEqual(['n10', itemOf(10).x]);
    expect(await (await SyrahDataset.open(first)).get(2)).toEqual(Object.values(itemOf(2)));
    dataset.close();
    expect(dataset.file.closed).toBe(true);
  });

  test('its keys are frozen: sorting them does not sort what samples have', async () => {
    const dataset = await SyrahDataset.open(first, ['x', 'name']);
    for (const keys of [dataset.keys, dataset.subset([3]).keys ?? []])
      expect(() => (keys as string[]).sort()).toThrow(TypeError);
    expect(await dataset.get(3)).toEqual([itemOf(3).x, 'n3']);
    dataset.close();
  });

  test('arguments that are wrong or misplaced are refused before anything is opened', async () => {
    let opened = 0;
    const source = { byteLength: 100, read: () => ((opened += 1), Promise.reject(new Error('opened'))) };
    const refused = (message: string) => ({
      code: 'ERR_ARGUMENT',
      message: expect.stringContaining(message) as string,
    });
    const options = { timeoutMs: 5 } as never;
    await expect(SyrahDataset.open(source, options)).rejects.toMatchObject(refused('options come behind it'));
    expect(() => SyrahDataset.openSync(source, options)).toThrow(
      expect.objectContaining(refused('options come behind')),
    );
    await expect(SyrahDataset.open(source, 'x' as never)).rejects.toMatchObject(refused('a list of keys'));
    const process = { z: (value: Float32Array) => value };
    await expect(SyrahDataset.open(source, ['x'], { process })).rejects.toMatchObject(refused('process'));
    await expect(SyrahDataset.open(source, ['x'], { timeOutMs: 5 } as never)).rejects.toMatchObject(
      refused('did you mean "timeoutMs"'),
    );
    expect(opened).toBe(0);
  });

  test("process functions, with the sample's context", async () => {
    const seen: SampleContext[] = [];
    const process = {
      x: (value: Float32Array) => value.map((element) => element * 10),
      name: async (value: string, context: SampleContext) => {
        seen.push(context);
        await Promise.resolve();
        return value.toUpperCase();
      },
    };
    const dataset = await SyrahDataset.open(first, ['name', 'x'], { process });
    expect(await dataset.get(4)).toEqual(['N4', itemOf(4).x.map((element) => element * 10)]);
    expect(seen.map(({ index, epoch, seed }) => [index, epoch, seed])).toEqual([[4, 0, 0]]);
    expect(seen[0]!.random()).not.toBe(seen[0]!.random());
    expect(() => dataset.getSync(4)).toThrow(/key "name".*returns at once/);
    dataset.close();
  });

  test('unknown keys are refused, also among the process functions, and the file is closed', async () => {
    expect(await codeOf(() => SyrahDataset.open(first, ['x', 'nope']))).toBe('ERR_UNKNOWN_COLUMN');
    expect(await codeOf(() => SyrahDataset.open(first, 'x' as never))).toBe('ERR_ARGUMENT');
    expect(await codeOf(() => SyrahDataset.openSync(first, ['x'], { process: { label: (value) => value } }))).toBe(
      'ERR_ARGUMENT',
    );
    expect(await codeOf(() => SyrahDataset.open(first, ['x'], { process: { x: 5 as never } }))).toBe('ERR_ARGUMENT');
    const file = await open(first);
    expect(() => new SyrahDataset(file, ['nope'])).toThrow(first);
    file.close();
  });

  test('an error of a process function names item and key', async () => {
    const dataset = await SyrahDataset.open(first, ['x'], {
      process: {
        x: () => {
          throw new RangeError('too bright');
        },
      },
    });
    await expect(dataset.get(-2)).rejects.toMatchObject({
      name: 'SampleError',
      key: 'x',
      item: 9,
      path: first,
      code: 'ERR_VALUE',
      cause: expect.any(RangeError) as RangeError,
    });
    expect(() => dataset.getSync(1)).toThrow(/first\.syr: item 1, key "x": too bright/);
    expect(await codeOf(() => dataset.get(COUNT))).toBe('ERR_INDEX_OUT_OF_RANGE');
    dataset.close();
  });

  test('is a class to extend', async () => {
    class Pairs extends SyrahDataset {
      override get length(): number {
        return Math.floor(super.length / 2);
      }

      override async get(index: number): Promise<readonly unknown[]> {
        const [a, b] = await Promise.all([super.get(2 * index), super.get(2 * index + 1)]);
        return [...a, ...b];
      }
    }
    const pairs = await Pairs.open(first, ['name']);
    expect(pairs).toBeInstanceOf(Pairs);
    expect([pairs.length, await pairs.get(2)]).toEqual([5, ['n4', 'n5']]);
    expect(pairs.readPlan()).toBeNull();
    const part = pairs.subset([4, 0]);
    expect(await part.get(0)).toEqual(['n8', 'n9']);
    expect(new SyrahConcatDataset([pairs, part]).readPlan()).toBeNull();
    pairs.close();
  });
});

describe('joined, subset, split', () => {
  test('concat: one after the other', async () => {
    const all = new SyrahConcatDataset([
      await SyrahDataset.open(first, ['label']),
      (await SyrahDataset.open(second, ['label'])).subset([]),
      await SyrahDataset.open(second, ['label']),
    ]);
    expect(all.length).toBe(15);
    const labels = await Promise.all(
      Array.from({ length: 15 }, async (_, i) => ((await all.get(i))[0] as Int32Array)[0]),
    );
    expect(labels).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 100, 101, 102, 103]);
    expect(((await all.get(-1))[0] as Int32Array)[0]).toBe(103);
    const reversed = all.subset(Array.from({ length: 15 }, (_, i) => 14 - i));
    for (let i = -15; i < 15; i += 1) {
      expect(all.getSync(i)).toEqual(await all.get(i));
      expect(reversed.getSync(i)).toEqual(all.getSync(-1 - i));
    }
    expect(() => all.getSync(15)).toThrow(expect.objectContaining({ code: 'ERR_INDEX_OUT_OF_RANGE' }));
    expect(() => reversed.getSync(-16)).toThrow(expect.objectContaining({ code: 'ERR_INDEX_OUT_OF_RANGE' }));
    expect(await codeOf(() => all.get(15))).toBe('ERR_INDEX_OUT_OF_RANGE');
    expect(await codeOf(() => new SyrahConcatDataset([]).get(0))).toBe('ERR_INDEX_OUT_OF_RANGE');
    expect(all.readPlan()!.locate(12)).toEqual({ part: 2, item: 1 });
    for (const datasets of [null, all, [null], [{ length: 1, get: () => 1 }]])
      expect(await codeOf(() => new SyrahConcatDataset(datasets as never))).toBe('ERR_ARGUMENT');
    all.close();
  });

  test('subset: any order, repeats, negatives; checked at once', async () => {
    const dataset = await SyrahDataset.open(first, ['name']);
    const indices = [3, 3, -1, 0];
    const part = dataset.subset(indices);
    indices[0] = 9;
    expect(await Promise.all([0, 1, 2, 3, -1].map(async (i) => (await part.get(i))[0]))).toEqual([
      'n3',
      'n3',
      'n10',
      'n0',
      'n0',
    ]);
    expect(await part.subset([2, 0]).get(0)).toEqual(['n10']);
    expect(() => dataset.subset([0, COUNT])).toThrow(/indices: .* found 11 at position 1/);
    expect(() => dataset.subset([0.5])).toThrow(/found 0.5/);
    expect(() => dataset.subset(null as never)).toThrow(/^indices/);
    expect(await dataset.subset(BigInt64Array.of(2n)).get(0)).toEqual(['n2']);
    expect(await codeOf(() => part.get(4))).toBe('ERR_INDEX_OUT_OF_RANGE');
    dataset.close();
  });

  test('split: every sample in one part, the same for the same seed', async () => {
    const dataset = await SyrahDataset.open(first, ['label']);
    const parts = async (fractions: readonly number[], seed: number): Promise<number[][]> =>
      Promise.all(
        dataset
          .split(fractions, seed)
          .map(async (part) =>
            Promise.all(
              Array.from({ length: part.length }, async (_, i) => ((await part.get(i))[0] as Int32Array)[0]!),
            ),
          ),
      );
    const [train, test_] = (await parts([0.8, 0.2], 5)) as [number[], number[]];
    expect([train.length, test_.length]).toEqual([9, 2]);
    expect([...train, ...test_].sort((a, b) => a - b)).toEqual(Array.from({ length: COUNT }, (_, i) => i));
    expect(await parts([0.8, 0.2], 5)).toEqual([train, test_]);
    expect(await parts([0.8, 0.2], 6)).not.toEqual([train, test_]);
    expect((await parts([1 / 3, 1 / 3, 1 / 3], 1)).flat().length).toBe(COUNT);
    expect((await parts([0.1, 0.2, 0.7], 1)).flat().length).toBe(COUNT);
    expect((await parts([0.5], 1)).flat().length).toBe(6);
    expect(() => dataset.split([0.9, 0.2])).toThrow(/fractions/);
    expect(() => dataset.split([-0.1])).toThrow(/fractions/);
    for (const fractions of [0.8, null, ['0.5'], [NaN]])
      expect(() => dataset.split(fractions as never)).toThrow(/^fractions/);
    for (const seed of [-1, 0.5, NaN]) expect(() => dataset.split([1], seed)).toThrow(/^seed/);
    dataset.close();
  });
});

describe('fingerprints', () => {
  const printOf = (path: string, keys = ['x']): string => {
    const dataset = SyrahDataset.openSync(path, keys);
    const fingerprint = dataset.fingerprint();
    dataset.close();
    return fingerprint as string;
  };

  test('do not depend on the path, and on everything else', async () => {
    const copy = folder.path('elsewhere.syr');
    copyFileSync(first, copy);
    expect(printOf(copy)).toBe(printOf(first));
    expect(printOf(second)).not.toBe(printOf(first));
    expect(printOf(first, ['label'])).not.toBe(printOf(first));
    for (const at of [22, 60, readFileSync(first).length - 30]) {
      const changed = Uint8Array.from(readFileSync(first));
      changed[at]! ^= 1;
      writeFileSync(copy, changed);
      const file = SyrahDataset.openSync(first);
      try {
        expect(printOf(copy)).not.toBe(printOf(first));
      } catch (error) {
        expect(isColkitError(error)).toBe(true);
      }
      file.close();
    }
  });

  test('of subsets and joins tell them apart', async () => {
    const dataset = await SyrahDataset.open(first, ['x']);
    const prints = [
      dataset,
      dataset.subset([1, 2]),
      dataset.subset([2, 1]),
      dataset.split([0.5], 1)[0]!,
      dataset.split([0.5], 2)[0]!,
      new SyrahConcatDataset([dataset, dataset]),
    ].map((each) => each.fingerprint());
    expect(new Set(prints).size).toBe(prints.length);
    dataset.close();
  });

  test('of a large file read samples only, its ends among them', () => {
    const bytes = new Uint8Array(readFileSync(first));
    expect(openSync(bytes).fingerprintSync()).toBe(SyrahDataset.openSync(first).file.fingerprintSync());
  });
});

test('a file handed to another thread opens itself there', async () => {
  const { Worker } = await import('node:worker_threads');
  const file = await open(first);
  const memory = openSync(new Uint8Array(readFileSync(first)));
  const library = new URL('../../dist/index.js', import.meta.url).href;
  const script = `
    import { parentPort, workerData } from 'node:worker_threads';
    const { openSync } = await import(${JSON.stringify(library)});
    const read = (file) => [file.itemCount, file.getArraySync(5, 'name')];
    parentPort.postMessage(workerData.map((handle) => read(openSync(handle))));
  `;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(script)}`), {
    workerData: [file.handle(), memory.handle()],
    execArgv: [],
  });
  expect(
    await new Promise((resolve, reject) => {
      worker.on('message', resolve);
      worker.on('error', reject);
    }),
  ).toEqual([
    [COUNT, 'n5'],
    [COUNT, 'n5'],
  ]);
  await worker.terminate();
  expect(openSync(structuredClone(file.handle()))).toBeInstanceOf(SyrahFile);
  expect(openSync(JSON.parse(JSON.stringify(file.handle())) as never).itemCount).toBe(COUNT);
  await expect(open({ ...file.handle(), byteLength: 5 })).rejects.toMatchObject({ code: 'ERR_FILE_CHANGED' });
  const blob = await open(new Blob([readFileSync(first)]));
  expect(blob.itemCount).toBe(COUNT);
  expect(await blob.getArray(5, 'name')).toBe('n5');
  const fromHandle = await open(structuredClone(blob.handle()));
  expect(await fromHandle.getArray(5, 'name')).toBe('n5');
  const onDisk = await open(await openAsBlob(first));
  expect(() => onDisk.handle()).toThrow(/another thread/);
});
