// Options that speak of values by name, where a get of one's own makes the samples: the dataset's keys, positions,
// names of objects; and what is no name is refused, never ignored.
import { beforeAll, describe, expect, test } from 'vitest';
import { DataLoader, SyrahConcatDataset, SyrahDataset, SyrahSamples } from '../../../src/index.ts';
import type { Dataset, LoaderOptions } from '../../../src/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { collect, failureOf, writeItems } from '../fixture.ts';

const folder = temporaryFolder();
const path = folder.path('items.syr');

beforeAll(async () => {
  await writeItems(path, 3);
});

class Mine extends SyrahDataset {
  override get(index: number): Promise<readonly unknown[]> {
    return super.get(index);
  }
}
/** One value more than keys. */
class Numbered extends SyrahDataset {
  override async get(index: number): Promise<readonly unknown[]> {
    return [index, ...(await super.get(index))];
  }
}

const openMine = (): Promise<Mine> => Mine.open(path, ['half', 'label']);
const own = (sample: (index: number) => unknown, keys?: readonly string[]): Dataset =>
  keys === undefined ? { length: 2, get: sample } : { length: 2, keys, get: sample };
const tuple = (index: number): readonly unknown[] => [Float32Array.of(index, 1, 2, 3), Int32Array.of(index)];
const batchOf = async (dataset: Dataset, options: LoaderOptions): Promise<unknown> =>
  (await collect(new DataLoader<unknown>(dataset, { batchSize: 2, ...options })))[0];

const datasets: readonly (readonly [string, () => Dataset | Promise<Dataset>])[] = [
  ["a class with a get of one's own", openMine],
  ['a subset of it', async () => (await openMine()).subset([0, 1])],
  ['a part of it', async () => (await openMine()).split([1], 1)[0] as Dataset],
  ['joined with another', async () => new SyrahConcatDataset([await openMine(), await openMine()])],
  [
    'joined with what has no items',
    async () => new SyrahConcatDataset([(await openMine()).subset([]), await openMine()]),
  ],
  ['an object with keys', () => own(tuple, ['half', 'label'])],
];

describe.each(datasets)('%s', (_, make) => {
  test('tells its keys, by which dtypes and shapes are given', async () => {
    const dataset = await make();
    expect(dataset.keys).toEqual(['half', 'label']);
    const cast = { label: 'float64' } as const;
    expect(await batchOf(dataset, { cast, collate: { kind: 'stack', shapes: { half: [2, 2] } } })).toMatchObject([
      { data: expect.any(Float32Array) as Float32Array, shape: [2, 2, 2] },
      { data: expect.any(Float64Array) as Float64Array, shape: [2, 1] },
    ]);
    const collate = (samples: readonly (readonly unknown[])[]): unknown => samples[0];
    expect(await batchOf(dataset, { cast, collate })).toEqual([expect.any(Float32Array), expect.any(Float64Array)]);
  });

  test('positions name values, too', async () => {
    const dataset = await make();
    expect(
      await batchOf(dataset, { cast: { 1: 'float64' }, collate: { kind: 'stack', shapes: { 0: [2, 2] } } }),
    ).toMatchObject([{ shape: [2, 2, 2] }, { data: expect.any(Float64Array) as Float64Array }]);
    await expect(batchOf(dataset, { cast: { 7: 'float64' } })).rejects.toMatchObject({
      code: 'ERR_ARGUMENT',
      message: 'cast: expected dtypes by position, 0 to 1, or of the keys "half", "label" but found "7"',
    });
  });

  test('a misspelt key is refused at once', async () => {
    const dataset = await make();
    for (const collate of ['stack', (samples: readonly unknown[]) => samples] as const)
      expect(() => new DataLoader(dataset, { collate, cast: { lable: 'float64' } })).toThrow(
        expect.objectContaining({
          code: 'ERR_ARGUMENT',
          message: 'cast: expected dtypes of the keys "half", "label" but found "lable"',
        }),
      );
    expect(() => new DataLoader(dataset, { collate: { kind: 'stack', shapes: { hafl: [4] } } })).toThrow(
      /^collate: shapes: expected shapes of the keys "half", "label" but found "hafl"$/u,
    );
  });
});

describe.each([
  ['stacked', 'stack'],
  ['by a function', (samples: readonly unknown[]) => samples],
] as const)('%s', (_, collate) => {
  const refusal = (dataset: Dataset, cast: LoaderOptions['cast'] = { x: 'float64' }): Promise<unknown> =>
    failureOf(new DataLoader(dataset, { batchSize: 2, collate, ...(cast === undefined ? {} : { cast }) }));

  test.each<[string, Dataset, RegExp]>([
    ['tuples without keys', own(tuple), /^cast: expected dtypes by position, 0 to 1, because its dataset has no keys/u],
    [
      'tuples of other values than the keys',
      own((index) => [index, ...tuple(index)], ['half', 'x']),
      /^cast: .* 0 to 2, because the keys "half", "x" are not those of 3 values but found "x"$/u,
    ],
    ['objects', own((index) => ({ half: Float32Array.of(index) })), /^cast: expected dtypes of the keys "half" but/u],
    ['single values', own((index) => Float32Array.of(index)), /^cast: .*tuples or plain objects but found "x"$/u],
  ])('a name is refused of %s', async (__, dataset, message) => {
    expect(await refusal(dataset)).toMatchObject({
      name: 'ArgumentError',
      code: 'ERR_ARGUMENT',
      message: expect.stringMatching(message) as string,
    });
    expect(await failureOf(new DataLoader(dataset, { batchSize: 2, collate }))).toBeNull();
  });

  test('positions of tuples without keys, or of other values than the keys, go on', async () => {
    expect(await refusal(own(tuple), { 1: 'int8' })).toBeNull();
    using numbered = await Numbered.open(path, ['label']);
    expect(await batchOf(numbered, { cast: { 1: 'float64' }, collate: 'list' })).toEqual([
      [0, 1],
      [Float64Array.of(0), Float64Array.of(1)],
    ]);
    expect(await refusal(numbered, { label: 'float64' })).toMatchObject({ code: 'ERR_ARGUMENT' });
  });

  test('a key of the dataset may be missing in an object', async () => {
    expect(await refusal(own((index) => ({ half: Float32Array.of(index) }), ['half', 'x']))).toBeNull();
  });
});

test('a key that is a number is that key, not a position', async () => {
  const dataset = own(tuple, ['1', '0']);
  expect(await batchOf(dataset, { cast: { 1: 'float64' } })).toMatchObject([
    { data: expect.any(Float64Array) as Float64Array },
    { data: expect.any(Int32Array) as Int32Array },
  ]);
});

test('shapes of what has no keys are refused, too; of positions they are taken', async () => {
  const shaped = (shapes: Record<string, number[]>): LoaderOptions => ({ collate: { kind: 'stack', shapes } });
  await expect(batchOf(own(tuple), shaped({ half: [2, 2] }))).rejects.toThrow(/^collate: shapes: expected shapes by/u);
  expect(await batchOf(own(tuple), shaped({ 0: [2, 2] }))).toMatchObject([{ shape: [2, 2, 2] }, { shape: [2, 1] }]);
});

test('joined with a dataset that tells no keys, there are none', async () => {
  class Unnamed extends SyrahSamples {
    readonly length = 1;
    get = (index: number): Promise<readonly unknown[]> => Promise.resolve(tuple(index));
    getSync = tuple;
    fingerprint = (): string => 'unnamed';
    readPlan = (): null => null;
    close = (): void => undefined;
  }
  const all = new SyrahConcatDataset([await openMine(), new Unnamed()]);
  expect([all.keys, new Unnamed().subset([0]).keys]).toEqual([undefined, undefined]);
  expect(await failureOf(new DataLoader(all, { cast: { label: 'float64' } }))).toMatchObject({ code: 'ERR_ARGUMENT' });
});

test('a Map is no object of dtypes or shapes', () => {
  const map = new Map([['half', [4]]]) as never;
  expect(() => new DataLoader(own(tuple), { cast: map })).toThrow(/^cast: expected/u);
  expect(() => new DataLoader(own(tuple), { collate: { kind: 'stack', shapes: map } })).toThrow(/shapes: expected/u);
});
