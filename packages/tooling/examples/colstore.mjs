// What the package check runs in a user's folder: `library` is the package, loaded by import or by require.
(async () => {
  const table = await library.ColStore.fromColumns(
    { price: Float64Array.of(1.5, 2.5, 3.5), qty: Int32Array.of(1, 2, 3) },
    'check.cstore',
    { overwrite: true },
  );
  const { price, qty } = await table.take([2, 0]).toColumns();
  if (price.join() !== '3.5,1.5' || qty.join() !== '3,1') throw new Error(`wrong values: ${price} ${qty}`);
  const error = await table
    .take([3])
    .toColumns()
    .then(
      () => null,
      (reason) => reason,
    );
  if (!library.isColkitError(error) || error.code !== 'ERR_INDEX_OUT_OF_RANGE')
    throw new Error(`wrong error: ${error}`);
  table.close();
  console.log(`ok, backend ${library.backendInfo().backend}`);
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
