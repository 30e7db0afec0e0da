import { compact, create, isColkitError, open, typed, update, write } from 'colstore';

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

// #region grow
const writer = await create('log.cstore', { statistics: true });
await writer.write({ t: Float64Array.of(0, 1), level: Int32Array.of(3, 4) }); // one record
await writer.checkpoint(); // kept whatever happens, and seen by readers
await writer.write([{ t: 2, level: 5 }]);
await writer.close();

const log = await open('log.cstore');
const more = await update('log.cstore'); // a second writer is ERR_LOCKED
await more.write({ t: [3], level: [6] });
await more.close();
const now = await log.reload(); // a table of its own
console.log(log.rowCount, now.rowCount); // → 3 4
log.close();
now.close();
await compact('log.cstore'); // one record of all
// #endregion grow
