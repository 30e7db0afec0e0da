import { isColkitError, open, typed, write } from 'colstore';

// #region columns
await write('cities.cstore', {
  id: BigInt64Array.of(1n, 2n, 3n),                                            // typed arrays say their type
  open: [true, false, true],                                                   // bool
  seen: typed('datetime64[s]', ['2026-11-21T09:00:00', '2026-11-22', 'NaT']),  // said outright
  city: typed('U6', ['Berlin', 'Oslo', '東京']),                                // at most 6 characters
});
// #endregion columns

// #region again
const refused: unknown = await write('cities.cstore', { id: Int32Array.of(1) }).catch((error: unknown) => error);
console.log(isColkitError(refused) && refused.code);   // → ERR_EXISTS
await write('cities.cstore', { id: Int32Array.of(1, 2, 3) }, { overwrite: true });
// #endregion again

// #region copy
const table = await open('cities.cstore');
await write('two.cstore', table.take([2, 0]));        // any lazy table: exported piece by piece, in bounded memory
table.close();
// #endregion copy

const two = await open('two.cstore');
console.log(await two.column('id').toArray());        // → Int32Array(2) [ 3, 1 ]
two.close();
