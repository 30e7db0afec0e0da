import { inspect, write } from 'columna';

await write('orders.cna', {
  id: Int32Array.from({ length: 1000 }, (_, i) => 100_000 + i),
  region: Array.from({ length: 1000 }, (_, i) => ['EMEA', 'APAC'][i % 2]!),
});

// #region inspect
const file = await inspect('orders.cna');
for (const { column, byteLength, encodings } of file.rowGroups[0]!.chunks) {
  console.log(column, byteLength, 'bytes', encodings);
}
// #endregion inspect
