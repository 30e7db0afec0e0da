import { scan, writeCsv } from 'columna';
import { writeFile } from 'node:fs/promises';

await writeFile(
  'orders.csv',
  ['order_id,region,amount,note', '100000,EMEA,12.5,gift', '100001,APAC,99.9,', '100002,EMEA,120,'].join('\n'),
);

// #region csv
await writeCsv('orders.csv', 'orders.cna');
const { columns } = await scan('orders.cna', { where: 'amount > 50' });
console.log(columns);
// → { order_id: BigInt64Array(2) [ 100001n, 100002n ], region: [ 'APAC', 'EMEA' ],
// → amount: Float64Array(2) [ 99.9, 120 ], note: [ null, null ] }
// #endregion csv
