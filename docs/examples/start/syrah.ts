import { create, open } from 'syrah';

const writer = await create('train.syr');
await writer.addItem({
  label: Int32Array.of(1),
  features: Float32Array.of(0.5, 1.5),
});
await writer.addItem({
  label: Int32Array.of(2),
  features: Float32Array.of(2.5), // another length is fine
});
await writer.close();

const file = await open('train.syr');
console.log(file.itemCount, file.keys);
// → 2 [ 'label', 'features' ]
console.log(await file.getItem(-1));
// → { label: Int32Array(1) [ 2 ], features: Float32Array(1) [ 2.5 ] }
file.close();
