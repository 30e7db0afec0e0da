import { ClassBalancedSampler, DataLoader, LengthBuckets, SyrahConcatDataset, SyrahDataset, create } from 'syrah';
import type { Tensor } from 'syrah';

// #region write
const writer = await create('train.syr');
for (let i = 0; i < 100; i += 1) {
  await writer.addItem({
    features: Float32Array.of(i, i / 2, i / 4),
    label: Int32Array.of(i % 2),
  });
}
await writer.close();
// #endregion write

// #region load
const dataset = await SyrahDataset.open('train.syr', ['features', 'label']);
const options = { batchSize: 32, shuffle: true, seed: 7, workers: 2 };

type Batch = [features: Tensor<Float32Array>, label: Tensor<Int32Array>];
const loader = new DataLoader<Batch>(dataset, options);
for await (const [features, label] of loader) {
  console.log(features.shape, label.data.length);
}
// → [ 32, 3 ] 32
// → [ 32, 3 ] 32
// → [ 32, 3 ] 32
// → [ 4, 3 ] 4
// #endregion load

// #region close
const [features] = (await loader[Symbol.asyncIterator]().next()).value!;
console.log(features.shape); // → [ 32, 3 ]
await loader.close();
// #endregion close

// #region resume
async function train(epochs: number, saved: string | null) {
  await using loader =
    saved === null
      ? new DataLoader<Batch>(dataset, options)
      : DataLoader.resume<Batch>(dataset, JSON.parse(saved), options);
  let checkpoint = '';
  let batches = 0;
  for (let epoch = loader.epoch; epoch < epochs; epoch += 1) {
    for await (const [features, label] of loader) {
      batches += features.shape[0] === label.data.length ? 1 : 0;
      checkpoint = JSON.stringify(loader.state());
    }
  }
  console.log(batches, 'batches');
  return checkpoint;
}

const saved = await train(2, null); // → 8 batches
await train(3, saved); // → 4 batches
// #endregion resume

// #region elastic
// Saved by ranks of two machines; three go on.
const state: unknown = JSON.parse(saved);
for (const rank of [0, 1, 2]) {
  const next = DataLoader.resume<Batch>(dataset, state, { ...options, rank, worldSize: 3 });
  console.log(next.epoch, next.length);
  await next.close();
}
// → 2 2
// → 2 2
// → 2 2
// #endregion elastic

// #region orders
const labels = Array.from({ length: dataset.length }, (_, i) => i % 2);
const balanced = new DataLoader<Batch>(dataset, {
  sampler: new ClassBalancedSampler(labels, { length: 10 }),
  batchSize: 10,
});
for await (const [, label] of balanced) {
  console.log(label.data.filter((each) => each === 1).length); // → 5
}

const lengths = dataset.file.lengths('features');
const batchSampler = new LengthBuckets(lengths, { elements: 60 });
console.log(new DataLoader(dataset, { batchSampler, collate: 'pad' }).length); // → 16
// #endregion orders

// #region join
const more = await create('more.syr');
await more.addItem({
  label: Int32Array.of(1),
  features: Float32Array.of(0, 0, 0),
});
await more.close();
const all = new SyrahConcatDataset([
  dataset,
  await SyrahDataset.open('more.syr'), // its keys stand the other way round
]);
console.log(await all.get(-1));
// → [ Float32Array(3) [ 0, 0, 0 ], Int32Array(1) [ 1 ] ]
// #endregion join

// #region many
const many = await SyrahDataset.open(['train.syr', 'mo*.syr'], ['features', 'label']);
console.log(many.length, many.shardLengths); // → 101 [ 100, 1 ]
// #endregion many
many.close();
all.close();
