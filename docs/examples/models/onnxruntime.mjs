import * as ort from 'onnxruntime-node';
import { DataLoader, SyrahDataset } from 'syrah';

// #region run
const session = await ort.InferenceSession.create('model.onnx');
const dataset = await SyrahDataset.open('train.syr', ['features', 'label']);
const loader = new DataLoader(dataset, {
  batchSize: 25,
  cast: { features: 'float16-bits', label: 'int32' },
});

for await (const [features, label] of loader) {
  const { accuracy } = await session.run({
    features: new ort.Tensor('float16', features.data, features.shape),
    label: new ort.Tensor('int32', label.data, label.shape),
  });
  console.log(features.data.constructor.name, accuracy.data[0]);
}
// → Uint16Array 1
// → Uint16Array 1
// → Uint16Array 1
// → Uint16Array 1
// #endregion run
dataset.close();
