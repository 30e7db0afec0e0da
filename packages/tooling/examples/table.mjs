// What the package check runs in a user's folder: `library` is the package, loaded by import or by require.
(async () => {
  const { backendInfo, isColkitError } = await import('@colkit/io');
  const { rowCount, fields } = library.toInputColumns({
    price: Float64Array.of(9.5, 12),
    day: library.typed('datetime64[s]', ['2026-11-21', 'NaT']),
  });
  if (rowCount !== 2 || fields.map(({ dtype }) => dtype).join() !== 'float64,datetime64[s]')
    throw new Error(`wrong fields: ${JSON.stringify(fields)}`);
  let error = null;
  try {
    library.toInputColumns({ price: Float64Array.of(1), qty: Int32Array.of(1, 2) });
  } catch (reason) {
    error = reason;
  }
  if (!isColkitError(error)) throw new Error(`wrong error: ${error}`);
  console.log(`ok, backend ${backendInfo().backend}`);
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
