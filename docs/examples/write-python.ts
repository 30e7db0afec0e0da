import { info, write } from 'colstore';

await write('for-python.cstore', { price: Float64Array.of(9.5, 12) }, { layout: 'records' });   // what Python's colstore 0.4 and later reads
console.log((await info('for-python.cstore')).wire);   // → records-64
