import { read, write } from 'columna';

const rows = Array.from({ length: 10_000 }, (_, i) => i);
await write('orders.cna', {
  id: BigInt64Array.from(rows, (i) => BigInt(100_000 + i)),
  region: rows.map((i) => ['EMEA', 'APAC', 'AMER'][i % 3]!),
  note: rows.map((i) => (i % 10 === 0 ? 'gift' : null)),
});

// reads two of the three columns
const { id, note } = await read('orders.cna', { columns: ['id', 'note'] });
console.log(id?.[3], note?.[0], note?.[1]);
// → 100003n gift null
