import { open, write } from 'colstore';

await write('t.cstore', {
  price: Float64Array.of(9.5, 12, 7.25, 30),
  qty: Int32Array.of(3, 1, 12, 2),
});

// #region views
const table = await open('t.cstore');
console.log(table.rowCount, table.columnNames);
// → 4 [ 'price', 'qty' ]

// a description; nothing is read
const view = table.slice(1).take([2, 0]).select('qty');
console.log(await view.toColumns());
// → { qty: Int32Array(2) [ 2, 1 ] }

const kept = table.filter([true, false, false, true]);
console.log(await kept.column('price').toArray());
// → Float64Array(2) [ 9.5, 30 ]

console.log(await table.column('price').at(-1)); // → 30
console.log(await table.column('qty').sum()); // → 18
// #endregion views

// #region sync
console.log(table.head(1).toRowsSync());
// → [ { price: 9.5, qty: 3 } ]
// #endregion sync

// #region batches
const orders = table.expectSchema({ price: 'float64', qty: 'int32' });
let total = 0;
for await (const { price, qty } of orders.batches({ rows: 2 })) {
  price.forEach((each, i) => (total += each * qty[i]!));
}
console.log(total); // → 187.5
// #endregion batches

// #region json
const rows = await table.head(2).toRows({ json: true });
console.log(JSON.stringify(rows));
// → [{"price":9.5,"qty":3},{"price":12,"qty":1}]
// #endregion json

// #region out
const price = new Float64Array(2);
await table.slice(0, 2).toColumns({ out: { price } });
console.log(price); // → Float64Array(2) [ 9.5, 12 ]
// #endregion out
table.close();
