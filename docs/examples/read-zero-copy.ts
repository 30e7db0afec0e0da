import { CannotViewError, open, write } from 'colstore';

await write('t.cstore', { price: Float64Array.of(9.5, 12, 7.25), qty: Int32Array.of(3, 1, 12) });
const table = await open('t.cstore');

// #region view
function prices(): unknown {
  try {
    return table.column('price').viewArray();             // no copy: a window onto the mapped file
  } catch (error) {
    if (!(error instanceof CannotViewError)) throw error; // no addon here, say; error.reason and error.remedy tell
    return table.column('price').toArraySync();           // a copy, always possible
  }
}
console.log(prices());                                    // → Float64Array(3) [ 9.5, 12, 7.25 ]
// #endregion view
table.close();
