// What the package check runs in a user's folder: `library` is the package, loaded by import or by require.
(async () => {
  const { execFileSync } = await import('node:child_process');
  const { writeFileSync } = await import('node:fs');
  const run = (...words) =>
    execFileSync(process.execPath, ['node_modules/colkit/bin/colkit.js', ...words], { encoding: 'utf8' });
  writeFileSync('check.csv', 'id,amount\n1,2.5\n2,3.5\n');
  for (const [from, to, format] of [
    ['check.csv', 'check.cna', 'columna'],
    ['check.cna', 'check.cstore', 'colstore'],
    ['check.cstore', 'check.syr', 'syrah'],
  ]) {
    run('convert', from, to, '-f');
    const found = await library.identify(to);
    if (found !== format) throw new Error(`wrong format: ${found}`);
    if (run('query', to, 'amount > 3', '--count') !== '1\n') throw new Error(`wrong rows of ${to}`);
  }
  const error = await library.identify('missing.cna').then(
    () => null,
    (reason) => reason,
  );
  if (!library.isColkitError(error) || error.code !== 'ERR_NOT_FOUND') throw new Error(`wrong error: ${error}`);
  console.log(`ok, backend ${library.backendInfo().backend}`);
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
