// A training run as a process of its own: prints every batch, and after each the state; ends after `stopAfter`
// checkpoints. Started again with a state, it goes on from there.
import { DataLoader, SyrahDataset } from '../../dist/index.js';

const { path, options, epochs, state, stopAfter } = JSON.parse(process.argv[2] ?? '{}');
const dataset = await SyrahDataset.open(path, ['label']);
const loader = state === null ? new DataLoader(dataset, options) : DataLoader.resume(dataset, state, options);
let checkpoints = 0;
const checkpoint = () => {
  console.log(JSON.stringify({ state: loader.state() }));
  checkpoints += 1;
  if (checkpoints === stopAfter) process.exit(0);
};

checkpoint();
for (let epoch = loader.epoch; epoch < epochs; epoch += 1) {
  for await (const [label] of loader) {
    console.log(JSON.stringify({ epoch: loader.epoch, batch: [...label.data] }));
    checkpoint();
  }
  checkpoint();
}
dataset.close();
await loader.close();
