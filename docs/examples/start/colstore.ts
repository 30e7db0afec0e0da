import { open, write } from 'colstore';

await write('orders.cstore', {
  price: Float64Array.of(9.5, 12, 7.25, 30),
  qty: Int32Array.of(3, 1, 12, 2),
});

// reads the header, no data
const table = await open('orders.cstore');

// reads three values
const view = table.take([3, 0, -2]).select('price');
console.log(await view.toColumns());
// → { price: Float64Array(3) [ 30, 9.5, 7.25 ] }

console.log(await table.slice(1, 3).toRows());
// → [ { price: 12, qty: 1 }, { price: 7.25, qty: 12 } ]
table.close();
