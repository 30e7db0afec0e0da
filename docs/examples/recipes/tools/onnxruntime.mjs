import { write } from 'columna';

await write('homes.cna', {
  area: Float32Array.of(50, 80, 120),
  rooms: Float32Array.of(2, 3, 5),
});

// #region run
import * as ort from 'onnxruntime-node';
import { create, open } from 'columna';

// model.onnx takes features of float32 [rows, 2], and gives a score of float32 [rows, 1].
const session = await ort.InferenceSession.create('model.onnx');
const homes = await open('homes.cna');
const writer = await create('scores.cna');
for await (const batch of homes.batches({ rows: 65_536 })) {
  const rows = batch.area.length;
  const features = new Float32Array(2 * rows);
  for (let row = 0; row < rows; row += 1) features.set([batch.area[row], batch.rooms[row]], 2 * row);
  const { score } = await session.run({ features: new ort.Tensor('float32', features, [rows, 2]) });
  await writer.write({ ...batch, score: score.data });
}
await writer.close();
// #endregion run

const scores = await open('scores.cna');
console.log(await scores.column('score').toArray());
// → Float32Array(3) [ 56, 89, 135 ]
scores.close();
homes.close();
