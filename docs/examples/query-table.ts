import { col, open, write } from 'colstore';

await write('t.cstore', {
  price: Float64Array.of(9.5, 12, 7.25, 30),
  qty: Int32Array.of(3, 1, 12, 2),
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
table.close();
