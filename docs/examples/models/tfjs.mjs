import * as tf from '@tensorflow/tfjs';
import { DataLoader, SyrahDataset } from 'syrah';

// #region train
// In the file features are float16, labels int64.
const dataset = await SyrahDataset.open('train.syr', ['features', 'label']);
const loader = new DataLoader(dataset, {
  batchSize: 32,
  shuffle: true,
  seed: 7,
  cast: { features: 'float32', label: 'int32' },
});

const weights = tf.variable(tf.zeros([2, 2]));
const bias = tf.variable(tf.zeros([2]));
const optimizer = tf.train.adam(0.1);
let loss = Infinity;
for (let epoch = 0; epoch < 30; epoch += 1) {
  for await (const [features, label] of loader) {
    const cost = optimizer.minimize(() => {
      const x = tf.tensor2d(features.data, features.shape);
      const y = tf.oneHot(tf.tensor1d(label.data, 'int32'), 2);
      return tf.losses.softmaxCrossEntropy(y, x.matMul(weights).add(bias));
    }, true);
    [loss] = await cost.data();
    cost.dispose();
  }
}
console.log(loss < 0.3); // → true
// #endregion train
dataset.close();
