import { col, scan, write } from 'columna';

const rows = Array.from({ length: 6000 }, (_, i) => i);
await write(
  'orders.cna',
  {
    id: Int32Array.from(rows, (i) => 100_000 + i),
    region: rows.map((i) => ['EMEA', 'APAC', 'AMER'][i % 3]!),
    amount: Float64Array.from(rows),
  },
  { rowGroupSize: 1000 },
);

// #region scan
const result = await scan('orders.cna', {
  columns: ['id', 'amount'],
  where: col('amount').ge(5400).and(col('region').eq('EMEA')),
});
console.log(result.rowCount, result.columns['id']?.[0]);
// → 200 105400

const { matched, scanned, groups, groupsSkipped } = result.stats;
console.log(matched, 'of', scanned, 'rows');
// → 200 of 1000 rows
console.log(groupsSkipped, 'of', groups, 'row groups skipped');
// → 5 of 6 row groups skipped
// #endregion scan

// #region totals
const question = scan('orders.cna', { where: 'region == "APAC"' });
console.log(await question.count()); // → 2000
console.log(await question.sum('amount')); // → 5999000

const { columns } = await scan('orders.cna')
  .groupBy('region')
  .agg({ n: 'count', last: { max: 'amount' } });
console.log(columns);
// → { region: [ 'EMEA', 'APAC', 'AMER' ], n: [ 2000, 2000, 2000 ],
// → last: [ 5997, 5998, 5999 ] }
// #endregion totals
