import { col, open, write } from 'colstore';

await write('t.cstore', {
  price: Float64Array.of(9.5, 12, 7.25, 30),
  qty: Int32Array.of(3, 1, 12, 2),
  store: Uint8Array.of(1, 2, 1, 2),
});
const table = await open('t.cstore');

// #region where
const cheap = table.where(col('price').lt(10).and(col('qty').ge(2)));
console.log(await cheap.count()); // → 2
console.log(await cheap.select('price').toColumns());
// → { price: Float64Array(2) [ 9.5, 7.25 ] }

// the same as text, with a parameter
const same = table.where('price < @most and qty >= 2', { most: 10 });
console.log(await same.column('qty').sum()); // → 15
// #endregion where

// #region error
try {
  table.where('price < "ten"');
} catch (error) {
  console.log((error as { code?: string }).code); // → ERR_QUERY_TYPE
}
// #endregion error

// #region totals
console.log(await table.agg({ n: 'count', total: { sum: 'qty' } }));
// → { n: 4, total: 18 }
const byStore = await table.groupBy('store').agg({ n: 'count', total: { sum: 'qty' } });
console.log(byStore.columns);
// → { store: [ 1, 2 ], n: [ 2, 2 ], total: [ 15, 3 ] }

// the answer is a table too
console.log(await byStore.table.orderBy('total').head(1).toRows());
// → [ { store: 2, n: 2, total: 3 } ]

const dearest = table.orderBy({ column: 'price', descending: true }).head(2);
console.log(await dearest.column('price').toArray());
// → Float64Array(2) [ 30, 12 ]
console.log(await table.distinct('store').column('qty').toArray());
// → Int32Array(2) [ 3, 1 ]
// #endregion totals

// #region resolve
const found = await table.where('price > 8').resolve();
console.log(found.rowNumbers()); // → Int32Array(3) [ 0, 1, 3 ]
console.log(await found.column('qty').sum()); // → 6
// #endregion resolve
table.close();
