import { open, write } from 'colstore';

await write('orders.cstore', { price: Float64Array.of(9.5, 12, 7.25, 30), qty: Int32Array.of(3, 1, 12, 2) });

const table = await open('orders.cstore');                                    // reads the header, no data
const { price } = await table.take([3, 0, -2]).select('price').toColumns();   // reads three values
console.log(price);                             // → Float64Array(3) [ 30, 9.5, 7.25 ]
console.log(await table.slice(1, 3).toRows());  // → [ { price: 12, qty: 1 }, { price: 7.25, qty: 12 } ]
table.close();
