import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { DataLoader, SampleError, SyrahDataset, create } from 'syrah';
import type { LoaderState, PaddedTensor, Tensor } from 'syrah';

type Features = Tensor<Float32Array>;
type Labels = Tensor<Int32Array>;

{
  // #region train
  const writer = await create('train.syr');
  for (let i = 0; i < 100; i++) {
    await writer.addItem({
      features: Float32Array.from({ length: 8 }, (_, k) => i + k),
      label: Int32Array.of(i % 10),
    });
  }
  await writer.close();

  const dataset = await SyrahDataset.open('train.syr', ['features', 'label']);
  const [training, heldOut] = dataset.split([0.8, 0.2], 7);
  const loader = new DataLoader<[Features, Labels]>(training!, {
    batchSize: 32,
    shuffle: true,
    seed: 7,
    workers: 2,
  });

  for (let epoch = 0; epoch < 2; epoch++) {
    for await (const [features, labels] of loader) {
      // features.data is one Float32Array
      assert.deepEqual(features.shape, [labels.data.length, 8]);
    }
  }
  assert.equal(loader.length, 3);
  assert.equal(heldOut!.length, 20);
  dataset.close();
  // #endregion train
}
{
  // #region shapes
  const dataset = await SyrahDataset.open('train.syr', ['features']);
  const loader = new DataLoader<[Features]>(dataset, {
    batchSize: 10,
    collate: { kind: 'stack', shapes: { features: [2, 4] } },
  });
  for await (const [features] of loader) {
    assert.deepEqual(features.shape, [10, 2, 4]);
  }
  dataset.close();
  // #endregion shapes
}
{
  // #region transforms
  writeFileSync(
    'augment.mjs',
    `export function features(array, { random }) {
    const by = 1 + 0.1 * (random() - 0.5);
    return array.map((value) => value * by);
  }`,
  );

  const dataset = await SyrahDataset.open('train.syr', ['features', 'label']);
  const batches = async (workers: number) => {
    const all: number[] = [];
    const loader = new DataLoader<[Features, Labels]>(dataset, {
      batchSize: 25,
      seed: 1,
      workers,
      processModule: 'augment.mjs',
    });
    for await (const [features] of loader) for (const value of features.data) all.push(value);
    return all;
  };
  assert.deepEqual(await batches(2), await batches(0));
  dataset.close();
  // #endregion transforms
}
{
  // #region class
  class Pairs extends SyrahDataset {
    override get length() {
      return this.file.itemCount - 1;
    }
    override async get(index: number) {
      const [here, next] = [await super.get(index), await super.get(index + 1)];
      return [here[0], next[0]];
    }
  }

  const pairs = await Pairs.open('train.syr', ['features']);
  const [, next] = await pairs.get(3);
  assert.equal((next as Float32Array)[0], 4);
  pairs.close();
  // #endregion class
}
{
  // #region lengths
  const writer = await create('words.syr');
  for (const length of [2, 5, 3]) {
    await writer.addItem({ tokens: new Int32Array(length).fill(length) });
  }
  await writer.close();

  const dataset = await SyrahDataset.open('words.syr');
  const padded = new DataLoader<[PaddedTensor<Int32Array>]>(dataset, {
    batchSize: 3,
    collate: { kind: 'pad', value: -1, mask: true },
  });
  for await (const [tokens] of padded) {
    assert.deepEqual(tokens.shape, [3, 5]);
    assert.deepEqual([...tokens.data.subarray(0, 5)], [2, 2, -1, -1, -1]);
    assert.deepEqual([...tokens.lengths], [2, 5, 3]);
    assert.deepEqual([...tokens.mask!.subarray(0, 5)], [1, 1, 0, 0, 0]);
  }

  const stacked = new DataLoader(dataset, { batchSize: 3 });
  await assert.rejects(
    stacked[Symbol.asyncIterator]().next(),
    (e) => e instanceof SampleError && e.item === 1 && e.key === 'tokens',
  );
  dataset.close();
  // #endregion lengths
}
{
  // #region resume
  const dataset = await SyrahDataset.open('train.syr', ['label']);
  const options = { batchSize: 16, shuffle: true, seed: 3, workers: 2 };
  const loader = new DataLoader<[Labels]>(dataset, options);
  const whole: number[][] = [];
  let saved = '';
  for await (const [labels] of loader) {
    whole.push([...labels.data]);
    if (whole.length === 2) saved = JSON.stringify(loader.state());
  }

  const state = JSON.parse(saved) as LoaderState;
  const rest: number[][] = [];
  for await (const [labels] of DataLoader.resume<[Labels]>(dataset, state)) {
    rest.push([...labels.data]);
  }
  assert.deepEqual(rest, whole.slice(2));
  dataset.close();
  // #endregion resume
}
{
  // #region ranks
  const dataset = await SyrahDataset.open('train.syr', ['features']);
  const seen: number[] = [];
  for (const rank of [0, 1, 2]) {
    const loader = new DataLoader<[Features]>(dataset, {
      batchSize: 8,
      shuffle: true,
      seed: 5,
      rank,
      worldSize: 3,
      tail: 'uneven',
    });
    for await (const [{ data, shape }] of loader) {
      for (let k = 0; k < shape[0]!; k++) seen.push(data[8 * k]!);
    }
  }
  seen.sort((a, b) => a - b);
  assert.deepEqual(
    seen,
    Array.from({ length: 100 }, (_, i) => i),
  );
  dataset.close();
  // #endregion ranks
}
