import { col, scan, write } from 'columna';

const rows = 6000;
await write('orders.cna', {
  id: Int32Array.from({ length: rows }, (_, i) => 100_000 + i),
  region: Array.from({ length: rows }, (_, i) => ['EMEA', 'APAC', 'AMER'][i % 3] ?? ''),
  amount: Float64Array.from({ length: rows }, (_, i) => i),
}, { rowGroupSize: 1000 });

// #region scan
const result = await scan('orders.cna', { columns: ['id', 'amount'], where: col('amount').ge(5400).and(col('region').eq('EMEA')) });
console.log(result.rowCount, result.columns['id']?.[0]);          // → 200 105400
console.log(result.stats.groupsSkipped, 'of', result.stats.groups, 'row groups were skipped');   // → 5 of 6 row groups were skipped
console.log(result.summary().split(',')[0]);                      // → 200 matched / 1000 scanned
// #endregion scan

// #region totals
const question = scan('orders.cna', { where: 'region == "APAC"' });
console.log(await question.count());                              // → 2000
console.log(await question.agg({ total: { sum: 'amount' }, last: { max: 'amount' } }));   // → { total: 5999000, last: 5998 }
const { columns: groups } = await scan('orders.cna').groupBy('region').agg({ n: 'count', total: { sum: 'amount' } });
console.log(groups['region'], groups['n']);                       // → [ 'EMEA', 'APAC', 'AMER' ] [ 2000, 2000, 2000 ]
// #endregion totals
