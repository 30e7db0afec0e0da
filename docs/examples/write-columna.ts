import { append, create, open, write } from 'columna';

// #region write
const report = await write('orders.cna', {
  id: Int32Array.of(1, 2, 3, 4),
  region: ['EMEA', 'APAC', 'EMEA', 'EMEA'],
  note: ['gift', null, null, 'fragile'], // null makes a column nullable
});
console.log(report.rowCount, report.rowGroupCount); // → 4 1
// #endregion write

// #region stream
const writer = await create('stream.cna', { rowGroupSize: 1000 });
for (let day = 0; day < 3; day += 1) {
  await writer.write({
    day: new Int32Array(500).fill(day),
    value: Float64Array.from({ length: 500 }, (_, i) => i / 4),
  });
}
await writer.close(); // nothing is at the path before this
// #endregion stream

// #region append
const more = { day: Int32Array.of(3), value: Float64Array.of(0.25) };
await append('stream.cna', more);

const table = await open('stream.cna');
console.log(table.rowCount); // → 1501
table.close();
// #endregion append
