import * as tf from '@tensorflow/tfjs';
import { DataLoader, SyrahDataset } from 'syrah';

// #region model
const model = tf.sequential({
  layers: [
    tf.layers.dense({
      units: 64,
      activation: 'relu',
      inputShape: [784],
      kernelInitializer: tf.initializers.heNormal({ seed: 1 }),
    }),
    tf.layers.dense({ units: 10, kernelInitializer: tf.initializers.glorotUniform({ seed: 2 }) }),
  ],
});
const optimizer = tf.train.adam(0.002);
/** A batch of pictures, [64, 784] -> numbers from 0 to 1. */
const inputs = (image) => tf.tensor2d(image.data, image.shape).div(255);
// #endregion model

// #region train
// A path, or in a page an address, of which each worker keeps what it has read.
const training = await SyrahDataset.open('digits-train.syr', ['image', 'label'], { cache: {} });
const loader = new DataLoader(training, {
  batchSize: 64,
  shuffle: true,
  seed: 7,
  workers: 2,
  cast: { image: 'float32', label: 'int32' },
});
for (let epoch = 0; epoch < 5; epoch += 1) {
  let sum = 0;
  for await (const [image, label] of loader) {
    const cost = optimizer.minimize(() => {
      const wanted = tf.oneHot(tf.tensor1d(label.data, 'int32'), 10);
      return tf.losses.softmaxCrossEntropy(wanted, model.predict(inputs(image)));
    }, true);
    sum += (await cost.data())[0];
    cost.dispose();
  }
  console.log(`epoch ${epoch + 1}: loss ${(sum / loader.length).toFixed(2)}`);
}
// → epoch 1: loss 0.57
// → epoch 2: loss 0.27
// → epoch 3: loss 0.21
// → epoch 4: loss 0.16
// → epoch 5: loss 0.13
await loader.close();
// #endregion train

// #region test
const unseen = await SyrahDataset.open('digits-test.syr', ['image', 'label']);
let right = 0;
for await (const [image, label] of new DataLoader(unseen, { batchSize: 100, cast: { image: 'float32' } })) {
  const guess = tf.tidy(() => model.predict(inputs(image)).argMax(1));
  right += (await guess.data()).filter((digit, item) => digit === label.data[item]).length;
  guess.dispose();
}
console.log(`${Math.round((100 * right) / unseen.length)} % of ${unseen.length} digits that it never saw`);
// → 95 % of 997 digits that it never saw
// #endregion test
training.close();
unseen.close();
