import { DataLoader, SyrahDataset, create } from 'syrah';
import type { LoaderState, Tensor } from 'syrah';

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

// #region resume
let saved = '';
for await (const batch of loader) {
  saved = JSON.stringify(loader.state());
  if (batch.length > 0) break; // the process ends here, say
}

const state = JSON.parse(saved) as LoaderState;
const resumed = DataLoader.resume<Batch>(dataset, state, options);
let left = 0;
for await (const [, label] of resumed) left += label.data.length;
console.log(left, 'samples were left'); // → 68 samples were left
// #endregion resume
dataset.close();
