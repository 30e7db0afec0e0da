import { write } from 'columna';

await write('orders.cna', {
  id: BigInt64Array.of(1n, 2n, 3n),
  region: ['EMEA', 'APAC', 'EMEA'],
  price: Float64Array.of(9.5, 12, 7.25),
});

// #region in
import { DuckDBInstance } from '@duckdb/node-api';
import { open } from 'columna';
import { toParquet } from 'colkit/convert';

const orders = await open('orders.cna');
await toParquet(orders.where('price > 8').select('region', 'price'), 'orders.parquet');

const duckdb = await (await DuckDBInstance.create()).connect();
const answer = await duckdb.runAndReadAll(
  "select region, sum(price) as total from 'orders.parquet' group by region order by region",
);
console.log(answer.getRows());
// → [ [ 'APAC', 12 ], [ 'EMEA', 9.5 ] ]
// #endregion in

// #region out
// Columns go back as they are: BIGINT is a bigint, DOUBLE a number, VARCHAR a text, NULL a null.
const found = await duckdb.runAndReadAll('select range as id, range * 1.5::double as price from range(4)');
await write('prices.cna', found.getColumnsObjectJS());
// #endregion out

const prices = await open('prices.cna');
console.log(
  prices.schema.map(({ name, dtype }) => `${name}: ${dtype}`),
  await prices.column('price').sum(),
);
// → [ 'id: int64', 'price: float64' ] 9
prices.close();
orders.close();
duckdb.closeSync();
