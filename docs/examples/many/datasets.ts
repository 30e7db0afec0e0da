import { mkdirSync } from 'node:fs';
import { cstoreParts, write as writeColstore } from 'colstore';
import { commit, history, mergePartials, openDataset, partial, runTask, write, writePart } from 'columna';
import type { Split } from 'columna';

mkdirSync('orders/region=EMEA', { recursive: true });
mkdirSync('orders/region=APAC', { recursive: true });
await write('orders/region=EMEA/1.cna', { id: Int32Array.of(1, 2), amount: Float64Array.of(9.5, 4600) });
await write('orders/region=APAC/2.cna', { id: Int32Array.of(3, 4), amount: Float64Array.of(5000, 12) });

// #region open
const dataset = await openDataset('orders/');
console.log(dataset.rowCount, dataset.columnNames); // → 4 [ 'id', 'amount', 'region' ]
console.log(await dataset.where("region = 'EMEA' and amount > 4500").toRows());
// → [ { id: 2, amount: 4600, region: 'EMEA' } ]
const byRegion = await dataset.groupBy('region').agg({ n: 'count', total: { sum: 'amount' } });
console.log(byRegion.columns['total']); // → [ 5012, 4609.5 ]
dataset.close();
// #endregion open

await writeColstore('orders/region=APAC/3.cstore', { id: Int32Array.of(5), amount: Float64Array.of(1) });

// #region both
const both = await openDataset('orders/', { formats: [cstoreParts] });
console.log(both.rowCount); // → 5
both.close();
// #endregion both

// #region commit
const part = await writePart('sales', { id: Int32Array.of(1, 2) }, { partition: { region: 'EMEA' } });
const first = await commit('sales', [part], { expected: 0 });
const more = await writePart('sales', { id: Int32Array.of(3) }, { partition: { region: 'APAC' } });
await commit('sales', [more], { expected: first.version });

const sales = await openDataset('sales');
console.log(sales.version, sales.rowCount); // → 2 3
console.log((await history('sales')).map(({ rowCount }) => rowCount)); // → [ 2, 3 ]
sales.close();
// #endregion commit

// #region splits
const source = await openDataset('sales');
const splits = await source.splits({ where: 'id > 1', columns: ['id'], targetBytes: 64 << 20 });
const tasks = JSON.stringify(splits); // to a queue, other processes, other machines
source.close();

const states = [];
for (const split of JSON.parse(tasks) as Split[]) {
  for await (const batch of runTask({ split, columns: ['id'], where: 'id > 1' })) console.log(batch['id']);
  // → Int32Array(1) [ 2 ] Int32Array(1) [ 3 ]
  states.push(await partial({ split, where: 'id > 1', aggregates: { n: 'count', total: { sum: 'id' } } }));
}
console.log(mergePartials(states)); // → { n: 2, total: 5 }
// #endregion splits

// #region together
const small = await openDataset('sales');
const together = [];
for (const region of ['APAC', 'EMEA']) {
  const rows = small.where('region = @region', { region }).drop('region');
  together.push(await writePart('sales', rows, { partition: { region } }));
}
const whole = await commit('sales', together, { expected: small.version, operation: 'replace' });
console.log(whole.partCount, whole.rowCount); // → 2 3
small.close();
// #endregion together
