// What the package check runs in a user's folder: `library` is the package, loaded by import or by require. Without a
// server: what is wrong is told before one is asked.
(async () => {
  const { backendInfo, isColkitError } = await import('@colkit/io');
  const connection = { host: '127.0.0.1', port: 9, lazyConnect: true };
  for (const options of [
    { connection, queue: 'scans' },
    { connection, queue: 'scans', allow: '/data', alow: 1 },
  ])
    try {
      library.createScanWorker(options);
      throw new Error('nothing was refused');
    } catch (error) {
      if (!isColkitError(error) || error.code !== 'ERR_ARGUMENT') throw error;
    }
  const error = await library.runDistributed({}, {}, { where: 5 }).catch((reason) => reason);
  if (!isColkitError(error) || error.code !== 'ERR_ARGUMENT') throw new Error(`wrong error: ${error}`);
  console.log(`ok, backend ${backendInfo().backend}`);
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
