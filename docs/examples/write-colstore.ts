import { isColkitError, open, typed, write } from 'colstore';

// #region columns
await write('cities.cstore', {
  id: BigInt64Array.of(1n, 2n, 3n), // typed arrays say their type
  open: [true, false, true],
  seen: typed('datetime64[s]', ['2026-11-21T09:00:00', '2026-11-22', 'NaT']),
  city: typed('U6', ['Berlin', 'Oslo', '東京']), // at most 6 characters
});
// #endregion columns

// #region again
const columns = { id: Int32Array.of(1, 2, 3) };
try {
  await write('cities.cstore', columns);
} catch (error) {
  console.log(isColkitError(error) && error.code); // → ERR_EXISTS
}
await write('cities.cstore', columns, { overwrite: true });
// #endregion again

// #region copy
const table = await open('cities.cstore');
await write('two.cstore', table.take([2, 0]));
table.close();
// #endregion copy

const two = await open('two.cstore');
console.log(await two.column('id').toArray()); // → Int32Array(2) [ 3, 1 ]
two.close();
