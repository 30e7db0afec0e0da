import { col, edit, open, write } from 'colstore';

await write('orders.cstore', {
  price: Float64Array.of(9.5, 12, 7, 30),
  qty: Int32Array.of(3, 0, 12, 5),
  day: Int32Array.of(1, 1, 2, 2),
});

// #region edit
const orders = await open('orders.cstore');
const change = edit(orders)
  .assign({ total: col('price').mul(col('qty')).round(1), cheap: 'price < 10' })
  .rename({ qty: 'pieces' })
  .cast({ pieces: 'int16' })
  .where('pieces > 0', { label: 'delivered' })
  .where(col('total').gt(50), { label: 'large' })
  .drop('day');
const flow = await change.report();
console.log(flow.steps.map(({ label, rowsAfter }) => `${label} ${rowsAfter}`)); // → [ 'delivered 3', 'large 2' ]
const info = await change.write('large.cstore', { statistics: true });
console.log(info.rowCount, change.columnNames); // → 2 [ 'price', 'pieces', 'total', 'cheap' ]
// #endregion edit

// #region values
const computed = edit(orders).assign({
  size: "where(qty >= 10, 'many', where(qty > 0, 'some', 'none'))",
  each: col('price').div(col('qty')).clip(0, 100),
  half: 'fillNull(qty % 2, 0)',
});
console.log(await computed.table.column('size').toArray()); // → [ 'some', 'none', 'many', 'some' ]
console.log(await computed.table.column('each').toArray());
// → Float64Array(4) [ 3.1666666666666665, 100, 0.5833333333333334, 6 ]
// #endregion values

// #region apply
const named = edit(orders)
  .apply('band', ['price'], (price: Float64Array) => Uint8Array.from(price, (each) => Math.log2(each)))
  .apply(
    'label',
    ['qty', 'band'],
    (qty: Int32Array, band: Uint8Array) => Array.from(qty, (n, row) => `${n}/${band[row]}`),
    {
      dtype: 'U8',
    },
  );
console.log(await named.table.column('band').toArray()); // → Uint8Array(4) [ 3, 3, 2, 4 ]
console.log(await named.table.column('label').toArray()); // → [ '3/3', '0/3', '12/2', '5/4' ]
// #endregion apply
orders.close();
