// What the package check runs in a user's folder: `library` is the package, loaded by import or by require.
(async () => {
  const { rmSync } = await import('node:fs');
  rmSync('check.bin', { force: true });
  const sink = await library.openFileSink('check.bin');
  await sink.write(new Uint8Array(Float64Array.of(1, 2, 3).buffer));
  await sink.finish();
  const source = await library.openSource('check.bin');
  const bytes = new Uint8Array(8);
  await source.read(16, bytes);
  if (new Float64Array(bytes.buffer)[0] !== 3) throw new Error(`wrong bytes: ${bytes}`);
  const error = await source.read(24, bytes).then(
    () => null,
    (reason) => reason,
  );
  if (!library.isColkitError(error)) throw new Error(`wrong error: ${error}`);
  source.close();
  console.log(`ok, backend ${library.backendInfo().backend}`);
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
