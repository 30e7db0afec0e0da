import { read, write } from 'columna';

const report = await write('orders.cna', {
  id: BigInt64Array.from({ length: 10_000 }, (_, i) => BigInt(100_000 + i)),
  region: Array.from({ length: 10_000 }, (_, i) => ['EMEA', 'APAC', 'AMER'][i % 3] ?? ''),
  note: Array.from({ length: 10_000 }, (_, i) => (i % 10 === 0 ? 'gift' : null)),
});
console.log(report.rowCount);             // → 10000

const { id, note } = await read('orders.cna', { columns: ['id', 'note'] });
console.log(id?.[3], note?.[0], note?.[1]);   // → 100003n gift null
