// What the compiler knows of items, samples and batches, as users write them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest';
import { DataLoader, SyrahConcatDataset, SyrahDataset, create, open, openSync } from '../src/index.ts';
import type { PaddedTensor, SyrahFile, SyrahItem, Tensor } from '../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'syrah-types-'));
const path = join(folder, 'a.syr');
const expected = { x: 'float32', label: 'int64', name: 'str' } as const;
beforeAll(async () => {
  const writer = await create(path);
  for (let i = 0; i < 4; i++)
    await writer.addItem({ x: Float32Array.of(i, 1), label: BigInt64Array.of(BigInt(i)), name: `n${String(i)}` });
  await writer.close();
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
const firstOf = async <T>(batches: AsyncIterable<T>): Promise<T> => {
  for await (const batch of batches) return batch;
  throw new Error('no batch');
};

test('items by key', async () => {
  using file = await open(path, { expect: expected });
  const item = await file.getItem(0);
  expectTypeOf(item).toEqualTypeOf<{ x: Float32Array; label: BigInt64Array; name: string }>();
  // @ts-expect-error there is no such key
  expect(item.nope).toBeUndefined();
  expectTypeOf(file.getItemSync(1, { keys: ['label'], int64: 'number' })).toEqualTypeOf<{ label: Float64Array }>();
  expectTypeOf(await file.getArray(0, 'name')).toEqualTypeOf<string>();
  expectTypeOf(file.getArraySync(0, 'label', { int64: 'number' })).toEqualTypeOf<Float64Array>();
  expectTypeOf(await file.gatherItems([0, 1], 'x')).toEqualTypeOf<Tensor<Float32Array>>();
  expectTypeOf(() => file.viewArray(0, 'x')).returns.toEqualTypeOf<Float32Array>();
  // @ts-expect-error there is no such key
  await expect(file.getArray(0, 'nope')).rejects.toThrow(/nope/u);
  const countOf = (any: SyrahFile): number => any.itemCount;
  expect([countOf(file), item.x]).toEqual([4, Float32Array.of(0, 1)]);
  using plain = openSync(path);
  expectTypeOf(plain.getItemSync(0)).toEqualTypeOf<SyrahItem>();
});

test('a file that is otherwise is refused, with everything that differs', async () => {
  const wrong = { x: 'float64', gone: 'int8', name: 'str' } as const;
  const error = {
    code: 'ERR_SCHEMA',
    message: 'expect: expected "x" float64, "gone" int8 but found "x" float32, "gone" missing',
  };
  await expect(open(path, { expect: wrong })).rejects.toMatchObject(error);
  expect(() => SyrahDataset.openSync(path, ['x'], { expect: wrong })).toThrow(expect.objectContaining(error));
});

test('samples and batches by the keys', async () => {
  using dataset = await SyrahDataset.open(path, ['x', 'label', 'name'], { expect: expected });
  expectTypeOf(await dataset.get(0)).toEqualTypeOf<readonly [Float32Array, BigInt64Array, string]>();
  const [x, label, name] = await firstOf(new DataLoader(dataset, { batchSize: 2 }));
  expectTypeOf(x).toEqualTypeOf<Tensor<Float32Array>>();
  expectTypeOf(label).toEqualTypeOf<Tensor<BigInt64Array>>();
  expectTypeOf(name).toEqualTypeOf<readonly string[]>();
  expect([x.shape, label.data, name]).toEqual([[2, 2], BigInt64Array.of(0n, 1n), ['n0', 'n1']]);
  const cast = await firstOf(new DataLoader(dataset, { cast: { label: 'int32' } }));
  expectTypeOf(cast[1].data).toEqualTypeOf<Int32Array>();
  expectTypeOf(cast[0].data).toEqualTypeOf<Float32Array>();
  const [padded] = await firstOf(new DataLoader(dataset, { collate: 'pad' }));
  expectTypeOf(padded).toEqualTypeOf<PaddedTensor<Float32Array>>();
  const [listed] = await firstOf(new DataLoader(dataset, { collate: { kind: 'list' } }));
  expectTypeOf(listed).toEqualTypeOf<readonly Float32Array[]>();
  const counted = await firstOf(new DataLoader(dataset, { collate: (samples) => samples.length }));
  expectTypeOf(counted).toEqualTypeOf<number>();
  const all = new SyrahConcatDataset([dataset, dataset.subset([0])]);
  expectTypeOf((await firstOf(new DataLoader(all)))[1]).toEqualTypeOf<Tensor<BigInt64Array>>();
  expectTypeOf(await firstOf(new DataLoader<[Tensor]>(dataset))).toEqualTypeOf<[Tensor]>();
});

test('process functions, own datasets, and what nobody has checked', async () => {
  using processed = await SyrahDataset.open(path, ['x', 'label'], {
    expect: expected,
    process: { label: (value: BigInt64Array) => Number(value[0]) },
  });
  expectTypeOf(await processed.get(0)).toEqualTypeOf<readonly [Float32Array, number]>();
  const [, label] = await firstOf(new DataLoader(processed, { batchSize: 2 }));
  expectTypeOf(label).toEqualTypeOf<Tensor<Float64Array>>();
  expect(label.data).toEqual(Float64Array.of(0, 1));
  const own = { length: 2, get: (index: number) => ({ a: index, b: `t${String(index)}` }) };
  const batch = await firstOf(new DataLoader(own));
  expectTypeOf(batch.a).toEqualTypeOf<Tensor<Float64Array>>();
  expectTypeOf(batch.b).toEqualTypeOf<readonly string[]>();
  class Own extends SyrahDataset {
    override get(index: number): Promise<readonly unknown[]> {
      return Promise.resolve([index]);
    }
    readonly mine = true;
  }
  using mine = await Own.open(path, ['x'], { expect: expected });
  expectTypeOf(mine).toEqualTypeOf<Own>();
  using plain = await SyrahDataset.open(path);
  expectTypeOf(await firstOf(new DataLoader(plain))).toEqualTypeOf<readonly unknown[]>();
  const loader: DataLoader = new DataLoader(plain);
  expect(loader.length).toBe(4);
});
