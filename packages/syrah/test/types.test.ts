// What the compiler knows of items, samples and batches, as users write them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest';
import { DataLoader, SyrahConcatDataset, SyrahDataset, create, open, openShardsSync, openSync } from '../src/index.ts';
import type { LoaderOptions, PaddedTensor, SyrahFile, SyrahItem, SyrahValue, Tensor } from '../src/index.ts';

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
  // As `tf.tensor` takes it.
  const shape: number[] | undefined = x.shape;
  expect(shape).toEqual([2, 2]);
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

test('a process function knows its array where the file is known, else that it is one of all kinds', async () => {
  using scaled = await SyrahDataset.open(path, ['x', 'label'], {
    expect: expected,
    process: {
      x: (a, { index }) => a.map((value) => value / 2 + index),
      label: (a) => {
        expectTypeOf(a).toEqualTypeOf<BigInt64Array>();
        return Promise.resolve(Number(a[0]));
      },
    },
  });
  expectTypeOf((await scaled.get(0))[1]).toEqualTypeOf<number>();
  expect(await scaled.get(1)).toEqual([Float32Array.of(1.5, 1.5), 1]);
  using now = SyrahDataset.openSync(path, ['x'], { expect: { x: 'float32' }, process: { x: (a) => a.length } });
  expectTypeOf(now.getSync(0)).toEqualTypeOf<readonly [number]>();
  using unknown = await SyrahDataset.open(path, ['x'], {
    process: {
      x: (a) => {
        expectTypeOf(a).toEqualTypeOf<SyrahValue>();
        return a.length;
      },
    },
  });
  expect(await unknown.get(0)).toEqual([2]);
  using file = openSync(path);
  const declared = new SyrahDataset(file, ['x', 'label'], {
    process: { x: (a: Float32Array) => a[0], label: (a) => a.length },
  });
  expect(await declared.get(1)).toEqual([1, 1]);
  const map = new Map([['x', (a: Float32Array) => a.length]]);
  using mapped = await SyrahDataset.open(path, ['x'], { expect: expected, process: map });
  expectTypeOf(await mapped.get(0)).toEqualTypeOf<readonly [unknown]>();
  // @ts-expect-error the array is another one
  using wrong = SyrahDataset.openSync(path, ['x'], { expect: expected, process: { x: (a: Float64Array) => a } });
  expect(wrong.length).toBe(4);
});

test('keys that a typed file or dataset has not', async () => {
  using file = await open(path, { expect: { x: 'float32', label: 'int64' } });
  using shards = openShardsSync([path], { expect: { x: 'float32', label: 'int64' } });
  for (const items of [file, shards]) {
    expect(items.lengths('x')).toEqual(Float64Array.of(2, 2, 2, 2));
    expect(items.gatherKeysSync([0], ['x', 'label'])).toHaveLength(2);
    // @ts-expect-error there is no such key
    expect(() => items.gatherKeysSync([0], ['y'])).toThrow(/"y"/u);
    // @ts-expect-error there is no such key
    await expect(items.gatherKeys([0], ['x', 'y'])).rejects.toThrow(/"y"/u);
    // @ts-expect-error there is no such key
    expect(() => items.lengths('y')).toThrow(/"y"/u);
    // @ts-expect-error there is no such key
    expect(() => items.getEntriesSync(0, { keys: ['y'] })).toThrow(/"y"/u);
  }
  // @ts-expect-error there is no such key
  await expect(file.getItem(0, { keys: ['y'] })).rejects.toThrow(/"y"/u);
  // @ts-expect-error there is no such key
  expect(() => shards.getItemSync(0, { keys: ['x', 'y'] })).toThrow(/"y"/u);
  const keys: readonly string[] = ['x'];
  using plain = openSync(path);
  expect(Object.keys(plain.getItemSync(0, { keys }))).toEqual(['x']);
  using dataset = await SyrahDataset.open(path, ['x', 'label'], { expect: expected });
  // @ts-expect-error there is no such key
  expect(() => new DataLoader(dataset, { cast: { y: 'int32' } })).toThrow(/"y"/u);
  // @ts-expect-error there is no such key
  expect(() => new DataLoader(dataset, { cast: { label: 'int32', y: 'int32' } })).toThrow(/"y"/u);
  const options: LoaderOptions = { cast: { label: 'int32' } };
  expect(new DataLoader(dataset, options).length).toBe(4);
});

test('what has no length is not padded, and its type says so', async () => {
  const sample = { n: 1, big: 2n, flag: true, text: 'a', x: Float32Array.of(1) };
  const own = { length: 1, get: () => sample };
  const batch = await firstOf(new DataLoader(own, { collate: { kind: 'pad', mask: true }, cast: { n: 'int32' } }));
  expectTypeOf(batch.n).toEqualTypeOf<Tensor<Int32Array>>();
  expectTypeOf(batch.big).toEqualTypeOf<Tensor<BigInt64Array>>();
  expectTypeOf(batch.flag).toEqualTypeOf<Tensor<Uint8Array>>();
  expectTypeOf(batch.text).toEqualTypeOf<readonly string[]>();
  expectTypeOf(batch.x).toEqualTypeOf<PaddedTensor<Float32Array<ArrayBuffer>>>();
  expect({ ...batch }).toEqual({
    n: { data: Int32Array.of(1), shape: [1] },
    big: { data: BigInt64Array.of(2n), shape: [1] },
    flag: { data: Uint8Array.of(1), shape: [1] },
    text: ['a'],
    x: { data: Float32Array.of(1), shape: [1, 1], lengths: Int32Array.of(1), mask: Uint8Array.of(1) },
  });
});

test('a collate function may say what its samples are', async () => {
  using dataset = await SyrahDataset.open(path, ['x', 'label'], { expect: expected });
  const collate = (samples: readonly (readonly [Float32Array, BigInt64Array])[]): number => samples[0]?.[0].length ?? 0;
  const batch = await firstOf(new DataLoader(dataset, { collate }));
  expectTypeOf(batch).toEqualTypeOf<number>();
  expect(batch).toBe(2);
});

test('items of objects whose types are interfaces', async () => {
  interface Item {
    readonly label: Int32Array;
    readonly note: string;
  }
  const item: Item = { label: Int32Array.of(1), note: 'one' };
  const writer = await create(join(folder, 'interfaces.syr'));
  await writer.addItem(item);
  writer.addItemSync(item);
  await writer.addItems([item]);
  expect(await writer.close()).toMatchObject([{ itemCount: 3 }]);
  interface Other {
    readonly label: symbol;
  }
  const other: Other = { label: Symbol('none') };
  // @ts-expect-error -- no array
  await expect(writer.addItem(other)).rejects.toThrow();
});

test('tensors of samples may have readonly shapes', async () => {
  const shape: readonly number[] = [1, 2];
  const dataset = { length: 2, get: (index: number) => [{ data: Float32Array.of(index, 1), shape }] as const };
  const [x] = await firstOf(new DataLoader(dataset, { batchSize: 2 }));
  expectTypeOf(x).toEqualTypeOf<Tensor<Float32Array<ArrayBuffer>>>();
  expect(x).toEqual({ data: Float32Array.of(0, 1, 1, 1), shape: [2, 1, 2] });
});
