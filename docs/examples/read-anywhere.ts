import { open, write } from 'colstore';
import { readFile } from 'node:fs/promises';

await write('t.cstore', { price: Float64Array.of(9.5, 12, 7.25) });

// #region sources
const bytes = new Uint8Array(await readFile('t.cstore'));
for (const source of ['t.cstore', bytes, new Blob([bytes])]) {
  const table = await open(source);
  console.log(await table.column('price').at(1));
  table.close();
}
// → 12
// → 12
// → 12
// #endregion sources
