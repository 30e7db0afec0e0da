import * as ort from 'onnxruntime-web';
import { DataLoader, SyrahDataset } from 'syrah';

// #region run
// A model that takes int64 gets it as it is: a BigInt64Array.
const session = await ort.InferenceSession.create('model-int64.onnx');
const dataset = await SyrahDataset.open('train.syr', ['features', 'label']);
const loader = new DataLoader(dataset, {
  batchSize: 50,
  cast: { features: 'float16-bits' },
});

for await (const [features, label] of loader) {
  const { accuracy } = await session.run({
    features: new ort.Tensor('float16', features.data, features.shape),
    label: new ort.Tensor('int64', label.data, label.shape),
  });
  console.log(label.data.constructor.name, accuracy.data[0]);
}
// → BigInt64Array 1
// → BigInt64Array 1
// #endregion run
dataset.close();
