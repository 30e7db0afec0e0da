import { open, read, write } from 'columna';

await write('orders.cna', {
  id: BigInt64Array.of(1n, 2n, 3n),
  note: ['gift', null, 'gift'],
});

// #region read
const { id, note } = await read('orders.cna');
console.log(id); // → BigInt64Array(3) [ 1n, 2n, 3n ]
console.log(note); // → [ 'gift', null, 'gift' ]
// #endregion read

// #region forms
const table = await open('orders.cna');
console.log(await table.column('id').toArray({ int64: 'number' }));
// → Float64Array(3) [ 1, 2, 3 ]

const codes = await table.column('note').toArray({ strings: 'dictionary' });
console.log(codes);
// → { codes: Int32Array(3) [ 0, -1, 0 ], dictionary: [ 'gift' ] }
table.close();
// #endregion forms
