// What the package check runs in a user's folder: `library` is the package, loaded by import or by require.
(async () => {
  const { rmSync } = await import('node:fs');
  rmSync('check.syr', { force: true });
  const writer = await library.create('check.syr');
  await writer.addItem({ label: Int32Array.of(1), features: Float32Array.of(0.5, 1.5) });
  await writer.addItem({ label: Int32Array.of(2), features: Float32Array.of(2.5) });
  await writer.close();
  const file = await library.open('check.syr');
  const item = await file.getItem(-1);
  if (item.label.join() !== '2' || item.features.join() !== '2.5' || file.itemCount !== 2)
    throw new Error(`wrong values: ${item.label} ${item.features}`);
  const error = await file.getItem(2).then(
    () => null,
    (reason) => reason,
  );
  if (!library.isColkitError(error) || error.code !== 'ERR_INDEX_OUT_OF_RANGE')
    throw new Error(`wrong error: ${error}`);
  file.close();
  console.log(`ok, backend ${library.backendInfo().backend}`);
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
