import { append, appender, col, open } from 'colstore';

// #region append
// A new file in the folder each time, whole or not at all; the folder is made where it is missing.
await append('runs', { run: Int32Array.of(1, 1), price: Float64Array.of(9.5, 12) });
await append('runs', { run: Int32Array.of(2), price: Float64Array.of(7) }, { statistics: true });
// #endregion append

// #region appender
// Batches are kept until a file is worth writing.
const writer = await appender('runs', { shardRows: 1000 });
await writer.write({ run: Int32Array.of(3, 3), price: Float64Array.of(8, 30) });
await writer.close();
// #endregion appender

// #region open
const table = await open('runs'); // also 'runs/shard_*.cstore', and lists of files, folders and patterns
console.log(table.paths.length, table.rowCount); // → 3 5
console.log(await table.where(col('price').gt(9)).select('run').toColumns()); // → { run: Int32Array(3) [ 1, 1, 3 ] }
console.log((await table.groupBy('run').agg({ total: { sum: 'price' } })).columns['total']); // → [ 21.5, 7, 38 ]
table.close();
// #endregion open
