import { CannotViewError, open, write } from 'colstore';

await write('t.cstore', { price: Float64Array.of(9.5, 12, 7.25) });
const table = await open('t.cstore');

// #region view
function prices(): unknown {
  const column = table.column('price');
  try {
    return column.viewArray(); // a window onto the mapped file
  } catch (error) {
    if (!(error instanceof CannotViewError)) throw error;
    return column.toArraySync(); // no addon here, say: a copy
  }
}
console.log(prices()); // → Float64Array(3) [ 9.5, 12, 7.25 ]
// #endregion view
table.close();
