import { write } from 'columna';

await write('homes.cna', {
  area: Float32Array.from({ length: 200 }, (_, i) => 40 + ((i * 37) % 100)),
  rooms: Int32Array.from({ length: 200 }, (_, i) => 1 + (i % 5)),
  price: Float32Array.from({ length: 200 }, (_, i) => 3 * (40 + ((i * 37) % 100)) + 20 * (1 + (i % 5))),
});

// #region in
import * as tf from '@tensorflow/tfjs';
import { create, open } from 'columna';

const homes = await open('homes.cna');
// Columns are typed arrays, which TensorFlow.js takes as they are.
const featuresOf = ({ area, rooms }) =>
  tf.tidy(() => tf.stack([tf.tensor1d(area).div(100), tf.tensor1d(rooms, 'int32').toFloat().div(5)], 1));
const columns = await homes.toColumns();
const y = tf.tensor2d(columns.price, [homes.rowCount, 1]).div(100);

const model = tf.sequential({ layers: [tf.layers.dense({ units: 1, inputShape: [2] })] });
model.compile({ optimizer: tf.train.adam(0.1), loss: 'meanSquaredError' });
await model.fit(featuresOf(columns), y, { epochs: 60, verbose: 0 });
// #endregion in

// #region out
// What the model says of each row, batch by batch: memory stays bounded however long the table is.
const writer = await create('estimates.cna');
for await (const batch of homes.batches({ rows: 65_536 })) {
  const estimate = tf.tidy(() => model.predict(featuresOf(batch)).mul(100).reshape([-1]));
  await writer.write({ ...batch, estimate: await estimate.data() });
  estimate.dispose();
}
await writer.close();
// #endregion out

const estimates = await open('estimates.cna');
console.log(estimates.columnNames); // → [ 'area', 'rooms', 'price', 'estimate' ]
const close = estimates.where('estimate - price < 30 and price - estimate < 30');
console.log((await close.count()) > 190); // → true
estimates.close();
homes.close();
