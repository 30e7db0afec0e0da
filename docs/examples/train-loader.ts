import { DataLoader, SyrahDataset, create } from 'syrah';

// #region write
const writer = await create('train.syr');
for (let i = 0; i < 100; i += 1) {
  await writer.addItem({ features: Float32Array.of(i, i / 2, i / 4), label: Int32Array.of(i % 2) });
}
await writer.close();
// #endregion write

// #region load
const dataset = await SyrahDataset.open('train.syr', ['features', 'label']);
const loader = new DataLoader(dataset, { batchSize: 32, shuffle: true, seed: 7, workers: 2 });
let seen = 0;
for await (const [features, label] of loader) {
  const { data, shape } = features as { data: Float32Array; shape: number[] };   // 32 items stacked, one array
  if (data.length !== shape[0]! * shape[1]! || label === undefined) throw new Error('a batch is not what its shape says');
  seen += shape[0]!;
}
console.log(seen, 'items in', loader.length, 'batches');   // → 100 items in 4 batches
// #endregion load

// #region resume
const first = new DataLoader(dataset, { batchSize: 10, shuffle: true, seed: 7 });
for await (const batch of first) if (batch.length > 0) break;   // one batch, then the process ends
const saved = JSON.stringify(first.state());

const resumed = DataLoader.resume(dataset, JSON.parse(saved) as ReturnType<typeof first.state>, { batchSize: 10, shuffle: true, seed: 7 });
let left = 0;
for await (const batch of resumed) left += batch.length > 0 ? 1 : 0;
console.log(left, 'of', resumed.length, 'batches were left');   // → 9 of 10 batches were left
// #endregion resume
dataset.close();
