// What the package check runs in a user's folder: `library` is the package, loaded by import or by require.
(async () => {
  const ids = BigInt64Array.from({ length: 1000 }, (_, i) => BigInt(i));
  await library.write(
    'check.cna',
    {
      id: ids,
      amount: Array.from(ids, (id) => Number(id) / 4),
      note: Array.from(ids, (id) => (id % 3n === 0n ? 'gift' : null)),
    },
    { overwrite: true },
  );
  const result = await library.scan('check.cna', { columns: ['id'], where: 'amount > 249 and note is not null' });
  if (result.columns.id.join() !== '999') throw new Error(`wrong values: ${result.columns.id}`);
  const { note } = await library.read('check.cna', { columns: ['note'] });
  if (note.length !== 1000 || note[3] !== 'gift' || note[4] !== null)
    throw new Error(`wrong values: ${note.slice(0, 5)}`);
  const error = await library.read('missing.cna').then(
    () => null,
    (reason) => reason,
  );
  if (!library.isColkitError(error) || error.code !== 'ERR_NOT_FOUND') throw new Error(`wrong error: ${error}`);
  console.log(`ok, backend ${library.backendInfo().backend}`);
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
