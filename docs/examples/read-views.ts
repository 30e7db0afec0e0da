import { open, write } from 'colstore';

await write('t.cstore', { price: Float64Array.of(9.5, 12, 7.25, 30), qty: Int32Array.of(3, 1, 12, 2) });

// #region views
const table = await open('t.cstore');
console.log(table.rowCount, table.columnNames);          // → 4 [ 'price', 'qty' ]

const view = table.slice(1).take([2, 0]).select('qty');  // a description; nothing is read
console.log(await view.toColumns());                     // → { qty: Int32Array(2) [ 2, 1 ] }
console.log(await table.filter([true, false, false, true]).column('price').toArray());   // → Float64Array(2) [ 9.5, 30 ]
console.log(await table.column('price').at(-1));         // → 30
console.log(await table.column('qty').sum());            // → 18
// #endregion views

// #region sync
console.log(table.head(1).toRowsSync());                 // → [ { price: 9.5, qty: 3 } ]
// #endregion sync

// #region batches
let total = 0;
for await (const { price, qty } of table.batches({ rows: 2 })) {    // memory: one batch, whatever the file's size
  if (price instanceof Float64Array && qty instanceof Int32Array) for (let i = 0; i < price.length; i += 1) total += price[i]! * qty[i]!;
}
console.log(total);                                      // → 187.5
// #endregion batches

// #region out
const price = new Float64Array(2);
await table.slice(0, 2).toColumns({ out: { price } });   // into an array of yours
console.log(price);                                      // → Float64Array(2) [ 9.5, 12 ]
// #endregion out
table.close();
