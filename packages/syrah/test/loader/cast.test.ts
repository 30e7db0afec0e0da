// Batches in the element types that their consumers take: exact, or refused with item and key; the same by workers.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDType, typedArrayOver } from '@colkit/io';
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import { DataLoader, SyrahConcatDataset, SyrahDataset, create, typed } from '../../src/index.ts';
import type { CastSpec, LoaderOptions, Tensor } from '../../src/index.ts';
import { castArray } from '../../src/loader/cast/cast.ts';
import { collect, failureOf } from './fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'syrah-cast-'));
const path = join(folder, 'a.syr');
const LARGE = 2n ** 31n;
beforeAll(async () => {
  const writer = await create(path);
  for (let i = 0; i < 6; i++)
    await writer.addItem({
      label: BigInt64Array.of(BigInt(i) - 3n),
      id: BigUint64Array.of(i === 4 ? LARGE : BigInt(i)),
      x: Float64Array.of(i / 2, -i),
      half: typed('float16', [i, 0.5]),
      words: new Int16Array(i % 3).fill(i),
      name: `n${String(i)}`,
    });
  await writer.close();
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const first = async (keys: string[], options: LoaderOptions): Promise<unknown> => {
  using dataset = await SyrahDataset.open(path, keys);
  await using loader = new DataLoader<unknown>(dataset, { batchSize: 3, warmStart: false, ...options });
  return (await collect(loader))[0];
};

describe.each([0, 1])('with %i workers', (workers) => {
  test('stacks straight from the file', async () => {
    const cast = { label: 'int32', x: 'float32', half: 'float16-bits' } as const;
    const batch = await first(['label', 'x', 'half'], { workers, cast });
    expect(batch).toEqual([
      { data: Int32Array.of(-3, -2, -1), shape: [3, 1] },
      { data: Float32Array.of(0, -0, 0.5, -1, 1, -2), shape: [3, 2] },
      { data: Uint16Array.of(0, 0x3800, 0x3c00, 0x3800, 0x4000, 0x3800), shape: [3, 2] },
    ]);
  });

  test('what is padded, listed, and of several files', async () => {
    expect(await first(['words'], { workers, collate: 'pad', cast: { words: 'float32' } })).toEqual([
      { data: Float32Array.of(0, 0, 1, 0, 2, 2), shape: [3, 2], lengths: Int32Array.of(0, 1, 2) },
    ]);
    expect(await first(['label', 'name'], { workers, collate: 'list', cast: { label: 'float64' } })).toEqual([
      [Float64Array.of(-3), Float64Array.of(-2), Float64Array.of(-1)],
      ['n0', 'n1', 'n2'],
    ]);
    using one = await SyrahDataset.open(path, ['label', 'x']);
    using other = await SyrahDataset.open(path, ['x', 'label']);
    const both = new SyrahConcatDataset([one, other]);
    const options = { batchSize: 12, workers, warmStart: false, cast: { label: 'int8' } } as const;
    const [batch] = await collect(new DataLoader<[Tensor, Tensor]>(both, options));
    expect(batch?.[0].data).toEqual(Int8Array.of(-3, -2, -1, 0, 1, 2, -3, -2, -1, 0, 1, 2));
  });

  test('another number is refused, with its item and key', async () => {
    using dataset = await SyrahDataset.open(path, ['id']);
    const options = { batchSize: 3, workers, warmStart: false, cast: { id: 'int32' } } as const;
    const error = await failureOf(new DataLoader(dataset, options));
    expect(error).toMatchObject({ name: 'SampleError', item: 4, key: 'id', code: 'ERR_VALUE' });
    expect((error as Error).message).toMatch(/int32.*2147483648/u);
  });
});

test("what a collate function gets, and what a get of one's own gives, is cast too", async () => {
  const collate = (samples: readonly unknown[]): unknown => samples;
  expect(await first(['label', 'x'], { collate, cast: { label: 'int32' } })).toEqual([
    [Int32Array.of(-3), Float64Array.of(0, -0)],
    [Int32Array.of(-2), Float64Array.of(0.5, -1)],
    [Int32Array.of(-1), Float64Array.of(1, -2)],
  ]);
  const own = { length: 2, get: (index: number) => ({ label: BigInt(index), n: index }) };
  const [batch] = await collect(new DataLoader(own, { batchSize: 2, cast: { label: 'int32', n: 'uint8' } }));
  expectTypeOf(batch!.label).toEqualTypeOf<Tensor<Int32Array>>();
  expect({ ...batch }).toEqual({
    label: { data: Int32Array.of(0, 1), shape: [2] },
    n: { data: Uint8Array.of(0, 1), shape: [2] },
  });
});

test('a state keeps it, and refuses another', async () => {
  using dataset = await SyrahDataset.open(path, ['label']);
  const state = new DataLoader(dataset, { batchSize: 2, cast: { label: 'int32' } }).state();
  const [batch] = await collect(DataLoader.resume<[Tensor]>(dataset, JSON.parse(JSON.stringify(state))));
  expect(batch?.[0].data).toEqual(Int32Array.of(-3, -2));
  expect(() => DataLoader.resume(dataset, state, { cast: { label: 'int8' } })).toThrow(
    /cast: expected .*as in the state/u,
  );
  const { cast, ...old } = state;
  expect(cast).toBe('{"label":"int32"}');
  expect(DataLoader.resume(dataset, old).state().cast).toBeNull();
});

test('halves are cast to what holds them, and to nothing else', async () => {
  const values = [0, 0.5, 1, 0.5, 2, 0.5];
  for (const [dtype, data] of [
    ['float32', Float32Array.from(values)],
    ['float64', Float64Array.from(values)],
  ] as const)
    expect(await first(['half'], { cast: { half: dtype } })).toEqual([{ data, shape: [3, 2] }]);
  await expect(first(['half'], { cast: { half: 'int8' } })).rejects.toThrow(/item 0, key "half".*0\.5 at position 1/u);
});

test("padding is given in the value's own terms: of halves as bits it is a half", async () => {
  const halves = [Uint8Array.of(0, 0x40), new Uint8Array(0)].map((bytes) =>
    typedArrayOver(parseDType('float16'), bytes),
  );
  const own = { length: 2, keys: ['half'], get: (index: number): readonly unknown[] => [halves[index]] };
  const collate = { kind: 'pad', value: 1.5, mask: true } as const;
  const [batch] = await collect(
    new DataLoader<[Tensor]>(own, { batchSize: 2, collate, cast: { half: 'float16-bits' } }),
  );
  expect(batch).toEqual([
    {
      data: Uint16Array.of(0x4000, 0x3e00),
      shape: [2, 1],
      lengths: Int32Array.of(1, 0),
      mask: Uint8Array.of(1, 0),
    },
  ]);
  const padded = await first(['words'], { collate: { kind: 'pad', value: 0.5 }, cast: { words: 'float32' } });
  expect(padded).toMatchObject([{ data: Float32Array.of(0.5, 0.5, 1, 0.5, 2, 2) }]);
  await expect(first(['words'], { collate, cast: { words: 'float16-bits' } })).rejects.toThrow(/"words".*float16/u);
});

test('keys and dtypes that are none', async () => {
  using dataset = await SyrahDataset.open(path, ['label']);
  const loader = (cast: unknown) => () => new DataLoader(dataset, { cast: cast as CastSpec });
  expect(loader({ lable: 'int32' })).toThrow(/cast: expected dtypes of the keys "label" but found "lable"/u);
  expect(loader({ label: 'int31' })).toThrow(/cast of "label": expected .*"int32".* but found "int31"/u);
  await expect(first(['name'], { cast: { name: 'int32' } })).rejects.toMatchObject({ code: 'ERR_VALUE', key: 'name' });
  await expect(first(['x'], { cast: { x: 'float16-bits' } })).rejects.toMatchObject({ code: 'ERR_VALUE', key: 'x' });
});

test.each([
  [BigInt64Array.of(-(2n ** 31n), 2n ** 31n - 1n), 'int32', Int32Array.of(-(2 ** 31), 2 ** 31 - 1)],
  [BigUint64Array.of(2n ** 31n - 1n), 'int32', Int32Array.of(2 ** 31 - 1)],
  [BigInt64Array.of(2n ** 53n), 'float64', Float64Array.of(2 ** 53)],
  [Float64Array.of(NaN, Infinity, 1.5), 'float32', Float32Array.of(NaN, Infinity, 1.5)],
  [Float32Array.of(7, -0), 'uint64', BigUint64Array.of(7n, 0n)],
  [Uint32Array.of(2 ** 32 - 1), 'int64', BigInt64Array.of(2n ** 32n - 1n)],
] as const)('%s as %s', (data, dtype, expected) => {
  expect(castArray(data, dtype)).toEqual(expected);
});

test.each([
  [BigInt64Array.of(0n, 2n ** 31n), 'int32'],
  [BigInt64Array.of(0n, -(2n ** 31n) - 1n), 'int32'],
  [BigInt64Array.of(0n, 2n ** 32n), 'int32'],
  [BigUint64Array.of(0n, 2n ** 32n - 1n), 'int32'],
  [BigInt64Array.of(0n, 2n ** 53n + 1n), 'float64'],
  [BigInt64Array.of(0n, -1n), 'uint64'],
  [Float64Array.of(0, 0.1), 'float32'],
  [Float64Array.of(0, NaN), 'int32'],
  [Float64Array.of(0, Infinity), 'int64'],
  [Float64Array.of(0, 0.5), 'int64'],
  [Float64Array.of(0, 2 ** 64), 'uint64'],
  [Int16Array.of(0, 256), 'uint8'],
] as const)('%s is none of %s', (data, dtype) => {
  expect(() => castArray(data, dtype)).toThrow(/at position 1/u);
});

test('raw bytes of float128 are not cast as if they were its numbers', async () => {
  const longs = join(folder, 'longs.syr');
  const writer = await create(longs);
  await writer.addItem({ long: typed('float128', [1.5]) });
  await writer.close();
  using dataset = await SyrahDataset.open(longs);
  for (const each of [dataset, dataset.subset([0])])
    await expect(collect(new DataLoader<unknown>(each, { cast: { long: 'float64' } }))).rejects.toThrow(
      /^cast of "long": expected numbers but found raw float128$/,
    );
  // What a function made of them is cast.
  using made = await SyrahDataset.open(longs, ['long'], { process: { long: () => Float64Array.of(2) } });
  expect(await collect(new DataLoader<unknown>(made, { cast: { long: 'int8' } }))).toEqual([
    [{ data: Int8Array.of(2), shape: [1, 1] }],
  ]);
});
