import { info, write } from 'colstore';

const columns = { price: Float64Array.of(9.5, 12) };
await write('for-python.cstore', columns, { layout: 'records' });
console.log((await info('for-python.cstore')).wire); // → records-64
